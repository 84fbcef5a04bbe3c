"""The estimator: representation-aware spectral clustering with the manners of scikit-learn."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, _fit_context
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils._set_output import _SetOutputMixin
from sklearn.utils.validation import assert_all_finite, validate_data

from ._functions import (
    engine_method,
    fairness_input,
    require_constraint,
    require_refinement,
    run_cluster,
)
from ._graphs import as_graph, is_graph_object, node_names
from ._options import CONSTRAINTS, engine_options


class RepresentationAwareSpectralClustering(
    ClusterMixin, ClassNamePrefixFeaturesOutMixin, _SetOutputMixin, BaseEstimator
):
    """Spectral clustering in which every individual is represented in every cluster.

    With a representation graph, every node's neighbours there are spread over the clusters in
    proportion to their size (Gupta and Dukkipati, NeurIPS 2022). With groups, every group is
    (Kleindessner et al., ICML 2019). With neither, this is plain spectral clustering.

    Parameters
    ----------
    n_clusters : int, default=8
        One cluster is everyone; the engine is asked from 2 on.
    normalized : bool, default=True
        Whether to cut by degrees (normalized cut) or by numbers of nodes (ratio cut).
    rank : "auto", "exact" or int, default="auto"
        How much of the representation a hard constraint takes: all of it, or its best approximation
        of that rank. auto: all of it where that leaves ``n_clusters`` dimensions and is cheap, else
        as ``constraint`` says; hard: a tenth of the number of samples, at most 128 above 5000.
    constraint : {"auto", "hard", "soft"}, default="auto"
        Whether the representation is met (hard, the paper's) or what is off costs (soft). auto: hard
        with a rank or where it is met at little cost, else soft.
    strength : float, default=None
        Of the soft constraint, which it stands for: 0 is plain clustering, at 1 the representation
        weighs as much as the graph, large values lead to a representation met exactly. None: 1.
    embedding_rows : {"auto", "plain", "unit"}, default="auto"
        Whether k-means sees the rows of the embedding as they are or scaled to length 1. auto: unit
        for soft constraints and for plain normalized clustering, else plain.
    refine : "auto" or bool, default="auto"
        Whether the labels of k-means are refined, see :func:`repsc.refine`. Needs a representation
        graph. auto: where ``normalized``, the representation cannot be met exactly, and neither
        ``rank`` nor ``constraint`` nor ``strength`` says how it binds.
    mu : float or "ratio", default=2.0
        With ``refine=True``: what one unit of average balance is worth, in cuts of labels at
        random; "ratio": the largest average balance / cut is looked for.
    min_cluster_size : int, default=1
        With ``refine=True``: samples in every cluster at least.
    affinity : {"precomputed", "nearest_neighbors", "rbf"}, default="precomputed"
        Whether X is the graph, or features to make one from as scikit-learn does.
    gamma : float, default=1.0
        Of ``affinity="rbf"``.
    n_neighbors : int, default=10
        Of ``affinity="nearest_neighbors"``, the sample itself counted.
    solver : {"auto", "lapack", "lanczos", "cholesky"}, default="auto"
        The eigensolver.
    tol : "auto" or float, default="auto"
        Largest residual of an eigenvector, relative to the Laplacian's norm; auto: 1e-8 up to 2000
        samples, above until the labels have settled.
    max_iter : int, default=1000
        Of the eigensolver: products with a block of vectors.
    n_init : int, default=10
        Runs of k-means; the best counts.
    regularization : "auto" or float, default=0
        Links every pair of nodes by this over the number of samples more; auto: the average degree.
        Only where ``normalized``.
    random_state : int, RandomState instance or None, default=None
        An int is the seed of the command line: the same number gives the same labels there.
    memory_limit : int, default=None
        Bytes that constraint and solver may take; None: 80 % of what is free.
    n_jobs : int, default=None
        Threads; None and -1: all cores. Never changes a result.
    verbose : int, default=0
        1 shows progress, with tqdm where that is installed.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each sample, from 0; those of k-means are numbered by their first sample,
        and refinement keeps numbers.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        The rows that k-means saw.
    eigenvalues_ : ndarray of shape (n_clusters,)
        Ascending.
    n_iter_ : int
        Products of the eigensolver with a block of vectors; 1 for the dense one.
    converged_ : bool
        Whether the eigensolver met ``tol``.
    residual_ : float
        Largest residual of an eigenvector.
    constraint_rank_ : int
        Dimensions that a hard constraint removes.
    strength_ : float or None
        Of the soft constraint, where there was one.
    refinement_ : Refinement or None
        What refinement did to the labels, where they were refined.
    balance_ : ndarray of shape (n_samples,)
        rho_i: the fewest representatives that sample i has in a cluster over the most; NaN where
        there is neither a representation nor groups.
    average_balance_ : float
        The mean of ``balance_``.
    ratio_cut_, normalized_cut_ : float
        As the paper defines them, with a factor 1/2 in Cut.
    affinity_matrix_ : {array-like, sparse matrix} of shape (n_samples, n_samples)
        The graph that was cut; X itself where it is precomputed.
    result_ : Clustering
        All of this, as :func:`repsc.cluster` returns it, for :mod:`repsc.plot`.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where X has feature names that are all strings.

    See Also
    --------
    repsc.cluster : The same as a function, with the choice of method.
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

    _parameter_constraints = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "normalized": ["boolean"],
        "rank": CONSTRAINTS["rank"],
        "affinity": [StrOptions({"precomputed", "nearest_neighbors", "rbf"})],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        **{
            name: CONSTRAINTS[name]
            for name in (
                "constraint",
                "strength",
                "embedding_rows",
                "refine",
                "mu",
                "min_cluster_size",
                "solver",
                "tol",
                "max_iter",
                "n_init",
                "regularization",
                "random_state",
                "memory_limit",
                "n_jobs",
                "verbose",
            )
        },
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        normalized=True,
        rank="auto",
        constraint="auto",
        strength=None,
        embedding_rows="auto",
        refine="auto",
        mu=2.0,
        min_cluster_size=1,
        affinity="precomputed",
        gamma=1.0,
        n_neighbors=10,
        solver="auto",
        tol="auto",
        max_iter=1000,
        n_init=10,
        regularization=0.0,
        random_state=None,
        memory_limit=None,
        n_jobs=None,
        verbose=0,
    ):
        self.n_clusters = n_clusters
        self.normalized = normalized
        self.rank = rank
        self.constraint = constraint
        self.strength = strength
        self.embedding_rows = embedding_rows
        self.refine = refine
        self.mu = mu
        self.min_cluster_size = min_cluster_size
        self.affinity = affinity
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.regularization = regularization
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, *, representation=None, groups=None):
        """Find the clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_samples) or (n_samples, n_features)
            The graph, or features where ``affinity`` is not ``"precomputed"``. A symmetric CSR
            matrix of float64 or of ones is used where it lies. NetworkX and igraph graphs are
            graphs, too.
        y : Ignored
            Not used, here by convention.
        representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
            Who represents whom, of shape (n_samples, n_samples), or a rule of
            :mod:`repsc.representation`.
        groups : array-like of shape (n_samples,), default=None
            Protected groups in place of a representation.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        nodes = node_names(X)
        similarity = self._similarity(X)
        if representation is not None and groups is not None:
            raise ValueError("representation and groups are two constraints; give one of the two")
        fairness = fairness_input(representation, groups, similarity.num_nodes, nodes)
        method = self._method(*fairness)
        require_constraint(method, self.rank, self.constraint, self.strength)
        require_refinement(self.refine, self.mu, self.min_cluster_size, fairness[0] is not None)
        options = engine_options(
            method=engine_method("auto", method),
            rank=self.rank,
            constraint=self.constraint,
            strength=self.strength,
            embedding_rows=self.embedding_rows,
            refine=self.refine,
            mu=self.mu,
            min_cluster_size=self.min_cluster_size,
            solver=self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            n_init=self.n_init,
            regularization=self.regularization,
            random_state=self.random_state,
            memory_limit=self.memory_limit,
        )
        self._keep(
            run_cluster(
                similarity,
                self.n_clusters,
                fairness,
                options,
                self.n_jobs,
                self.verbose,
                stacklevel=3,  # the user's line, seen through scikit-learn's wrapper
            )
        )
        return self

    def fit_predict(self, X, y=None, *, representation=None, groups=None):
        """Find the clusters and return their labels.

        Parameters
        ----------
        X, y, representation, groups
            As for :meth:`fit`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            The cluster of each sample.
        """
        return self.fit(X, y, representation=representation, groups=groups).labels_

    def fit_transform(self, X, y=None, *, representation=None, groups=None):
        """Find the clusters and return the embedding, in the container of :meth:`set_output`.

        There is no ``transform``: a spectral embedding says nothing about samples it has not seen.

        Parameters
        ----------
        X, y, representation, groups
            As for :meth:`fit`.

        Returns
        -------
        embedding : ndarray or data frame of shape (n_samples, n_clusters)
            The rows that k-means saw.
        """
        return self.fit(X, y, representation=representation, groups=groups).embedding_

    def _similarity(self, X):
        """The engine's graph of X, which also sets ``affinity_matrix_``."""
        if is_graph_object(X):
            if self.affinity != "precomputed":
                raise ValueError(f"X is a graph already; affinity={self.affinity!r} needs features")
            self.affinity_matrix_ = X
            graph = as_graph(X)
            self.n_features_in_ = graph.num_nodes
            return graph
        precomputed = self.affinity == "precomputed"
        X = validate_data(
            self,
            X,
            accept_sparse=["csr", "csc", "coo"],
            accept_large_sparse=precomputed,
            dtype="numeric" if precomputed else [np.float64, np.float32],
            ensure_min_samples=2,
            ensure_all_finite=not precomputed,  # the graph's own check names the entry
        )
        if precomputed:
            if X.shape[0] != X.shape[1]:
                assert_all_finite(X.data if issparse(X) else X)
                raise ValueError(
                    f"X has shape {X.shape}, but with affinity='precomputed' it is a graph's "
                    "adjacency matrix, which is square; for features use "
                    "affinity='nearest_neighbors' or 'rbf'"
                )
            self.affinity_matrix_ = X
        elif self.affinity == "nearest_neighbors":
            n_neighbors = min(self.n_neighbors, X.shape[0])
            links = kneighbors_graph(
                X, n_neighbors=n_neighbors, include_self=True, n_jobs=self.n_jobs
            )
            self.affinity_matrix_ = 0.5 * (links + links.T)
        else:
            self.affinity_matrix_ = rbf_kernel(X, gamma=self.gamma)
        return as_graph(self.affinity_matrix_)

    def _method(self, representation, groups):
        family = "n" if self.normalized else "u"
        if representation is not None:
            return family + "repsc"
        return family + ("sc" if groups is None else "fairsc")

    def _keep(self, result):
        self.result_ = result
        self.labels_ = result.labels
        self.embedding_ = result.embedding
        self.eigenvalues_ = result.eigenvalues
        self.n_iter_ = max(1, result.n_iter)
        self.converged_ = result.converged
        self.residual_ = result.residual
        self.constraint_rank_ = result.constraint_rank
        self.strength_ = result.strength
        self.refinement_ = result.refinement
        self.balance_ = result.balance
        self.average_balance_ = result.metrics.average_balance
        self.ratio_cut_ = result.metrics.ratio_cut
        self.normalized_cut_ = result.metrics.normalized_cut

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        precomputed = self.affinity == "precomputed"
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = precomputed
        tags.input_tags.positive_only = precomputed
        return tags
