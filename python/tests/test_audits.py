"""report(), explain() and compare()."""

import base64
import json
import subprocess

import numpy as np
import pytest

import repsc


def balance(R, labels, i, n_clusters):
    """rho_i from the definition."""
    counts = np.bincount(labels[np.flatnonzero(R[i])], minlength=n_clusters)
    return 1.0 if counts.max() == 0 else counts.min() / counts.max()


@pytest.fixture(scope="module")
def dense(town):
    return np.asarray(town.R.todense()) != 0


@pytest.fixture(scope="module")
def labels(town):
    return np.asarray(repsc.cluster(town.G, 3, representation=town.R).labels)


def test_one_person(town, dense, labels):
    (person,) = repsc.explain(town.G, town.R, labels, [5])
    assert person.node == 5 and person.cluster == labels[5]
    assert person.balance == pytest.approx(balance(dense, labels, 5, 3))
    counts = np.bincount(labels[np.flatnonzero(dense[5])], minlength=3)
    assert [person.found[k] for k in range(3)] == counts.tolist()
    assert sum(person.expected.values()) == pytest.approx(counts.sum())
    assert "balance" in repr(person) and "<table" in person._repr_html_()


def test_the_step_does_what_it_says(town, dense, labels):
    for person in repsc.explain(town.G, town.R, labels, range(20)):
        help_ = person.help
        if help_["kind"] == "none":
            assert help_["balance"] == person.balance
            continue
        after = labels.copy()
        after[help_["node"]] = help_["to"]
        if help_["kind"] == "swap":
            after[help_["other"]] = help_["from"]
        assert balance(dense, after, person.node, 3) == pytest.approx(help_["balance"])
        change = repsc.normalized_cut(town.G, after) - repsc.normalized_cut(town.G, labels)
        assert change == pytest.approx(help_["normalized_cut_change"], abs=1e-9)


def test_names_and_labels_of_any_kind():
    networkx = pytest.importorskip("networkx")
    G = networkx.karate_club_graph()
    G = networkx.relabel_nodes(G, {i: f"p{i}" for i in G})
    clubs = {node: G.nodes[node]["club"] for node in G}
    (person,) = repsc.explain(G, None, clubs, ["p3"], sensitive_features=[i % 2 for i in range(34)])
    assert person.node == "p3" and person.cluster == "Mr. Hi"
    assert set(person.found) == {"Mr. Hi", "Officer"}
    with pytest.raises(ValueError, match="no node 'x'"):
        repsc.explain(G, None, clubs, ["x"], sensitive_features=[i % 2 for i in range(34)])


def test_two_clusterings(town, dense, labels):
    other = np.arange(len(labels)) % 3
    found = repsc.compare(town.G, town.R, labels, other)
    changes = [
        balance(dense, other, i, 3) - balance(dense, labels, i, 3) for i in range(len(labels))
    ]
    assert found.n_gained == sum(c > 0 for c in changes)
    assert found.n_lost == sum(c < 0 for c in changes)
    worst = found.largest_losses[0]
    assert worst["after"] - worst["before"] == pytest.approx(min(changes))
    assert found.before["average_balance"] == pytest.approx(
        np.mean([balance(dense, labels, i, 3) for i in range(len(labels))])
    )
    assert "n_gained" in repr(found)


def test_a_page_from_labels_of_any_tool(town, dense, labels, tmp_path):
    page, twin = tmp_path / "r.html", tmp_path / "r.json"
    repsc.report(town.G, town.R, labels, page, json=twin, threshold=0.5)
    data = json.loads(twin.read_text())
    assert page.read_text().startswith("<!DOCTYPE html>")
    point = data["points"][data["start"]]
    rho = np.array([balance(dense, labels, i, 3) for i in range(len(labels))])
    assert point["average_balance"] == pytest.approx(rho.mean())
    assert point["below_threshold"] == (rho < 0.5).sum()
    assert data["threshold"] == {"value": 0.5, "chosen_by": "user"}
    people = point["people"]
    nodes = np.frombuffer(base64.b64decode(people["node"]), "<u4")
    shown = np.frombuffer(base64.b64decode(people["balance"]), "<f4")
    np.testing.assert_allclose(shown, rho[nodes], rtol=1e-6)
    assert (np.diff(shown) >= 0).all()


def test_results_and_estimators_have_reports(town, tmp_path):
    result = repsc.cluster(town.G, 3, representation=town.R)
    result.report(tmp_path / "a.html", json=tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    point = data["points"][data["start"]]
    assert point["cut"] == pytest.approx(result.metrics.normalized_cut)
    model = repsc.RepresentationAwareSpectralClustering(3, random_state=0)
    model.fit(town.G, representation=town.R)
    model.report(tmp_path / "b.html", names=True)
    assert (tmp_path / "b.html").stat().st_size > 10_000
    plain = repsc.cluster(town.G, 3)
    with pytest.raises(ValueError, match="sensitive_features"):
        plain.report(tmp_path / "c.html")
    with pytest.raises(ValueError, match="threshold"):
        result.report(tmp_path / "c.html", threshold=3)


def test_the_command_line_says_the_same(town, labels, tool, tmp_path):
    repsc.write_graph(town.G, tmp_path / "G.npz")
    repsc.write_graph(town.R, tmp_path / "R.npz")
    rows = "\n".join(f"{i},{label}" for i, label in enumerate(labels))
    (tmp_path / "labels.csv").write_text(f"node,cluster\n{rows}\n")
    line = [str(tool), "report", "G.npz", "R.npz", "labels.csv", "-o", "r.html", "--json", "r.json"]
    subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
    repsc.report(town.G, town.R, labels, tmp_path / "p.html", json=tmp_path / "p.json")
    theirs, ours = (json.loads((tmp_path / f).read_text()) for f in ("r.json", "p.json"))
    assert theirs["baselines"] == ours["baselines"]
    assert theirs["certificate"]["lower_bound"] == ours["certificate"]["lower_bound"]
    cuts = [[point["cut"] for point in data["points"]] for data in (theirs, ours)]
    assert cuts[0] == cuts[1]
