"""The options of the functions and the estimator: defaults, ranges, and their names in the engine.

An option is a field of a dataclass here, with the values that scikit-learn's parameter validation
accepts beside its default. A public function repeats only the names and defaults in its signature,
and builds its options in one line: ``ClusterOptions.from_arguments("cluster", locals())``. A test
holds the signatures against the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from os import PathLike
from typing import Any, TypeVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, validate_parameter_constraints

from . import _engine
from . import _typing as t
from ._accepted import integer, number, words
from ._threads import use_threads

EngineOptions = dict[str, Any]
_Options = TypeVar("_Options", bound="Options")


def _option(default: Any, *accepted: Any) -> Any:
    """A field with its default, and what scikit-learn's validation accepts for it."""
    return field(default=default, metadata={"accepted": list(accepted)})


@dataclass(frozen=True)
class Options:
    """What all options have in common: they are taken from arguments and checked."""

    @classmethod
    def accepted(cls) -> dict[str, list[Any]]:
        """What scikit-learn's validation accepts for each option."""
        return {each.name: each.metadata["accepted"] for each in fields(cls)}

    @classmethod
    def from_parameters(cls: type[_Options], given: Mapping[str, Any]) -> _Options:
        """The options among ``given``, not checked; other names are ignored."""
        return cls(**{name: given[name] for name in cls.accepted() if name in given})

    @classmethod
    def from_arguments(cls: type[_Options], caller: str, given: Mapping[str, Any]) -> _Options:
        """The options among the arguments of the function ``caller``.

        Raises ``InvalidParameterError``, which is a ``ValueError``, for the first option with a
        value that is not accepted.
        """
        options = cls.from_parameters(given)
        validate_parameter_constraints(cls.accepted(), vars(options), caller_name=caller)
        return options

    @classmethod
    def check_each(cls, caller: str, name: str, values: Iterable[object]) -> None:
        """Check each of several values for the same option."""
        for value in values:
            accepted = {name: cls.accepted()[name]}
            validate_parameter_constraints(accepted, {name: value}, caller_name=caller)


@dataclass(frozen=True)
class SeedOptions(Options):
    """The seed of a random graph."""

    random_state: t.RandomState = _option(0, "random_state")

    def seed(self) -> int:
        """An int is the seed itself, as on the command line; otherwise a number is drawn."""
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))


@dataclass(frozen=True)
class ThreadOptions(SeedOptions):
    """What every computation takes."""

    n_jobs: int | None = _option(None, None, Integral)
    verbose: int = _option(0, "verbose")

    def set_threads(self) -> None:
        """Set the threads of the engine; called before anything that it computes."""
        use_threads(self.n_jobs)


@dataclass(frozen=True)
class RunOptions(ThreadOptions):
    """Of a computation that can be ended early."""

    time_limit: float | None = _option(None, None, Interval(Real, 0, None, closed="neither"))


@dataclass(frozen=True)
class BaselineOptions(ThreadOptions):
    """Of :func:`repsc.baselines`."""

    n_clusters: int = _option(8, integer(2))


@dataclass(frozen=True)
class ChooseOptions(RunOptions):
    """Of :func:`repsc.choose_k`."""

    from_: int = _option(2, integer(2))
    to: int = _option(20, integer(2))
    memory_limit: int | None = _option(None, None, integer(1))


@dataclass(frozen=True)
class AuditOptions(Options):
    """Of :func:`repsc.explain` and :func:`repsc.compare`, which draw nothing at random."""

    n_jobs: int | None = _option(None, None, Integral)


@dataclass(frozen=True)
class ReportOptions(ThreadOptions):
    """Of :func:`repsc.report` and the methods of that name."""

    threshold: float | None = _option(None, None, Interval(Real, 0, 1, closed="both"))
    names: bool = _option(False, "boolean")
    path: bool = _option(True, "boolean")
    certificate: bool = _option(True, "boolean")
    json: str | PathLike[str] | None = _option(None, None, str, PathLike)
    title: str = _option("Clusters", str)


@dataclass(frozen=True)
class SpectralOptions(RunOptions):
    """What every spectral method takes."""

    n_clusters: t.NumClusters = _option(8, integer(2))
    method: t.Method = _option(
        "auto", words("auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc")
    )
    embedding_rows: t.EmbeddingRows = _option("auto", words("auto", "plain", "unit"))
    solver: t.Solver = _option("auto", words("auto", *_engine.available_solvers()))
    device: str = _option("auto", str)
    tol: t.Automatic = _option("auto", words("auto"), Interval(Real, 0, 1, closed="neither"))
    max_iter: int = _option(1000, integer(1))
    n_init: int = _option(10, integer(1))
    regularization: t.Automatic = _option(0.0, words("auto"), number(0))
    memory_limit: int | None = _option(None, None, integer(1))

    def for_engine(self) -> EngineOptions:
        """By their names in C++, where None leaves the choice to the library.

        Draws the seed, so that it is called once for a computation.
        """
        tau = self.regularization
        return {
            "method": _unless_automatic(self.method),
            "embedding_rows": _unless_automatic(self.embedding_rows),
            "solver": _unless_automatic(self.solver),
            "device": _unless_automatic(self.device),
            "tolerance": _unless_automatic(self.tol, float),
            "max_iterations": int(self.max_iter),
            "kmeans_restarts": int(self.n_init),
            "regularization": tau if isinstance(tau, str) else float(tau),
            "seed": self.seed(),
            "memory_limit": _unless_automatic(self.memory_limit, int),
            "time_limit": _unless_automatic(self.time_limit, float),
        }


