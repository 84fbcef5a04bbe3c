#!/usr/bin/env python3
"""What the Python call costs beside the C++ tool: the same graph, the same seed, the same threads.

    build/python/bin/python bench/python.py [--nodes 100000] [--entries 10000000] [--runs 7]

Each round runs the tool on a .npz file and the Python call on the same matrix in memory, one after
the other. The tool's time is its own `total` less `load` (JSON); Python's is the wall time of
repsc.cluster() and its metrics, conversion and checks of the matrix included. Medians and their
ratio; and the growth of this process's memory during the call beside the size of the matrix, where a
copy of it would show.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse as sp

import repsc

ROOT = pathlib.Path(__file__).resolve().parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=ROOT / "build/release/bin/repsc")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--clusters", type=int, default=5)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--weighted", action="store_true", help="weights of 2 in place of none")
    return parser.parse_args()


def made_graph(options):
    """Planted clusters of a known expected number of entries, and groups that cross them."""
    n, k = options.nodes, options.clusters
    truth = np.arange(n) * k // n
    across = options.entries / n**2 / (1 + 2 / k)
    G = repsc.sample_planted_partition(truth, 3 * across, across)
    return (2 * G if options.weighted else G), np.arange(n) // 7 % 4


def memory(what):
    """VmRSS or VmHWM, the peak since it was reset, in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1]) * 1024
    raise LookupError(what)


def peak_growth(call):
    """By how much the call's peak is above what was held before."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = memory("VmRSS")
    call()
    return memory("VmHWM") - before


def run_tool(options, folder):
    command = [options.tool, "cluster", "G.npz", "--groups", "groups.csv", "-k", options.clusters]
    command += ["--seed", 1, "-o", "labels.csv", "--json", "result.json", "--quiet"]
    subprocess.run([str(word) for word in command], cwd=folder, check=True)
    report = json.loads((folder / "result.json").read_text())
    labels = np.loadtxt(folder / "labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
    return report["seconds"]["total"] - report["seconds"]["load"], labels


def run_python(options, G, groups):
    begin = time.perf_counter()
    result = repsc.cluster(G, options.clusters, groups=groups, random_state=1)
    result.metrics
    return time.perf_counter() - begin, result.labels


def main():
    options = arguments()
    G, groups = made_graph(options)
    matrix_bytes = G.data.nbytes + G.indices.nbytes + G.indptr.nbytes
    rows = {"tool": [], "python": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sp.save_npz(folder / "G.npz", G, compressed=False)
        lines = "".join(f"{i},{g}\n" for i, g in enumerate(groups))
        (folder / "groups.csv").write_text("node,group\n" + lines)
        growth = peak_growth(lambda: run_python(options, G, groups))
        for _ in range(options.runs):
            seconds, expected = run_tool(options, folder)
            rows["tool"].append(seconds)
            seconds, labels = run_python(options, G, groups)
            rows["python"].append(seconds)
            assert (labels == expected).all(), "labels differ"
    print(f"{options.nodes} nodes, {G.nnz} entries, {options.runs} rounds; labels agree")
    for case, seconds in rows.items():
        ratios = [mine / theirs for mine, theirs in zip(seconds, rows["tool"])]
        print(
            f"  {case:<7} median {statistics.median(seconds):.3f} s, "
            f"{statistics.median(ratios):.3f} of the tool's"
        )
    print(
        f"  memory: the matrix has {matrix_bytes / 1e6:.0f} MB ({G.indices.nbytes / 1e6:.0f} of them "
        f"indices); the call's peak was {growth / 1e6:.0f} MB above what was there"
    )


if __name__ == "__main__":
    main()
