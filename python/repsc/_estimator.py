"""The estimator: representation-aware spectral clustering, compatible with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any, TypeVar, cast

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils._set_output import _SetOutputMixin

from . import _typing as t
from ._accepted import integer, number, words
from ._affinity import AFFINITIES, SamplesAsGraph
from ._assignment import assigned_again, without_search
from ._clustering import run_cluster, single_method
from ._fitted import FittedClusters
from ._graphs import Sensitive, as_fairness
from ._options import ClusterOptions
from ._swallowed import require_groups_are_used
from ._warnings import warn_of_result, warn_unless_converged

_Fit = TypeVar("_Fit", bound=Callable[..., Any])
_OF_CLUSTER_ONLY = ("method", "n_groups")


def _validated(fit: _Fit) -> _Fit:
    """scikit-learn's decorator, which validates the parameters, with the type of ``fit`` kept."""
    return cast(_Fit, _fit_context(prefer_skip_nested_validation=True)(fit))


class RepresentationAwareSpectralClustering(
    FittedClusters, SamplesAsGraph, ClusterMixin, ClassNamePrefixFeaturesOutMixin, _SetOutputMixin,
    BaseEstimator,
):
    """Spectral clustering in which every individual is represented in every cluster.

    With a representation graph, every node's neighbours there are spread over the clusters in
    proportion to their size (Gupta and Dukkipati, NeurIPS 2022). With sensitive features, every
    group is spread in this way (Kleindessner et al., ICML 2019). Without either, this is plain
    spectral clustering.

    Parameters
    ----------
    n_clusters : int or "auto", default=8
        The number of clusters. 1 puts all samples into one cluster. auto: the one that
        :func:`repsc.choose_k` recommends; an error if there is no clear one.
    normalized : bool, default=True
        Whether the normalized cut (by degrees) or the ratio cut (by numbers of nodes) is lowered.
    rank, constraint, strength : default="auto", "auto" and None
        How the representation graph constrains the clusters, as for :func:`repsc.cluster`.
    embedding_rows : {"auto", "plain", "unit"}, default="auto"
        Whether k-means clusters the rows of the embedding as they are or scaled to length 1. auto:
        whichever is better where the constraint is chosen automatically, otherwise unit for soft
        constraints and plain for hard ones.
    refine : "auto" or bool, default="auto"
        Whether the labels of k-means are refined, see :func:`repsc.refine`. True needs a
        representation graph or groups. auto: the labels are refined if ``normalized`` is True and
        ``rank``, ``constraint`` and ``strength`` are not given.
    mu, min_cluster_size : default=None and 1
        Options of the refinement, as for :func:`repsc.cluster`.
    keep_structure, fairness : float, default=None
        The least structure to keep or fairness to gain, as for :func:`repsc.cluster`.
    affinity : str or callable, default="precomputed"
        Whether X is the graph, or features from which a graph is made as in scikit-learn:
        ``"precomputed"``; ``"nearest_neighbors"``; ``"precomputed_nearest_neighbors"``, where X has
        distances; a kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, such as ``"rbf"``,
        ``"laplacian"`` or ``"cosine"``; or a function of two samples. No similarity may be
        negative.
    gamma, degree, coef0 : float, default=1.0, 3 and 1
        Coefficients of the kernels that have them.
    kernel_params : dict, default=None
        More parameters of a kernel or of the callable; they take precedence.
    n_neighbors : int, default=10
        Neighbours for the affinities of nearest neighbours, including the sample itself.
    assign_labels : {"kmeans", "discretize", "cluster_qr"}, default="kmeans"
        How clusters are found in the rows of the embedding; the others are scikit-learn's, and
        their labels are not refined.
    solver, device, tol, max_iter, n_init, regularization : default="auto", "auto", "auto", \
    1000, 10 and 0
        Eigensolver and k-means, as for :func:`repsc.cluster`.
    random_state : int, RandomState instance or None, default=None
        An int is the seed of the command line: the same seed gives the same labels there.
    memory_limit, time_limit, n_jobs, verbose : default=None, None, None and 0
        As for :func:`repsc.cluster`.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each sample, from 0. The clusters of k-means are numbered by their first
        sample; refinement keeps these numbers.
    n_clusters_ : int
        The number of clusters.
    labels_by_node_ : dict
        The cluster of each node by its name; only if the nodes have names: for NetworkX graphs,
        igraph graphs with the attribute ``name``, and pandas frames with an index.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        The rows that k-means clustered.
    eigenvalues_ : ndarray of shape (n_clusters,)
        In ascending order.
    n_iter_ : int
        Products of the eigensolver with a block of vectors; 1 for the dense solver.
    converged_ : bool
        Whether the eigensolver met ``tol``.
    residual_ : float
        Largest residual of an eigenvector.
    constraint_rank_ : int
        Number of dimensions that a hard constraint removes.
    strength_ : float or None
        The strength of the soft constraint; None without one.
    refinement_ : Refinement or None
        What refinement did; None if the labels were not refined.
    balance_ : ndarray of shape (n_samples,)
        rho_i: the smallest number of representatives of sample i in a cluster divided by the
        largest; NaN without a representation graph and without groups.
    average_balance_ : float
        The mean of ``balance_``.
    ratio_cut_, normalized_cut_ : float
        As defined in the paper, with a factor 1/2 in Cut.
    affinity_matrix_ : {array-like, sparse matrix} of shape (n_samples, n_samples)
        The graph that was cut; X itself if it is precomputed.
    result_ : Clustering
        All of this as one object, for :mod:`repsc.plot`.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X has feature names that are all strings.

    See Also
    --------
    repsc.cluster : The same as a function, with a choice of the method.
    sklearn.cluster.SpectralClustering : Plain spectral clustering.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(400)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> model = repsc.RepresentationAwareSpectralClustering(n_clusters=4, random_state=0)
    >>> model.fit(G, representation=R).labels_[::50]
    array([0, 0, 1, 1, 2, 2, 3, 3], dtype=int32)
    >>> round(model.average_balance_, 2)
    1.0
    """

    _parameter_constraints = {  # noqa: RUF012 - scikit-learn reads it as a plain class attribute
        **{k: v for k, v in ClusterOptions.accepted().items() if k not in _OF_CLUSTER_ONLY},
        "n_clusters": [words("auto"), integer(1)],
        "normalized": ["boolean"],
        "affinity": [words(*AFFINITIES), callable],
        "gamma": [number(0)],
        "degree": [number(0)],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "kernel_params": [dict, None],
        "n_neighbors": [integer(1)],
        "assign_labels": [words("kmeans", "discretize", "cluster_qr")],
    }

    def __init__(
        self, n_clusters: t.NumClusters = 8, *, normalized: bool = True,
        rank: t.Rank = "auto", constraint: t.Constraint = "auto", strength: float | None = None,
        embedding_rows: t.EmbeddingRows = "auto",
        refine: t.Refine = "auto", mu: t.Mu | None = None, min_cluster_size: int = 1,
        keep_structure: float | None = None, fairness: float | None = None,
        affinity: t.Affinity = "precomputed", gamma: float = 1.0, degree: float = 3,
        coef0: float = 1, kernel_params: dict[str, Any] | None = None, n_neighbors: int = 10,
        assign_labels: t.AssignLabels = "kmeans",
        solver: t.Solver = "auto", device: str = "auto", tol: t.Automatic = "auto",
        max_iter: int = 1000, n_init: int = 10, regularization: t.Automatic = 0.0,
        random_state: t.RandomState = None, memory_limit: int | None = None,
        time_limit: float | None = None, n_jobs: int | None = None, verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.normalized = normalized
        self.rank = rank
        self.constraint = constraint
        self.strength = strength
        self.embedding_rows = embedding_rows
        self.refine = refine
        self.mu = mu
        self.min_cluster_size = min_cluster_size
        self.keep_structure = keep_structure
        self.fairness = fairness
        self.affinity = affinity
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_neighbors = n_neighbors
        self.assign_labels = assign_labels
        self.solver = solver
        self.device = device
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.regularization = regularization
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    @_validated
    def fit(
        self, X: t.GraphLike, y: object = None, *,
        representation: t.RepresentationLike | None = None,
        sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    ) -> RepresentationAwareSpectralClustering:
        """Find the clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_samples) or (n_samples, n_features)
            The graph, or features if ``affinity`` is not ``"precomputed"``. A symmetric CSR matrix
            of float64 or of ones is used without copying. NetworkX and igraph graphs are accepted.
        y : Ignored
            Not used, present by convention.
        representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
            The representation graph, of shape (n_samples, n_samples), or a rule of
            :mod:`repsc.representation`.
        sensitive_features : array-like of shape (n_samples,), dict or data frame, default=None
            The protected group of each sample, instead of a representation graph; matched by name
            as by :func:`repsc.cluster`.
        groups : array-like of shape (n_samples,), default=None
            Another name of ``sensitive_features``. scikit-learn's searches and cross-validation
            keep an argument of this name for their splitter, so that it would not arrive here;
            where this is noticed, it is an error.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        options = ClusterOptions.from_parameters(self.get_params(deep=False))
        options.set_threads()
        nodes = self._sample_names(X)
        similarity = self._similarity(X)
        sensitive = Sensitive.given(sensitive_features, groups)
        fairness = as_fairness(representation, sensitive, similarity.num_nodes, nodes)
        if not self.normalized:  # the counterpart of what the library chooses: urepsc for nrepsc
            method = "u" + single_method(fairness, options)[1:]
            options = replace(options, method=cast(t.Method, method))
        by_kmeans = self.assign_labels == "kmeans"
        if not by_kmeans:
            options = without_search(options, fairness, self.assign_labels)
        result, asked = run_cluster(similarity, fairness, options, nodes)
        warn_unless_converged(result, asked)
        if not by_kmeans and result.n_clusters > 1:
            result = assigned_again(result, self.assign_labels, asked["seed"])
        warn_of_result(result)
        self._keep(result)
        return self

    def fit_predict(
        self, X: t.GraphLike, y: object = None, *,
        representation: t.RepresentationLike | None = None,
        sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    ) -> t.IntArray:
        """Find the clusters and return their labels.

        Parameters
        ----------
        X, y, representation, sensitive_features, groups
            As for :meth:`fit`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            The cluster of each sample.
        """
        return self.fit(
            X, y, representation=representation, sensitive_features=sensitive_features,
            groups=groups,
        ).labels_

    def fit_transform(
        self, X: t.GraphLike, y: object = None, *,
        representation: t.RepresentationLike | None = None,
        sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    ) -> Any:
        """Find the clusters and return the embedding, in the container of :meth:`set_output`.

        There is no ``transform``: a spectral embedding does not extend to new samples. The
        parameters are those of :meth:`fit`.

        Returns
        -------
        embedding : ndarray or data frame of shape (n_samples, n_clusters)
            The rows that k-means clustered.
        """
        return self.fit(
            X, y, representation=representation, sensitive_features=sensitive_features,
            groups=groups,
        ).embedding_

    def __sklearn_clone__(self) -> Any:
        require_groups_are_used()
        return super().__sklearn_clone__()
