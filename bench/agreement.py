#!/usr/bin/env python3
"""repsc-mpi, or a CUDA device, beside repsc on the networks of the data folder: are the clusters
the same?

    build/python/bin/python bench/agreement.py --tools build/release/bin [--seeds S] [--tol X]
        [--spread always | --solver slepc | --device cuda] [NETWORK...]

Every method that a network allows runs with the same seed in one process of `repsc` on the CPU, and
in two of `repsc-mpi` or, with --device, on that device. The table has the adjusted Rand index of
both labellings (1: the same clusters), and by how much the normalized cut of the other one is above
that of repsc on the CPU: the worst over the seeds. The goals are 0.999 and 0.1 %
(docs/distributed.md, docs/gpu.md). The last column is what other seeds change in the cut on the
CPU. Process 0 of repsc-mpi clusters small graphs alone, as all of these are; with --spread always
or a --solver rows are spread over the processes. REPSC_CUDA_LIBRARY may name the host twin of the
kernels.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import networks
import numpy as np
import scipy.sparse as sp
from distributed import MPIRUN, environment

LEAST_INDEX = 0.999
MOST_EXCESS = 1e-3


def adjusted_rand_index(x: np.ndarray, y: np.ndarray) -> float:
    """Hubert and Arabie 1985."""
    table = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(table, (x, y), 1)

    def pairs(counts: np.ndarray) -> float:
        return float((counts * (counts - 1)).sum()) / 2

    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    expected = rows * columns / pairs(np.array([len(x)]))
    most = (rows + columns) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def methods(network: networks.Network) -> Iterator[tuple[str, list[str]]]:
    """Names and arguments, in files of the folder where the tools run."""
    yield "usc", ["G.npz", "--method", "usc"]
    yield "nsc", ["G.npz", "--method", "nsc"]
    if network.R is not None:
        both = ["G.npz", "R.npz", "--method"]
        for family in ("urepsc", "nrepsc"):
            yield f"{family}, rank 10", [*both, family, "--rank", "10"]
            yield f"{family}, strength 1", [*both, family, "--strength", "1"]
    elif network.groups is not None:
        groups = ["G.npz", "--groups", "groups.csv", "--method"]
        for method in ("ufairsc", "nfairsc"):
            yield method, [*groups, method]
        for family in ("urepsc", "nrepsc"):
            yield f"{family}, strength 1", [*groups, family, "--strength", "1"]


@dataclass
class Found:
    labels: np.ndarray
    cut: float
    converged: bool


def clustered(command: list[str], folder: Path) -> Found | str:
    """The clustering, or the line that says why there is none."""
    outputs = ["--no-baselines", "-o", "labels.csv", "--json", "report.json", "--quiet"]
    done = subprocess.run(
        [*command, *outputs], cwd=folder, env=environment(), capture_output=True, text=True
    )
    if done.returncode not in (0, 4):  # 4: not converged, with results
        return next((x for x in done.stderr.splitlines() if x.startswith("repsc")), done.stderr)
    report = json.loads((folder / "report.json").read_text())
    labels = np.loadtxt(folder / "labels.csv", delimiter=",", skiprows=1, dtype=int, ndmin=2)[:, 1]
    return Found(labels, report["metrics"]["normalized_cut"], report["converged"])


def write(network: networks.Network, folder: Path) -> None:
    sp.save_npz(folder / "G.npz", sp.csr_matrix(network.G))
    if network.R is not None:
        sp.save_npz(folder / "R.npz", sp.csr_matrix(network.R))
    if network.groups is not None:
        with (folder / "groups.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("node", "group"), *enumerate(network.groups)])


@dataclass
class Row:
    words: str
    agrees: bool | None  # None: nothing to compare


def compared(
    tools: Path, arguments: list[str], K: int, options: argparse.Namespace, folder: Path
) -> Row:
    index, excess, cuts, slow = 1.0, 0.0, [], 0
    precision = ["--tol", options.tol, "--max-iterations", "20000"] if options.tol else []
    for seed in range(options.seeds):
        given = ["cluster", *arguments, "-k", str(K), "--seed", str(seed), *precision]
        repsc = [str(tools / "repsc"), *given, "--device"]
        mpirun = [*MPIRUN, "-n", str(options.ranks), str(tools / "repsc-mpi"), *given]
        one = clustered([*repsc, "cpu"], folder)
        if options.device:
            other = clustered([*repsc, options.device], folder)
        else:
            how = ["--solver", options.solver] if options.solver else []
            other = clustered([*mpirun, *how, "--spread", options.spread], folder)
        if isinstance(one, str) or isinstance(other, str):
            return Row(f"one: {one} the other: {other}", None)
        index = min(index, adjusted_rand_index(one.labels, other.labels))
        excess = max(excess, other.cut / one.cut - 1 if one.cut > 0 else 0.0, key=abs)
        slow += not (one.converged and other.converged)
        cuts.append(one.cut)
    spread = max(cuts) / min(cuts) - 1 if min(cuts) > 0 else 0.0
    note = f" {slow} not converged" if slow else ""
    words = f"{index:.4f} | {100 * excess:+.3f} % | {100 * spread:.1f} % |{note}"
    return Row(words, index >= LEAST_INDEX and abs(excess) <= MOST_EXCESS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--seeds", type=int, default=3, help="runs of each, with seeds 0, 1, ...")
    parser.add_argument("--ranks", type=int, default=2, help="processes of repsc-mpi")
    parser.add_argument("-k", type=int, nargs="+", default=[2, 5], help="clusters")
    parser.add_argument("--spread", choices=["auto", "always"], default="auto")
    parser.add_argument("--solver", help="of repsc-mpi: slepc, lanczos or lapack")
    parser.add_argument("--device", help="cuda or cuda:N, in place of repsc-mpi")
    parser.add_argument("--tol", help="for both, in place of ending once labels settle")
    parser.add_argument("networks", nargs="*", default=list(networks.REAL))
    options = parser.parse_args()
    unknown = set(options.networks) - set(networks.REAL)
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: not one of {', '.join(networks.REAL)}")
    print("| network | nodes | K | method | Rand index | cut above the CPU's | other seeds | |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: | --- |")
    verdicts = []
    for name in options.networks:
        network = networks.REAL[name]()
        with tempfile.TemporaryDirectory() as place:
            write(network, Path(place))
            for K in options.k:
                for method, arguments in methods(network):
                    row = compared(options.tools.resolve(), arguments, K, options, Path(place))
                    verdicts.append(row.agrees)
                    start = f"| {name} | {network.G.shape[0]} | {K} | {method} | "
                    print(start + row.words, flush=True)
    print(f"\n{verdicts.count(True)} of {len(verdicts) - verdicts.count(None)} agree")


if __name__ == "__main__":
    main()
