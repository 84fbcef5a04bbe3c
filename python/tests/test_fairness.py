"""Proportional balance, shares of groups, modularity and conductance."""

import networkx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import repsc


def random_graph(seed, n_samples=40, density=0.2, loops=False):
    """A symmetric matrix with random weights."""
    random = np.random.RandomState(seed)
    upper = np.triu(random.rand(n_samples, n_samples) * 3 + 0.1, 0 if loops else 1)
    upper *= random.rand(n_samples, n_samples) < density
    return upper + np.triu(upper, 1).T


def shares_by_definition(groups, labels):
    """Of each group in each cluster, and overall."""
    names = np.unique(groups)
    inside = [[np.mean(groups[labels == k] == s) for s in names] for k in np.unique(labels)]
    return np.array(inside), np.array([np.mean(groups == s) for s in names])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("density", [0.2, 0.9])
def test_balances_are_smallest_ratios_of_counts(weighted, density):
    R = random_graph(1, density=density, loops=True)
    np.fill_diagonal(R, 1)
    labels = np.random.RandomState(2).choice([0, 0, 0, 1, 1, 2], len(R))
    links = R if weighted else (R > 0).astype(float)
    counts = np.stack([links[:, labels == k].sum(axis=1) for k in range(3)], axis=1)
    rates = counts / np.bincount(labels)
    rho = counts.min(axis=1) / counts.max(axis=1)
    proportional = rates.min(axis=1) / rates.max(axis=1)
    np.testing.assert_allclose(repsc.balance(R, labels, weighted=weighted), rho, atol=1e-14)
    found = repsc.proportional_balance(R, labels, weighted=weighted)
    np.testing.assert_allclose(found, proportional, atol=1e-14)
    metrics = repsc.evaluate(random_graph(3), labels, representation=R, weighted=weighted)
    assert metrics.average_balance == pytest.approx(rho.mean())
    assert metrics.average_proportional_balance == pytest.approx(proportional.mean())
    assert metrics.minimum_proportional_balance == pytest.approx(proportional.min())
    assert metrics.balance_counts == ("weights" if weighted else "links")
    assert density < 0.5 or 0 < proportional.min() < proportional.max()


def test_weights_need_a_representation_graph(blocks):
    G, truth, groups = blocks
    with pytest.raises(ValueError, match="weighted=True needs representation="):
        repsc.evaluate(G, truth, sensitive_features=groups, weighted=True)


def test_group_fairness_compares_shares():
    random = np.random.RandomState(4)
    labels = random.choice(list("abbc"), 60)
    groups = random.choice([3, 3, 3, 7, 1000], 60)
    inside, overall = shares_by_definition(groups, labels)
    found = repsc.group_fairness(groups, labels)
    balances = inside.min(axis=1) / inside.max(axis=1)
    best = overall.min() / overall.max()
    np.testing.assert_allclose(found.cluster_balance, balances)
    np.testing.assert_allclose(found.cluster_relative_balance, balances / best)
    deviations = np.abs(inside - overall).max(axis=1)
    np.testing.assert_allclose(found.cluster_largest_deviation, deviations)
    np.testing.assert_allclose(found.cluster_smallest_ratio, (inside / overall).min(axis=1))
    np.testing.assert_allclose(found.cluster_largest_ratio, (inside / overall).max(axis=1))
    assert found.best_possible == pytest.approx(best)
    assert found.average == pytest.approx(balances.mean())
    assert found.minimum == pytest.approx(balances.min())
    assert found.relative_average == pytest.approx(balances.mean() / best)
    assert found.relative_minimum == pytest.approx(balances.min() / best)
    assert found.largest_deviation == pytest.approx(deviations.max())
    assert found.smallest_ratio == pytest.approx((inside / overall).min())
    assert found.largest_ratio == pytest.approx((inside / overall).max())
    assert (found.n_groups, found.n_empty_clusters) == (3, 0)
    assert found.minimum < found.average < 1


