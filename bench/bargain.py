#!/usr/bin/env python3
"""The default of repsc beside a grid of what it chooses from, and its rule beside others.

    build/python/bin/python bench/bargain.py [WHAT] [NAME...] [--repeats 3]

table: s min(f, 1) of the default, of the best point of the grid, and the time of the default
against plain clustering. every: the same without the grid, for every network with R or groups, and
whether the default is both less fair and more cut than plain clustering. rules: which point of the
grid each rule takes, and how well it agrees with planted clusters. planted: the agreement with
planted clusters in the mean of so many draws, beside the best that a point of the grid has. plain:
the normalized cut of plain clustering beside scikit-learn's. certificate: the time of certificates
against plain clustering, a million edges in G and in R.
NAME: a network of bench/networks.py, or a planted model as groups:600, ages:2400, friends:2400,
regular:300; by default the networks and models of docs/beyond.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings

import numpy as np
import repsc
import scipy.sparse
from networks import REAL, Network, aligned, friends, planted_groups, regular, schools_and_ages
from scipy.sparse.linalg import eigsh
from sklearn.cluster import k_means
from sklearn.cluster._spectral import cluster_qr, discretize
from sklearn.manifold import spectral_embedding

CLUSTERS = {"fao": (2, 4, 8), "air": (2, 4, 8), "german": (2, 5, 10), "highschool, gender": (4,)}
STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10)
MUS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1, 2, 4, 8, 16)
TABLE = [
    *("fao", "air", "highschool, gender", "nba", "german", "facebooknet"),
    *("groups:600", "groups:1000", "friends:2400", "regular:300", "regular:1000", "ages:2400"),
]


def fair_networks() -> list[str]:
    """Every network of the data folder that has R or groups."""
    without = ("enron", "github", "luxembourg")
    return [name for name in REAL if name not in without]


def instance(name: str, seed: int) -> tuple[Network, tuple[int, ...]]:
    """A network with the numbers of clusters to try."""
    if name in REAL:
        return REAL[name](), CLUSTERS.get(name, (5,))
    model, size = name.split(":")
    N = int(size)
    if model == "groups":
        return planted_groups(N, 4, seed), (4,)
    if model == "friends":
        K, groups = (4, 8) if N < 10_000 else (8, 16)
        return friends(N, K, groups, seed), (K,)
    if model == "regular":
        return regular(N, 5, 20 if N < 1000 else 40, seed), (5,)
    return schools_and_ages(N, seed), (5,)


def rand_index(a: np.ndarray, b: np.ndarray | None) -> float:
    """The adjusted Rand index."""
    if b is None:
        return float("nan")
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    pairs = lambda counts: (counts * (counts - 1) / 2).sum()  # noqa: E731
    rows, columns = pairs(table.sum(1)), pairs(table.sum(0))
    expected = rows * columns / pairs(np.array([len(a)]))
    return float((pairs(table) - expected) / ((rows + columns) / 2 - expected))


def grid(
    network: Network, K: int, settings: list[tuple[int, float]] | None = None
) -> list[tuple[float, float, np.ndarray]]:
    """Normalized cut, average balance and labels of every point, refined ones included.

    Above 3000 nodes the grid is coarse, and also starts from the default: on sparse graphs the other
    starts are a few nodes each. ``settings`` gets the number of the start and mu of each."""
    found = []
    settings = [] if settings is None else settings
    N = network.G.shape[0]
    R = network.R
    sensitive = {} if R is not None else {"sensitive_features": network.groups}
    coarse = N > 3000
    ranks = [] if coarse else sorted({min(r, N - K) for r in (2, 5, 10, 20, N // 10)})
    strengths = STRENGTHS[1::2] if coarse else STRENGTHS
    starts = [repsc.cluster(network.G, K, **network.fairness()).labels] if coarse else []
    for rows in ("unit", "plain"):
        starts.append(repsc.cluster(network.G, K, method="nsc", embedding_rows=rows).labels)
        points = repsc.path(
            network.G, R, K, ranks, strengths=strengths, embedding_rows=rows, **sensitive
        )
        starts += [each.labels for each in points.clusterings]
    for start, labels in enumerate(starts):
        settings.append((start, 0.0))
        metrics = repsc.evaluate(network.G, labels, **network.fairness())
        found.append((metrics.normalized_cut, metrics.average_balance, labels))
        for mu in MUS[1::3] if coarse else MUS:
            if len(np.unique(labels)) < K:
                break
            better = repsc.refine(network.G, R, labels, mu=mu, max_rounds=0, **sensitive)
            labels = better.labels
            settings.append((start, mu))
            found.append((better.cut, better.average_balance, labels))
    return found


def value(s: np.ndarray, f: np.ndarray) -> np.ndarray:
    """What the default makes as large as possible."""
    return np.maximum(s, 0) * np.clip(f, 0, 1)


def timed(run, repeats: int):
    """The result and the median of the seconds."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds)


