"""Beyond the paper: soft constraints, refinement, targets, and paths over all of them."""

import itertools
import json
import pickle
import subprocess
import warnings

import numpy as np
import pytest
from conftest import brute_force

import repsc
from repsc import RepresentationAwareSpectralClustering as Model


def dense_penalty(G, R):
    """L and C of docs/beyond.md, and W R J, typed out."""
    A, R = G.toarray(), R.toarray()
    L = np.diag(A.sum(axis=1)) - A
    N = len(A)
    W = np.diag(R.sum(axis=1) ** -0.5)
    WRJ = W @ R @ (np.eye(N) - np.ones((N, N)) / N)
    C = WRJ.T @ WRJ
    return L, C * np.trace(L) / np.trace(C), WRJ, np.linalg.norm(W @ R)


@pytest.mark.parametrize("strength", [0.0, 0.1, 1, 30])
def test_soft_eigenvalues_are_those_of_the_dense_formula(town, strength):
    L, C, WRJ, norm = dense_penalty(town.G, town.R)
    options = dict(representation=town.R, strength=strength, embedding_rows="plain")
    found = repsc.cluster(town.G, 3, method="urepsc", **options)
    expected, vectors = np.linalg.eigh(L + strength * C)
    np.testing.assert_allclose(found.eigenvalues, expected[:3], atol=1e-7)
    assert found.strength == strength and found.constraint_rank == 0
    residual = np.linalg.norm(WRJ @ vectors[:, :3]) / norm
    assert found.constraint_residual == pytest.approx(residual, abs=1e-7)
    np.testing.assert_allclose(
        found.embedding @ found.embedding.T, vectors[:, :3] @ vectors[:, :3].T, atol=1e-7
    )

    root = np.diag(np.diag(L) ** -0.5)  # L has the degrees on its diagonal
    found = repsc.cluster(town.G, 3, method="nrepsc", **options)
    expected = np.linalg.eigvalsh(root @ (L + strength * C) @ root)
    np.testing.assert_allclose(found.eigenvalues, expected[:3], atol=1e-7)


def test_strength_0_is_plain_clustering(town):
    for family in "un":
        plain = repsc.cluster(town.G, 3, method=family + "sc", embedding_rows="unit")
        soft = repsc.cluster(
            town.G, 3, method=family + "repsc", representation=town.R, strength=0
        )
        np.testing.assert_array_equal(soft.labels, plain.labels)
        np.testing.assert_allclose(soft.eigenvalues, plain.eigenvalues, atol=1e-12)
        assert plain.strength is None and soft.strength == 0


def test_a_representation_that_cannot_be_met_is_a_soft_constraint_by_default(town, planted):
    options = dict(method="nrepsc", representation=town.R)
    default = repsc.cluster(town.G, 3, **options)
    soft = repsc.cluster(town.G, 3, constraint="soft", **options)
    assert default.strength == soft.strength == 1
    np.testing.assert_array_equal(default.labels, soft.labels)
    hard = repsc.cluster(town.G, 3, constraint="hard", **options)
    ranked = repsc.cluster(town.G, 3, rank=15, **options)
    assert hard.strength is None and hard.constraint_rank == ranked.constraint_rank > 0
    assert repsc.cluster(planted.G, 4, representation=planted.R).strength is None
    assert repsc.cluster(planted.G, 4, representation=planted.R, strength=2).strength == 2


@pytest.mark.parametrize("method", ["usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"])
def test_rows_of_the_embedding_are_scaled_where_asked_for(town, method):
    options = dict(method=method)
    if method.endswith("repsc"):
        options.update(representation=town.R, constraint="hard")
    if method.endswith("fairsc"):
        options.update(groups=np.arange(150) % 2)
    plain, unit, default = (
        repsc.cluster(town.G, 3, embedding_rows=rows, **options).embedding
        for rows in ("plain", "unit", "auto")
    )
    lengths = np.linalg.norm(plain, axis=1)
    assert np.ptp(lengths) > 1e-3
    np.testing.assert_allclose(unit, plain / lengths[:, None], atol=1e-7)
    np.testing.assert_array_equal(default, unit if method == "nsc" else plain)


