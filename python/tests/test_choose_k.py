"""choose_k(), and n_clusters="auto"."""

import json
import subprocess

import numpy as np
import pytest

import repsc


@pytest.fixture(scope="module")
def path_graph():
    """It has no clear number of clusters."""
    return np.eye(60, k=1) + np.eye(60, k=-1)


def test_planted_clusters_are_found(blocks):
    G, _, _ = blocks
    found = repsc.choose_k(G, to=8)
    assert found.recommended == 3
    assert found.candidates[0] == 3
    assert found.reason.startswith("K = 3: ")
    assert found.n_components == 1
    assert not found.constrained and found.strength is None and not found.time_limit_reached
    assert found.table["n_clusters"].tolist() == [2, 3, 4, 5, 6, 7, 8]
    assert found.table["clear"].tolist() == [k == 3 for k in range(2, 9)]
    assert {len(column) for column in found.table.values()} == {7}


def test_the_numbers_are_those_of_the_definitions(blocks):
    G, _, _ = blocks
    found = repsc.choose_k(G, to=5)
    A = G.toarray()
    scale = A.sum(axis=1) ** -0.5
    values = np.linalg.eigvalsh(np.eye(len(A)) - scale[:, None] * A * scale)
    np.testing.assert_allclose(found.table["eigenvalue"], values[1:5], atol=1e-9)
    np.testing.assert_allclose(found.table["eigengap"], np.diff(values)[1:5], atol=1e-9)
    table = found.table
    share = 1 - table["cut"] / table["random_cut"]
    np.testing.assert_allclose(table["share"], share, atol=1e-12)
    z = (table["random_cut"] - table["cut"]) / table["random_cut_spread"]
    np.testing.assert_allclose(table["z"], z)
    for name, column in found.plain.items():
        np.testing.assert_array_equal(column, table[name])


def test_groups_and_representation_graphs_constrain_the_spectrum(blocks, town):
    G, _, groups = blocks
    by_groups = repsc.choose_k(G, groups=groups, to=6)
    assert by_groups.recommended == 3
    assert by_groups.constrained and by_groups.strength is None
    assert np.isnan(by_groups.plain["stability"]).all()
    same = repsc.choose_k(G, sensitive_features=groups, to=6)
    np.testing.assert_array_equal(same.table["cut"], by_groups.table["cut"])
    by_graph = repsc.choose_k(town.G, town.R, to=6)
    assert by_graph.strength == 0.01
    assert not np.allclose(by_graph.table["eigenvalue"], by_graph.plain["eigenvalue"])


def test_where_there_is_none_it_says_so(path_graph):
    found = repsc.choose_k(path_graph)
    assert found.recommended is None
    assert found.reason.startswith("no clear K: ")
    assert not found.table["clear"].any()
    with pytest.raises(repsc.InvalidInput, match="no clear K.*best candidates.*choose_k") as error:
        repsc.cluster(path_graph, "auto")
    assert (error.value.option, error.value.value) == ("n_clusters", "auto")


def test_the_range_is_checked(path_graph):
    assert repsc.choose_k(path_graph[:8, :8]).table["n_clusters"].tolist() == [2, 3, 4, 5, 6, 7]
    for words in ({"from_": 1}, {"from_": 5, "to": 4}, {"from_": 60, "to": 70}):
        with pytest.raises(ValueError, match="from_|to="):
            repsc.choose_k(path_graph, **words)


def test_the_seed_decides_and_not_the_threads(blocks):
    G, _, _ = blocks
    tables = [repsc.choose_k(G, to=4, random_state=s, n_jobs=n).table for s, n in [(7, 1), (7, 2)]]
    other = repsc.choose_k(G, to=4, random_state=8).table
    for name in tables[0]:
        np.testing.assert_array_equal(tables[0][name], tables[1][name])
    assert (other["random_cut"] != tables[0]["random_cut"]).all()


def test_cluster_takes_the_number(blocks):
    G, truth, groups = blocks
    found = repsc.cluster(G, "auto", random_state=4)
    given = repsc.cluster(G, 3, random_state=4)
    assert found.n_clusters == 3
    assert found.chosen_clusters.recommended == 3
    assert given.chosen_clusters is None
    np.testing.assert_array_equal(found.labels, given.labels)
    fair = repsc.cluster(G, "auto", groups=groups)
    assert fair.chosen_clusters.constrained
    plain = repsc.cluster(G, "auto", groups=groups, method="nsc")
    assert not plain.chosen_clusters.constrained
    np.testing.assert_array_equal(np.unique(truth), np.unique(found.labels))


def test_the_estimator_takes_the_number(blocks, path_graph):
    G, _, _ = blocks
    model = repsc.RepresentationAwareSpectralClustering("auto", random_state=0).fit(G)
    assert model.n_clusters == "auto"
    assert model.n_clusters_ == 3
    assert model.embedding_.shape[1] == 3
    with pytest.raises(repsc.InvalidInput, match="no clear K"):
        model.fit(path_graph)
    assert repsc.RepresentationAwareSpectralClustering(2).fit(G).n_clusters_ == 2


def test_other_functions_need_a_number(blocks):
    G, _, groups = blocks
    with pytest.raises(ValueError, match=r"choose_k\(\)"):
        repsc.plan(G, "auto")
    with pytest.raises(ValueError, match="n_clusters"):
        repsc.path(G, None, "auto", groups=groups, strengths=[1])


def test_a_time_limit_leaves_no_recommendation(blocks):
    G, _, _ = blocks
    found = repsc.choose_k(G, time_limit=1e-9)
    assert found.time_limit_reached and found.recommended is None
    assert "time limit" in found.reason


def test_it_is_shown_in_notebooks(blocks):
    found = repsc.choose_k(blocks[0], to=4)
    assert repr(found).startswith("ClusterCount(recommended=3, candidates=[3")
    assert "<th>gap ratio</th>" in found._repr_html_()


def test_the_command_line_says_the_same(blocks, tool, tmp_path):
    G, _, _ = blocks
    repsc.write_graph(G, tmp_path / "G.npz")
    line = [str(tool), "choose-k", "G.npz", "--to", "6", "--seed", "3", "--json", "-"]
    done = subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
    report = json.loads(done.stdout)
    found = repsc.choose_k(G, to=6, random_state=3)
    assert report["recommended"] == found.recommended
    assert report["reason"] == found.reason
    for name in ("eigengap", "cut", "stability"):
        assert [row["plain"][name] for row in report["table"]] == found.table[name].tolist()
