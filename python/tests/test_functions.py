"""The functions beside the estimator, and their agreement with the command line."""

import json
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
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
    with pytest.raises(ValueError, match="one of the two"):
        repsc.evaluate(G, truth, groups=groups, representation=rule)


def test_a_path_holds_what_single_runs_give(planted):
    found = repsc.path(planted.G, planted.R, 4, [60, 5, 20], random_state=2)
    assert found.ranks.tolist() == [5, 20, 60] and len(found) == 3
    for rank, clustering in zip(found.ranks, found):
        single = repsc.cluster(planted.G, 4, representation=planted.R, rank=int(rank), random_state=2)
        np.testing.assert_allclose(clustering.eigenvalues, single.eigenvalues, atol=1e-9)
        assert clustering.constraint_rank == single.constraint_rank
    assert set(found.metrics) >= {"rank", "normalized_cut", "average_balance"}
    assert found[2].metrics.average_balance == found.metrics["average_balance"][2]
    with pytest.raises(ValueError, match="from 1 to N - K"):
        repsc.path(planted.G, planted.R, 4, [0])
    with pytest.raises(ValueError, match="has no ranks"):
        repsc.path(planted.G, planted.R, 4, [5], method="nfairsc")


def test_models_keep_their_promises():
    R = repsc.sample_regular_representation(60, 3, degree=12, random_state=5)
    truth = np.arange(60) // 20
    assert (R.diagonal() == 1).all() and (R.sum(axis=0) == 12).all()
    np.testing.assert_array_equal(repsc.balance(R, truth), np.ones(60))
    G = repsc.sample_rpp(R, truth, p=1, q=1, r=0, s=0)
    assert (G != R - sp.eye_array(60)).nnz == 0
    other = repsc.sample_regular_representation(60, 3, degree=12, random_state=6)
    assert (R != other).nnz > 0
    with pytest.raises(ValueError, match="1 >= p >= q >= r >= s >= 0|p.*q"):
        repsc.sample_rpp(R, truth, p=0.1, q=0.2, r=0, s=0)


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "mtx", "graph", "npz"])
def test_graphs_come_back_from_files(tmp_path, ending):
    G = repsc.sample_planted_partition(np.arange(20) // 10, 0.6, 0.2)
    file = tmp_path / f"graph.{ending}"
    repsc.write_graph(G, file)
    again, names = repsc.read_graph(file, return_names=True)
    order = np.argsort([int(name) for name in names])
    assert (again[order][:, order] != G).nnz == 0
    with_loops = repsc.read_graph(file, self_loops="add")
    assert (with_loops.diagonal() == 1).all()


def test_files_that_cannot_be_read_say_so(tmp_path):
    with pytest.raises(OSError, match="nowhere.txt"):
        repsc.read_graph(tmp_path / "nowhere.txt")
    broken = tmp_path / "broken.mtx"
    broken.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 nonsense 1\n")
    with pytest.raises(ValueError, match=r"broken.mtx:3"):
        repsc.read_graph(broken)
    with pytest.raises(OSError):
        repsc.write_graph(np.ones((2, 2)), tmp_path / "no" / "such" / "folder.mtx")
    with pytest.raises(ValueError, match="format: 'hdf5' is not one of"):
        repsc.read_graph(broken, format="hdf5")


METHODS = [
    ("nsc", []),
    ("usc", []),
    ("nrepsc", ["R"]),
    ("urepsc", ["R", "--rank", "20"]),
    ("nrepsc", ["R", "--rank", "20"]),
    ("nfairsc", ["R", "--num-groups", "3"]),
    ("ufairsc", ["--groups"]),
]


@pytest.mark.parametrize("method, arguments", METHODS)
@pytest.mark.parametrize("seed", [0, 12345])
def test_labels_are_those_of_the_command_line(tool, planted, tmp_path, method, arguments, seed):
    repsc.write_graph(planted.G, tmp_path / "G.npz")
    repsc.write_graph(planted.R, tmp_path / "R.npz")
    groups = np.arange(len(planted.truth)) % 3
    (tmp_path / "groups.csv").write_text(
        "node,group\n" + "".join(f"{i},{g}\n" for i, g in enumerate(groups))
    )
    options, line = {}, []
    for word in arguments:
        line.append("R.npz" if word == "R" else word)
    if "R" in arguments:
        options["representation"] = planted.R
    if "--rank" in arguments:
        options["rank"] = 20
    if "--num-groups" in arguments:
        options["n_groups"] = 3
    if "--groups" in arguments:
        options["groups"] = groups
        line.append("groups.csv")
    command = [tool, "cluster", "G.npz", *line, "-k", "4", "--method", method, "--seed", str(seed)]
    command += ["-o", "labels.csv", "--json", "result.json", "--embedding", "embedding.csv", "--quiet"]
    subprocess.run([str(word) for word in command], cwd=tmp_path, check=True)
    result = repsc.cluster(planted.G, 4, method=method, random_state=seed, **options)
    labels = np.loadtxt(tmp_path / "labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
    np.testing.assert_array_equal(result.labels, labels)
    report = json.loads((tmp_path / "result.json").read_text())
    assert report["eigenvalues"] == result.eigenvalues.tolist()
    assert report["metrics"]["ratio_cut"] == result.metrics.ratio_cut
    assert report["constraint_rank"] == result.constraint_rank
    assert report["solver"] == result.solver
    embedding = np.loadtxt(tmp_path / "embedding.csv", delimiter=",", skiprows=1)[:, 1:]
    np.testing.assert_array_equal(embedding, result.embedding)


def test_not_converging_is_a_warning_and_labels_are_there(planted):
    with pytest.warns(repsc.NotConverged, match="raise max_iter or tol") as caught:
        result = repsc.cluster(planted.G, 4, solver="lanczos", max_iter=1, tol=1e-12)
    assert not result.converged and len(result.labels) == len(planted.truth)
    assert caught[0].filename == __file__, "the warning points at the caller's line"
    from sklearn.exceptions import ConvergenceWarning

    assert issubclass(repsc.NotConverged, ConvergenceWarning)
    model = repsc.RepresentationAwareSpectralClustering(4, solver="lanczos", max_iter=1, tol=1e-12)
    with pytest.warns(repsc.NotConverged) as caught:
        model.fit(planted.G)
    assert caught[0].filename == __file__ and not model.converged_


def test_too_little_memory_is_a_memory_error(planted):
    with pytest.raises(MemoryError, match="memory_limit"):
        repsc.cluster(planted.G, 4, representation=planted.R, rank=50, memory_limit=1000)
    with pytest.raises(MemoryError, match='solver="lanczos"'):
        repsc.cluster(planted.G, 4, solver="cholesky", memory_limit=1000)


def test_progress_is_shown_when_asked_for(planted, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repsc.cluster(planted.G, 4, representation=planted.R, solver="lanczos")
        assert capfd.readouterr() == ("", "")
        repsc.cluster(planted.G, 4, representation=planted.R, solver="lanczos", verbose=1)
    assert "kmeans" in capfd.readouterr().err


def test_progress_without_tqdm(planted, capfd, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    repsc.cluster(planted.G, 4, verbose=1)
    assert "repsc: " in capfd.readouterr().err
