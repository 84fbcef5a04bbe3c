#!/usr/bin/env python3
"""Scaling of repsc-mpi on this machine, beside the communication model of docs/distributed.md.

    ./dev bench --mpi [--nodes N] [--degree D] [--ranks 1,2,4]

Strong scaling clusters one network by 1, 2, 4, ... processes; weak scaling gives each process the
same number of nodes. Times are those of the eigensolver, as ratios to the serial tool and to one
process of the same run; messages are compared with the model. Labels are compared byte by byte.
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
BLOCK = 8  # vectors in a product: the clusters but one, rounded up to a multiple of four


def run(words: list[str], folder: Path) -> None:
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")


def generate(tools: Path, folder: Path, nodes: int, degree: int) -> str:
    """A planted partition of this average degree; its file."""
    name = f"graph-{nodes}"
    inside = 0.8 * degree * CLUSTERS / nodes
    across = 0.2 * degree * CLUSTERS / (nodes * (CLUSTERS - 1))
    words = ["generate", "planted", "-n", str(nodes), "-k", str(CLUSTERS)]
    odds = ["--within", f"{inside:.8f}", "--across", f"{across:.8f}"]
    run([str(tools / "repsc"), *words, *odds, "-o", name, "--quiet"], folder)
    return f"{name}.similarity.mtx"


def clustered(command: list[str], graph: str, folder: Path) -> tuple[dict, bytes]:
    words = ["cluster", graph, "-k", str(CLUSTERS), "--method", "nsc", "--tol", "1e-6"]
    outputs = ["--no-baselines", "--isolated", "drop", "-o", "labels.csv", "--json", "report.json"]
    run([*command, *words, *outputs, "--quiet"], folder)
    return json.loads((folder / "report.json").read_text()), (folder / "labels.csv").read_bytes()


def row(ranks: int, report: dict, serial: dict, one: dict) -> str:
    sent = report["distributed"]
    seconds = report["seconds"]["eigen"]
    # A product sends the rows that others need, once for every vector of the block.
    modelled = sent["ghosts"] * BLOCK * 8
    per_product = sent["bytes_sent"] / max(1, sent["exchanges"])
    return (
        f"| {ranks} | {serial['seconds']['eigen'] / seconds:.2f} "
        f"| {one['seconds']['eigen'] / seconds:.2f} | {report['iterations']} "
        f"| {per_product / 1e6:.3f} | {modelled / 1e6:.3f} | {sent['messages'] / max(1, sent['exchanges']):.1f} "
        f"| {sent['reductions'] / max(1, sent['exchanges']):.1f} "
        f"| {sent['most_peak_memory_bytes'] / 1e6:.0f} |"
    )


HEADER = """| processes | times as fast as serial | as one process | products | MB sent per product \
| by the model | messages per product | reductions per product | MB of the largest process |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--degree", type=int, default=20)
    cores = os.cpu_count() or 1
    standard = ",".join(str(2**i) for i in range(cores.bit_length()) if 2**i <= cores)
    parser.add_argument("--ranks", default=standard, help="numbers of processes (default: %(default)s)")
    options = parser.parse_args()
    tools = options.tools.resolve()
    counts = [int(count) for count in options.ranks.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, nodes_of in (
            ("Strong scaling", lambda _: options.nodes),
            ("Weak scaling", lambda count: options.nodes // max(counts) * count),
        ):
            print(f"\n{title}: {CLUSTERS} clusters, average degree {options.degree}\n\n{HEADER}")
            one = None
            labels = {}
            for count in counts:
                nodes = nodes_of(count)
                graph = generate(tools, folder, nodes, options.degree)
                serial, _ = clustered([str(tools / "repsc")], graph, folder)
                command = [*MPIRUN, "-n", str(count), str(tools / "repsc-mpi")]
                report, found = clustered(command, graph, folder)
                one = one or report
                print(row(count, report, serial, one), flush=True)
                if labels.setdefault(nodes, found) != found:
                    sys.exit(f"the labels of {count} processes differ from those of fewer")


if __name__ == "__main__":
    main()
