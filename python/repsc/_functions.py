"""Functions beside the estimator, each a thin twin of the C++ call."""

import os
import time
import warnings
from dataclasses import replace

import numpy as np

from . import _engine
from ._graphs import as_graph, label_numbers, node_names, to_scipy
from ._options import check, engine_options, refine_options, seed_from, set_threads
from ._progress import progress
from ._results import (
    Clustering,
    Metrics,
    RankPath,
    Refinement,
    TargetMissed,
    TargetResult,
    unreachable_array,
    warn_unless_converged,
)
from .representation import _Groups

_AWARE = ("urepsc", "nrepsc")
_FAIR = ("ufairsc", "nfairsc")


def fairness_input(representation, groups, n_samples, nodes=None):
    """The engine's representation graph and group labels, each None where it is not given."""
    if groups is not None:
        groups = label_numbers(groups, n_samples, "groups")[0]
    if isinstance(representation, _Groups) and groups is None:
        return None, label_numbers(representation.labels, n_samples, "groups")[0]
    if representation is not None:
        representation = as_graph(
            representation, role="representation", n_samples=n_samples, nodes=nodes
        )
    return representation, groups


def _chosen_method(method, has_representation, has_groups, n_groups):
    """The rule of the command line: groups asked for, else R, else groups, else neither."""
    if method != "auto":
        return method
    if n_groups is not None:
        return "nfairsc"
    if has_representation:
        return "nrepsc"
    return "nfairsc" if has_groups else "nsc"


def require_constraint(method, rank, constraint, strength):
    """A strength stands for a soft constraint; a soft one has no rank, a hard one no strength."""
    if method not in _AWARE:
        for name, value, default in (
            ("rank", rank, "auto"),
            ("constraint", constraint, "auto"),
            ("strength", strength, None),
        ):
            if value != default:
                raise ValueError(
                    f"{name}={value!r} plays no part in {method}: it is of a representation graph "
                    "in urepsc and nrepsc"
                )
    if strength is not None and constraint == "hard":
        raise ValueError(
            f"strength={strength!r}: a hard constraint has no strength; use constraint='soft'"
        )
    if rank != "auto" and (strength is not None or constraint == "soft"):
        raise ValueError(
            f"rank={rank!r}: a soft constraint takes the representation as it is; leave the rank "
            "or the soft constraint out"
        )


def require_refinement(refine, mu, min_cluster_size, has_representation):
    """Refinement needs a representation graph; its options need refinement."""
    if isinstance(refine, str) or not refine:
        for name, value, default in (("mu", mu, 2.0), ("min_cluster_size", min_cluster_size, 1)):
            if value != default:
                raise ValueError(f"{name}={value!r} needs refine=True")
    elif not has_representation:
        raise ValueError(
            "refine=True needs a representation graph; of groups, "
            "repsc.representation.groups(groups).tocsr() makes one"
        )


def engine_method(method, chosen):
    """What the engine is asked for: where R chose, its own choice, which may go on to refine."""
    return "auto" if method == "auto" and chosen == "nrepsc" else chosen


def _require_meaning(method, has_representation, has_groups, n_groups):
    """Refuse what would play no part."""
    if n_groups is not None and (method not in _FAIR or has_groups or not has_representation):
        raise ValueError(
            f"n_groups={n_groups} is for groups that ufairsc and nfairsc find in representation=..., "
            "where no groups are given"
        )
    if method in _AWARE and not has_representation:
        raise ValueError(f"method={method!r} needs representation=...")
    if method in _AWARE and has_groups:
        raise ValueError(f"groups play no part in method={method!r}; leave one of the two out")
    if method in _FAIR and not (has_representation or has_groups):
        raise ValueError(f"method={method!r} needs groups=..., or representation=... to find them in")

def run_cluster(similarity, n_clusters, fairness, options, n_jobs, verbose, stacklevel):
    """The engine's call; ``fairness`` is what fairness_input() returned."""
    representation, groups = fairness
    if n_clusters == 1:
        return _one_cluster(similarity, fairness, options["method"])
    set_threads(n_jobs)
    constrained_by = groups if options["method"] in _FAIR else None
    # The engine's call with groups does not see the representation that refinement needs.
    refined_after = constrained_by is not None and options["refine"] == "yes"
    asked = {**options, "refine": "no"} if refined_after else options
    with progress(verbose) as on_progress:
        fields = _engine.cluster(
            similarity, representation, constrained_by, int(n_clusters), asked, on_progress
        )
    measured_by = (representation, groups if representation is None else None)
    result = _clustering(fields, similarity, measured_by)
    if refined_after:
        how = {"cut": _cut_kind(result.method), "seed": options["seed"], **options["refinement"]}
        result = _refined(result, how, verbose)
    warn_unless_converged(result, options, stacklevel + 1)
    _warn_of_components(result, stacklevel + 1)
    return result


