#!/usr/bin/env python3
"""Clusters graphs like large social networks, up to a billion edges and more, on one machine.

usage: bench/billion.py [--nodes 727000,4200000,8400000,16800000] [--full] [--storage streamed]
                        [--threads 2] [--tools build/bench/bin] [--folder DIR] [--keep] [--docs FILE]

bench_social_graph writes each graph (mean degree 55, 8 planted clusters, 8 groups, compressed .rgraph), and

    repsc cluster G.rgraph --groups groups.csv --method nfairsc -k 8 --trusted --no-baselines --graph-storage STORAGE

clusters it. --full adds 65 million nodes with 1.8 billion edges: 12 GB of disk and an hour. Printed are seconds and
seconds per stored entry, the peak of the resident memory, and the agreement with the planted clusters. From the sizes
of at least 2^22 nodes follow, by least squares, bytes per node, and seconds per entry as a + b log2(nodes); these give
an estimate for 65 million nodes. Results go to bench/results/billion.json.
"""
import argparse
import json
import math
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LARGE = 2**22  # nodes from which on the solver keeps a short basis
FULL = 65_000_000
BEGIN, END = "<!-- billion: begin -->", "<!-- billion: end -->"


def run(command, **more):
    print("+", " ".join(map(str, command)), file=sys.stderr, flush=True)
    return subprocess.run(list(map(str, command)), check=True, **more)


def measured(nodes, args, folder):
    tools = pathlib.Path(args.tools)
    graph = folder / "G.rgraph"
    check = nodes <= args.check_up_to
    run([tools / "bench_social_graph", nodes, folder] + (["--truth"] if check else []), stdout=sys.stderr)
    run([tools / "repsc", "cluster", graph, "--groups", folder / "groups.csv", "--method", "nfairsc", "-k", 8,
         "--trusted", "--no-baselines", "--graph-storage", args.storage, "--threads", args.threads, "--verbose",
         "-o", folder / "labels.csv", "--json", folder / "report.json"])
    report = json.loads((folder / "report.json").read_text())
    result = {
        "nodes": report["nodes"],
        "edges": report["input"]["similarity"]["edges"],
        "file_bytes": graph.stat().st_size,
        "seconds": report["seconds"],
        "peak_memory_bytes": report["peak_memory_bytes"],
        "iterations": report["iterations"],
        "normalized_cut": report["metrics"]["normalized_cut"],
        "average_balance": report["metrics"]["average_balance"],
    }
    if check:
        found = run([tools / "repsc", "evaluate", graph, folder / "labels.csv", "--groups", folder / "groups.csv",
                     "--truth", folder / "truth.csv", "--trusted", "--no-baselines", "--json", "-"], stdout=subprocess.PIPE)
        result["accuracy"] = json.loads(found.stdout)["accuracy"]
    return result


def line(points):
    """Least squares of y = a + b x."""
    n = len(points)
    x, y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    spread = sum((p[0] - x) ** 2 for p in points)
    b = sum((p[0] - x) * (p[1] - y) for p in points) / spread if spread else 0.0
    return y - b * x, b


def total(result):
    return result["seconds"]["total"]


def per_entry(result):
    return total(result) / (2 * result["edges"])


def estimate(results):
    large = [r for r in results if r["nodes"] >= LARGE and r["nodes"] < FULL / 2]
    if len(large) < 2:
        return None
    base, slope = line([(math.log2(r["nodes"]), per_entry(r)) for r in large])
    constant, bytes_per_node = line([(r["nodes"], r["peak_memory_bytes"]) for r in large])
    entries = 55 * FULL
    seconds = entries * (base + slope * math.log2(FULL))
    return {"nodes": FULL, "seconds_per_entry": [base, slope], "bytes": [constant, bytes_per_node],
            "seconds": seconds, "peak_memory_bytes": constant + bytes_per_node * FULL}


def table(results, guess, args):
    text = [f"{args.threads} threads ({platform.machine()}), neighbours {args.storage}:", "",
            "| nodes | edges | seconds | products | nanoseconds per entry | peak memory | accuracy |",
            "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for r in results:
        accuracy = f"{r['accuracy']:.4f}" if r.get("accuracy") is not None else "not measured"
        text.append(f"| {r['nodes']:,} | {r['edges']:,} | {total(r):.1f} | {r['iterations']} "
                    f"| {1e9 * per_entry(r):.1f} | {r['peak_memory_bytes'] / 2**30:.2f} GiB | {accuracy} |")
    if guess:
        base, slope = (1e9 * value for value in guess["seconds_per_entry"])
        constant, per_node = guess["bytes"]
        text += ["", f"For {FULL:,} nodes with 1.8 billion edges: 3.6e9 entries x "
                     f"({base:.1f} + {slope:.2f} log2(nodes)) ns = {guess['seconds'] / 60:.0f} minutes; "
                     f"{per_node:.0f} bytes per node + {constant / 2**20:.0f} MiB = "
                     f"{guess['peak_memory_bytes'] / 2**30:.1f} GiB."]
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", default="727000,4200000,8400000,16800000")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--storage", default="streamed")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--tools", default="build/bench/bin")
    parser.add_argument("--folder")
    parser.add_argument("--keep", action="store_true", help="keep the files of the last graph")
    parser.add_argument("--check-up-to", type=float, default=20e6, help="nodes, above which accuracy is not measured")
    parser.add_argument("--docs")
    args = parser.parse_args()
    sizes = [int(float(n)) for n in args.nodes.split(",") if n] + ([FULL] if args.full else [])
    folder = pathlib.Path(args.folder or tempfile.mkdtemp(prefix="billion-", dir="."))
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    try:
        for nodes in sizes:
            results.append(measured(nodes, args, folder))
            print(json.dumps(results[-1]), flush=True)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    guess = estimate(results)
    text = table(results, guess, args)
    print(text)
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "billion.json").write_text(json.dumps({"results": results, "estimate": guess}, indent=1) + "\n")
    if args.docs:
        page = pathlib.Path(args.docs)
        before, rest = page.read_text().split(BEGIN)
        page.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
