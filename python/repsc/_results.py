"""What the functions return."""

import warnings
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _engine
from ._graphs import label_numbers, to_scipy


class NotConverged(ConvergenceWarning):
    """The eigensolver stopped before it met the tolerance; labels are there all the same."""


class TargetMissed(UserWarning):
    """No clustering that was looked at meets the target; the nearest is there all the same."""


@dataclass(frozen=True)
class Metrics:
    """How good and how fair labels are, as the paper defines it.

    Attributes
    ----------
    ratio_cut, normalized_cut : float
        With the paper's factor 1/2 in Cut: other texts' values are twice as large.
    average_balance, minimum_balance : float
        Mean and minimum of rho_i; NaN without a representation.
    constraint_residual : float
        0 exactly where the labels meet the representation constraint; NaN without a representation.
    cluster_sizes : ndarray of shape (n_clusters,)
        In the order of the sorted labels.
    accuracy, adjusted_rand_index : float
        Against a truth; NaN without one.
    """

    ratio_cut: float
    normalized_cut: float
    average_balance: float
    minimum_balance: float
    constraint_residual: float
    cluster_sizes: np.ndarray
    accuracy: float = float("nan")
    adjusted_rand_index: float = float("nan")


class _Measured:
    """What can be told of labels, of the engine's graph ``_similarity`` and by ``_fairness``."""

    @property
    def _numbers(self):
        """The labels as the engine has them: int32 from 0."""
        return self.labels

    @property
    def similarity(self):
        """The graph that was cut, as a SciPy CSR array."""
        return to_scipy(self._similarity)

    @cached_property
    def balance(self):
        """rho_i of every sample; NaN where there is neither a representation nor groups."""
        representation, groups = self._fairness
        if representation is None and groups is None:
            return np.full(len(self.labels), np.nan)
        return _engine.balance(representation, groups, self._numbers, self.n_clusters)

    @cached_property
    def metrics(self):
        """Cuts and balance of the labels, as :class:`Metrics`."""
        return Metrics(
            **_engine.evaluate(self._similarity, *self._fairness, self._numbers, self.n_clusters)
        )


@dataclass(frozen=True, eq=False)
class Refinement(_Measured):
    """Labels after refinement, and what it did.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        The cluster of each sample, in the words of the labels given.
    n_clusters : int
    mu : float
        What one unit of average balance was worth; the last one where it was found.
    cut_kind : {"normalized", "ratio"}
        Which cut was lowered.
    cut, average_balance : float
        Of the labels.
    objective, start_objective : float
        ``cut / scale - mu * average_balance`` of the labels and of those given, where scale is what
        the cut of labels at random would be.
    moves : int
        Accepted steps; a swap counts two.
    rounds : int
        Of descent and escapes from local optima.
    local_optimum : bool
        A second call would change nothing; False: ``max_rounds`` was met.
    """

    labels: np.ndarray
    n_clusters: int
    mu: float
    cut_kind: str
    cut: float
    average_balance: float
    objective: float
    start_objective: float
    moves: int
    rounds: int
    local_optimum: bool
    _similarity: _engine.Graph = field(default=None, repr=False)
    _fairness: tuple = field(default=(None, None), repr=False)  # engine's graph, groups

    @cached_property
    def _numbers(self):
        return label_numbers(self.labels)[0]


@dataclass(frozen=True, eq=False)
class Clustering(_Measured):
    """Clusters of one graph, and how they were found.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        From 0; those of k-means are numbered by their first sample, and refinement keeps numbers.
    n_clusters : int
    method : str
        The one that ran: ``"usc"``, ``"nsc"``, ``"urepsc"``, ``"nrepsc"``, ``"ufairsc"`` or
        ``"nfairsc"``.
    embedding : ndarray of shape (n_samples, n_clusters)
        The rows that k-means saw.
    eigenvalues : ndarray of shape (n_clusters,)
        Ascending.
    inertia : float
        The k-means objective at the labels.
    converged, settled : bool
        Whether the residual met the tolerance or the labels settled; and whether it was the latter.
    residual : float
        Largest residual of an eigenvector, relative to the Laplacian's norm.
    constraint_rank : int
        Dimensions that the constraint removes.
    constraint_residual : float
        How far the embedding is from meeting the constraint.
    strength : float or None
        Of the soft constraint, where there was one.
    n_iter : int
        Products with a block of vectors; 0 for dense solvers.
    solver : str
        The one that ran.
    seconds : dict
        Of the stages ``"constraint"``, ``"eigen"``, ``"kmeans"`` and ``"refine"``.
    groups : ndarray of shape (n_samples,) or None
        The groups of ``"ufairsc"`` and ``"nfairsc"``.
    refinement : Refinement or None
        What refinement did to the labels, where they were refined.
    before_refinement : ndarray of shape (n_samples,) or None
        The labels that k-means gave, where they were refined.
    """

    labels: np.ndarray
    n_clusters: int
    method: str
    embedding: np.ndarray
    eigenvalues: np.ndarray
    inertia: float
    converged: bool
    settled: bool
    residual: float
    constraint_rank: int
    constraint_residual: float
    n_iter: int
    solver: str
    seconds: dict
    strength: "float | None" = None
    groups: "np.ndarray | None" = None
    refinement: "Refinement | None" = None
    before_refinement: "np.ndarray | None" = None
    _similarity: _engine.Graph = field(default=None, repr=False)
    _fairness: tuple = field(default=(None, None), repr=False)  # engine's graph, groups