def test_the_estimator_has_the_same_soft_constraint(town):
    for normalized, method in ((True, "nrepsc"), (False, "urepsc")):
        model = Model(3, normalized=normalized, strength=0.5, random_state=0)
        model.fit(town.G, representation=town.R)
        single = repsc.cluster(town.G, 3, method=method, representation=town.R, strength=0.5)
        np.testing.assert_array_equal(model.labels_, single.labels)
        assert model.strength_ == 0.5
    assert Model(3, random_state=0).fit(town.G).strength_ is None
    rows = Model(3, embedding_rows="plain", random_state=0).fit(town.G).embedding_
    np.testing.assert_array_equal(
        rows, repsc.cluster(town.G, 3, embedding_rows="plain").embedding
    )


BAD_CONSTRAINTS = {
    "hard_strength": (dict(constraint="hard", strength=1), "a hard constraint has no strength"),
    "soft_rank": (dict(constraint="soft", rank=5), "rank=5: a soft constraint takes the repr"),
    "strength_rank": (dict(strength=1, rank="exact"), "rank='exact': a soft constraint takes"),
    "constraint_word": (dict(constraint="firm"), "'constraint' parameter"),
    "strength_negative": (dict(strength=-1), "'strength' parameter"),
    "strength_infinite": (dict(strength=np.inf), "'strength' parameter"),
    "strength_nan": (dict(strength=np.nan), "'strength' parameter"),
    "rows": (dict(embedding_rows="long"), "'embedding_rows' parameter"),
}


@pytest.mark.parametrize("case", BAD_CONSTRAINTS)
def test_constraints_that_make_no_sense_are_refused(town, case):
    options, message = BAD_CONSTRAINTS[case]
    with pytest.raises(ValueError, match=message):
        repsc.cluster(town.G, 3, representation=town.R, **options)
    with pytest.raises(ValueError, match=message):
        Model(3, **options).fit(town.G, representation=town.R)


@pytest.mark.parametrize(
    "options", [dict(strength=1.0), dict(constraint="hard"), dict(constraint="soft")]
)
def test_a_constraint_without_a_representation_graph_plays_no_part(town, options):
    groups = np.arange(150) % 2
    for given in ({}, dict(groups=groups), dict(representation=repsc.representation.groups(groups))):
        with pytest.raises(ValueError, match="plays no part in n(sc|fairsc)"):
            repsc.cluster(town.G, 3, **given, **options)
        with pytest.raises(ValueError, match="plays no part in n(sc|fairsc)"):
            Model(3, **options).fit(town.G, **given)
    with pytest.raises(ValueError, match="plays no part in usc"):
        repsc.cluster(town.G, 3, method="usc", representation=town.R, **options)


# Refinement


def objective(G, R, labels, mu, cut):
    """cut / scale - mu * average balance, typed out; the cut and the balance."""
    ratio, normalized, balance = brute_force(G, R, labels)
    half = (len(np.unique(labels)) - 1) / 2
    scale = half * (G.sum() / G.shape[0] if cut == "ratio" else 1)
    value = ratio if cut == "ratio" else normalized
    return value / scale - mu * balance.mean(), value, balance.mean()


@pytest.mark.parametrize("cut", ["normalized", "ratio"])
@pytest.mark.parametrize("mu", [0.5, 2, "ratio"])
def test_refinement_reports_what_its_labels_have(town, cut, mu):
    start = repsc.cluster(town.G, 3).labels
    found = repsc.refine(town.G, town.R, start, mu=mu, cut=cut)
    value, cut_value, balance = objective(town.G, town.R, found.labels, found.mu, cut)
    assert found.objective == pytest.approx(value, abs=1e-12)
    assert found.cut == pytest.approx(cut_value) and found.cut_kind == cut
    assert found.average_balance == pytest.approx(balance)
    assert found.metrics.average_balance == pytest.approx(balance)
    assert getattr(found.metrics, cut + "_cut") == pytest.approx(cut_value)
    np.testing.assert_array_equal(found.balance, repsc.balance(town.R, found.labels))
    before, cut_before, balance_before = objective(town.G, town.R, start, found.mu, cut)
    assert found.start_objective == pytest.approx(before, abs=1e-12)
    assert found.objective < found.start_objective and found.moves > 0
    if mu == "ratio":
        assert balance / cut_value > 1.2 * balance_before / cut_before
    else:
        assert found.mu == mu
    assert found.local_optimum and found.n_clusters == 3
    # No single move lowers it: tried one by one.
    for node, target in itertools.product(range(0, 150, 10), range(3)):
        moved = found.labels.copy()
        moved[node] = target
        assert objective(town.G, town.R, moved, found.mu, cut)[0] > value - 1e-9


