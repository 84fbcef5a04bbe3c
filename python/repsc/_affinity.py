"""The matrix of the graph that the estimator cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.validation import assert_all_finite, validate_data

from ._structure import are_narrow, require_structure
from ._typing import GraphLike


def affinity_matrix(estimator: Any, X: GraphLike) -> Any:
    """X itself if it is precomputed, otherwise the affinities of its rows as in scikit-learn."""
    precomputed = estimator.affinity == "precomputed"
    if issparse(X):
        require_structure(X, "X", entries=not (precomputed and are_narrow(X)))
    X = validate_data(
        estimator,
        X,
        accept_sparse=["csr", "csc", "coo"],
        accept_large_sparse=precomputed,
        dtype="numeric" if precomputed else [np.float64, np.float32],
        ensure_min_samples=2,
        ensure_all_finite=not precomputed,  # the check of the graph names the entry
    )
    if precomputed:
        if X.shape[0] != X.shape[1]:
            assert_all_finite(X.data if issparse(X) else X)
            raise ValueError(
                f"X has shape {X.shape}, but with affinity='precomputed' it is the adjacency "
                "matrix of a graph, which is square; for features use "
                "affinity='nearest_neighbors' or 'rbf'"
            )
        return X
    if estimator.affinity == "nearest_neighbors":
        n_neighbors = min(estimator.n_neighbors, X.shape[0])
        links = kneighbors_graph(
            X, n_neighbors=n_neighbors, include_self=True, n_jobs=estimator.n_jobs
        )
        return 0.5 * (links + links.T)
    return rbf_kernel(X, gamma=estimator.gamma)
