"""What clustering, refinement and evaluation return."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _engine
from ._baselines import Baselines, measured_baselines
from ._choices import ClusterCount
from ._graphs import Fairness
from ._labels import label_numbers
from ._matrices import to_scipy
from ._measures import Metrics
from ._options import ReportOptions
from ._shown import Shown
from ._typing import AnyArray, CsrArray, FloatArray, IntArray, RandomState


class Notice(NamedTuple):
    """What to know about a result."""

    code: str
    message: str


class Search(NamedTuple):
    """How the search for a fair bargain ended."""

    #: The candidate before refinement, such as ``"nrepsc of strength 0.01"``.
    start: str
    #: Number of candidates.
    tried: int
    #: Whether the structure or fairness that was asked for was reached.
    met: bool


@dataclass(frozen=True, eq=False, repr=False)
class _Measured(Shown):
    """Labels with the graphs they are measured on."""

    labels: AnyArray
    n_clusters: int
    _similarity: _engine.Graph = field(repr=False)
    _fairness: Fairness = field(repr=False)
    _nodes: Sequence[Any] | None = field(repr=False)

    @cached_property
    def _numbers(self) -> IntArray:
        """The labels as the engine has them: int32 from 0."""
        return self.labels

    @property
    def labels_by_node(self) -> dict[Any, Any] | None:
        """The cluster of each node by its name; None if the nodes have no names."""
        return None if self._nodes is None else dict(zip(self._nodes, self.labels.tolist()))

    @property
    def similarity(self) -> CsrArray:
        """The graph that was cut, as a SciPy CSR array."""
        return to_scipy(self._similarity)

    @property
    def _sizes(self) -> dict[str, Any]:
        sizes = np.bincount(self._numbers, minlength=self.n_clusters)
        return {
            "n_samples": len(self.labels),
            "n_clusters": self.n_clusters,
            "cluster_sizes": sizes,
        }

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), **self.metrics._details()}

    @cached_property
    def baselines(self) -> Baselines | None:
        """Plain clustering and lots; computed on first use. None if a node is isolated."""
        return measured_baselines(self._similarity, self._fairness, self.n_clusters, seed=0)

    @property
    def structure_kept(self) -> float:
        """1: as much structure as plain clustering; 0: none, as lots. NaN without baselines."""
        scale = self.baselines
        return math.nan if scale is None else scale.structure_kept(self.metrics.normalized_cut)

    @property
    def fairness_gained(self) -> float:
        """0: no fairer than plain clustering; 1: as fair as lots, or as the exact constraint."""
        scale = self.baselines
        return math.nan if scale is None else scale.fairness_gained(self.metrics.average_balance)

    def report(
        self, file: str | os.PathLike[str], *, threshold: float | None = None,
        names: bool = False, path: bool = True, certificate: bool = True,
        json: str | os.PathLike[str] | None = None, title: str = "Clusters",
        random_state: RandomState = 0, n_jobs: int | None = None, verbose: int = 0,
    ) -> None:
        """Write a page about these clusters, as :func:`repsc.report` does."""
        from ._audits import write_report

        options = ReportOptions.from_arguments("report", locals())
        options.set_threads()
        write_report(
            self._similarity, self._fairness, self._numbers, self.n_clusters, file, options,
            nodes=self._nodes, what=getattr(self, "method", "labels"),
        )

    @cached_property
    def balance(self) -> FloatArray:
        """rho_i of every sample; NaN without a representation and without groups."""
        return self._of_each(_engine.balance)

    @cached_property
    def proportional_balance(self) -> FloatArray:
        """The proportional balance of every sample; NaN without a representation and groups."""
        return self._of_each(_engine.proportional_balance)

    def _of_each(self, measure: Callable[..., Any]) -> FloatArray:
        if self._fairness.representation is None and self._fairness.groups is None:
            return np.full(len(self.labels), np.nan)
        return np.asarray(measure(*self._fairness, self._numbers, self.n_clusters, False))

    @cached_property
    def metrics(self) -> Metrics:
        """Cuts and fairness of the labels, as :class:`Metrics`."""
        fields = _engine.evaluate(
            self._similarity, *self._fairness, self._numbers, self.n_clusters, False
        )
        return Metrics.from_engine(fields)


@dataclass(frozen=True, eq=False, repr=False)
class Refinement(_Measured):
    """Labels after refinement, and what refinement did.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        The cluster of each sample, with the values of the labels given.
    n_clusters : int
        The number of clusters.
    mu : float
        The weight of the average balance; with ``mu="ratio"``, the weight that was found.
    cut_kind : {"normalized", "ratio"}
        The cut that was lowered.
    cut, average_balance : float
        Of the labels.
    objective, start_objective : float
        ``cut / scale - mu * average_balance`` of the labels and of those given, where scale is the
        expected cut of a random labelling.
    moves : int
        Accepted moves of a node; a swap counts as two.
    rounds : int
        Rounds of descent and escapes from local optima.
    local_optimum : bool
        Whether a second call would change nothing. If False, ``max_rounds`` or the time limit was
        reached.
    time_limit_reached : bool
        Whether the time limit ended the refinement.
    """

    mu: float
    cut_kind: str
    cut: float
    average_balance: float
    objective: float
    start_objective: float
    moves: int
    rounds: int
    local_optimum: bool
    time_limit_reached: bool = False

    def _summary(self) -> dict[str, Any]:
        shown = ("mu", "cut_kind", "cut", "average_balance", "moves", "local_optimum")
        return {**self._sizes, **{name: getattr(self, name) for name in shown}}

    @cached_property
    def _numbers(self) -> IntArray:
        return label_numbers(self.labels)[0]


@dataclass(frozen=True, eq=False, repr=False)
class Clustering(_Measured):
    """Clusters of one graph, and how they were found.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        From 0. The clusters of k-means are numbered by their first sample; refinement keeps these
        numbers.
    n_clusters : int
        The number of clusters.
    method : str
        The method that ran: ``"usc"``, ``"nsc"``, ``"urepsc"``, ``"nrepsc"``, ``"ufairsc"`` or
        ``"nfairsc"``.
    embedding : ndarray of shape (n_samples, n_clusters)
        The rows that k-means clustered.
    eigenvalues : ndarray of shape (n_clusters,)
        In ascending order.
    inertia : float
        The k-means objective at the labels.
    converged : bool
        Whether the eigensolver met the tolerance or the labels settled.
    settled : bool
        Whether the eigensolver stopped because the labels no longer changed.
    residual : float
        Largest residual of an eigenvector, relative to the norm of the Laplacian.
    constraint_rank : int
        Number of dimensions that the constraint removes.
    constraint_residual : float
        Deviation of the embedding from the constraint.
    strength : float or None
        The strength of the soft constraint; None without one.
    n_iter : int
        Products with a block of vectors; 0 for dense solvers.
    solver : str
        The eigensolver that ran.
    seconds : dict
        Time of the stages ``"constraint"``, ``"eigen"``, ``"kmeans"``, ``"refine"`` and
        ``"search"``.
    clusters_visible : bool
        False if the iteration was ended because labels kept changing and no longer improved: the
        eigenvalues have no gap after the first ``n_clusters``.
    eigengap : float or None
        Between the eigenvalues ``n_clusters`` and ``n_clusters + 1``, if both are known.
    rank_unique : bool
        False if the representation graph has other best approximations of the rank.
    warnings : tuple of named tuples (code, message)
        What to know about the result; the codes are those of the command line. They are also given
        as Python warnings.
    groups : ndarray of shape (n_samples,) or None
        The groups of ``"ufairsc"`` and ``"nfairsc"``.
    refinement : Refinement or None
        What refinement did; None if the labels were not refined.
    before_refinement : ndarray of shape (n_samples,) or None
        The labels of k-means; None if the labels were not refined.
    time_limit_reached : bool
        Whether the time limit ended a stage: the labels are the best found so far.
    search : named tuple (start, tried, met) or None
        How the search ended, if method and constraint were chosen automatically.
    chosen_clusters : ClusterCount or None
        With ``n_clusters="auto"``: how the number of clusters was chosen.
    """

    labels: IntArray
    method: str
    embedding: FloatArray
    eigenvalues: FloatArray
    inertia: float
    converged: bool
    settled: bool
    residual: float
    constraint_rank: int
    constraint_residual: float
    n_iter: int
    solver: str
    seconds: dict[str, float]
    strength: float | None = None
    clusters_visible: bool = True
    eigengap: float | None = None
    rank_unique: bool = True
    warnings: tuple[Notice, ...] = ()
    groups: IntArray | None = None
    refinement: Refinement | None = None
    before_refinement: IntArray | None = None
    time_limit_reached: bool = False
    search: Search | None = None
    chosen_clusters: ClusterCount | None = None

    def _summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = {"method": self.method, **self._sizes}
        if self.strength is not None:
            summary["strength"] = self.strength
        if self.constraint_rank > 0:
            summary["constraint_rank"] = self.constraint_rank
        if self.refinement is not None:
            summary["refined"] = True
        return {**summary, "converged": self.converged}

    def _details(self) -> dict[str, Any]:
        seconds = sum(self.seconds.values())
        details = {**super()._details(), "solver": self.solver, "seconds": seconds}
        for notice in self.warnings:
            details[notice.code] = notice.message
        return details

    @classmethod
    def from_engine(
        cls,
        fields: dict[str, Any],
        similarity: _engine.Graph,
        fairness: Fairness,
        nodes: Sequence[Any] | None,
    ) -> Clustering:
        """The engine's fields, with the graphs and the names of the nodes."""
        graphs: dict[str, Any] = {
            "_similarity": similarity,
            "_fairness": fairness,
            "_nodes": nodes,
        }
        refinement = fields["refinement"]
        if refinement is not None:
            count, kind = fields["n_clusters"], _engine.cut_of(fields["method"])
            refinement = Refinement(**refinement, n_clusters=count, cut_kind=kind, **graphs)
        notices = tuple(Notice(*notice) for notice in fields["warnings"])
        search = None if fields["search"] is None else Search(*fields["search"])
        own = {name: value for name, value in fields.items() if name != "baselines"}
        own.update(refinement=refinement, warnings=notices, search=search)
        result = cls(**own, **graphs)
        if fields["baselines"] is not None:  # known, so that nothing is left to compute
            vars(result)["baselines"] = Baselines.from_engine(fields["baselines"])
        return result