def test_refining_again_changes_nothing(town):
    first = repsc.refine(town.G, town.R, np.arange(150) % 3)
    again = repsc.refine(town.G, town.R, first.labels)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert again.moves == 0 and again.objective == again.start_objective == first.objective


def test_labels_of_any_kind_are_refined_in_their_own_words(town):
    numbers = np.arange(150) % 3
    expected = repsc.refine(town.G, town.R, numbers).labels
    assert expected.dtype == numbers.dtype
    words = np.array(["east", "north", "west"])
    found = repsc.refine(town.G, town.R, words[numbers].tolist())
    np.testing.assert_array_equal(found.labels, words[expected])
    np.testing.assert_array_equal(found.balance, repsc.balance(town.R, expected))
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.labels, found.labels)
    assert again.metrics.ratio_cut == repsc.ratio_cut(town.G, expected)


def test_graphs_with_names_and_rules_are_refined_too(town):
    networkx = pytest.importorskip("networkx")
    numbers = np.arange(150) % 3
    expected = repsc.refine(town.G, town.R, numbers).labels
    G = networkx.from_scipy_sparse_array(town.G)
    R = networkx.Graph()
    R.add_nodes_from(reversed(range(150)))
    R.add_edges_from(networkx.from_scipy_sparse_array(town.R).edges)
    np.testing.assert_array_equal(repsc.refine(G, R, numbers).labels, expected)
    rule = repsc.representation.groups(np.arange(150) % 2)
    found = repsc.refine(town.G, rule, numbers)
    np.testing.assert_array_equal(
        found.labels, repsc.refine(town.G, rule.tocsr(), numbers).labels
    )


def test_clusters_keep_their_least_size(town):
    start = np.zeros(150, dtype=int)
    start[:2] = 1, 2
    sizes = np.bincount(repsc.refine(town.G, town.R, start, mu=0, cut="ratio").labels)
    assert sizes.min() < 40
    found = repsc.refine(town.G, town.R, start, mu=0, cut="ratio", min_cluster_size=40)
    assert np.bincount(found.labels).min() >= 40
    stopped = repsc.refine(town.G, town.R, np.arange(150) % 3, max_rounds=1)
    assert stopped.rounds == 1 and not stopped.local_optimum


def test_refinement_depends_on_the_seed_and_not_on_threads():
    rng = np.random.RandomState(0)
    n = 5000  # several blocks of nodes that threads try side by side
    G = repsc.sample_planted_partition(np.arange(n) % 4, 0.01, 0.002)
    R = repsc.representation.knn({"x": rng.rand(n), "y": rng.rand(n)}, 6)
    labels = rng.randint(0, 4, n)
    found = [
        repsc.refine(G, R, labels, max_rounds=1, random_state=seed, n_jobs=n_jobs)
        for seed, n_jobs in ((1, 1), (1, 2), (1, 3), (2, None))
    ]
    for other in found[1:3]:
        np.testing.assert_array_equal(other.labels, found[0].labels)
        assert other.objective == found[0].objective
    assert (found[3].labels != found[0].labels).any()


BAD_REFINEMENTS = {
    "mu": (dict(mu=-1), "'mu' parameter"),
    "mu_word": (dict(mu="best"), "'mu' parameter"),
    "cut": (dict(cut="cheap"), "'cut' parameter"),
    "size": (dict(min_cluster_size=0), "'min_cluster_size' parameter"),
    "size_too_large": (dict(min_cluster_size=51), "3 clusters of at least 51 nodes need more"),
    "rounds": (dict(max_rounds=0), "'max_rounds' parameter"),
    "one_cluster": (dict(labels=np.zeros(150)), "all nodes are in one cluster"),
    "labels_few": (dict(labels=[0, 1]), "2 labels, but 150 samples"),
    "labels_missing": (dict(labels=[None, *range(149)]), r"labels\[0\] is missing"),
    "representation": (dict(representation=np.eye(3)), "3 rows.*150 samples"),
    "seed": (dict(random_state=-1), "random_state"),
    "threads": (dict(n_jobs=0), "n_jobs=0"),
}


