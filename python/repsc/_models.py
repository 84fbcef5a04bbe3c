"""Random graphs of the paper's models."""

from __future__ import annotations

from . import _engine
from ._graphs import NO_GROUPS, as_fairness, labels_of_representation, own_nodes
from ._labels import label_numbers
from ._matrices import to_scipy
from ._options import SeedOptions
from ._threads import use_threads
from ._typing import CsrArray, Labels, RandomState, RepresentationLike


def sample_planted_partition(
    labels: Labels, within: float, across: float, *, random_state: RandomState = 0
) -> CsrArray:
    """Sample a graph with planted clusters.

    Two nodes are linked with probability ``within`` if they have the same label, and ``across``
    otherwise.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        The cluster of each node; labels may have any type.
    within, across : float
        Probabilities of an edge.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)
        With entries 0 and 1, without self-loops.

    Examples
    --------
    >>> import repsc
    >>> repsc.sample_planted_partition([0, 0, 1, 1], 1.0, 0.0).toarray().astype(int)
    array([[0, 1, 0, 0],
           [1, 0, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 1, 0]])
    """
    use_threads()
    seed = SeedOptions.from_arguments("sample_planted_partition", locals()).seed()
    numbers, _ = label_numbers(labels)
    return to_scipy(_engine.sample_planted_partition(numbers, within, across, seed))


def sample_regular_representation(
    n_samples: int, n_clusters: int, degree: int, *, random_state: RandomState = 0
) -> CsrArray:
    """Sample a representation graph with a fair clustering (Assumption 4.1 of the paper).

    Every node has ``degree`` neighbours, including itself, and the same number of them in each of
    the clusters ``0, ..., 0, 1, ..., 1, ...``, which have equal size.

    Parameters
    ----------
    n_samples, n_clusters, degree : int
        ``n_clusters`` divides the other two. If n_samples / n_clusters is odd, degree / n_clusters
        must be odd as well.
    random_state : int, RandomState or None, default=0
        As for :func:`sample_planted_partition`.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)
        With ``degree`` entries in every row, one of them on the diagonal.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(12, 2, degree=4)
    >>> R.sum(axis=0)
    array([4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4.])
    """
    use_threads()
    seed = SeedOptions.from_arguments("sample_regular_representation", locals()).seed()
    return to_scipy(_engine.sample_regular_representation(n_samples, n_clusters, degree, seed))


def sample_rpp(
    representation: RepresentationLike,
    clusters: Labels,
    *,
    p: float,
    q: float,
    r: float,
    s: float,
    random_state: RandomState = 0,
) -> CsrArray:
    """Sample a similarity graph from the paper's model R-PP, given a representation graph.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        The representation graph.
    clusters : array-like of shape (n_samples,)
        The planted cluster of each node.
    p, q : float
        Probabilities of an edge between nodes that are linked in the representation graph: in the
        same cluster, in different clusters.
    r, s : float
        The same for nodes that are not linked there; 1 >= p >= q >= r >= s >= 0.
    random_state : int, RandomState or None, default=0
        As for :func:`sample_planted_partition`.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)
        The similarity graph, without self-loops.

    Examples
    --------
    >>> import repsc
    >>> rule = repsc.representation.groups(["f", "m", "f", "m"])
    >>> repsc.sample_rpp(rule, [0, 0, 1, 1], p=1, q=1, r=0, s=0).toarray().astype(int)
    array([[0, 0, 1, 0],
           [0, 0, 0, 1],
           [1, 0, 0, 0],
           [0, 1, 0, 0]])
    """
    use_threads()
    seed = SeedOptions.from_arguments("sample_rpp", locals()).seed()
    numbers, _ = labels_of_representation(clusters, representation, "clusters")
    fairness = as_fairness(
        representation, NO_GROUPS, len(numbers), own_nodes(representation)
    )
    return to_scipy(_engine.sample_rpp(*fairness, numbers, (p, q, r, s), seed))
