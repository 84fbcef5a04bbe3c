#!/usr/bin/env python3
"""What the Python call costs beside the C++ tool: the same graph, the same seed, the same threads.

    build/python/bin/python bench/python.py [--nodes 100000] [--entries 10000000] [--runs 7]

Each round runs the tool on a .npz file and the Python call on the same matrix in memory, one after
the other. Python's time is that of repsc.cluster() and its metrics, conversion and checks of the
matrix included; the tool's is the `total` of its JSON, with and without `load`, which reads and
checks the file. Processor time tells more on a busy machine; the tool's is that of its process.
Medians and their ratios; and the growth of this process's memory during the call beside the size of
the matrix, where a copy of it would show.
"""

import argparse
import json
import pathlib
import resource
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


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_tool(options, folder):
    command = [options.tool, "cluster", "G.npz", "--groups", "groups.csv", "-k", options.clusters]
    command += ["--seed", 1, "-o", "labels.csv", "--json", "result.json", "--quiet"]
    before = children_seconds()
    subprocess.run([str(word) for word in command], cwd=folder, check=True)
    processor = children_seconds() - before
    seconds = json.loads((folder / "result.json").read_text())["seconds"]
    labels = np.loadtxt(folder / "labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
    times = {
        "tool": seconds["total"],
        "tool without load": seconds["total"] - seconds["load"],
        "tool, processor": processor,
    }
    return times, labels


def run_python(options, G, groups):
    begin, processor = time.perf_counter(), time.process_time()
    result = repsc.cluster(G, options.clusters, sensitive_features=groups, random_state=1)
    result.metrics
    times = {
        "python": time.perf_counter() - begin,
        "python, processor": time.process_time() - processor,
    }
    return times, result.labels


def main():
    options = arguments()
    G, groups = made_graph(options)
    matrix_bytes = G.data.nbytes + G.indices.nbytes + G.indptr.nbytes
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sp.save_npz(folder / "G.npz", G, compressed=False)
        lines = "".join(f"{i},{g}\n" for i, g in enumerate(groups))
        (folder / "groups.csv").write_text("node,group\n" + lines)
        growth = peak_growth(lambda: run_python(options, G, groups))
        for _ in range(options.runs):
            tool, expected = run_tool(options, folder)
            python, labels = run_python(options, G, groups)
            rounds.append({**tool, **python})
            assert (labels == expected).all(), "labels differ"
    print(f"{options.nodes} nodes, {G.nnz} entries, {options.runs} rounds; labels agree")
    for name in rounds[0]:
        print(f"  {name:<18} {statistics.median(row[name] for row in rounds):.3f} s")
    for mine, theirs in (
        ("python", "tool"),
        ("python", "tool without load"),
        ("python, processor", "tool, processor"),
    ):
        ratio = statistics.median(row[mine] / row[theirs] for row in rounds)
        print(f"  {mine} / {theirs}: {ratio:.3f}")
    print(
        f"  memory: the matrix has {matrix_bytes / 1e6:.0f} MB ({G.indices.nbytes / 1e6:.0f} of them "
        f"indices); the call's peak was {growth / 1e6:.0f} MB above what was there"
    )


if __name__ == "__main__":
    main()
