#!/usr/bin/env python3
"""Scaling over threads and over processes on this machine, beside the model of docs/distributed.md.

    ./dev bench --mpi [--nodes N] [--degree D] [--ranks 1,2,4] [--runs R]

One network, with groups as the constraint, is clustered by `repsc` on 1, 2, 4, ... threads and by
`repsc-mpi` on as many processes (strong scaling); weak scaling gives each process the same number
of nodes. Times are those from the graph to the labels, medians over the runs, as ratios to one
thread and to one process. Processes share memory, as they do by default on one machine; they run
once more by messages, which are compared with the model. Labels are compared byte by byte. The
memory of the largest process, less that of a graph of 100 nodes, is compared with its share of what
one process takes plus the rows of others that it needs or, in shared memory, the block of all.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]
CLUSTERS = 8
GROUPS = 4
STAGES = ("eigen", "kmeans")
BLOCK = 8  # vectors in a product: the clusters but one, rounded up to a multiple of four


def environment() -> dict[str, str]:
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def run(words: list[str], folder: Path) -> None:
    done = subprocess.run(words, cwd=folder, env=environment(), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")


def generate(tools: Path, folder: Path, nodes: int, degree: int) -> list[str]:
    """A planted partition of this average degree, and groups across the clusters: input files."""
    name = f"graph-{nodes}"
    files = [f"{name}.similarity.rgraph", "--groups", f"{name}.groups.csv"]
    if (folder / files[0]).exists():
        return files
    inside = min(1.0, 0.8 * degree * CLUSTERS / nodes)
    across = 0.2 * degree * CLUSTERS / (nodes * (CLUSTERS - 1))
    words = ["generate", "planted", "-n", str(nodes), "-k", str(CLUSTERS), "--format", "rgraph"]
    odds = ["--within", f"{inside:.8f}", "--across", f"{across:.8f}"]
    run([str(tools / "repsc"), *words, *odds, "-o", name, "--quiet"], folder)
    with (folder / files[2]).open("w") as table:
        table.write("node,group\n")
        table.writelines(f"{node},{node % GROUPS}\n" for node in range(1, nodes + 1))
    return files


def clustered(command: list[str], files: list[str], folder: Path) -> tuple[dict, bytes]:
    # The processor is measured, whatever else the machine has.
    here = ["--spread", "always"] if command[0] == MPIRUN[0] else ["--device", "cpu"]
    words = ["cluster", *files, *here, "-k", str(CLUSTERS), "--method", "nfairsc", "--tol", "1e-6"]
    outputs = ["--no-baselines", "--isolated", "drop", "-o", "labels.csv", "--json", "report.json"]
    run([*command, *words, *outputs, "--quiet"], folder)
    return json.loads((folder / "report.json").read_text()), (folder / "labels.csv").read_bytes()


def seconds_of(report: dict) -> float:
    """From the graph to the labels."""
    return sum(report["seconds"][stage] for stage in ("constraint", "eigen", "kmeans"))


def median_run(command: list[str], files: list[str], folder: Path, runs: int) -> tuple[dict, bytes]:
    """The report of the median run, and the labels, which are those of all."""
    found = [clustered(command, files, folder) for _ in range(runs)]
    if any(labels != found[0][1] for _, labels in found):
        sys.exit(f"the labels of {' '.join(command)} change from run to run")
    reports = sorted((report for report, _ in found), key=seconds_of)
    return reports[(runs - 1) // 2], found[0][1]


def thread_row(threads: int, report: dict, one: dict) -> str:
    times = [one["seconds"][stage] / max(report["seconds"][stage], 1e-9) for stage in STAGES]
    return (
        f"| {threads} | {seconds_of(report):.2f} | {seconds_of(one) / seconds_of(report):.2f} | "
        + " | ".join(f"{ratio:.2f}" for ratio in times)
        + f" | {report['iterations']} |"
    )


def over_share(report: dict, one: dict, empty: float) -> float:
    facts = report["distributed"]
    shared = facts["exchange"] == "shared memory"
    others = report["nodes"] if shared else facts["most_ghosts"]
    rows = 0 if facts["ranks"] == 1 else others * BLOCK * 8
    share = (one["distributed"]["most_peak_memory_bytes"] - empty) / facts["ranks"]
    return (facts["most_peak_memory_bytes"] - empty) / (share + rows)


def memory_cell(report: dict, one: dict, empty: float) -> str:
    words = f"{report['distributed']['most_peak_memory_bytes'] / 1e6:.0f}"
    same = report["nodes"] == one["nodes"] and one["distributed"]["ranks"] == 1
    return words + (f", {over_share(report, one, empty):.2f}" if same else "")


def rank_row(
    ranks: int, report: dict, messages: dict, serial: dict, one: dict, empty: float
) -> str:
    sent = messages["distributed"]
    seconds = seconds_of(report)
    exchanges = max(1, sent["exchanges"])
    # A product sends the rows that others need, once for every vector of the block.
    modelled = sent["ghosts"] * BLOCK * 8
    return (
        f"| {ranks} | {seconds:.2f} | {seconds_of(serial) / seconds:.2f} "
        f"| {seconds_of(one) / seconds:.2f} "
        f"| {memory_cell(report, one, empty)} | {report['iterations']} "
        f"| {seconds_of(messages):.2f} | {seconds_of(one) / seconds_of(messages):.2f} "
        f"| {sent['bytes_sent'] / exchanges / 1e6:.3f} | {modelled / 1e6:.3f} "
        f"| {sent['messages'] / exchanges:.1f} | {sent['reductions'] / exchanges:.1f} "
        f"| {memory_cell(messages, one, empty)} |"
    )


THREAD_HEADER = """| threads | seconds | times one thread | eigenvectors | k-means | products |
| --- | --- | --- | --- | --- | --- |"""
RANK_HEADER = """| processes | seconds | times as fast as repsc on as many threads \
| as one process | MB of the largest process, times its share and the block | products \
| by messages: seconds | times one process | MB sent per product | by the model \
| messages per product | reductions per product | MB, times the share and its ghosts |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--degree", type=int, default=20)
    cores = os.cpu_count() or 1
    standard = ",".join(str(2**i) for i in range(cores.bit_length()) if 2**i <= cores)
    parser.add_argument("--ranks", default=standard, help="of processes (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="of which the median is shown")
    options = parser.parse_args()
    tools = options.tools.resolve()
    counts = [int(count) for count in options.ranks.split(",")]
    repsc = str(tools / "repsc")
    print(f"{CLUSTERS} clusters, {GROUPS} groups, average degree {options.degree}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = generate(tools, folder, options.nodes, options.degree)
        tiny = generate(tools, folder, 100, 20)
        smallest, _ = clustered([*MPIRUN, "-n", "1", str(tools / "repsc-mpi")], tiny, folder)
        empty = smallest["distributed"]["most_peak_memory_bytes"]
        print(f"\nThreads of repsc, {options.nodes} nodes\n\n{THREAD_HEADER}")
        threads = {}
        for count in counts:
            given = [*files, "--threads", str(count)]
            threads[count], _ = median_run([repsc], given, folder, options.runs)
            print(thread_row(count, threads[count], threads[counts[0]]), flush=True)
        for title, nodes_of in (
            ("Strong scaling", lambda _: options.nodes),
            ("Weak scaling", lambda count: options.nodes // max(counts) * count),
        ):
            print(f"\nProcesses of repsc-mpi, {title}\n\n{RANK_HEADER}")
            one = None
            labels: dict[int, bytes] = {}
            for count in counts:
                nodes = nodes_of(count)
                files = generate(tools, folder, nodes, options.degree)
                serial = threads[count]
                if nodes != options.nodes:
                    given = [*files, "--threads", str(count)]
                    serial, _ = median_run([repsc], given, folder, options.runs)
                command = [*MPIRUN, "-n", str(count), str(tools / "repsc-mpi")]
                report, found = median_run(command, files, folder, options.runs)
                given = [*files, "--exchange", "messages"]
                messages, sent = median_run(command, given, folder, options.runs)
                one = one or report
                print(rank_row(count, report, messages, serial, one, empty), flush=True)
                if labels.setdefault(nodes, found) != found or sent != found:
                    sys.exit(f"the labels of {count} processes differ from those of fewer")


if __name__ == "__main__":
    main()
