"""Cuts, fairness and accuracy of labels from any tool."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from . import _engine
from ._frames import index_names
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
from ._labels import label_numbers
from ._measures import GroupFairness, Metrics
from ._names import in_order_of_nodes
from ._threads import use_threads
from ._typing import FloatArray, GraphLike, IntArray, Labels, RepresentationLike


def evaluate(
    similarity: GraphLike,
    labels: Labels,
    *,
    representation: RepresentationLike | None = None,
    sensitive_features: Labels | None = None,
    groups: Labels | None = None,
    truth: Labels | None = None,
    weighted: bool = False,
) -> Metrics:
    """Measure cuts, fairness and accuracy of labels from any tool.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph to cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node; labels may have any type.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        The representation graph.
    sensitive_features : array-like of shape (n_samples,), dict or data frame, default=None
        The protected group of each node. If a representation graph is given too, balance is that of
        the graph, and the groups are measured beside it (``group_fairness``).
    groups : array-like of shape (n_samples,), default=None
        Another name of ``sensitive_features``.
    truth : array-like of shape (n_samples,), default=None
        True labels, for the accuracy and the adjusted Rand index.
    weighted : bool, default=False
        Whether the balances count the weights of the representation graph. By default they count
        its links, as in the paper.

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
    >>> metrics.group_fairness.minimum, round(metrics.modularity, 4)
    (1.0, 0.1667)
    """
    sensitive = Sensitive.given(sensitive_features, groups)
    if weighted and representation is None:
        raise ValueError("weighted=True needs representation=, whose weights are counted")
    use_threads()
    graph = as_graph(similarity)
    n_samples = graph.num_nodes
    nodes = node_names(similarity)
    numbers, values = labels_of_nodes(labels, nodes, n_samples)
    fairness = as_fairness(representation, sensitive, n_samples, nodes)
    fields = _engine.evaluate(graph, *fairness, numbers, len(values), weighted)
    if truth is not None:
        expected = labels_of_nodes(truth, nodes, n_samples, "true labels")[0]
        fields["accuracy"] = _engine.accuracy(numbers, expected)
        fields["adjusted_rand_index"] = _engine.adjusted_rand_index(numbers, expected)
    return Metrics.from_engine(fields)


def balance(
    representation: RepresentationLike, labels: Labels, *, weighted: bool = False
) -> FloatArray:
    """Compute the balance rho_i of every node.

    rho_i is the smallest number of representatives of node i in a cluster divided by the largest,
    where 0/0 is 1.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        The representation graph.
    labels : array-like of shape (n_samples,)
        The cluster of each node; labels may have any type.
    weighted : bool, default=False
        Whether a representative counts the weight of its link in place of 1.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import repsc
    >>> repsc.balance(repsc.representation.groups(["f", "f", "m", "m"]), [0, 1, 0, 0])
    array([1., 1., 0., 0.])
    """
    return np.asarray(_engine.balance(*_representatives(representation, labels), weighted))


def proportional_balance(
    representation: RepresentationLike, labels: Labels, *, weighted: bool = False
) -> FloatArray:
    """Compute the balance of every node with counts divided by cluster sizes.

    The representatives of node i in a cluster are divided by the number of nodes in it. The
    proportional balance is the smallest of these shares divided by the largest, where 0/0 is 1. It
    is 1 for all nodes if the labels satisfy the representation constraint, also if clusters differ
    in size.

    Parameters
    ----------
    representation, labels, weighted
        As for :func:`balance`.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import repsc
    >>> groups = repsc.representation.groups(["f", "f", "f", "m", "m", "m"])
    >>> repsc.proportional_balance(groups, [0, 1, 1, 0, 1, 1])
    array([1., 1., 1., 1., 1., 1.])
    """
    found = _engine.proportional_balance(*_representatives(representation, labels), weighted)
    return np.asarray(found)


def _representatives(
    representation: RepresentationLike, labels: Labels
) -> tuple[_engine.Graph | None, IntArray | None, IntArray, int]:
    """The engine's representation graph and groups, the labels, and the number of clusters."""
    use_threads()
    numbers, values = labels_of_representation(labels, representation)
    fairness = as_fairness(
        representation, NO_GROUPS, len(numbers), own_nodes(representation)
    )
    return (*fairness, numbers, len(values))


def group_fairness(sensitive_features: Labels, labels: Labels) -> GroupFairness:
    """Measure the shares of protected groups in clusters.

    Parameters
    ----------
    sensitive_features : array-like of shape (n_samples,), dict or data frame
        The protected group of each node.
    labels : array-like of shape (n_samples,) or dict
        The cluster of each node; labels may have any type. Where both arguments have names, they
        are matched by name.

    Returns
    -------
    GroupFairness

    Examples
    --------
    >>> import repsc
    >>> found = repsc.group_fairness(["f", "f", "m", "m"], ["a", "a", "a", "b"])
    >>> found.cluster_balance, found.largest_deviation
    (array([0.5, 0. ]), 0.5)
    """
    nodes = list(labels) if isinstance(labels, Mapping) else index_names(labels)
    numbers, values = labels_of_nodes(labels, nodes)
    given = in_order_of_nodes(sensitive_features, nodes, "sensitive_features")
    groups = label_numbers(given, len(numbers), "sensitive_features")[0]
    return GroupFairness(**_engine.group_fairness(groups, numbers, len(values)))


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
    return _engine.ratio_cut(*_clusters(similarity, labels))


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
    return _engine.normalized_cut(*_clusters(similarity, labels))


def modularity(similarity: GraphLike, labels: Labels) -> float:
    """Compute Newman's modularity, with the weights of the graph; 0 for a graph without edges.

    Parameters
    ----------
    similarity, labels
        As for :func:`evaluate`.

    Returns
    -------
    modularity : float

    Examples
    --------
    >>> import repsc
    >>> repsc.modularity([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], [0, 0, 1, 1])
    0.5
    """
    return _engine.modularity(*_clusters(similarity, labels))


def conductance(similarity: GraphLike, labels: Labels) -> FloatArray:
    """Compute the conductance of every cluster: leaving weight / min(volume, volume of the rest).

    It is the usual definition, without the paper's factor 1/2. A cluster that no edge leaves has
    conductance 0.

    Parameters
    ----------
    similarity, labels
        As for :func:`evaluate`.

    Returns
    -------
    ndarray of shape (n_clusters,)
        In the order of the sorted labels.

    Examples
    --------
    >>> import repsc
    >>> repsc.conductance([[0, 3, 0], [3, 0, 1], [0, 1, 0]], [0, 0, 1])
    array([1., 1.])
    """
    return np.asarray(_engine.conductance(*_clusters(similarity, labels)))


def _clusters(similarity: GraphLike, labels: Labels) -> tuple[_engine.Graph, IntArray, int]:
    """The engine's graph, the labels, and the number of clusters."""
    use_threads()
    graph = as_graph(similarity)
    numbers, values = labels_of_nodes(labels, node_names(similarity), graph.num_nodes)
    return graph, numbers, len(values)