@pytest.mark.parametrize("case", BAD_REFINEMENTS)
def test_refinements_that_make_no_sense_are_refused(town, case):
    given, message = BAD_REFINEMENTS[case]
    options = {"representation": town.R, "labels": np.arange(150) % 3, **given}
    with pytest.raises(ValueError, match=message):
        repsc.refine(town.G, **options)


def test_progress_of_refinement_is_shown_when_asked_for(town, capfd):
    repsc.refine(town.G, town.R, np.arange(150) % 3)
    assert capfd.readouterr() == ("", "")
    repsc.refine(town.G, town.R, np.arange(150) % 3, verbose=1)
    assert "refine" in capfd.readouterr().err


def test_the_automatic_method_refines_where_it_chose_a_soft_constraint(town, planted):
    found = repsc.cluster(town.G, 3, representation=town.R)
    start = repsc.cluster(town.G, 3, representation=town.R, refine=False)
    assert found.strength == start.strength == 1 and found.method == start.method == "nrepsc"
    assert start.refinement is None and start.before_refinement is None
    np.testing.assert_array_equal(found.before_refinement, start.labels)
    single = repsc.refine(town.G, town.R, start.labels)
    np.testing.assert_array_equal(found.labels, single.labels)
    np.testing.assert_array_equal(found.refinement.labels, single.labels)
    assert found.refinement.objective == single.objective and found.refinement.moves > 0
    assert found.refinement.cut_kind == "normalized"
    assert found.refinement.metrics.normalized_cut == found.metrics.normalized_cut
    assert found.metrics.average_balance > start.metrics.average_balance
    assert found.seconds["refine"] > 0 and start.seconds["refine"] == 0
    model = Model(3, random_state=0).fit(town.G, representation=town.R)
    np.testing.assert_array_equal(model.labels_, found.labels)
    assert model.refinement_.objective == single.objective
    assert model.average_balance_ == found.metrics.average_balance
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.result_.before_refinement, start.labels)
    # Whoever says how the representation binds gets that and nothing more.
    for options in (
        dict(method="nrepsc"),
        dict(constraint="soft"),
        dict(strength=1),
        dict(rank=5),
        dict(constraint="hard"),
    ):
        assert repsc.cluster(town.G, 3, representation=town.R, **options).refinement is None
    model = Model(3, normalized=False, random_state=0).fit(town.G, representation=town.R)
    assert model.strength_ == 1 and model.refinement_ is None
    # A representation that is met exactly, groups, or nothing at all: nothing to refine.
    assert repsc.cluster(planted.G, 4, representation=planted.R).refinement is None
    assert repsc.cluster(town.G, 3, groups=np.arange(150) % 2).refinement is None
    assert repsc.cluster(town.G, 3).refinement is None


@pytest.mark.parametrize("method", ["auto", "usc", "nsc", "urepsc", "nfairsc", "groups"])
def test_every_method_is_refined_where_asked_for(town, method):
    options = dict(method=method, representation=town.R, random_state=4)
    if method == "groups":
        options.update(method="ufairsc", groups=np.arange(150) % 2)
    start = repsc.cluster(town.G, 3, refine=False, **options)
    found = repsc.cluster(town.G, 3, refine=True, mu=1, min_cluster_size=48, **options)
    cut = "ratio" if options["method"].startswith("u") else "normalized"
    single = repsc.refine(
        town.G, town.R, start.labels, mu=1, cut=cut, min_cluster_size=48, random_state=4
    )
    np.testing.assert_array_equal(found.before_refinement, start.labels)
    np.testing.assert_array_equal(found.labels, single.labels)
    assert np.bincount(found.labels).min() >= 48
    assert found.refinement.cut_kind == cut and found.refinement.mu == 1
    assert found.method == start.method and found.seconds["refine"] > 0
    np.testing.assert_array_equal(found.embedding, start.embedding)