@dataclass(frozen=True, eq=False)
class RankPath:
    """Clusters at several ranks of one representation graph and strengths of a soft constraint.

    The points come first, ranks and strengths ascending; behind them, where asked for, each of them
    refined at each mu.

    Attributes
    ----------
    ranks : ndarray of shape (n_points,)
        0 where the constraint is soft.
    clusterings : list of Clustering
        One for each point.
    decomposition_seconds : float
        Of the decomposition that all ranks share.
    """

    ranks: np.ndarray
    clusterings: list
    decomposition_seconds: float

    def __len__(self):
        return len(self.clusterings)

    def __iter__(self):
        return iter(self.clusterings)

    def __getitem__(self, position):
        return self.clusterings[position]

    @cached_property
    def strengths(self):
        """Of the soft constraint; NaN where it is hard."""
        return np.array([c.strength for c in self.clusterings], dtype=float)

    @cached_property
    def mus(self):
        """At which the labels were refined; NaN where they were not."""
        mus = [c.refinement and c.refinement.mu for c in self.clusterings]
        return np.array(mus, dtype=float)

    @cached_property
    def metrics(self):
        """A dict of arrays, one value a point: the columns of a table."""
        rows = [clustering.metrics for clustering in self.clusterings]
        names = ("ratio_cut", "normalized_cut", "average_balance", "minimum_balance")
        return {
            "rank": self.ranks,
            "strength": self.strengths,
            "mu": self.mus,
            **{name: np.array([getattr(row, name) for row in rows]) for name in names},
        }

    @cached_property
    def on_average_front(self):
        """Whether no other point has at most the cut and at least the average balance.

        The cut is the one that the method lowers: ratio cut for urepsc, else normalized cut.
        """
        return self._front("average_balance")

    @cached_property
    def on_minimum_front(self):
        """The same for the minimum balance."""
        return self._front("minimum_balance")

    def _front(self, gain):
        cut = "ratio_cut" if self.clusterings[0].method == "urepsc" else "normalized_cut"
        points = zip(self.metrics[cut].tolist(), self.metrics[gain].tolist())
        return np.array(_engine.pareto_front(list(points)))


@dataclass(frozen=True, eq=False)
class TargetResult:
    """The least cut that meets a target, or the nearest to it that was found.

    Attributes
    ----------
    clustering : Clustering
        Of the start that led there, with the labels found.
    met : bool
        Whether the target was met.
    start : str
        ``"nsc"``, ``"nrepsc of strength 10"``, ...
    mu : float
        Of the refinement that followed; 0: none.
    cut_kind : {"normalized", "ratio"}
        Which cut counts.
    cut, plain_cut : float
        Of the labels, and of plain clustering.
    average_balance : float
        Of the labels.
    satisfied : int or None
        ``target_individual``: nodes that have it.
    below : ndarray of int
        ``target_individual``: nodes that could have it and do not.
    unreachable : structured ndarray
        ``target_individual``: nodes that no clustering gives it to, as :func:`unreachable_nodes`
        returns them.
    tried : int
        Clusterings looked at.
    """

    clustering: Clustering = field(repr=False)
    met: bool
    start: str
    mu: float
    cut_kind: str
    cut: float
    plain_cut: float
    average_balance: float
    satisfied: "int | None"
    below: np.ndarray
    unreachable: np.ndarray
    tried: int

    @property
    def labels(self):
        """The cluster of each node: ``clustering.labels``."""
        return self.clustering.labels

    @property
    def cut_increase(self):
        """The cut over that of plain clustering, less 1."""
        if self.plain_cut > 0:
            return self.cut / self.plain_cut - 1
        return float("inf") if self.cut > 0 else 0.0


def unreachable_array(columns):
    """The engine's columns as one structured array."""
    kinds = [("node", np.int32), ("representatives", np.int32), ("best", np.float64)]
    found = np.empty(len(columns[0]), dtype=kinds)
    for (name, _), column in zip(kinds, columns):
        found[name] = column
    return found


def warn_unless_converged(clustering, options, stacklevel, where=""):
    """Warn with what to do about it."""
    if clustering.converged:
        return
    tolerance = _engine.tolerance_for(len(clustering.labels), options)
    warnings.warn(
        f"not converged{where}: residual {clustering.residual:.1e} after {clustering.n_iter} "
        f"iterations, above tol={tolerance:.1e}; raise max_iter or tol, or try another solver",
        NotConverged,
        stacklevel=stacklevel + 1,
    )
