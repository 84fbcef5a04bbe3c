"""What the functions return."""

import warnings
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _engine
from ._graphs import to_scipy


class NotConverged(ConvergenceWarning):
    """The eigensolver stopped before it met the tolerance; labels are there all the same."""


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


@dataclass(frozen=True, eq=False)
class Clustering:
    """Clusters of one graph, and how they were found.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        From 0, numbered by their first sample.
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
    n_iter : int
        Products with a block of vectors; 0 for dense solvers.
    solver : str
        The one that ran.
    seconds : dict
        Of the stages ``"constraint"``, ``"eigen"`` and ``"kmeans"``.
    groups : ndarray of shape (n_samples,) or None
        The groups of ``"ufairsc"`` and ``"nfairsc"``.
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
    groups: "np.ndarray | None" = None
    _similarity: _engine.Graph = field(default=None, repr=False)
    _fairness: tuple = field(default=(None, None), repr=False)  # engine's graph, groups

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
        return _engine.balance(representation, groups, self.labels, self.n_clusters)

    @cached_property
    def metrics(self):
        """Cuts and balance of the labels, as :class:`Metrics`."""
        return Metrics(
            **_engine.evaluate(self._similarity, *self._fairness, self.labels, self.n_clusters)
        )


@dataclass(frozen=True, eq=False)
class RankPath:
    """Clusters at several ranks of one representation graph.

    Attributes
    ----------
    ranks : ndarray of shape (n_ranks,)
        Ascending.
    clusterings : list of Clustering
        One for each rank.
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
    def metrics(self):
        """A dict of arrays, one value a rank: the columns of a table."""
        rows = [clustering.metrics for clustering in self.clusterings]
        names = ("ratio_cut", "normalized_cut", "average_balance", "minimum_balance")
        return {
            "rank": self.ranks,
            **{name: np.array([getattr(row, name) for row in rows]) for name in names},
        }


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