def _cut_kind(method):
    return "ratio" if method.startswith("u") else "normalized"


def _clustering(fields, similarity, fairness):
    """The engine's fields as a Clustering."""
    shared = dict(_similarity=similarity, _fairness=fairness)
    if fields["refinement"] is not None:
        fields["refinement"] = Refinement(
            **fields["refinement"],
            n_clusters=fields["n_clusters"],
            cut_kind=_cut_kind(fields["method"]),
            **shared,
        )
    return Clustering(**fields, **shared)


def _one_cluster(similarity, fairness, method):
    """All in one: fair by any measure, and nothing to compute."""
    n_samples = similarity.num_nodes
    return Clustering(
        labels=np.zeros(n_samples, dtype=np.int32),
        n_clusters=1,
        method="nrepsc" if method == "auto" else method,
        embedding=np.full((n_samples, 1), n_samples**-0.5),
        eigenvalues=np.zeros(1),
        inertia=0.0,
        converged=True,
        settled=False,
        residual=0.0,
        constraint_rank=0,
        constraint_residual=0.0,
        n_iter=0,
        solver="none",
        seconds=dict.fromkeys(("constraint", "eigen", "kmeans", "refine"), 0.0),
        groups=fairness[1],
        _similarity=similarity,
        _fairness=fairness,
    )


def _warn_of_components(result, stacklevel):
    """More components than clusters: which are joined is chance. Zero eigenvalues give it away."""
    if result.constraint_rank > 0 or result.eigenvalues[-1] > 1e-6:
        return
    count = int(_engine.connected_components(result._similarity).max()) + 1
    if count > result.n_clusters:
        warnings.warn(
            f"the graph has {count} components, more than n_clusters={result.n_clusters}: which of "
            "them share a cluster is arbitrary; cluster the largest one, or raise n_clusters",
            UserWarning,
            stacklevel=stacklevel + 1,
        )