@dataclass(frozen=True)
class ClusterOptions(SpectralOptions):
    """Of :func:`repsc.cluster` and the estimator."""

    n_clusters: t.NumClusters = _option(8, words("auto"), integer(2))
    rank: t.Rank = _option("auto", words("auto", "exact"), integer(1))
    constraint: t.Constraint = _option("auto", words("auto", "hard", "soft"))
    strength: float | None = _option(None, None, number(0))
    refine: t.Refine = _option("auto", words("auto"), "boolean")
    mu: t.Mu | None = _option(None, None, words("ratio"), number(0))
    min_cluster_size: int = _option(1, integer(1))
    keep_structure: float | None = _option(None, None, number(0, 1))
    fairness: float | None = _option(None, None, number(0))
    n_groups: int | None = _option(None, None, integer(2))

    def for_engine(self) -> EngineOptions:
        """By their names in C++, where None leaves the choice to the library."""
        return {
            **super().for_engine(),
            "rank": "exact" if self.rank == "exact" else _unless_automatic(self.rank, int),
            "constraint": _unless_automatic(self.constraint),
            "strength": _unless_automatic(self.strength, float),
            "refine": _unless_automatic(self.refine, bool),
            "refinement": self._refinement(),
            "keep_structure": _unless_automatic(self.keep_structure, float),
            "fairness": _unless_automatic(self.fairness, float),
            "num_groups": _unless_automatic(self.n_groups, int),
        }

    def _refinement(self) -> EngineOptions | None:
        """The options of the refinement; None unless one of them is given."""
        given: EngineOptions = {}
        if self.mu is not None:
            given["mu"] = mu_for_engine(self.mu)
        if self.min_cluster_size != type(self)().min_cluster_size:
            given["min_cluster_size"] = int(self.min_cluster_size)
        return given or None


@dataclass(frozen=True)
class TargetOptions(SpectralOptions):
    """Of :func:`repsc.cluster_to_target`."""

    target_balance: float | None = _option(None, None, number(0, 1))
    target_individual: float | None = _option(None, None, number(0, 1))
    max_cut_increase: float | None = _option(None, None, number(0))
    min_cluster_size: int = _option(1, integer(1))

    def targets(self) -> tuple[float | None, float | None, float | None]:
        """As the engine takes them."""
        given = (self.target_balance, self.target_individual, self.max_cut_increase)
        average, individual, increase = (None if t is None else float(t) for t in given)
        return average, individual, increase


@dataclass(frozen=True)
class RefineOptions(RunOptions):
    """Of :func:`repsc.refine`."""

    mu: t.Mu = _option(2.0, words("ratio"), number(0))
    cut: t.Cut = _option("normalized", words("normalized", "ratio"))
    min_cluster_size: int = _option(1, integer(1))
    max_rounds: int = _option(100, integer(0))

    def for_engine(self) -> EngineOptions:
        """By their names in C++."""
        return {
            "mu": mu_for_engine(self.mu),
            "cut": self.cut,
            "min_cluster_size": int(self.min_cluster_size),
            "max_rounds": int(self.max_rounds),
            "seed": self.seed(),
            "time_limit": _unless_automatic(self.time_limit, float),
        }


@dataclass(frozen=True)
class CertifyOptions(RunOptions):
    """Of :func:`repsc.certify`."""

    cut: t.Cut = _option("normalized", words("normalized", "ratio"))
    tol: float = _option(2e-3, Interval(Real, 0, 1, closed="neither"))
    plain_cut: t.PlainCut = _option("auto", None, words("auto"), number(0))
    verify: bool = _option(True, "boolean")
    memory_limit: int | None = _option(None, None, integer(1))

    def for_engine(self) -> EngineOptions:
        """By their names in C++; the plain cut is added once it is known."""
        return {
            "cut": self.cut,
            "tolerance": float(self.tol),
            "plain_cut": _unless_automatic(self.plain_cut, float),
            "verify": bool(self.verify),
            "seed": self.seed(),
            "memory_limit": _unless_automatic(self.memory_limit, int),
            "time_limit": _unless_automatic(self.time_limit, float),
        }


@dataclass(frozen=True)
class ReachOptions(Options):
    """Of :func:`repsc.unreachable_nodes`."""

    n_clusters: int = _option(2, integer(2))
    alpha: float = _option(1.0, number(0, 1))


def _unless_automatic(value: Any, convert: Callable[[Any], Any] = str) -> Any:
    """The value, converted; None for "auto" and None."""
    automatic = value is None or (isinstance(value, str) and value == "auto")
    return None if automatic else convert(value)


def mu_for_engine(mu: t.Mu) -> t.Mu:
    """A number, or "ratio"."""
    return mu if isinstance(mu, str) else float(mu)
