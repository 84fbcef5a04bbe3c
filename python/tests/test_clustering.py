"""cluster(): its agreement with the command line, warnings, errors and progress."""

import json
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import run_tool

import repsc

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
    command += ["-o", "labels.csv", "--json", "result.json", "--embedding", "embedding.csv"]
    command += ["--quiet"]
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
    shown = capfd.readouterr().err  # a stage that ends at once may be missed
    assert any(stage in shown for stage in ("constraint", "eigen", "kmeans", "refine"))


def test_progress_without_tqdm(planted, capfd, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    repsc.cluster(planted.G, 4, verbose=1)
    assert "repsc: " in capfd.readouterr().err


@pytest.mark.parametrize("method", ["usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"])
def test_rows_of_the_embedding_are_scaled_where_asked_for(town, method):
    options = dict(method=method)
    if method.endswith("repsc"):
        options.update(representation=town.R, constraint="hard")
    if method.endswith("fairsc"):
        options.update(groups=np.arange(150) % 2)
    plain, unit, default = (
        repsc.cluster(town.G, 3, embedding_rows=rows, **options).embedding
        for rows in ("plain", "unit", "auto")
    )
    lengths = np.linalg.norm(plain, axis=1)
    assert np.ptp(lengths) > 1e-3
    np.testing.assert_allclose(unit, plain / lengths[:, None], atol=1e-7)
    np.testing.assert_array_equal(default, unit if method == "nsc" else plain)


@pytest.mark.parametrize(
    "words, options",
    [
        ("--strength 0.3", dict(strength=0.3)),
        ("--constraint soft --method urepsc", dict(constraint="soft", method="urepsc")),
        ("--constraint hard", dict(constraint="hard")),
        ("--rank 20 --embedding-rows unit", dict(rank=20, embedding_rows="unit")),
        ("--strength 2 --embedding-rows plain", dict(strength=2, embedding_rows="plain")),
        ("", {}),
        ("--no-refine", dict(refine=False)),
        ("--refine --mu 1 --method usc", dict(refine=True, mu=1, method="usc")),
        (
            "--refine --mu ratio --rank 9 --min-cluster-size 45",
            dict(refine=True, mu="ratio", rank=9, min_cluster_size=45),
        ),
    ],
)
def test_clusters_beyond_the_paper_are_those_of_the_command_line(
    tool, town_files, town, words, options
):
    labels, report = run_tool(tool, town_files, "cluster", "-k", 3, "--seed", 7, *words.split())
    found = repsc.cluster(town.G, 3, representation=town.R, random_state=7, **options)
    np.testing.assert_array_equal(found.labels, labels[:, 0])
    assert report["eigenvalues"] == found.eigenvalues.tolist()
    assert report["strength"] == found.strength
    assert report["constraint_residual"] == found.constraint_residual
    assert (report["refinement"] is None) == (found.refinement is None)
    if found.refinement is not None:
        for name in ("mu", "objective", "start_objective", "moves", "rounds"):
            assert report["refinement"][name] == getattr(found.refinement, name)


def test_warnings_of_the_engine_are_those_of_the_result(planted):
    """R of five cliques has rank 5, and equal eigenvalues."""
    R = repsc.representation.groups(np.arange(400) % 5).tocsr()
    with pytest.warns(repsc.ClusteringWarning, match="rank 12 is above the rank of R, 5") as seen:
        found = repsc.cluster(planted.G, 4, representation=R, rank=12)
    assert [warning.filename for warning in seen] == [__file__]
    assert [notice.code for notice in found.warnings] == ["rank_above_rank_of_representation"]
    assert found.constraint_rank == 4 and found.rank_unique and found.clusters_visible
    with pytest.warns(repsc.ClusteringWarning, match="not unique.*choose a rank that parts"):
        found = repsc.cluster(planted.G, 4, representation=R, rank=3)
    assert not found.rank_unique and found.warnings[0].code == "rank_not_unique"
    assert "rank not unique" in found._repr_html_()
    assert repsc.cluster(planted.G, 4).warnings == ()


def test_small_clusters_are_warned_about_in_words_of_python(planted):
    triangle = np.ones((3, 3)) - np.eye(3)
    G = sp.block_diag([planted.G, planted.G, triangle], format="csr")
    with pytest.warns(repsc.ClusteringWarning) as seen:
        found = repsc.cluster(G, 3)
    codes = [notice.code for notice in found.warnings]
    assert "small_clusters" in codes and "several_components" in codes
    message = found.warnings[codes.index("small_clusters")].message
    assert 'use regularization="auto" or try another number of clusters' in message
    assert {str(warning.message) for warning in seen} >= {message}
