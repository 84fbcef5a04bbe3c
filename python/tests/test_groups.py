"""Groups instead of a representation graph: in paths, refinement and targets."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from conftest import brute_force

import repsc


@pytest.fixture(scope="module")
def people():
    """A graph, groups of 60, 40 and 20 nodes, and the dense R that links the nodes of each."""
    groups = np.random.default_rng(1).permutation(np.repeat(list("aaabbc"), 20))
    truth = np.arange(120) // 40
    G = repsc.sample_planted_partition(truth, 0.4, 0.05, random_state=2)
    return G, groups, sp.csr_array((groups[:, None] == groups[None, :]).astype(float))


def test_a_path_has_the_eigenvalues_of_the_graph_of_the_groups(people):
    G, groups, R = people
    points = dict(ranks=[1, 2, 50], strengths=[0.1, 10], tol=1e-9)
    by_groups = repsc.path(G, None, 3, sensitive_features=groups, **points)
    by_graph = repsc.path(G, R, 3, **points)
    assert len(by_groups) == 5
    for one, other in zip(by_groups, by_graph):
        np.testing.assert_allclose(one.eigenvalues, other.eigenvalues, atol=1e-7)
        assert one.constraint_rank == other.constraint_rank
        assert one.metrics.average_balance == pytest.approx(
            repsc.evaluate(G, one.labels, representation=R).average_balance
        )


def test_refinement_reports_the_balance_of_the_groups(people):
    G, groups, R = people
    start = np.arange(120) // 40
    found = repsc.refine(G, None, start, groups=groups, mu=1)
    normalized, balance = brute_force(G, R, found.labels)[1:]
    assert found.cut == pytest.approx(normalized)
    assert found.average_balance == pytest.approx(balance.mean())
    assert found.objective <= found.start_objective
    rule = repsc.refine(G, repsc.representation.groups(groups), start, mu=1)
    np.testing.assert_array_equal(rule.labels, found.labels)
    clustered = repsc.cluster(G, 3, sensitive_features=groups, refine=True, mu=1)
    assert clustered.refinement is not None and clustered.refinement.mu == 1


def test_a_target_is_met_for_groups(people):
    G, groups, R = people
    found = repsc.cluster_to_target(G, None, 3, sensitive_features=groups, target_balance=0.8)
    assert found.met
    balance = brute_force(G, R, found.clustering.labels)[2]
    assert found.average_balance == pytest.approx(balance.mean()) and balance.mean() >= 0.8


def test_groups_take_a_strength(people):
    G, groups, R = people
    soft = repsc.cluster(G, 3, sensitive_features=groups, strength=3, tol=1e-9)
    graph = repsc.cluster(G, 3, representation=R, strength=3, tol=1e-9)
    assert soft.method == "nrepsc"
    np.testing.assert_allclose(soft.eigenvalues, graph.eigenvalues, atol=1e-7)


def test_names_are_matched_and_one_of_both_is_needed(people):
    G, groups, R = people
    names = [f"p{i}" for i in range(120)]
    frame = pd.DataFrame(G.toarray(), index=names, columns=names)
    shuffled = pd.Series(groups, index=names).sample(frac=1, random_state=0)
    start = pd.Series(np.arange(120) // 40, index=names)
    by_name = repsc.refine(frame, None, start, sensitive_features=shuffled, mu=1)
    in_order = repsc.refine(G, None, start.to_numpy(), sensitive_features=groups, mu=1)
    np.testing.assert_array_equal(by_name.labels, in_order.labels)
    with pytest.raises(ValueError, match="representation= or sensitive_features="):
        repsc.refine(G, None, start.to_numpy())
    with pytest.raises(ValueError, match="sensitive_features= cannot be given with represent"):
        repsc.path(G, R, 3, [1], sensitive_features=groups)


def test_many_people_need_no_graph():
    """The R of these groups has 2 * 10^8 entries."""
    truth = np.arange(20000) // 5000
    G = repsc.sample_planted_partition(truth, 0.002, 0.0001, random_state=1)
    found = repsc.refine(G, None, truth, sensitive_features=np.arange(20000) % 2, mu=0.5)
    assert found.average_balance > 0.9