def cluster(
    similarity,
    n_clusters,
    *,
    representation=None,
    groups=None,
    method="auto",
    rank="auto",
    constraint="auto",
    strength=None,
    embedding_rows="auto",
    refine="auto",
    mu=2.0,
    min_cluster_size=1,
    n_groups=None,
    solver="auto",
    tol="auto",
    max_iter=1000,
    n_init=10,
    regularization=0.0,
    random_state=0,
    memory_limit=None,
    n_jobs=None,
    verbose=0,
):
    """Split a graph into clusters in which every node's representatives are spread evenly.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut: symmetric, weights of 0 or more. A CSR matrix is used where it lies.
        Self-loops play no part.
    n_clusters : int
        From 2.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        Who represents whom, on the same nodes, or a rule of :mod:`repsc.representation`.
    groups : array-like of shape (n_samples,), default=None
        Protected groups, for the methods that are fair to groups.
    method : {"auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"}, default="auto"
        auto: ``"nsc"`` with the graph alone, ``"nfairsc"`` with groups, ``"nrepsc"`` with a
        representation: met exactly where that is possible and cheap, else a soft constraint of
        strength 1 and refinement.
    rank : "auto", "exact" or int, default="auto"
        How much of the representation a hard constraint takes: all of it, or its best approximation
        of that rank. auto: all of it where that is possible and cheap, else as ``constraint`` says;
        hard: a tenth of the number of samples, at most 128 above 5000.
    constraint : {"auto", "hard", "soft"}, default="auto"
        urepsc, nrepsc: whether the representation is met (hard, the paper's) or what is off costs
        (soft). auto: hard with a rank or where it is met at little cost, else soft.
    strength : float, default=None
        Of the soft constraint, which it stands for: 0 is plain clustering, at 1 the representation
        weighs as much as the graph, large values lead to a representation met exactly. None: 1.
    embedding_rows : {"auto", "plain", "unit"}, default="auto"
        Whether k-means sees the rows of the embedding as they are or scaled to length 1. auto: unit
        for nsc and soft constraints, else plain.
    refine : "auto" or bool, default="auto"
        Whether the labels of k-means are refined, see :func:`refine`: ratio cut after unnormalized
        methods, else normalized cut. Needs a representation graph. auto: where ``method="auto"`` and
        nothing else said how the representation binds, and it could not be met exactly.
    mu, min_cluster_size
        Of the refinement, as for :func:`refine`; they need ``refine=True``.
    n_groups : int, default=None
        ufairsc, nfairsc with a representation: groups to find in it.
    solver : {"auto", "lapack", "lanczos", "cholesky"}, default="auto"
        The eigensolver.
    tol : "auto" or float, default="auto"
        Largest residual of an eigenvector; auto: until the labels have settled.
    max_iter : int, default=1000
        Of the eigensolver: products with a block of vectors.
    n_init : int, default=10
        Runs of k-means; the best counts.
    regularization : "auto" or float, default=0
        Normalized methods: links every pair of nodes by this over N more. auto: the average degree.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same number gives the same labels.
    memory_limit : int, default=None
        Bytes that constraint and solver may take; None: 80 % of what is free.
    n_jobs : int, default=None
        Threads; None: all cores. Never changes a result.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    Clustering

    Warns
    -----
    NotConverged
        Where the eigensolver stopped at ``max_iter``.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> truth = [i // 100 for i in range(400)]
    >>> G = repsc.sample_rpp(R, truth, p=0.6, q=0.4, r=0.3, s=0.1)
    >>> result = repsc.cluster(G, 4, representation=R)
    >>> result.method, result.converged
    ('nrepsc', True)
    >>> repsc.evaluate(G, result.labels, representation=R, truth=truth).accuracy
    1.0
    """
    check(
        "cluster",
        n_clusters=n_clusters,
        method=method,
        rank=rank,
        constraint=constraint,
        strength=strength,
        embedding_rows=embedding_rows,
        refine=refine,
        mu=mu,
        min_cluster_size=min_cluster_size,
        n_groups=n_groups,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    fairness = fairness_input(representation, groups, similarity.num_nodes, nodes)
    given = [part is not None for part in fairness]
    chosen = _chosen_method(method, *given, n_groups)
    _require_meaning(chosen, *given, n_groups)
    require_constraint(chosen, rank, constraint, strength)
    require_refinement(refine, mu, min_cluster_size, given[0])
    options = engine_options(
        method=engine_method(method, chosen),
        rank=rank,
        constraint=constraint,
        strength=strength,
        embedding_rows=embedding_rows,
        refine=refine,
        mu=mu,
        min_cluster_size=min_cluster_size,
        n_groups=n_groups,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
    )
    return run_cluster(similarity, n_clusters, fairness, options, n_jobs, verbose, stacklevel=2)


def _run_refine(similarity, representation, labels, n_clusters, options, verbose):
    """The engine's call, with labels from 0."""
    with progress(verbose) as on_progress:
        fields = _engine.refine(
            similarity, representation, labels, n_clusters, options, on_progress
        )
    return Refinement(
        **fields,
        n_clusters=n_clusters,
        cut_kind=options["cut"],
        _similarity=similarity,
        _fairness=(representation, None),
    )


def _refined(clustering, options, verbose):
    """The same clustering with its labels refined."""
    begin = time.perf_counter()
    graphs = clustering._similarity, clustering._fairness[0]
    found = _run_refine(*graphs, clustering.labels, clustering.n_clusters, options, verbose)
    return replace(
        clustering,
        labels=found.labels,
        seconds={**clustering.seconds, "refine": time.perf_counter() - begin},
        refinement=found,
        before_refinement=clustering.labels,
    )


def path(
    similarity,
    representation,
    n_clusters,
    ranks=(),
    *,
    strengths=(),
    refine=(),
    method="nrepsc",
    embedding_rows="auto",
    solver="auto",
    tol="auto",
    max_iter=1000,
    n_init=10,
    regularization=0.0,
    random_state=0,
    memory_limit=None,
    n_jobs=None,
    verbose=0,
):
    """Clusters at several ranks of the representation and strengths of a soft constraint.

    One decomposition serves all ranks, and every point starts from the eigenvectors of the last.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom, on the same nodes.
    n_clusters : int
        From 2.
    ranks : iterable of int, default=()
        From 1 to N - n_clusters, in any order.
    strengths : iterable of float, default=()
        Of the soft constraint, from 0, in any order.
    refine : iterable of float, default=()
        Values of mu: each point is also refined at each of them, see :func:`refine`.
    method : {"urepsc", "nrepsc"}, default="nrepsc"
        Unnormalized or normalized.
    embedding_rows, solver, tol, max_iter, n_init, regularization, random_state, memory_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    RankPath

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(400)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> found = repsc.path(G, R, 4, [1, 10, 100])
    >>> found.ranks
    array([  1,  10, 100])
    >>> [clustering.constraint_rank for clustering in found]
    [0, 9, 99]
    >>> found = repsc.path(G, R, 4, strengths=[0, 1], refine=[2])
    >>> found.strengths, found.mus
    (array([0., 1., 0., 1.]), array([nan, nan,  2.,  2.]))
    >>> found.metrics["average_balance"].round(2)
    array([1., 1., 1., 1.])
    >>> found.on_average_front
    array([ True,  True,  True,  True])
    """
    check(
        "path",
        n_clusters=n_clusters,
        method=method,
        embedding_rows=embedding_rows,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    if method not in ("auto", *_AWARE):
        raise ValueError(f"method={method!r} has no ranks; a path is of urepsc or nrepsc")
    ranks, strengths, mus = list(ranks), list(strengths), sorted(set(refine))
    for strength in strengths:
        check("path", strength=strength)
    for mu in mus:
        check("path", mu=mu)
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    representation = as_graph(
        representation, role="representation", n_samples=similarity.num_nodes, nodes=nodes
    )
    options = engine_options(
        method=method,
        embedding_rows=embedding_rows,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
    )
    set_threads(n_jobs)
    with progress(verbose) as on_progress:
        steps, seconds = _engine.path(
            similarity,
            representation,
            int(n_clusters),
            [int(rank) for rank in ranks],
            [float(strength) for strength in strengths],
            options,
            on_progress,
        )
    ranks, clusterings = [], []
    for rank, fields in steps:
        found = _clustering(fields, similarity, (representation, None))
        where = f" at rank {rank}" if found.strength is None else f" at strength {found.strength:g}"
        warn_unless_converged(found, options, 2, where)
        ranks.append(rank)
        clusterings.append(found)
    for place in range(len(steps)):
        for mu in mus:
            how = refine_options(mu=mu, cut=_cut_kind(method), seed=options["seed"])
            ranks.append(ranks[place])
            clusterings.append(_refined(clusterings[place], how, verbose))
    return RankPath(np.array(ranks), clusterings, seconds)


def refine(
    similarity,
    representation,
    labels,
    *,
    mu=2.0,
    cut="normalized",
    min_cluster_size=1,
    max_rounds=100,
    random_state=0,
    n_jobs=None,
    verbose=0,
):
    """Better and fairer labels from labels made by anybody.

    Moves single nodes and swaps pairs as long as that lowers ``cut / scale - mu * average balance``,
    where scale is what the cut of labels at random would be. Refining again changes nothing.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom, on the same nodes.
    labels : array-like of shape (n_samples,)
        The cluster of each node to begin with, of any kind.
    mu : float or "ratio", default=2.0
        What one unit of average balance is worth, in cuts of labels at random; larger buys more
        balance. "ratio": the largest average balance / cut is looked for.
    cut : {"normalized", "ratio"}, default="normalized"
        Which cut to lower.
    min_cluster_size : int, default=1
        Nodes in every cluster at least; smaller ones are filled first.
    max_rounds : int, default=100
        Of descent and escapes from local optima.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same number gives the same labels.
    n_jobs : int, default=None
        Threads; None: all cores. Never changes a result.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    Refinement

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> plain = repsc.cluster(G, 2)
    >>> print(repsc.balance(R, plain.labels).mean().round(2))
    0.59
    >>> better = repsc.refine(G, R, plain.labels)
    >>> round(better.average_balance, 2)
    1.0
    >>> repsc.refine(G, R, better.labels).moves
    0
    """
    check(
        "refine",
        mu=mu,
        cut=cut,
        min_cluster_size=min_cluster_size,
        max_rounds=max_rounds,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    n_samples = similarity.num_nodes
    representation = as_graph(
        representation, role="representation", n_samples=n_samples, nodes=nodes
    )
    numbers, values = label_numbers(labels, n_samples)
    if len(values) < 2:
        raise ValueError("all nodes are in one cluster; refinement needs two at least")
    options = refine_options(
        mu=mu,
        cut=cut,
        min_cluster_size=min_cluster_size,
        max_rounds=max_rounds,
        seed=seed_from(random_state),
    )
    set_threads(n_jobs)
    found = _run_refine(similarity, representation, numbers, len(values), options, verbose)
    return replace(found, labels=values[found.labels])


def cluster_to_target(
    similarity,
    representation,
    n_clusters,
    *,
    target_balance=None,
    target_individual=None,
    max_cut_increase=None,
    min_cluster_size=1,
    method="auto",
    embedding_rows="auto",
    solver="auto",
    tol="auto",
    max_iter=1000,
    n_init=10,
    regularization=0.0,
    random_state=0,
    memory_limit=None,
    n_jobs=None,
    verbose=0,
):
    """The least cut that meets a target of fairness: rank, strength and mu are found.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom, on the same nodes.
    n_clusters : int
        From 2.
    target_balance : float, default=None
        The average balance at least, from 0 to 1.
    target_individual : float, default=None
        The balance at least of every node that can have it, from 0 to 1; in place of
        ``target_balance``. :func:`unreachable_nodes` tells which cannot.
    max_cut_increase : float, default=None
        The cut at most ``1 + max_cut_increase`` times that of plain clustering: 0.1 is 10 % more.
        Alone: the largest average balance within it.
    min_cluster_size : int, default=1
        Nodes in every cluster at least.
    method : {"auto", "usc", "nsc", "urepsc", "nrepsc"}, default="auto"
        The family only: ratio cut for usc and urepsc, else normalized cut.
    embedding_rows, solver, tol, max_iter, n_init, regularization, random_state, memory_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    TargetResult

    Warns
    -----
    TargetMissed
        Where nothing that was found meets the target: ``met`` is False, and the nearest is returned.
        The search is a heuristic, so that this is no proof that nothing does.

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
    check(
        "cluster_to_target",
        n_clusters=n_clusters,
        target_balance=target_balance,
        target_individual=target_individual,
        max_cut_increase=max_cut_increase,
        min_cluster_size=min_cluster_size,
        method=method,
        embedding_rows=embedding_rows,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    targets = (target_balance, target_individual, max_cut_increase)
    if all(target is None for target in targets):
        raise ValueError("give target_balance, target_individual or max_cut_increase")
    if target_balance is not None and target_individual is not None:
        raise ValueError("target_balance and target_individual are two searches; give one of them")
    if method in _FAIR:
        raise ValueError(f"method={method!r} cannot be given with a target; give usc or nsc")
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    representation = as_graph(
        representation, role="representation", n_samples=similarity.num_nodes, nodes=nodes
    )
    options = engine_options(
        method=method,
        embedding_rows=embedding_rows,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
    )
    set_threads(n_jobs)
    if verbose and target_individual is not None:
        _tell_unreachable(representation, int(n_clusters), target_individual)
    with progress(verbose) as on_progress:
        fields = _engine.cluster_to_target(
            similarity,
            representation,
            int(n_clusters),
            tuple(target if target is None else float(target) for target in targets),
            int(min_cluster_size),
            options,
            on_progress,
        )
    fields["clustering"] = _clustering(
        fields["clustering"], similarity, (representation, None)
    )
    fields["unreachable"] = unreachable_array(fields["unreachable"])
    if target_individual is None:
        fields["satisfied"] = None
    found = TargetResult(**fields)
    warn_unless_converged(found.clustering, options, 2, f" from {found.start}")
    if not found.met:
        warnings.warn(_why_missed(found, *targets), TargetMissed, stacklevel=2)
    return found


def _tell_unreachable(representation, n_clusters, alpha):
    nodes = unreachable_array(_engine.unreachable_nodes(representation, n_clusters, alpha))
    if len(nodes) > 0:
        print(
            f"repsc: {len(nodes)} of {representation.num_nodes} nodes cannot have balance "
            f"{alpha:g} in any clustering: repsc.unreachable_nodes() lists them"
        )


def _why_missed(found, target_balance, target_individual, max_cut_increase):
    """In one line; the words of the command line."""
    if target_balance is not None and found.average_balance < target_balance:
        why = (
            f"the best average balance found is {found.average_balance:.4f}, below "
            f"target_balance={target_balance:g}"
        )
    elif len(found.below) > 0:
        why = (
            f"{len(found.below)} nodes of the best clustering found are below "
            f"target_individual={target_individual:g}"
        )
    else:
        why = (
            f"the least cut found is {100 * found.cut_increase:.4g} % above plain clustering, "
            f"beyond max_cut_increase={max_cut_increase:g}"
        )
    return "target not met: " + why


def unreachable_nodes(representation, n_clusters, alpha):
    """Nodes that no clustering gives balance ``alpha``.

    The most even spread of d representatives over K clusters has floor(d / K) in one and ceil(d / K)
    in another, so that no clustering gives the node more than their ratio.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom; everybody represents themselves.
    n_clusters : int
        From 2.
    alpha : float
        From 0 to 1.

    Returns
    -------
    structured ndarray
        With the fields ``node``, ``representatives`` (d) and ``best`` (the largest balance there is).

    Examples
    --------
    >>> import repsc
    >>> rule = repsc.representation.groups(["f", "f", "m", "m", "m"])
    >>> repsc.unreachable_nodes(rule, 2, 0.8)["node"]
    array([2, 3, 4], dtype=int32)
    >>> repsc.unreachable_nodes(rule, 2, 0.8)["best"]
    array([0.5, 0.5, 0.5])
    """
    check("unreachable_nodes", n_clusters=n_clusters, alpha=alpha)
    representation = as_graph(representation, role="representation")
    columns = _engine.unreachable_nodes(representation, int(n_clusters), float(alpha))
    return unreachable_array(columns)


def evaluate(similarity, labels, *, representation=None, groups=None, truth=None):
    """Cuts, balance and accuracy of labels made by anybody.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        Who represents whom.
    groups : array-like of shape (n_samples,), default=None
        Protected groups in place of a representation.
    truth : array-like of shape (n_samples,), default=None
        True labels: adds accuracy and adjusted Rand index.

    Returns
    -------
    Metrics

    Examples
    --------
    >>> import numpy as np, repsc
    >>> path_of_four = np.diag([1, 1, 1], 1) + np.diag([1, 1, 1], -1)
    >>> metrics = repsc.evaluate(path_of_four, ["a", "a", "b", "b"], groups=[0, 1, 0, 1])
    >>> metrics.ratio_cut, metrics.average_balance
    (0.5, 1.0)
    """
    if representation is not None and groups is not None:
        raise ValueError("groups stand in for a representation; give one of the two")
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    n_samples = similarity.num_nodes
    numbers, values = label_numbers(labels, n_samples)
    fairness = fairness_input(representation, groups, n_samples, nodes)
    fields = _engine.evaluate(similarity, *fairness, numbers, len(values))
    if truth is not None:
        truth = label_numbers(truth, n_samples, "true labels")[0]
        fields["accuracy"] = _engine.accuracy(numbers, truth)
        fields["adjusted_rand_index"] = _engine.adjusted_rand_index(numbers, truth)
    return Metrics(**fields)


def balance(representation, labels):
    """rho_i of every node: its fewest representatives in a cluster over its most, 0/0 being 1.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import repsc
    >>> repsc.balance(repsc.representation.groups(["f", "f", "m", "m"]), [0, 1, 0, 0])
    array([1., 1., 0., 0.])
    """
    numbers, values = label_numbers(labels)
    fairness = fairness_input(representation, None, len(numbers))
    return _engine.balance(*fairness, numbers, len(values))


def ratio_cut(similarity, labels):
    """The sum over clusters of what is cut over the number of nodes; the paper's, with 1/2 in Cut.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    float

    Examples
    --------
    >>> import repsc
    >>> repsc.ratio_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1])
    0.75
    """
    similarity = as_graph(similarity)
    numbers, values = label_numbers(labels, similarity.num_nodes)
    return _engine.ratio_cut(similarity, numbers, len(values))


def normalized_cut(similarity, labels):
    """The sum over clusters of what is cut over the degrees; the paper's, with 1/2 in Cut.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    float

    Examples
    --------
    >>> import repsc
    >>> round(repsc.normalized_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1]), 4)
    0.6667
    """
    similarity = as_graph(similarity)
    numbers, values = label_numbers(labels, similarity.num_nodes)
    return _engine.normalized_cut(similarity, numbers, len(values))


def sample_planted_partition(labels, within, across, *, random_state=0):
    """A random graph: an edge with probability ``within`` where labels agree, else ``across``.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.
    within, across : float
        Probabilities.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> import repsc
    >>> repsc.sample_planted_partition([0, 0, 1, 1], 1.0, 0.0).toarray().astype(int)
    array([[0, 1, 0, 0],
           [1, 0, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 1, 0]])
    """
    check("sample_planted_partition", random_state=random_state)
    numbers, _ = label_numbers(labels)
    return to_scipy(
        _engine.sample_planted_partition(numbers, within, across, seed_from(random_state))
    )


def sample_regular_representation(n_samples, n_clusters, degree, *, random_state=0):
    """A representation graph that a fair clustering exists for (Assumption 4.1 of the paper).

    Every node has ``degree`` neighbours, itself among them, and as many in each of the clusters
    ``0, ..., 0, 1, ..., 1, ...`` of equal size.

    Parameters
    ----------
    n_samples, n_clusters, degree : int
        ``n_clusters`` divides the other two; where n_samples / n_clusters is odd, degree /
        n_clusters must be odd too.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(12, 2, degree=4)
    >>> R.sum(axis=0)
    array([4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4.])
    """
    check("sample_regular_representation", random_state=random_state)
    return to_scipy(
        _engine.sample_regular_representation(
            n_samples, n_clusters, degree, seed_from(random_state)
        )
    )


def sample_rpp(representation, clusters, *, p, q, r, s, random_state=0):
    """A similarity graph of the paper's model R-PP on top of a representation graph.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom.
    clusters : array-like of shape (n_samples,)
        The planted cluster of each node.
    p, q : float
        Probability of an edge between nodes linked in the representation graph: of the same
        cluster, of different ones.
    r, s : float
        The same for nodes that are not linked there; 1 >= p >= q >= r >= s >= 0.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

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
    check("sample_rpp", random_state=random_state)
    numbers, _ = label_numbers(clusters, what="clusters")
    fairness = fairness_input(representation, None, len(numbers))
    return to_scipy(_engine.sample_rpp(*fairness, numbers, (p, q, r, s), seed_from(random_state)))