def on_scale(scale, points) -> tuple[np.ndarray, np.ndarray]:
    s = np.array([scale.structure_kept(cut) for cut, _, _ in points])
    f = np.array([scale.fairness_gained(balance) for _, balance, _ in points])
    return s, f


def table(names: list[str], repeats: int) -> None:
    print("| network | K | N | default: s | f | s min(f, 1) | best of grid | ratio | agreement | of "
          "the grid's best | seconds | / plain |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        network, clusters = instance(name, 1)
        for K in clusters:
            _, plain = timed(lambda: repsc.cluster(network.G, K, method="nsc"), repeats)
            found, seconds = timed(
                lambda: repsc.cluster(network.G, K, **network.fairness()), repeats
            )
            s, f = found.structure_kept, found.fairness_gained
            own = float(value(np.array([s]), np.array([f]))[0])
            best, agreed = float("nan"), float("nan")
            if network.G.shape[0] <= 3000:
                points = grid(network, K)
                values = value(*on_scale(found.baselines, points))
                best = float(values.max())
                agreed = rand_index(points[int(values.argmax())][2], network.truth)
            print(f"| {network.name} | {K} | {network.G.shape[0]} | {s:.3f} | {f:.3f} | {own:.3f} | "
                  f"{best:.3f} | {own / best:.2f} | {rand_index(found.labels, network.truth):.3f} | "
                  f"{agreed:.3f} | {seconds:.2f} | {seconds / plain:.1f} |", flush=True)


def every(names: list[str], repeats: int) -> None:
    print("| network | K | N | plain: cut | balance | lots: cut | balance | default: cut | balance | s "
          "| f | dominated | seconds | / plain |")
    print("| --- | ---: | ---: |" + " ---: |" * 8 + " --- | ---: | ---: |")
    ratios = []
    for name in names:
        network, _ = instance(name, 1)
        N = network.G.shape[0]
        for K in (2, 5, 10):
            if K > N / 10:
                continue
            _, plain = timed(lambda: repsc.cluster(network.G, K, method="nsc"), repeats)
            found, seconds = timed(
                lambda: repsc.cluster(network.G, K, **network.fairness()), repeats
            )
            scale, own = found.baselines, found.metrics
            dominated = (own.normalized_cut > scale.plain.cut + 1e-9
                         and own.average_balance < scale.plain.average_balance - 1e-9)
            numbers = [scale.plain.cut, scale.plain.average_balance, scale.random.cut,
                       scale.random.average_balance, own.normalized_cut, own.average_balance,
                       found.structure_kept, found.fairness_gained]
            if N >= 1000:
                ratios.append(seconds / plain)
            print(f"| {network.name} | {K} | {N} | " + " | ".join(f"{x:.3f}" for x in numbers)
                  + f" | {'yes' if dominated else 'no'} | {seconds:.2f} | {seconds / plain:.1f} |",
                  flush=True)
    if ratios:
        print(f"\nMedian of the last column for 1000 nodes and more: {np.median(ratios):.1f}")


def knee(s: np.ndarray, f: np.ndarray) -> int:
    """The point of the front farthest from the chord between its ends."""
    order = np.argsort(-s)
    front = [i for k, i in enumerate(order) if k == 0 or f[i] > f[order[:k]].max()]
    first, last = front[0], front[-1]
    dx, dy = s[last] - s[first], f[last] - f[first]
    distance = [abs(dy * (s[i] - s[first]) - dx * (f[i] - f[first])) for i in front]
    return front[int(np.argmax(distance))]


def rules(names: list[str]) -> None:
    print("| network | K | rule | s | f | agreement |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for name in names:
        network, clusters = instance(name, 1)
        for K in clusters:
            points = grid(network, K)
            s, f = on_scale(repsc.baselines(network.G, K, **network.fairness()), points)
            kept = np.flatnonzero(s >= 0.9)
            chosen = {
                "s min(f, 1)": int(value(s, f).argmax()),
                "s f": int((np.maximum(s, 0) * np.maximum(f, 0)).argmax()),
                "knee": knee(s, f),
                "s >= 0.9": int(kept[f[kept].argmax()]),
            }
            for rule, i in chosen.items():
                print(f"| {network.name} | {K} | {rule} | {s[i]:.3f} | {f[i]:.3f} | "
                      f"{rand_index(points[i][2], network.truth):.3f} |", flush=True)


def planted(names: list[str], repeats: int) -> None:
    print("| model | draws | default | plain | best setting | best point of each draw |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        own, without, best = [], [], []
        by_setting: dict[tuple[int, float], list[float]] = {}
        for seed in range(1, repeats + 1):
            network, (K,) = instance(name, seed)
            found = repsc.cluster(network.G, K, **network.fairness())
            own.append(rand_index(found.labels, network.truth))
            without.append(rand_index(repsc.cluster(network.G, K).labels, network.truth))
            if network.G.shape[0] <= 3000:
                settings: list[tuple[int, float]] = []
                points = grid(network, K, settings)
                agreed = [rand_index(labels, network.truth) for _, _, labels in points]
                best.append(max(agreed))
                for setting, each in zip(settings, agreed):
                    by_setting.setdefault(setting, []).append(each)
        whole = [np.mean(each) for each in by_setting.values() if len(each) == repeats]
        shown = f"{max(whole):.3f} | {np.mean(best):.3f}" if best else "- | -"
        print(f"| {network.name} | {repeats} | {np.mean(own):.3f} | {np.mean(without):.3f} | "
              f"{shown} |", flush=True)


def embedding(G: scipy.sparse.csr_array, K: int) -> np.ndarray:
    """That of scikit-learn's SpectralClustering.

    Its solver factorizes the Laplacian, which takes minutes where a graph has hubs; there the same
    eigenvectors come from products."""
    if G.nnz < 4 * G.shape[0]:
        return spectral_embedding(G, n_components=K, random_state=0, drop_first=False)
    scale = 1 / np.sqrt(G.sum(axis=1))
    near = scipy.sparse.diags_array(scale) @ G @ scipy.sparse.diags_array(scale)
    start = np.random.default_rng(0).random(G.shape[0])
    return eigsh(near, K, which="LA", v0=start, tol=1e-8)[1][:, ::-1] * scale[:, None]


def plain(names: list[str]) -> None:
    # The steps of sklearn.cluster.spectral_clustering, the first one once for all roundings.
    print("| network | K | repsc | kmeans | discretize | cluster_qr | repsc / best |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        network = REAL[name]()
        G = network.G.copy()
        G.indices, G.indptr = G.indices.astype(np.int32), G.indptr.astype(np.int32)
        for K in (2, 5, 10, 20):
            if K > network.G.shape[0] / 5:
                continue
            own = repsc.cluster(network.G, K)
            rows = embedding(G, K)
            ways = (
                lambda rows: k_means(rows, K, random_state=0, n_init=10)[1],
                lambda rows: discretize(rows, random_state=0),
                cluster_qr,
            )
            cuts = []
            for way in ways:
                labels = way(rows)
                # discretize can leave clusters empty, and fewer clusters cut less.
                cuts.append(repsc.normalized_cut(network.G, labels)
                            if len(np.unique(labels)) == K else np.inf)
            shown = " | ".join("fewer than K" if cut == np.inf else f"{cut:.4f}" for cut in cuts)
            cut = own.metrics.normalized_cut
            print(f"| {network.name} | {K} | {cut:.4f} | {shown} | {cut / min(cuts):.3f} |",
                  flush=True)


def certificate(repeats: int) -> None:
    """G and R with a million edges each; labels that are good, plain, and none at all."""
    K = 8
    print("| G | labels | cut | lower bound | gap | price at least | seconds | / plain |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    networks = [
        friends(100_000, K, 16, 1, degree=20, others=20),
        friends(50_000, K, 16, 1, degree=40, others=40),
        aligned(50_000, K, 1),
    ]
    for network in networks:
        without, usual = timed(lambda: repsc.cluster(network.G, K), repeats)
        labels = {
            "plain": without.labels,
            "default": repsc.cluster(network.G, K, **network.fairness()).labels,
            "planted": network.truth,
            "lots": np.random.default_rng(1).permutation(network.truth),
        }
        cut = without.metrics.normalized_cut
        for name, each in labels.items():
            found, seconds = timed(
                lambda each=each: repsc.certify(network.G, network.R, each, plain_cut=cut), repeats
            )
            own = repsc.normalized_cut(network.G, each)
            print(f"| {network.name} | {name} | {own:.3f} | {found.lower_bound:.3f} | "
                  f"{found.gap:.1%} | {found.price_of_fairness_at_least or 0:.1%} | "
                  f"{seconds:.1f} | {seconds / usual:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    kinds = ["table", "every", "rules", "planted", "plain", "certificate"]
    parser.add_argument("what", choices=kinds, nargs="?", default="table")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.what == "certificate":
        certificate(given.repeats)
    elif given.what == "plain":
        plain(given.names or list(REAL))
    elif given.what == "planted":
        planted(given.names or [name for name in TABLE if ":" in name], given.repeats)
    elif given.what == "every":
        every(given.names or fair_networks(), given.repeats)
    elif given.what == "rules":
        rules(given.names or TABLE)
    else:
        table(given.names or TABLE, given.repeats)


if __name__ == "__main__":
    main()
