"""Searches for a fairness target, and the nodes that cannot reach it."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from conftest import brute_force, run_tool

import repsc


def test_a_target_of_the_average_balance_is_met_at_little_cut(town):
    found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=0.7)
    _, cut, balance = brute_force(town.G, town.R, found.labels)
    assert found.met and balance.mean() >= 0.7
    assert found.average_balance == pytest.approx(balance.mean())
    assert found.cut == pytest.approx(cut) and found.cut_kind == "normalized"
    plain = repsc.cluster(town.G, 3, refine=False)
    assert found.plain_cut == plain.metrics.normalized_cut
    assert found.cut_increase == pytest.approx(found.cut / found.plain_cut - 1)
    assert found.tried > 5 and found.start
    dearer = repsc.refine(town.G, town.R, repsc.cluster(town.G, 3).labels, mu=8)
    assert dearer.average_balance > 0.7 and dearer.cut > found.cut
    assert found.satisfied is None and len(found.below) == len(found.unreachable) == 0
    np.testing.assert_array_equal(found.labels, found.clustering.labels)
    assert found.clustering.metrics.average_balance == pytest.approx(balance.mean())


def test_a_target_for_everybody_is_met_for_all_who_can_reach_it(town):
    R = town.R.tolil()
    R[:2], R[:, :2] = 0, 0  # two people who are represented only by themselves
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
    with pytest.warns(repsc.TargetMissed, match="balance found.*target_balance=1") as caught:
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


def test_a_tighter_target_never_gets_a_worse_answer(town):
    def ask(**targets):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", repsc.TargetMissed)
            return repsc.cluster_to_target(town.G, town.R, 3, **targets)

    loose = ask(target_balance=0.7)
    budget = loose.cut_increase + 1e-6
    both = ask(target_balance=0.7, max_cut_increase=budget)
    np.testing.assert_array_equal(both.labels, loose.labels)
    assert both.met
    largest = ask(max_cut_increase=budget)
    assert largest.met and largest.average_balance >= loose.average_balance
    again = ask(target_balance=largest.average_balance)
    assert again.met and again.cut <= largest.cut


def test_the_largest_average_balance_that_can_be_proved_possible_is_named(town):
    counts = np.asarray((town.R != 0).sum(axis=1)).ravel()
    limit = (counts // 3 / -(-counts // 3)).mean()
    found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=0.5)
    assert found.balance_limit == pytest.approx(limit)
    with pytest.warns(repsc.TargetMissed, match=f"no clustering can have .* above {limit:.4f}"):
        repsc.cluster_to_target(town.G, town.R, 3, target_balance=(1 + limit) / 2)


def test_time_limits_return_the_best_so_far(town):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=0.7, time_limit=1e-3)
    assert found.time_limit_reached and len(found.labels) == 150
    many = repsc.cluster(town.G, 3, n_init=2_000_000_000, time_limit=0.2)
    assert many.time_limit_reached and len(np.unique(many.labels)) == 3
    assert not repsc.cluster(town.G, 3, time_limit=1000).time_limit_reached
    path = repsc.path(town.G, town.R, 3, strengths=range(1000), n_init=1000, time_limit=0.5)
    assert path.time_limit_reached and 1 <= len(path) < 1000
    refined = repsc.refine(town.G, town.R, many.labels, time_limit=1e-9)
    assert refined.time_limit_reached
    for wrong in (0, -1, "1"):
        with pytest.raises(ValueError, match="'time_limit' parameter"):
            repsc.cluster(town.G, 3, time_limit=wrong)


def test_targets_respect_sizes_seeds_and_threads(town):
    options = dict(target_balance=0.6, min_cluster_size=45)
    first, second = (
        repsc.cluster_to_target(town.G, town.R, 3, n_jobs=n_jobs, **options) for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(first.labels, second.labels)
    assert np.bincount(first.labels).min() >= 45
    assert pickle.loads(pickle.dumps(first)).cut == first.cut


BAD_TARGETS = {
    "none": ({}, "no target was given"),
    "both": (dict(target_balance=0.5, target_individual=0.5), "cannot both be targets"),
    "balance": (dict(target_balance=1.1), "'target_balance' parameter"),
    "individual": (dict(target_individual=-0.1), "'target_individual' parameter"),
    "increase": (dict(max_cut_increase=-0.1), "'max_cut_increase' parameter"),
    "increase_word": (dict(max_cut_increase="10%"), "'max_cut_increase' parameter"),
    "fair": (dict(target_balance=0.5, method="nfairsc"), "cannot be given with a target"),
    "size": (dict(target_balance=0.5, min_cluster_size=51), "min_cluster_size=51: "),
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


@pytest.mark.parametrize(
    "words, options, returns",
    [
        ("--target-balance 0.7", dict(target_balance=0.7), 0),
        ("--target-individual 0.9", dict(target_individual=0.9), 5),
        ("--max-cut-increase 10% --method usc", dict(max_cut_increase=0.1, method="usc"), 0),
    ],
)
def test_targets_are_those_of_the_command_line(tool, town_files, town, words, options, returns):
    labels, report = run_tool(
        tool, town_files, "cluster", "-k", 3, "--seed", 2, *words.split(), returns=returns
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