def test_the_estimator_refines_where_asked_for(town):
    model = Model(3, normalized=False, strength=0.5, refine=True, mu=1, random_state=1)
    model.fit(town.G, representation=town.R)
    single = repsc.cluster(
        town.G,
        3,
        method="urepsc",
        representation=town.R,
        strength=0.5,
        refine=True,
        mu=1,
        random_state=1,
    )
    np.testing.assert_array_equal(model.labels_, single.labels)
    assert model.refinement_.mu == single.refinement.mu == 1
    assert model.ratio_cut_ == pytest.approx(model.refinement_.cut)
    assert Model(3, refine=np.bool_(False)).fit(town.G, representation=town.R).refinement_ is None
    everyone = Model(1, refine=True).fit(town.G, representation=town.R)
    assert everyone.refinement_ is None and everyone.result_.method == "nrepsc"


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(refine="yes"), "'refine' parameter"),
        (dict(refine=True, mu=-1), "'mu' parameter"),
        (dict(refine=True, min_cluster_size=0), "'min_cluster_size' parameter"),
        (dict(refine=True, min_cluster_size=51), "3 clusters of at least 51 nodes"),
        (dict(mu=1), "mu=1 needs refine=True"),
        (dict(refine=False, mu="ratio"), "mu='ratio' needs refine=True"),
        (dict(min_cluster_size=5), "min_cluster_size=5 needs refine=True"),
    ],
)
def test_refining_clusters_without_sense_is_refused(town, options, message):
    with pytest.raises(ValueError, match=message):
        repsc.cluster(town.G, 3, representation=town.R, **options)
    with pytest.raises(ValueError, match=message):
        Model(3, **options).fit(town.G, representation=town.R)


def test_refinement_needs_a_representation_graph(town):
    groups = np.arange(150) % 2
    rule = repsc.representation.groups(groups)
    for given in ({}, dict(groups=groups), dict(representation=rule)):
        with pytest.raises(ValueError, match="needs a representation graph.*tocsr"):
            repsc.cluster(town.G, 3, refine=True, **given)
        with pytest.raises(ValueError, match="needs a representation graph.*tocsr"):
            Model(3, refine=True).fit(town.G, **given)
    assert repsc.cluster(town.G, 3, refine=True, representation=rule.tocsr()).refinement


# Targets


def test_a_target_of_the_average_balance_is_met_at_little_cut(town):
    found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=0.7)
    _, cut, balance = brute_force(town.G, town.R, found.labels)
    assert found.met and balance.mean() >= 0.7
    assert found.average_balance == pytest.approx(balance.mean())
    assert found.cut == pytest.approx(cut) and found.cut_kind == "normalized"
    assert found.plain_cut == repsc.cluster(town.G, 3).metrics.normalized_cut
    assert found.cut_increase == pytest.approx(found.cut / found.plain_cut - 1)
    assert found.tried > 5 and found.start
    dearer = repsc.refine(town.G, town.R, repsc.cluster(town.G, 3).labels, mu=8)
    assert dearer.average_balance > 0.7 and dearer.cut > found.cut
    assert found.satisfied is None and len(found.below) == len(found.unreachable) == 0
    np.testing.assert_array_equal(found.labels, found.clustering.labels)
    assert found.clustering.metrics.average_balance == pytest.approx(balance.mean())


def test_a_target_for_everybody_is_met_for_all_who_can_reach_it(town):
    R = town.R.tolil()
    R[:2], R[:, :2] = 0, 0  # two people whom nobody else represents
    R[0, 0] = R[1, 1] = 1
    R = R.tocsr()
    R.eliminate_zeros()
    found = repsc.cluster_to_target(town.G, R, 3, target_individual=0.4)
    balance = brute_force(town.G, R, found.labels)[2]
    assert found.met and found.unreachable["node"].tolist() == [0, 1]
    assert found.unreachable["best"].tolist() == [0, 0]
    assert (balance[2:] >= 0.4).all() and found.satisfied == 148
    assert len(found.below) == 0


def test_the_largest_balance_within_a_bound_on_the_cut(town):
    found = repsc.cluster_to_target(town.G, town.R, 3, max_cut_increase=0.1)
    assert found.met and 0 <= found.cut_increase <= 0.1
    plain = repsc.balance(town.R, repsc.cluster(town.G, 3).labels).mean()
    assert found.average_balance > plain + 0.1
    ratio = repsc.cluster_to_target(town.G, town.R, 3, max_cut_increase=0.1, method="usc")
    assert ratio.cut_kind == "ratio"
    assert ratio.cut == pytest.approx(repsc.ratio_cut(town.G, ratio.labels))


