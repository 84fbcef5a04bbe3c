"""Cuts, balance and accuracy of labels."""


import numpy as np
import pytest
from conftest import brute_force

import repsc


def test_metrics_are_those_of_the_paper(planted):
    labels = np.random.RandomState(0).randint(0, 3, len(planted.truth))
    ratio, normalized, balance = brute_force(planted.G, planted.R, labels)
    words = np.array(["x", "y", "z"])[labels]
    assert repsc.ratio_cut(planted.G, words) == pytest.approx(ratio, rel=1e-13)
    assert repsc.normalized_cut(planted.G, words) == pytest.approx(normalized, rel=1e-13)
    np.testing.assert_allclose(repsc.balance(planted.R, words), balance, rtol=1e-15)
    metrics = repsc.evaluate(planted.G, words, representation=planted.R, truth=labels)
    assert metrics.average_balance == pytest.approx(balance.mean())
    assert metrics.minimum_balance == balance.min()
    assert (metrics.accuracy, metrics.adjusted_rand_index) == (1, 1)
    np.testing.assert_array_equal(metrics.cluster_sizes, np.bincount(labels))
    assert np.isnan(repsc.evaluate(planted.G, words).average_balance)


def test_groups_measure_as_the_graph_of_their_cliques(blocks):
    G, truth, groups = blocks
    rule = repsc.representation.groups(groups)
    by_groups = repsc.evaluate(G, truth, groups=groups)
    by_graph = repsc.evaluate(G, truth, representation=rule.tocsr())
    assert by_groups.average_balance == by_graph.average_balance
    assert by_groups.constraint_residual == pytest.approx(by_graph.constraint_residual, abs=1e-12)
    np.testing.assert_array_equal(repsc.balance(rule, truth), repsc.balance(rule.tocsr(), truth))
    both = repsc.evaluate(G, truth, groups=groups, representation=rule)
    assert both.average_balance == by_graph.average_balance


def test_metrics_can_be_compared(blocks):
    G, truth, groups = blocks
    plain, again = repsc.evaluate(G, truth), repsc.evaluate(G, truth.astype(str))
    assert plain == again and hash(plain) == hash(again)  # NaN and all
    assert len({plain, again}) == 1
    fair = repsc.evaluate(G, truth, groups=groups)
    other = np.where(truth == 2, 1, truth)
    assert plain != fair and repsc.evaluate(G, other) != plain
    assert fair == repsc.evaluate(G, truth, groups=groups)
    moved = np.roll(truth, 1)  # the same sizes, other cuts
    assert repsc.evaluate(G, moved) != plain
    assert plain != "metrics" and plain != None  # noqa: E711 - the operator is what is tested
