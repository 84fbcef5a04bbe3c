"""Refinement: of given labels, and after clustering."""

import itertools
import pickle

import numpy as np
import pytest
from conftest import brute_force, run_tool

import repsc
from repsc import RepresentationAwareSpectralClustering as Model


def objective(G, R, labels, mu, cut):
    """cut / scale - mu * average balance, directly from the formula; the cut; the balance."""
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
    # No single move lowers it.
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
    n = 5000  # several blocks of nodes, which threads process in parallel
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
    "size_too_large": (dict(min_cluster_size=51), "min_cluster_size=51: "),
    "rounds": (dict(max_rounds=-1), "'max_rounds' parameter"),
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


def test_the_automatic_method_refines_its_candidates(town):
    found = repsc.cluster(town.G, 3, representation=town.R)
    start = repsc.cluster(town.G, 3, representation=town.R, refine=False)
    assert start.refinement is None and start.before_refinement is None
    assert found.refinement.mu < 2 and found.refinement.moves > 0
    np.testing.assert_array_equal(found.refinement.labels, found.labels)
    assert found.refinement.cut_kind == "normalized"
    assert found.refinement.metrics.normalized_cut == found.metrics.normalized_cut
    assert found.seconds["refine"] > 0 and start.search is not None
    value = [r.structure_kept * min(r.fairness_gained, 1) for r in (found, start)]
    assert value[0] >= 0.99 * value[1]
    model = Model(3, random_state=0).fit(town.G, representation=town.R)
    np.testing.assert_array_equal(model.labels_, found.labels)
    assert model.structure_kept_ == found.structure_kept
    assert repsc.cluster(town.G, 3).refinement is None


@pytest.mark.parametrize("method", ["usc", "nsc", "urepsc", "nfairsc", "groups"])
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
        (dict(refine=True, min_cluster_size=51), "min_cluster_size=51: "),
        (dict(strength=1, mu=1), "mu and min_cluster_size.*refine=True"),
        (dict(strength=1, refine=False, mu="ratio"), "mu and min_cluster_size.*refine=True"),
        (dict(strength=1, min_cluster_size=5), "mu and min_cluster_size.*refine=True"),
    ],
)
def test_refining_clusters_without_sense_is_refused(town, options, message):
    with pytest.raises(ValueError, match=message):
        repsc.cluster(town.G, 3, representation=town.R, **options)
    with pytest.raises(ValueError, match=message):
        Model(3, **options).fit(town.G, representation=town.R)


def test_refinement_needs_a_representation_graph_or_groups(town):
    groups = np.arange(150) % 2
    rule = repsc.representation.groups(groups)
    with pytest.raises(ValueError, match="needs a representation graph or groups"):
        repsc.cluster(town.G, 3, refine=True)
    with pytest.raises(ValueError, match="needs a representation graph or groups"):
        Model(3, refine=True).fit(town.G)
    for given in (dict(groups=groups), dict(representation=rule)):
        assert repsc.cluster(town.G, 3, refine=True, **given).refinement
        assert Model(3, refine=True).fit(town.G, **given).refinement_


@pytest.mark.parametrize(
    "words, options",
    [
        ("", {}),
        ("--mu 0.7 --cut ratio --seed 5", dict(mu=0.7, cut="ratio", random_state=5)),
        ("--mu ratio --min-cluster-size 45", dict(mu="ratio", min_cluster_size=45)),
    ],
)
def test_refinement_is_that_of_the_command_line(tool, town_files, town, words, options):
    start = repsc.cluster(town.G, 3).labels
    lines = "".join(f"{i},{label}\n" for i, label in enumerate(start))
    (town_files / "start.csv").write_text("node,cluster\n" + lines)
    labels, report = run_tool(tool, town_files, "refine", "start.csv", *words.split())
    found = repsc.refine(town.G, town.R, start, **options)
    np.testing.assert_array_equal(found.labels, labels[:, 0])
    for name in ("mu", "objective", "start_objective", "moves", "rounds", "local_optimum"):
        assert report["refinement"][name] == getattr(found, name)
    assert report["refinement"]["cut"] == found.cut_kind
    assert report["metrics"]["average_balance"] == pytest.approx(found.average_balance)
