"""Which method runs, and which options fit together: the rules of the command line.

All decisions of this kind are here. Callers pass what was given and run what :func:`planned` or
:func:`planned_fit` returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from ._graphs import Fairness
from ._options import (
    ClusterOptions,
    EngineOptions,
    RefineOptions,
    SpectralOptions,
    TargetOptions,
)
from ._results import cut_kind
from ._typing import IntArray, Method

_AWARE = ("urepsc", "nrepsc")
_FAIR = ("ufairsc", "nfairsc")


def planned(options: ClusterOptions, given: Fairness) -> ClusterOptions:
    """The options that the engine is asked for; raises ValueError where they contradict."""
    method = options.method
    if method == "auto":
        method = _chosen_method(options, given)
    _require_input(method, options, given)
    return _checked(options, method, given, automatic=options.method == "auto")


def planned_fit(options: ClusterOptions, normalized: bool, given: Fairness) -> ClusterOptions:
    """The same for the estimator, whose method follows from ``normalized`` and what is given."""
    if given.representation is not None:
        kind = "repsc"
    else:
        kind = "sc" if given.groups is None else "fairsc"
    method = cast(Method, ("n" if normalized else "u") + kind)
    return _checked(options, method, given, automatic=True)


def require_path_method(options: SpectralOptions) -> None:
    """A path is over ranks or strengths of a representation graph."""
    if options.method not in ("auto", *_AWARE):
        raise ValueError(
            f"method={options.method!r} has no ranks; a path needs method='urepsc' or 'nrepsc'"
        )


def require_targets(options: TargetOptions) -> None:
    """A search has a target and at most one kind of balance."""
    if all(target is None for target in options.targets()):
        raise ValueError("give target_balance, target_individual or max_cut_increase")
    if options.target_balance is not None and options.target_individual is not None:
        raise ValueError(
            "target_balance and target_individual are two different searches; give one of them"
        )
    if options.method in _FAIR:
        raise ValueError(
            f"method={options.method!r} cannot be given with a target; use 'usc' or 'nsc'"
        )


def constraining_groups(method: Method, given: Fairness) -> IntArray | None:
    """The groups, where they are the constraint."""
    return given.groups if method in _FAIR else None


def separate_refinement(asked: EngineOptions, given: Fairness) -> EngineOptions | None:
    """How to refine in a call of its own after clustering; None if the engine's call refines.

    The engine's call with groups does not see the representation graph that refinement needs.
    """
    method = asked["method"]
    if asked["refine"] != "yes" or constraining_groups(method, given) is None:
        return None
    return {"cut": cut_kind(method), "seed": asked["seed"], **asked["refinement"]}


def path_refinements(mus: Iterable[float], asked: EngineOptions) -> list[EngineOptions]:
    """How each point of a path is refined."""
    cut, seed = cut_kind(asked["method"]), asked["seed"]
    return [RefineOptions(mu=mu, cut=cut, random_state=seed).for_engine() for mu in mus]


def _chosen_method(options: ClusterOptions, given: Fairness) -> Method:
    if options.n_groups is not None:
        return "nfairsc"
    if given.representation is not None:
        return "nrepsc"
    return "nsc" if given.groups is None else "nfairsc"


def _checked(
    options: ClusterOptions, method: Method, given: Fairness, automatic: bool
) -> ClusterOptions:
    _require_constraint(method, options)
    _require_refinement(options, given)
    # With "auto" and a representation graph, the engine decides on the constraint and refinement.
    return replace(options, method="auto" if automatic and method == "nrepsc" else method)


def _require_input(method: Method, options: ClusterOptions, given: Fairness) -> None:
    """Refuse a method without its input, and input that the method ignores."""
    has_representation = given.representation is not None
    has_groups = given.groups is not None
    searchable = method in _FAIR and has_representation and not has_groups
    if options.n_groups is not None and not searchable:
        raise ValueError(
            f"n_groups={options.n_groups} is the number of groups that ufairsc and nfairsc find in "
            "representation=...; give no groups with it"
        )
    if method in _AWARE and not has_representation:
        raise ValueError(f"method={method!r} needs representation=...")
    if method in _AWARE and has_groups:
        raise ValueError(f"method={method!r} ignores groups; give only one of the two")
    if method in _FAIR and not (has_representation or has_groups):
        raise ValueError(
            f"method={method!r} needs groups=..., or representation=... to find groups in"
        )


def _require_constraint(method: Method, options: ClusterOptions) -> None:
    """A strength implies a soft constraint, which has no rank; a hard one has no strength."""
    if method not in _AWARE:
        for name in ("rank", "constraint", "strength"):
            value = getattr(options, name)
            if value != getattr(ClusterOptions, name):
                raise ValueError(
                    f"{method} ignores {name}={value!r}, which applies to the representation graph "
                    "of urepsc and nrepsc; leave it out"
                )
    if options.strength is not None and options.constraint == "hard":
        raise ValueError(
            f"strength={options.strength!r}: a hard constraint has no strength; "
            "use constraint='soft'"
        )
    if options.rank != "auto" and (options.strength is not None or options.constraint == "soft"):
        raise ValueError(
            f"rank={options.rank!r}: a soft constraint uses the whole representation graph; "
            "leave out the rank or the soft constraint"
        )


def _require_refinement(options: ClusterOptions, given: Fairness) -> None:
    """Refinement needs a representation graph; its options need refinement."""
    if isinstance(options.refine, str) or not options.refine:
        for name in ("mu", "min_cluster_size"):
            value = getattr(options, name)
            if value != getattr(ClusterOptions, name):
                raise ValueError(f"{name}={value!r} needs refine=True")
    elif given.representation is None:
        raise ValueError(
            "refine=True needs a representation graph; for groups, use "
            "representation=repsc.representation.groups(groups).tocsr()"
        )
