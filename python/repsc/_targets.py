"""cluster_to_target(), and the nodes that cannot reach a target."""

from __future__ import annotations

import warnings
from typing import Literal

from . import _engine
from . import _typing as t
from ._graphs import NO_GROUPS, Fairness, Sensitive, as_fairness, as_problem, own_nodes
from ._options import ReachOptions, TargetOptions
from ._progress import progress
from ._results import Clustering
from ._searches import TargetResult, unreachable_array
from ._threads import use_threads
from ._warnings import TargetMissed, warn_of_result, warn_unless_converged


def cluster_to_target(
    similarity: t.GraphLike, representation: t.RepresentationLike | None, n_clusters: int, *,
    sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    target_balance: float | None = None, target_individual: float | None = None,
    max_cut_increase: float | None = None, min_cluster_size: int = 1,
    method: Literal["auto", "usc", "nsc", "urepsc", "nrepsc"] = "auto",
    embedding_rows: t.EmbeddingRows = "auto",
    solver: t.Solver = "auto", device: str = "auto", tol: t.Automatic = "auto",
    max_iter: int = 1000, n_init: int = 10, regularization: t.Automatic = 0.0,
    random_state: t.RandomState = 0, memory_limit: int | None = None,
    time_limit: float | None = None, n_jobs: int | None = None, verbose: int = 0,
) -> TargetResult:
    """Find the clustering of least cut that meets a fairness target.

    The search chooses the rank or strength, and the mu of the refinement. It computes one front of
    cut and balance that does not depend on the target, so that no target gets a worse answer than
    one that was found for another target.

    Parameters
    ----------
    similarity, representation, n_clusters, sensitive_features, groups
        As for :func:`path`.
    target_balance : float, default=None
        Minimum average balance, from 0 to 1.
    target_individual : float, default=None
        Minimum balance of every node that can reach it, from 0 to 1; instead of ``target_balance``.
        :func:`unreachable_nodes` lists the nodes that cannot.
    max_cut_increase : float, default=None
        Maximum increase of the cut over plain clustering: 0.1 is 10 % more. Alone, it asks for the
        largest average balance within this bound.
    min_cluster_size : int, default=1
        Minimum number of nodes in every cluster.
    method : {"auto", "usc", "nsc", "urepsc", "nrepsc"}, default="auto"
        Only selects the cut: ratio cut for usc and urepsc, otherwise normalized cut.
    embedding_rows, solver, device, tol, max_iter, n_init, regularization
        Options of every clustering that is tried, as for :func:`cluster`.
    random_state, memory_limit, time_limit, n_jobs, verbose
        Options of the search, as for :func:`cluster`.

    Returns
    -------
    TargetResult
        The clustering, and whether it meets the target.

    Warns
    -----
    TargetMissed
        If no clustering that was tried meets the target: ``met`` is False, and the nearest one is
        returned. The search is heuristic, so this does not prove that the target cannot be met,
        unless ``target_balance`` is above ``balance_limit``.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> found = repsc.cluster_to_target(G, R, 2, target_balance=0.8)
    >>> found.met, found.average_balance >= 0.8, found.cut_increase < 0.1
    (True, True, True)
    >>> found = repsc.cluster_to_target(G, R, 2, max_cut_increase=0.1)
    >>> found.met, found.average_balance >= 0.8
    (True, True)
    """
    options = TargetOptions.from_arguments("cluster_to_target", locals())
    options.set_threads()
    given = Sensitive.given(sensitive_features, groups)
    problem = as_problem(similarity, representation, given)
    graph, fairness, _ = problem
    asked = options.for_engine()
    if verbose and target_individual is not None:
        _print_unreachable(fairness, graph.num_nodes, int(n_clusters), target_individual)
    with progress(verbose) as on_progress:
        fields = _engine.cluster_to_target(
            graph, *fairness, int(n_clusters), options.targets(), int(min_cluster_size), asked,
            on_progress,
        )
    fields["clustering"] = Clustering.from_engine(fields["clustering"], *problem)
    fields["unreachable"] = unreachable_array(fields["unreachable"])
    if target_individual is None:
        fields["satisfied"] = None
    found = TargetResult(**fields)
    warn_unless_converged(found.clustering, asked, f" from {found.start}")
    warn_of_result(found.clustering)
    if not found.met:
        warnings.warn(_why_missed(found, options), TargetMissed, stacklevel=2)
    return found


def unreachable_nodes(
    representation: t.RepresentationLike, n_clusters: int, alpha: float
) -> t.AnyArray:
    """Find the nodes that cannot have balance ``alpha`` in any clustering.

    The most even spread of d representatives over K clusters has floor(d / K) of them in one
    cluster and ceil(d / K) in another. Their ratio is the largest balance that the node can have.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        The representation graph; every node represents itself.
    n_clusters : int
        The number of clusters, at least 2.
    alpha : float
        The balance, from 0 to 1.

    Returns
    -------
    structured ndarray
        With the fields ``node``, ``representatives`` (d) and ``best`` (the largest possible
        balance).

    Examples
    --------
    >>> import repsc
    >>> rule = repsc.representation.groups(["f", "f", "m", "m", "m"])
    >>> repsc.unreachable_nodes(rule, 2, 0.8)["node"]
    array([2, 3, 4], dtype=int32)
    >>> repsc.unreachable_nodes(rule, 2, 0.8)["best"]
    array([0.5, 0.5, 0.5])
    """
    ReachOptions.from_arguments("unreachable_nodes", locals())
    use_threads()
    fairness = as_fairness(representation, NO_GROUPS, None, own_nodes(representation))
    return unreachable_array(_engine.unreachable_nodes(*fairness, int(n_clusters), float(alpha)))


def _print_unreachable(
    fairness: Fairness, n_samples: int, n_clusters: int, alpha: float
) -> None:
    nodes = unreachable_array(_engine.unreachable_nodes(*fairness, n_clusters, alpha))
    if len(nodes) > 0:
        print(
            f"repsc: {len(nodes)} of {n_samples} nodes cannot have balance "
            f"{alpha:g} in any clustering: repsc.unreachable_nodes() lists them"
        )


def _why_missed(found: TargetResult, options: TargetOptions) -> str:
    """One line, in the words of the command line."""
    target = options.target_balance
    if target is not None and target > found.balance_limit:
        why = (
            f"no clustering can have an average balance above {found.balance_limit:.4f}, the mean "
            f"of floor(r/K) / ceil(r/K) over nodes with r representatives; the best average "
            f"balance found is {found.average_balance:.4f}, below target_balance={target:g}"
        )
    elif target is not None and found.average_balance < target:
        why = (
            f"the best average balance found is {found.average_balance:.4f}, below "
            f"target_balance={target:g}"
        )
    elif len(found.below) > 0:
        why = (
            f"{len(found.below)} nodes of the best clustering found are below "
            f"target_individual={options.target_individual:g}"
        )
    else:
        why = (
            f"the least cut found is {100 * found.cut_increase:.4g} % above plain clustering, "
            f"more than max_cut_increase={options.max_cut_increase:g}"
        )
    return "target not met: " + why