def test_a_missed_target_is_a_warning_and_the_nearest_is_there(town):
    with pytest.warns(repsc.TargetMissed, match="average balance found.*target_balance=1") as caught:
        found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=1)
    assert not found.met and 0.7 < found.average_balance < 1
    assert caught[0].filename == __file__, "the warning points at the caller's line"
    with pytest.warns(repsc.TargetMissed, match="nodes of the best.*target_individual=0.9"):
        found = repsc.cluster_to_target(town.G, town.R, 3, target_individual=0.9)
    balance = brute_force(town.G, town.R, found.labels)[2]
    unreachable = set(found.unreachable["node"])
    expected = [i for i in range(150) if balance[i] < 0.9 and i not in unreachable]
    assert found.below.tolist() == expected
    assert found.satisfied == (balance >= 0.9).sum()
    with pytest.warns(repsc.TargetMissed, match="% above plain.*max_cut_increase=0.001"):
        repsc.cluster_to_target(
            town.G, town.R, 3, target_balance=0.6, max_cut_increase=0.001
        )


def test_targets_respect_sizes_seeds_and_threads(town):
    options = dict(target_balance=0.6, min_cluster_size=45)
    first, second = (
        repsc.cluster_to_target(town.G, town.R, 3, n_jobs=n_jobs, **options) for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(first.labels, second.labels)
    assert np.bincount(first.labels).min() >= 45
    assert pickle.loads(pickle.dumps(first)).cut == first.cut


BAD_TARGETS = {
    "none": ({}, "give target_balance, target_individual or max_cut_increase"),
    "both": (dict(target_balance=0.5, target_individual=0.5), "two searches"),
    "balance": (dict(target_balance=1.1), "'target_balance' parameter"),
    "individual": (dict(target_individual=-0.1), "'target_individual' parameter"),
    "increase": (dict(max_cut_increase=-0.1), "'max_cut_increase' parameter"),
    "increase_word": (dict(max_cut_increase="10%"), "'max_cut_increase' parameter"),
    "fair": (dict(target_balance=0.5, method="nfairsc"), "cannot be given with a target"),
    "size": (dict(target_balance=0.5, min_cluster_size=51), "3 clusters of at least 51 nodes"),
    "clusters": (dict(target_balance=0.5, n_clusters=1), "'n_clusters' parameter"),
}


@pytest.mark.parametrize("case", BAD_TARGETS)
def test_targets_that_make_no_sense_are_refused(town, case):
    options, message = BAD_TARGETS[case]
    with pytest.raises(ValueError, match=message):
        repsc.cluster_to_target(town.G, town.R, **{"n_clusters": 3, **options})


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_unreachable_nodes_are_those_that_no_clustering_satisfies(n_clusters):
    rng = np.random.RandomState(3)
    R = np.triu(rng.rand(7, 7) < 0.35, 1)
    R = R | R.T | np.eye(7, dtype=bool)
    best = np.zeros(7)
    for labels in itertools.product(range(n_clusters), repeat=7):
        counts = np.stack([R[:, np.equal(labels, k)].sum(axis=1) for k in range(n_clusters)])
        best = np.maximum(best, counts.min(axis=0) / counts.max(axis=0))
    for alpha in (0, 0.5, 0.7, 1):
        found = repsc.unreachable_nodes(R, n_clusters, alpha)
        np.testing.assert_array_equal(found["node"], np.flatnonzero(best < alpha))
        np.testing.assert_allclose(found["best"], best[best < alpha])
        np.testing.assert_array_equal(found["representatives"], R.sum(axis=1)[best < alpha])
    with pytest.raises(ValueError, match="'alpha' parameter"):
        repsc.unreachable_nodes(R, n_clusters, 2)


def test_nodes_out_of_reach_are_told_before_the_search(town, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = repsc.cluster_to_target(town.G, town.R, 3, target_individual=0.8, verbose=1)
    expected = f"{len(found.unreachable)} of 150 nodes cannot have balance 0.8"
    assert expected in capsys.readouterr().out


# Paths


def test_a_path_over_ranks_strengths_and_refinement(town):
    found = repsc.path(town.G, town.R, 3, [5], strengths=[3], refine=[2, 0.5])
    assert len(found) == 6
    assert found.ranks.tolist() == [5, 0, 5, 5, 0, 0]
    np.testing.assert_array_equal(found.strengths, [np.nan, 3, np.nan, np.nan, 3, 3])
    np.testing.assert_array_equal(found.mus, [np.nan, np.nan, 0.5, 2, 0.5, 2])
    for place, point in enumerate(found.clusterings[:2]):
        assert point.refinement is None and point.before_refinement is None
        for refined in found[2 + 2 * place : 4 + 2 * place]:
            np.testing.assert_array_equal(refined.before_refinement, point.labels)
            assert refined.seconds["refine"] > 0
    single = repsc.refine(town.G, town.R, found[1].labels, mu=0.5)
    np.testing.assert_array_equal(found[4].labels, single.labels)
    assert found[4].refinement.objective == single.objective
    assert found[4].metrics.average_balance == pytest.approx(single.average_balance)
    assert set(found.metrics) >= {"rank", "strength", "mu", "normalized_cut", "minimum_balance"}


def test_a_path_over_strengths_holds_what_single_runs_give(town):
    found = repsc.path(town.G, town.R, 3, strengths=[3, 0, 0.5])
    assert found.strengths.tolist() == [0, 0.5, 3] and found.ranks.tolist() == [0, 0, 0]
    for strength, clustering in zip(found.strengths, found):
        single = repsc.cluster(town.G, 3, representation=town.R, strength=strength)
        np.testing.assert_allclose(clustering.eigenvalues, single.eigenvalues, atol=1e-7)


@pytest.mark.parametrize("method, cut", [("nrepsc", "normalized_cut"), ("urepsc", "ratio_cut")])
def test_fronts_are_the_points_that_no_other_beats(town, method, cut):
    found = repsc.path(
        town.G, town.R, 3, [1, 5, 20, 100], strengths=[0, 0.1, 0.3, 1, 3, 10], method=method
    )
    for gain, front in (
        ("average_balance", found.on_average_front),
        ("minimum_balance", found.on_minimum_front),
    ):
        points = list(zip(found.metrics[cut], found.metrics[gain]))
        beaten = [
            any(c <= cost and g >= gained and (c, g) != (cost, gained) for c, g in points)
            for cost, gained in points
        ]
        np.testing.assert_array_equal(front, np.logical_not(beaten))
        assert front.any() and not front.all()


def test_paths_that_make_no_sense_are_refused(town):
    for options, message in (
        ({}, "neither ranks nor strengths"),
        (dict(refine=[1]), "neither ranks nor strengths"),
        (dict(strengths=[-1]), "'strength' parameter"),
        (dict(strengths=[np.nan]), "'strength' parameter"),
        (dict(ranks=[1], refine=[-1]), "'mu' parameter"),
        (dict(strengths=[1], embedding_rows="long"), "'embedding_rows' parameter"),
    ):
        with pytest.raises(ValueError, match=message):
            repsc.path(town.G, town.R, 3, **options)


# Agreement with the command line


@pytest.fixture
def files(town, tmp_path):
    repsc.write_graph(town.G, tmp_path / "G.npz")
    repsc.write_graph(town.R, tmp_path / "R.npz")
    return tmp_path


def run(tool, folder, command, *words, returns=0):
    """Labels and JSON that the tool writes."""
    line = [tool, command, "G.npz", "R.npz", *words]
    line += ["-o", "labels.csv", "--json", "result.json", "--quiet"]
    done = subprocess.run([str(word) for word in line], cwd=folder)
    assert done.returncode == returns
    labels = np.loadtxt(folder / "labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1:]
    return labels, json.loads((folder / "result.json").read_text())


@pytest.mark.parametrize(
    "words, options",
    [
        ("--strength 0.3", dict(strength=0.3)),
        ("--constraint soft --method urepsc", dict(constraint="soft", method="urepsc")),
        ("--constraint hard", dict(constraint="hard")),
        ("--rank 20 --embedding-rows unit", dict(rank=20, embedding_rows="unit")),
        ("--strength 2 --embedding-rows plain", dict(strength=2, embedding_rows="plain")),
        ("", {}),
        ("--no-refine", dict(refine=False)),
        ("--refine --mu 1 --method usc", dict(refine=True, mu=1, method="usc")),
        (
            "--refine --mu ratio --rank 9 --min-cluster-size 45",
            dict(refine=True, mu="ratio", rank=9, min_cluster_size=45),
        ),
    ],
)
def test_clusters_beyond_the_paper_are_those_of_the_command_line(
    tool, files, town, words, options
):
    labels, report = run(tool, files, "cluster", "-k", 3, "--seed", 7, *words.split())
    found = repsc.cluster(town.G, 3, representation=town.R, random_state=7, **options)
    np.testing.assert_array_equal(found.labels, labels[:, 0])
    assert report["eigenvalues"] == found.eigenvalues.tolist()
    assert report["strength"] == found.strength
    assert report["constraint_residual"] == found.constraint_residual
    assert (report["refinement"] is None) == (found.refinement is None)
    if found.refinement is not None:
        for name in ("mu", "objective", "start_objective", "moves", "rounds"):
            assert report["refinement"][name] == getattr(found.refinement, name)


@pytest.mark.parametrize(
    "words, options",
    [
        ("", {}),
        ("--mu 0.7 --cut ratio --seed 5", dict(mu=0.7, cut="ratio", random_state=5)),
        ("--mu ratio --min-cluster-size 45", dict(mu="ratio", min_cluster_size=45)),
    ],
)
def test_refinement_is_that_of_the_command_line(tool, files, town, words, options):
    start = repsc.cluster(town.G, 3).labels
    lines = "".join(f"{i},{label}\n" for i, label in enumerate(start))
    (files / "start.csv").write_text("node,cluster\n" + lines)
    labels, report = run(tool, files, "refine", "start.csv", *words.split())
    found = repsc.refine(town.G, town.R, start, **options)
    np.testing.assert_array_equal(found.labels, labels[:, 0])
    for name in ("mu", "objective", "start_objective", "moves", "rounds", "local_optimum"):
        assert report["refinement"][name] == getattr(found, name)
    assert report["refinement"]["cut"] == found.cut_kind
    assert report["metrics"]["average_balance"] == pytest.approx(found.average_balance)


@pytest.mark.parametrize(
    "words, options, returns",
    [
        ("--target-balance 0.7", dict(target_balance=0.7), 0),
        ("--target-individual 0.9", dict(target_individual=0.9), 5),
        ("--max-cut-increase 10% --method usc", dict(max_cut_increase=0.1, method="usc"), 0),
    ],
)
def test_targets_are_those_of_the_command_line(tool, files, town, words, options, returns):
    labels, report = run(
        tool, files, "cluster", "-k", 3, "--seed", 2, *words.split(), returns=returns
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", repsc.TargetMissed)
        found = repsc.cluster_to_target(town.G, town.R, 3, random_state=2, **options)
    np.testing.assert_array_equal(found.labels, labels[:, 0])
    target = report["target"]
    assert found.met == target["met"] == (returns == 0)
    assert (found.start, found.mu, found.tried) == (target["start"], target["mu"], target["tried"])
    assert (found.cut_kind, found.cut) == (target["cut"], target["reached_cut"])
    assert found.plain_cut == target["plain_cut"]
    if "target_individual" in options:
        assert found.satisfied == target["satisfied"]
        assert found.below.tolist() == [int(name) for name in target["below"]]
        told = [(int(n["node"]), n["representatives"], n["best"]) for n in target["unreachable"]]
        assert found.unreachable.tolist() == told


def test_paths_are_those_of_the_command_line(tool, files, town):
    words = "--ranks 5,40 --strengths 0,10 --refine 2 --method urepsc --seed 3".split()
    labels, report = run(tool, files, "path", "-k", 3, *words)
    found = repsc.path(
        town.G,
        town.R,
        3,
        [5, 40],
        strengths=[0, 10],
        refine=[2],
        method="urepsc",
        random_state=3,
    )
    np.testing.assert_array_equal(np.column_stack([c.labels for c in found]), labels)
    assert len(report["path"]) == len(found)
    for place, step in enumerate(report["path"]):
        assert step["strength"] == found[place].strength
        assert (step["rank"] or 0) == found.ranks[place]
        mu = found.mus[place]
        assert step["mu"] == (None if np.isnan(mu) else mu)
        assert step["on_average_front"] == found.on_average_front[place]
        assert step["on_minimum_front"] == found.on_minimum_front[place]