def test_group_fairness_matches_names():
    labels = pd.Series([0, 0, 1, 1], index=list("wxyz"))
    groups = pd.Series(["f", "m", "f", "m"], index=list("wyxz"))  # in another order
    expected = repsc.group_fairness(["f", "f", "m", "m"], [0, 0, 1, 1])
    assert expected.minimum == 0
    assert repsc.group_fairness(groups, labels) == expected
    assert repsc.group_fairness(groups.to_dict(), labels.to_dict()) == expected
    with pytest.raises(ValueError, match="sensitive_features"):
        repsc.group_fairness(["f", "m"], [0, 0, 1])
    with pytest.raises(ValueError, match="name different nodes"):
        repsc.group_fairness(groups.set_axis(list("1234")), labels)


def test_evaluate_takes_a_graph_and_groups(blocks, planted):
    _, _, groups = blocks
    G, R = planted.G[:150, :150], planted.R[:150, :150]
    labels = np.arange(150) % 5
    both = repsc.evaluate(G, labels, representation=R, sensitive_features=groups)
    alone = repsc.evaluate(G, labels, representation=R)
    assert alone.group_fairness is None
    assert both.group_fairness == repsc.group_fairness(groups, labels)
    assert both.average_balance == alone.average_balance
    assert both != alone
    by_groups = repsc.evaluate(G, labels, sensitive_features=groups)
    assert by_groups.group_fairness == both.group_fairness
    assert by_groups.average_balance != alone.average_balance


@pytest.mark.parametrize("seed", range(5))
def test_modularity_and_conductance_are_those_of_networkx(seed):
    G = random_graph(seed)
    labels = np.random.RandomState(seed).randint(0, 4, len(G))
    graph = networkx.from_numpy_array(G)
    clusters = [set(np.flatnonzero(labels == k)) for k in range(4)]
    expected = networkx.community.modularity(graph, clusters)
    assert repsc.modularity(G, labels) == pytest.approx(expected, abs=1e-12)
    expected = [networkx.conductance(graph, cluster, weight="weight") for cluster in clusters]
    np.testing.assert_allclose(repsc.conductance(G, labels), expected, rtol=1e-12)
    metrics = repsc.evaluate(sp.csr_array(G), labels)
    assert metrics.modularity == repsc.modularity(G, labels)
    np.testing.assert_array_equal(metrics.conductance, repsc.conductance(G, labels))
    inside = [G[np.ix_(labels == k, labels == k)].sum() for k in range(4)]
    volumes = [G[labels == k].sum() for k in range(4)]
    assert metrics.internal_edge_share == pytest.approx(sum(inside) / G.sum())
    np.testing.assert_allclose(metrics.cluster_internal_shares, np.divide(inside, volumes))


def test_every_measure_is_a_number_without_edges():
    empty = np.zeros((4, 4))
    metrics = repsc.evaluate(empty, [0, 1, 2, 3], sensitive_features=[0, 0, 0, 0])
    assert metrics.modularity == 0 and metrics.internal_edge_share == 1
    assert metrics.conductance.tolist() == [0, 0, 0, 0]
    assert metrics.average_proportional_balance == 1 and metrics.group_fairness.minimum == 1
    assert repsc.modularity(empty, [0, 0, 0, 0]) == 0


def test_results_have_the_measures(blocks):
    G, _, groups = blocks
    result = repsc.cluster(G, 3, sensitive_features=groups)
    expected = repsc.evaluate(G, result.labels, sensitive_features=groups)
    assert result.metrics == expected and result.metrics.group_fairness is not None
    rule = repsc.representation.groups(groups)
    found = repsc.proportional_balance(rule, result.labels)
    np.testing.assert_array_equal(result.proportional_balance, found)
    assert np.isnan(repsc.cluster(G, 3).proportional_balance).all()
    html = result._repr_html_()
    for words in ("modularity", "average proportional balance", "largest group deviation"):
        assert words in html
    text = repr(result.metrics.group_fairness)
    assert text.startswith("GroupFairness(average=") and len(text) < 200
    assert "cluster balance" in result.metrics.group_fairness._repr_html_()
