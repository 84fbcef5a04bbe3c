"""The scale between plain clustering and lots."""

import numpy as np
import pytest

import repsc


def test_a_result_of_a_search_has_its_place(town):
    found = repsc.cluster(town.G, 3, representation=town.R)
    scale = found.baselines
    metrics = found.metrics
    assert found.structure_kept == pytest.approx(
        (scale.random.cut - metrics.normalized_cut) / (scale.random.cut - scale.plain.cut)
    )
    assert found.fairness_gained == pytest.approx(
        (metrics.average_balance - scale.plain.average_balance)
        / (scale.fair_balance - scale.plain.average_balance)
    )
    assert scale == repsc.baselines(town.G, 3, representation=town.R)
    assert found.search.met and found.search.tried > 3


def test_a_named_method_has_the_same_baselines(town):
    named = repsc.cluster(town.G, 3, representation=town.R, strength=1)
    assert named.search is None
    assert named.baselines == repsc.cluster(town.G, 3, representation=town.R).baselines
    refined = repsc.refine(town.G, town.R, named.labels, mu=0.3)
    assert refined.baselines == named.baselines


def test_lots_are_what_random_labels_give(town):
    scale = repsc.baselines(town.G, 3, representation=town.R)
    rng = np.random.default_rng(0)
    cuts, balances = [], []
    for _ in range(200):
        labels = rng.permutation(np.arange(150) % 3)
        cuts.append(repsc.normalized_cut(town.G, labels))
        balances.append(repsc.balance(town.R, labels).mean())
    assert scale.random.cut == pytest.approx(np.mean(cuts), abs=5 * scale.random.cut_spread / 10)
    assert scale.random.average_balance == pytest.approx(
        np.mean(balances), abs=5 * scale.random.balance_spread / 10
    )


def test_goals_are_kept_or_warned_of(town):
    kept = repsc.cluster(town.G, 3, representation=town.R, keep_structure=0.9)
    assert kept.structure_kept >= 0.9
    fair = repsc.cluster(town.G, 3, representation=town.R, fairness=1.0)
    assert fair.fairness_gained >= 1
    with pytest.warns(repsc.TargetMissed, match="not reached"):
        repsc.cluster(town.G, 3, representation=town.R, fairness=1000.0)
    with pytest.raises(ValueError, match="keep_structure"):
        repsc.cluster(town.G, 3, representation=town.R, method="nrepsc", keep_structure=0.5)
    with pytest.raises(ValueError, match="'fairness' parameter"):
        repsc.cluster(town.G, 3, representation=town.R, fairness=-1)


def test_without_representatives_there_is_structure_alone(town):
    found = repsc.cluster(town.G, 3, refine=False)
    assert found.structure_kept == pytest.approx(1)
    assert np.isnan(found.fairness_gained)
    assert repsc.cluster(town.G, 3).structure_kept >= 1  # its moves lower the cut


def test_an_isolated_node_leaves_no_baselines():
    G = np.zeros((5, 5))
    G[0, 1] = G[1, 0] = G[2, 3] = G[3, 2] = 1
    assert repsc.baselines(G, 2) is None
    assert np.isnan(repsc.cluster(G, 2, method="usc").structure_kept)


def test_the_estimator_has_them_too(town):
    model = repsc.RepresentationAwareSpectralClustering(3, random_state=0)
    model.fit(town.G, representation=town.R)
    assert model.baselines_ == model.result_.baselines
    assert model.fairness_gained_ == model.result_.fairness_gained
