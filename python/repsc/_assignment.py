"""Clusters from the rows of the embedding by the other ways of scikit-learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.cluster._spectral import cluster_qr, discretize

from ._clustering import single_method
from ._graphs import Fairness
from ._options import ClusterOptions
from ._results import Clustering, Notice
from ._typing import FloatArray, IntArray


def without_search(options: ClusterOptions, fairness: Fairness, how: str) -> ClusterOptions:
    """The options for the labels of ``how``: the embedding of one method, and no refinement."""
    if options.refine is True:
        raise ValueError(
            f"refine=True refines the labels of k-means, not those of assign_labels={how!r}; "
            "give these to repsc.refine()"
        )
    return replace(options, method=single_method(fairness, options), refine=False)


def assigned_again(result: Clustering, how: str, seed: int) -> Clustering:
    """The result with the labels of ``how`` in place of those of k-means."""
    rows = result.embedding
    if how == "cluster_qr":
        found = cluster_qr(rows)
    else:
        lengths = np.linalg.norm(rows, axis=1)
        if not (lengths > 0).all():
            raise ValueError(
                f"the embedding of sample {int(np.argmin(lengths))} is 0, which discretize cannot "
                "assign; use assign_labels='kmeans'"
            )
        found = discretize(rows, random_state=seed % 2**32)
    labels = _by_first_sample(found)
    count = int(labels.max()) + 1
    notices = [notice for notice in result.warnings if notice.code != "small_clusters"]
    if count < result.n_clusters:
        wanted = result.n_clusters
        message = f"assign_labels={how!r} found {count} clusters, fewer than n_clusters={wanted}"
        notices.append(Notice("fewer_clusters", message))
    return replace(
        result,
        labels=labels,
        n_clusters=count,
        inertia=_inertia(rows, labels),
        warnings=tuple(notices),
    )


def _by_first_sample(labels: IntArray) -> IntArray:
    """Clusters numbered by their first sample, as those of k-means."""
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank[numbers]


def _inertia(rows: FloatArray, labels: IntArray) -> float:
    """The sum of squared distances to the centers of the clusters."""
    clusters = range(int(labels.max()) + 1)
    centers = np.array([rows[labels == cluster].mean(axis=0) for cluster in clusters])
    return float(((rows - centers[labels]) ** 2).sum())
