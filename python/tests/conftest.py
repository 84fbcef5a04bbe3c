"""What tests share: small graphs with known clusters, and the command-line tool where it is built."""

import os
import pathlib

import matplotlib
import numpy as np
import pytest

import repsc

matplotlib.use("Agg")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tool():
    """The command-line tool; REPSC_TOOL names it, or it is where ./dev builds it."""
    path = pathlib.Path(os.environ.get("REPSC_TOOL", ROOT / "build/release/bin/repsc"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return path


def brute_force(G, R, labels):
    """The paper's definitions, typed out."""
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
    return repsc.sample_planted_partition(truth, 0.5, 0.02, random_state=3), truth, np.arange(150) % 2


class Town:
    """People whose friends represent them, R of full rank: a constraint that nothing meets."""

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
