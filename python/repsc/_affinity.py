"""The matrix of the graph that the estimator cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics.pairwise import kernel_metrics, pairwise_kernels
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from sklearn.utils.validation import assert_all_finite, validate_data

from . import _engine
from ._devices import on_host, where_it_lies
from ._frames import index_names, is_pandas, square_frame
from ._graphs import as_graph, is_graph_object, node_names
from ._structure import are_narrow, require_structure
from ._typing import AnyArray, GraphLike

#: Affinities for which X is square: its rows and columns are samples.
PAIRWISE = ("precomputed", "precomputed_nearest_neighbors")
#: The affinities that have a name.
AFFINITIES = (*PAIRWISE, "nearest_neighbors", *kernel_metrics())


def is_pairwise(affinity: Any) -> bool:
    """Whether X is a graph or distances between samples, not features."""
    return isinstance(affinity, str) and affinity in PAIRWISE


class SamplesAsGraph:
    """The samples of an estimator with the parameter ``affinity``, as a graph."""

    affinity: Any

    def _similarity(self, X: GraphLike) -> _engine.Graph:
        """The engine's graph of X; also sets ``affinity_matrix_``."""
        if is_graph_object(X):
            if self.affinity != "precomputed":
                needed = "distances" if is_pairwise(self.affinity) else "features"
                raise ValueError(f"X is a graph already; affinity={self.affinity!r} needs {needed}")
            self.affinity_matrix_ = X
            graph = as_graph(X)
            self.n_features_in_ = graph.num_nodes
            if hasattr(self, "feature_names_in_"):  # of a data frame that was fitted before
                del self.feature_names_in_
            return graph
        if is_pairwise(self.affinity) and is_pandas(X) and X.shape[0] == X.shape[1]:
            X = square_frame(X)
        copy = on_host(X)
        self.affinity_matrix_ = affinity_matrix(self, copy)
        return where_it_lies(as_graph(self.affinity_matrix_), copy, X)

    def _sample_names(self, X: GraphLike) -> list[Any] | None:
        """The names of the nodes of a graph, or the index of a frame of features."""
        return node_names(X) if is_pairwise(self.affinity) else index_names(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # of BaseEstimator
        pairwise = is_pairwise(self.affinity)
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = pairwise
        tags.input_tags.positive_only = pairwise
        return tags


def affinity_matrix(estimator: Any, X: GraphLike) -> Any:
    """X itself if it is precomputed, otherwise the affinities of its rows as in scikit-learn."""
    affinity = estimator.affinity
    named = affinity if isinstance(affinity, str) else ""
    precomputed = named == "precomputed"
    if issparse(X):
        require_structure(X, "X", entries=not (precomputed and are_narrow(X)))
    X = validate_data(
        estimator,
        X,
        accept_sparse=["csr", "csc", "coo"],
        accept_large_sparse=is_pairwise(affinity),
        dtype="numeric" if precomputed else [np.float64, np.float32],
        ensure_min_samples=2,
        ensure_all_finite=not precomputed,  # the check of the graph names the entry
    )
    if is_pairwise(affinity) and X.shape[0] != X.shape[1]:
        assert_all_finite(X.data if issparse(X) else X)
        meant = "adjacency matrix of a graph" if precomputed else "matrix of distances"
        raise ValueError(
            f"X has shape {X.shape}, but with affinity={affinity!r} it is the {meant}, which is "
            "square; for features use affinity='nearest_neighbors' or 'rbf'"
        )
    if precomputed:
        return X
    if named.endswith("nearest_neighbors"):
        return _nearest_neighbors(estimator, X)
    return _kernel(estimator, X)


def _nearest_neighbors(estimator: Any, X: Any) -> Any:
    n_neighbors = min(estimator.n_neighbors, X.shape[0])
    if estimator.affinity == "nearest_neighbors":
        links = kneighbors_graph(
            X, n_neighbors=n_neighbors, include_self=True, n_jobs=estimator.n_jobs
        )
    else:
        nearest = NearestNeighbors(
            n_neighbors=n_neighbors, n_jobs=estimator.n_jobs, metric="precomputed"
        )
        links = nearest.fit(X).kneighbors_graph(X=X, mode="connectivity")
    return 0.5 * (links + links.T)


def _kernel(estimator: Any, X: Any) -> AnyArray:
    affinity = estimator.affinity
    params = dict(estimator.kernel_params or {})
    if not callable(affinity):
        of_estimator = {name: getattr(estimator, name) for name in ("gamma", "degree", "coef0")}
        params = {**of_estimator, **params}
    similarities = np.asarray(pairwise_kernels(X, metric=affinity, filter_params=True, **params))
    if (similarities < 0).any():
        row, column = (int(i[0]) for i in np.nonzero(similarities < 0))
        name = repr(affinity) if isinstance(affinity, str) else "a callable"
        raise ValueError(
            f"Negative values in data: affinity={name} gives {similarities[row, column]:g} for the "
            f"samples {row} and {column}, but weights must be 0 or more; use 'rbf' or "
            "'nearest_neighbors', or scale the features so that no similarity is negative"
        )
    return similarities
