"""What clustering, refinement and evaluation return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from . import _engine
from ._baselines import Baselines
from ._choices import ClusterCount
from ._graphs import Fairness
from ._labels import label_numbers
from ._measured import Measured
from ._typing import FloatArray, IntArray


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
class Refinement(Measured):
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
class Clustering(Measured):
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
    device : str
        Where the eigenvectors were computed: ``"cpu"``, or a CUDA device and its name.
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
    device: str = "cpu"
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
