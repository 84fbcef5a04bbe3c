#!/usr/bin/env python3
"""Reading edge lists beside pandas and SciPy: seconds from the file to a symmetric CSR matrix in memory.

usage: bench/reading.py [--edges 20000000] [--nodes 1000000] [--repeats 3] [--threads 1,2] [--docs FILE]
                        [--tool build/bench/bin/bench_reading] [--folder DIR]

Four files of random edges: whole numbers, names such as user17, and both compressed. Each run is a process of its
own, so that its peak memory is its own; the seconds do not count its start. Files are read once before, so that they
come from the system's cache. The peers are written as a good user of pandas would: types given, names by factorize(). repsc also
numbers the nodes by first appearance, keeps their names and checks every line. All must find the same numbers of nodes
and entries. Results go to bench/results/reading.json; --docs also writes the table between the marks in that page.
"""
import argparse
import gzip
import json
import os
import pathlib
import platform
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
BEGIN, END = "<!-- reading: begin -->", "<!-- reading: end -->"


# The peer. It runs in a child process.

def pandas_and_scipy(path, named):
    import numpy as np
    import pandas
    import scipy.sparse as sp

    started = time.perf_counter()
    kind = str if named else np.int32
    table = pandas.read_csv(path, sep=" ", header=None, names=["u", "v"], dtype=kind, na_filter=False)
    u, v = table["u"].to_numpy(), table["v"].to_numpy()
    if named:
        codes, names = pandas.factorize(np.concatenate([u, v]))
        nodes = len(names)
        u, v = codes[:len(u)].astype(np.int32), codes[len(u):].astype(np.int32)
    else:
        nodes = int(max(u.max(), v.max())) + 1
    distinct = u != v
    u, v = u[distinct], v[distinct]
    A = sp.coo_matrix((np.ones(len(u), np.float32), (u, v)), shape=(nodes, nodes)).tocsr()
    A = A + A.T
    A.data[:] = 1
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                      "nodes": nodes, "entries": int(A.nnz)}))


# The comparison.

def machine():
    words = [platform.machine(), f"{os.cpu_count()} cores"]
    try:
        for line in subprocess.run(["lscpu"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
            if line.startswith("Model name"):
                words.insert(0, line.split(":", 1)[1].strip())
                break
    except (OSError, subprocess.CalledProcessError):
        pass
    return ", ".join(words)


def write_files(folder, edges, nodes):
    """The paths by their titles."""
    files = {}
    for title, prefix in (("numbers", ""), ("names", "user")):
        path = folder / f"{title}.txt"
        generator = random.Random(7)
        with open(path, "w") as file:
            for begin in range(0, edges, 200_000):
                ends = generator.choices(range(nodes), k=2 * min(200_000, edges - begin))
                file.write("".join([f"{prefix}{u} {prefix}{v}\n" for u, v in zip(ends[::2], ends[1::2])]))
        packed = folder / f"{title}.txt.gz"
        with open(path, "rb") as plain, gzip.open(packed, "wb", compresslevel=6) as file:
            shutil.copyfileobj(plain, file, 1 << 20)
        files[title], files[f"{title}, gzip"] = path, packed
    return files


def run(command, repeats):
    """The median of the seconds, all of them, and what the last run found."""
    seconds, found = [], None
    for _ in range(repeats):
        found = json.loads(subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                                          check=True).stdout)
        seconds.append(found["seconds"])
    return statistics.median(seconds), seconds, found


def measure(title, path, options):
    with open(path, "rb") as file:  # into the system's cache
        while file.read(1 << 24):
            pass
    rows = []
    peer = [sys.executable, __file__, "--worker", path] + (["--named"] if title.startswith("names") else [])
    for who, command in [("pandas and SciPy", peer)] + [
            (f"repsc, {threads} thread{'s' if threads > 1 else ''}", [options.tool, path, threads])
            for threads in options.threads]:
        median, seconds, found = run(command, options.repeats)
        rows.append({"file": title, "megabytes_of_file": round(path.stat().st_size / 1e6), "who": who,
                     "seconds": round(median, 3), "runs": [round(x, 3) for x in seconds],
                     "megabytes": round(found["megabytes"]), "nodes": found["nodes"], "entries": found["entries"],
                     "times_faster": round(rows[0]["seconds"] / median, 2) if rows else 1.0})
        print(f"{title:<14} {who:<18} {median:>8.3f} s {found['megabytes']:>7.0f} MB "
              f"{rows[-1]['times_faster']:>6.2f} times", flush=True)
    same = {(row["nodes"], row["entries"]) for row in rows}
    if len(same) > 1:
        sys.exit(f"{title}: they disagree about the numbers of nodes and entries: {sorted(same)}")
    return rows


def table(rows, options):
    whos = [f"repsc, {threads} thread{'s' if threads > 1 else ''}" for threads in options.threads]
    lines = ["| file | pandas and SciPy | " + " | ".join(whos) + " | times faster |",
             "| --- | ---: | " + "---: | " * len(whos) + "---: |"]
    for title in dict.fromkeys(row["file"] for row in rows):
        own = {row["who"]: row for row in rows if row["file"] == title}
        cells = [f"{own[who]['seconds']:.2f} s, {own[who]['megabytes']} MB" for who in ["pandas and SciPy"] + whos]
        lines.append(f"| {title}, {own[whos[0]]['megabytes_of_file']} MB | " + " | ".join(cells) +
                     f" | {own[whos[-1]]['times_faster']:.1f} |")
    return "\n".join(lines)


def fill(page, text):
    content = page.read_text()
    before, rest = content.split(BEGIN, 1)
    page.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=int, default=20_000_000)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2])
    parser.add_argument("--tool", default="build/bench/bin/bench_reading")
    parser.add_argument("--folder", type=pathlib.Path, help="where the files go (default: a temporary folder)")
    parser.add_argument("--docs", type=pathlib.Path, help="the page whose table is replaced")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--named", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return pandas_and_scipy(options.worker, options.named)
    name = machine()
    print(f"{options.edges} edges between {options.nodes} nodes; {name}; medians of {options.repeats}", flush=True)
    with tempfile.TemporaryDirectory(prefix="repsc-reading-", dir=options.folder) as folder:
        files = write_files(pathlib.Path(folder), options.edges, options.nodes)
        rows = [row for title, path in files.items() for row in measure(title, path, options)]
    text = f"{name}; medians of {options.repeats}:\n\n" + table(rows, options)
    print("\n" + text)
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "reading.json").write_text(json.dumps({"machine": name, "rows": rows}, indent=1) + "\n")
    if options.docs:
        fill(options.docs, text)


if __name__ == "__main__":
    main()
