"""The certificate: against brute force over all labellings, and the command-line tool."""

import itertools
import json
import math
import subprocess

import numpy as np
import pytest

import repsc


def indicators(labels, scale):
    """Orthonormal indicator columns, weighted by the square roots of the degrees, or of 1."""
    H = np.array([(labels == k) * np.sqrt(scale) for k in np.unique(labels)]).T
    return H / np.linalg.norm(H, axis=0)


def cut_and_deviation(G, R, labels, kind):
    """From the definitions: half of tr(H'LH), and tr(H'CH)."""
    d = G.sum(axis=1)
    scale = d if kind == "normalized" else np.ones(len(G))
    S = np.diag(scale**-0.5)
    r = R.sum(axis=1)
    B = np.diag(r**-0.5) @ R @ (np.eye(len(G)) - 1 / len(G))
    C = B.T @ B
    L = np.diag(d) - G
    C *= np.trace(L) / np.trace(C)
    H = indicators(labels, scale)
    return np.trace(H.T @ S @ L @ S @ H) / 2, np.trace(H.T @ S @ C @ S @ H)


@pytest.fixture(scope="module", params=[0, 1, 2])
def small(request):
    rng = np.random.RandomState(request.param)
    G = np.triu(rng.rand(8, 8) < 0.5, 1).astype(float)
    for i in range(7):
        G[i, i + 1] = 1
    R = np.triu(rng.rand(8, 8) < 0.4, 1).astype(float)
    return G + G.T, R + R.T + np.eye(8)


@pytest.mark.parametrize("kind", ["normalized", "ratio"])
@pytest.mark.parametrize("n_clusters", [2, 3])
def test_the_bound_is_not_above_the_optimum_of_all_labellings(small, kind, n_clusters):
    G, R = small
    every = [
        np.array(labels)
        for labels in itertools.product(range(n_clusters), repeat=8)
        if len(set(labels)) == n_clusters and labels[0] == 0
    ]
    measured = np.array([cut_and_deviation(G, R, labels, kind) for labels in every])
    for at in range(0, len(every), len(every) // 5):
        proof = repsc.certify(G, R, every[at], cut=kind, plain_cut=None)
        cut, deviation = measured[at]
        assert proof.cut == pytest.approx(cut) and proof.cut_kind == kind
        assert proof.deviation == pytest.approx(deviation)
        as_fair = measured[:, 1] <= deviation * (1 + 1e-10)
        assert 0 < proof.lower_bound <= measured[as_fair, 0].min() * (1 + 1e-14)
        assert proof.gap == pytest.approx(cut / proof.lower_bound - 1)
        assert proof.verified and proof.reason == ""
        assert proof.price_of_fairness_at_least is None and proof.plain_cut is None


@pytest.mark.parametrize("kind", ["normalized", "ratio"])
def test_the_tool_gives_the_same_certificate(town, town_files, tool, kind):
    labels = repsc.refine(town.G, town.R, town.truth, cut=kind, max_rounds=2).labels
    rows = "".join(f"{node},{label}\n" for node, label in enumerate(labels))
    (town_files / "labels.csv").write_text("node,cluster\n" + rows)
    line = [tool, "certify", "G.npz", "R.npz", "labels.csv", "--cut", kind, "--json", "-"]
    done = subprocess.run([str(word) for word in line], cwd=town_files, capture_output=True)
    expected = json.loads(done.stdout)["certificate"]
    proof = repsc.certify(town.G, town.R, labels, cut=kind)
    for name in ("deviation", "lower_bound", "gap", "strength", "price_of_fairness_at_least"):
        assert getattr(proof, name) == expected[name], name
    assert proof.verified is expected["verified"] is True
    assert proof.plain_cut == expected["plain_cut"]


def test_groups_take_the_place_of_a_graph(blocks):
    graph, truth, groups = blocks
    words = np.array(["x", "y", "z"])[truth]
    R = (groups[:, None] == groups[None, :]).astype(float)
    by_graph = repsc.certify(graph, R, truth)
    for name in ("groups", "sensitive_features"):
        by_groups = repsc.certify(graph, None, words.tolist(), **{name: groups})
        assert by_groups.lower_bound == pytest.approx(by_graph.lower_bound, rel=5e-3)
        assert by_groups.deviation == pytest.approx(by_graph.deviation, abs=1e-12)
        assert by_groups.price_of_fairness_at_least is not None


def test_without_representatives_every_clustering_is_bounded(blocks):
    graph, truth, _ = blocks
    proof = repsc.certify(graph, None, truth)
    assert math.isnan(proof.deviation) and proof.strength == 0
    assert 0 < proof.lower_bound <= repsc.normalized_cut(graph, truth)
    assert proof.price_of_fairness_at_least is None


def test_a_given_plain_cut_is_the_unit_of_the_price(town):
    labels = np.arange(150) % 3
    free = repsc.certify(town.G, town.R, labels, plain_cut=100.0)
    assert free.price_of_fairness_at_least == 0
    half = free.lower_bound / 2
    proof = repsc.certify(town.G, town.R, labels, plain_cut=half)
    assert proof.price_of_fairness_at_least == pytest.approx(1)
    assert "lower_bound=" in repr(proof) and "price" in proof._repr_html_()


def test_an_unverified_certificate_says_why(town):
    proof = repsc.certify(town.G, town.R, town.truth, verify=False)
    assert not proof.verified and proof.reason == "verification was not asked for"


def test_mistakes_are_reported(town):
    with pytest.raises(ValueError, match="give only one"):
        repsc.certify(town.G, town.R, town.truth, groups=town.truth)
    with pytest.raises(ValueError, match="labels"):
        repsc.certify(town.G, town.R, [0, 1])
    with pytest.raises(ValueError, match="'tol' parameter of certify"):
        repsc.certify(town.G, town.R, town.truth, tol=0)
