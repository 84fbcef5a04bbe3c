"""Cuts, balance and accuracy of labels from any tool."""

from __future__ import annotations

import numpy as np

from . import _engine
from ._graphs import (
    NO_GROUPS,
    Sensitive,
    as_fairness,
    as_graph,
    labels_of_nodes,
    labels_of_representation,
    node_names,
    own_nodes,
)
from ._results import Metrics
from ._threads import use_threads
from ._typing import FloatArray, GraphLike, Labels, RepresentationLike


def evaluate(
    similarity: GraphLike,
    labels: Labels,
    *,
    representation: RepresentationLike | None = None,
    sensitive_features: Labels | None = None,
    groups: Labels | None = None,
    truth: Labels | None = None,
) -> Metrics:
    """Measure cuts, balance and accuracy of labels from any tool.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph to cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node; labels may have any type.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        The representation graph.
    sensitive_features : array-like of shape (n_samples,), dict or data frame, default=None
        The protected group of each node, instead of a representation graph.
    groups : array-like of shape (n_samples,), default=None
        Another name of ``sensitive_features``.
    truth : array-like of shape (n_samples,), default=None
        True labels, for the accuracy and the adjusted Rand index.

    Returns
    -------
    Metrics

    Examples
    --------
    >>> import numpy as np, repsc
    >>> path_of_four = np.diag([1, 1, 1], 1) + np.diag([1, 1, 1], -1)
    >>> metrics = repsc.evaluate(path_of_four, list("aabb"), sensitive_features=[0, 1, 0, 1])
    >>> metrics.ratio_cut, metrics.average_balance
    (0.5, 1.0)
    """
    sensitive = Sensitive.given(sensitive_features, groups)
    if representation is not None and sensitive.values is not None:
        raise ValueError(
            f"{sensitive.name} replace a representation graph; give only one of the two"
        )
    use_threads()
    graph = as_graph(similarity)
    n_samples = graph.num_nodes
    nodes = node_names(similarity)
    numbers, values = labels_of_nodes(labels, nodes, n_samples)
    fairness = as_fairness(representation, sensitive, n_samples, nodes)
    fields = _engine.evaluate(graph, *fairness, numbers, len(values))
    if truth is not None:
        expected = labels_of_nodes(truth, nodes, n_samples, "true labels")[0]
        fields["accuracy"] = _engine.accuracy(numbers, expected)
        fields["adjusted_rand_index"] = _engine.adjusted_rand_index(numbers, expected)
    return Metrics(**fields)


def balance(representation: RepresentationLike, labels: Labels) -> FloatArray:
    """Compute the balance rho_i of every node.

    rho_i is the smallest number of representatives of node i in a cluster divided by the largest,
    where 0/0 is 1.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        The representation graph.
    labels : array-like of shape (n_samples,)
        The cluster of each node; labels may have any type.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import repsc
    >>> repsc.balance(repsc.representation.groups(["f", "f", "m", "m"]), [0, 1, 0, 0])
    array([1., 1., 0., 0.])
    """
    use_threads()
    numbers, values = labels_of_representation(labels, representation)
    fairness = as_fairness(
        representation, NO_GROUPS, len(numbers), own_nodes(representation)
    )
    return np.asarray(_engine.balance(*fairness, numbers, len(values)))


def ratio_cut(similarity: GraphLike, labels: Labels) -> float:
    """Compute the ratio cut: the sum over clusters of Cut / number of nodes.

    Cut has the paper's factor 1/2.

    Parameters
    ----------
    similarity, labels
        As for :func:`evaluate`.

    Returns
    -------
    ratio_cut : float

    Examples
    --------
    >>> import repsc
    >>> repsc.ratio_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1])
    0.75
    """
    use_threads()
    graph = as_graph(similarity)
    numbers, values = labels_of_nodes(labels, node_names(similarity), graph.num_nodes)
    return _engine.ratio_cut(graph, numbers, len(values))


def normalized_cut(similarity: GraphLike, labels: Labels) -> float:
    """Compute the normalized cut: the sum over clusters of Cut / sum of degrees.

    Parameters
    ----------
    similarity, labels
        As for :func:`evaluate`. Cut has the paper's factor 1/2.

    Returns
    -------
    normalized_cut : float

    Examples
    --------
    >>> import repsc
    >>> round(repsc.normalized_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1]), 4)
    0.6667
    """
    use_threads()
    graph = as_graph(similarity)
    numbers, values = labels_of_nodes(labels, node_names(similarity), graph.num_nodes)
    return _engine.normalized_cut(graph, numbers, len(values))
