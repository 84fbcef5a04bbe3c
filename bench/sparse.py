"""Real sparse graphs: the eigenvectors of this version beside those of another.

    git worktree add ../old COMMIT && (cd ../old && ./dev build)
    build/python/bin/python bench/sparse.py --tool build/release/bin/repsc \
        --other ../old/build/release/bin/repsc

Both cluster the largest component with `nsc`, in turn, for each seed; the table has the medians of
the seconds of the stage `eigen`, their ratio, the range of the normalized cuts, and the number of
seeds with the labels of precise eigenvectors (this version with --tol 1e-8). Medians need a quiet
machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import networks
import numpy as np
import scipy.sparse as sp
from agreement import adjusted_rand_index

GRAPHS = ("lastfm", "facebook", "github", "enron", "credit", "recidivism", "luxembourg")
PRECISE = ["--tol", "1e-8", "--max-iterations", "20000"]


def clustered(
    tool: str, graph: Path, K: int, seed: int, more: Sequence[str] = ()
) -> tuple[float, np.ndarray]:
    """Seconds of the eigenvectors, and labels."""
    labels = graph.with_suffix(".labels.csv")
    command = [tool, "cluster", graph, "-k", K, "--method", "nsc", "--seed", seed, "--quiet"]
    command += ["-o", labels, "--json", graph.with_suffix(".json"), *more]
    subprocess.run([str(word) for word in command], check=False, stderr=subprocess.DEVNULL)
    result = json.loads(graph.with_suffix(".json").read_text())
    found = np.loadtxt(labels, delimiter=",", skiprows=1, dtype=int)
    return result["seconds"]["eigen"], found[np.argsort(found[:, 0]), 1]


def normalized_cut(G: sp.csr_array, labels: np.ndarray) -> float:
    """With the paper's factor 1/2."""
    E = np.eye(labels.max() + 1)[labels]
    volumes = E.T @ G.sum(axis=1)
    inside = np.einsum("ik,ik->k", E, G @ E)
    return float(np.sum(1 - inside[volumes > 0] / volumes[volumes > 0])) / 2


def in_words(cuts: list[float]) -> str:
    low, high = f"{min(cuts):.3g}", f"{max(cuts):.3g}"
    return low if low == high else f"{low} to {high}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="repsc of this version")
    parser.add_argument("--other", required=True, help="repsc of the other version")
    parser.add_argument("-k", type=int, nargs="+", default=[2, 5, 12], help="clusters")
    parser.add_argument("--seeds", type=int, default=4, help="runs of each, with seeds 0, 1, ...")
    parser.add_argument("graphs", nargs="*", default=GRAPHS, help=f"of {', '.join(GRAPHS)}")
    options = parser.parse_args()
    print(f"{platform.machine()}; seconds of the eigenvectors, medians of {options.seeds}\n")
    print("| graph | K | other | this | ratio | cut, other | cut, this | precise, other | this |")
    print("| --- | ---: | ---: | ---: | ---: | --- | --- | ---: | ---: |")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.graphs:
            G = networks.REAL[name]().G
            upper = sp.triu(G).tocoo()
            graph = Path(folder) / f"{name}.txt"
            np.savetxt(graph, np.column_stack([upper.row, upper.col]), fmt="%d")
            for K in options.k:
                seconds, cuts, precise = ([], []), ([], []), [0, 0]
                for seed in range(options.seeds):
                    _, goal = clustered(options.tool, graph, K, seed, PRECISE)
                    for i, tool in enumerate((options.other, options.tool)):
                        took, labels = clustered(tool, graph, K, seed)
                        seconds[i].append(took)
                        cuts[i].append(normalized_cut(G, labels))
                        precise[i] += adjusted_rand_index(labels, goal) == 1
                other, this = (statistics.median(values) for values in seconds)
                ratios.append(other / this)
                print(
                    f"| {name} | {K} | {other:.3f} | {this:.3f} | {ratios[-1]:.1f} "
                    f"| {in_words(cuts[0])} | {in_words(cuts[1])} | {precise[0]} | {precise[1]} |",
                    flush=True,
                )
    print(f"\nMedian ratio {statistics.median(ratios):.1f}, smallest {min(ratios):.1f}.")


if __name__ == "__main__":
    main()
