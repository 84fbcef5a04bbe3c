"""What tests share: small graphs with known clusters, and the command-line tool if it is built."""

import json
import os
import pathlib
import subprocess

import matplotlib
import numpy as np
import pytest

import repsc

matplotlib.use("Agg")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tool():
    """The command-line tool: REPSC_TOOL, or the one that ./dev builds."""
    path = pathlib.Path(os.environ.get("REPSC_TOOL", ROOT / "build/release/bin/repsc"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return path


@pytest.fixture
def device(monkeypatch):
    """The kernels of CUDA devices as they run on the host, whose memory is that of the device."""
    default = ROOT / "build/release/librepsc_cuda_twin.so"
    path = pathlib.Path(os.environ.get("REPSC_CUDA_TWIN", default))
    if not path.exists():
        pytest.skip(f"{path} is not built: cmake --build --preset release --target repsc_cuda_twin")
    monkeypatch.setenv("REPSC_CUDA_LIBRARY", str(path))
    return "cuda"


def brute_force(G, R, labels):
    """The paper's definitions, directly from the formulas."""
    G, R = G.toarray(), R.toarray() > 0
    clusters = np.unique(labels)
    cuts = [G[np.ix_(labels == k, labels != k)].sum() / 2 for k in clusters]
    sizes = [(labels == k).sum() for k in clusters]
    volumes = [G[labels == k].sum() for k in clusters]
    balance = []
    for row in R:
        counts = [(row & (labels == k)).sum() for k in clusters]
        balance.append(1.0 if max(counts) == 0 else min(counts) / max(counts))
    return sum(np.divide(cuts, sizes)), sum(np.divide(cuts, volumes)), np.array(balance)


class Planted:
    """A graph of the paper's model: R, G and the clusters that both methods should find."""

    def __init__(self, n_samples=400, n_clusters=4, degree=40):
        self.n_clusters = n_clusters
        self.truth = np.arange(n_samples) * n_clusters // n_samples
        self.R = repsc.sample_regular_representation(n_samples, n_clusters, degree)
        self.G = repsc.sample_rpp(self.R, self.truth, p=0.6, q=0.4, r=0.3, s=0.1, random_state=1)


@pytest.fixture(scope="session")
def planted():
    return Planted()


@pytest.fixture(scope="session")
def blocks():
    """Three well separated clusters, and two groups spread over them."""
    truth = np.arange(150) // 50
    graph = repsc.sample_planted_partition(truth, 0.5, 0.02, random_state=3)
    return graph, truth, np.arange(150) % 2


class Town:
    """People represented by their friends; R has full rank, so that no clusters satisfy it."""

    def __init__(self, n_samples=150, n_clusters=3):
        self.n_clusters = n_clusters
        self.truth = np.arange(n_samples) * n_clusters // n_samples
        self.R = repsc.sample_planted_partition(np.zeros(n_samples), 0.08, 0.08)
        self.R.setdiag(1)
        self.R = self.R.tocsr()
        self.G = repsc.sample_rpp(self.R, self.truth, p=0.6, q=0.5, r=0.2, s=0.05)


@pytest.fixture(scope="session")
def town():
    return Town()


@pytest.fixture
def town_files(town, tmp_path):
    """A folder with the graphs of the town, for the command-line tool."""
    repsc.write_graph(town.G, tmp_path / "G.npz")
    repsc.write_graph(town.R, tmp_path / "R.npz")
    return tmp_path


def run_tool(tool, folder, command, *words, returns=0):
    """The labels and the JSON that the tool writes."""
    line = [tool, command, "G.npz", "R.npz", *words]
    line += ["-o", "labels.csv", "--json", "result.json", "--quiet"]
    done = subprocess.run([str(word) for word in line], cwd=folder, check=False)
    assert done.returncode == returns
    labels = np.loadtxt(folder / "labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1:]
    return labels, json.loads((folder / "result.json").read_text())
