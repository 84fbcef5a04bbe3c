"""refine(): better and fairer labels from given labels."""

from __future__ import annotations

from . import _engine
from ._graphs import Sensitive, as_problem, labels_of_nodes
from ._options import RefineOptions
from ._progress import progress
from ._results import Refinement
from ._typing import Cut, GraphLike, Labels, Mu, RandomState, RepresentationLike


def refine(
    similarity: GraphLike, representation: RepresentationLike | None, labels: Labels, *,
    sensitive_features: Labels | None = None, groups: Labels | None = None,
    mu: Mu = 2.0, cut: Cut = "normalized", min_cluster_size: int = 1, max_rounds: int = 100,
    random_state: RandomState = 0, time_limit: float | None = None,
    n_jobs: int | None = None, verbose: int = 0,
) -> Refinement:
    """Lower the cut and raise the balance of labels from any tool.

    Single nodes are moved and pairs are swapped while this lowers
    ``cut / scale - mu * average balance``, where scale is the expected cut of a random labelling.
    Refining the result again changes nothing.

    Parameters
    ----------
    similarity, representation
        The graphs, as for :func:`cluster`; None for ``representation`` with ``sensitive_features``.
    labels : array-like of shape (n_samples,)
        The cluster of each node at the start; labels may have any type.
    sensitive_features, groups
        The protected group of each node, as for :func:`cluster`, instead of ``representation``.
        Nodes are represented by those of their own group, which are counted directly.
    mu : float or "ratio", default=2.0
        The weight of the average balance, relative to the cut of a random labelling. A larger value
        gives more balance. "ratio": the weight is found that maximizes average balance / cut.
    cut : {"normalized", "ratio"}, default="normalized"
        The cut to lower.
    min_cluster_size : int, default=1
        Minimum number of nodes in every cluster; smaller clusters are filled first.
    max_rounds : int, default=100
        Maximum number of rounds of descent and escapes from local optima.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same seed gives the same labels.
    time_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    Refinement
        The labels, with the values of those given, and what was improved.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> plain = repsc.cluster(G, 2, refine=False)
    >>> print(repsc.balance(R, plain.labels).mean().round(2))
    0.6
    >>> better = repsc.refine(G, R, plain.labels)
    >>> round(better.average_balance, 2)
    1.0
    >>> repsc.refine(G, R, better.labels).moves
    0
    """
    options = RefineOptions.from_arguments("refine", locals())
    options.set_threads()
    given = Sensitive.given(sensitive_features, groups)
    graph, fairness, nodes = as_problem(similarity, representation, given)
    numbers, values = labels_of_nodes(labels, nodes, graph.num_nodes)
    if len(values) < 2:
        raise ValueError("all nodes are in one cluster; refinement needs at least two")
    with progress(verbose) as on_progress:
        fields = _engine.refine(
            graph, *fairness, numbers, len(values), options.for_engine(), on_progress
        )
    return Refinement(
        **{**fields, "labels": values[fields["labels"]]},
        n_clusters=len(values),
        cut_kind=cut,
        _similarity=graph,
        _fairness=fairness,
        _nodes=nodes,
    )