def read_graph(path, *, format="auto", self_loops="drop", return_names=False, verbose=0):
    """Read a graph file: an edge list, MatrixMarket, METIS or a SciPy ``.npz``.

    Parameters
    ----------
    path : str or path-like
        Text formats may end in ``.gz``.
    format : {"auto", "txt", "mtx", "graph", "npz"}, default="auto"
        auto: by the ending, an edge list where that says nothing.
    self_loops : {"drop", "keep", "add"}, default="drop"
        ``"add"`` for representation graphs: a self-loop at every node.
    return_names : bool, default=False
        Also return what the file calls the nodes.
    verbose : int, default=0
        1 shows progress, and says what reading changed (merged duplicates, dropped self-loops).

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
        Undirected: direction dropped, duplicates merged.
    names : list of str
        Only with ``return_names``.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "friends.txt")
    ...     repsc.write_graph([[0, 1, 0], [1, 0, 2], [0, 2, 0]], file, names=["Ann", "Bob", "Cy"])
    ...     graph, names = repsc.read_graph(file, return_names=True)
    >>> graph.toarray()
    array([[0., 1., 0.],
           [1., 0., 2.],
           [0., 2., 0.]])
    >>> names
    ['Ann', 'Bob', 'Cy']
    """
    with progress(verbose) as on_progress:
        graph, changes = _engine.read_graph(os.fspath(path), format, self_loops, on_progress)
    if verbose and changes:
        print(f"repsc: {os.fspath(path)}: {changes}")
    return (to_scipy(graph), graph.names) if return_names else to_scipy(graph)


def write_graph(graph, path, *, format="auto", names=None):
    """Write a graph file, whole or not at all.

    Parameters
    ----------
    graph : sparse or dense matrix, NetworkX or igraph graph, rule
        Self-loops are kept.
    path : str or path-like
        The ending tells the format; ``.gz`` compresses.
    format : {"auto", "txt", "mtx", "graph", "npz"}, default="auto"
        auto: by the ending.
    names : list of str, default=None
        What an edge list calls the nodes; None: what NetworkX and igraph call them, else 0, 1, ...
        The other formats hold no names.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "pair.mtx")
    ...     repsc.write_graph([[0, 1], [1, 0]], file)
    ...     repsc.read_graph(file).nnz
    2
    """
    if names is None:
        names = node_names(graph)
    graph = as_graph(graph, self_loops="keep")
    if names is not None:
        graph = graph.with_names([str(name) for name in names])
    _engine.write_graph(graph, os.fspath(path), format)
