#!/usr/bin/env python3
"""repsc beside its peers: the same files, the same machine, threads pinned alike.

usage: bench/compare.py [CASE...] [--repeats 3] [--threads 2] [--tool build/release/bin/repsc] [--data DIR]

Cases: msbm, sparse, million, dense, path, road; all by default. Each run is a process of its own, so that its
peak memory is its own. Seconds are medians and do not count reading the files; k-means is included, 10 restarts
for everyone. A peer that does not answer in five minutes is left out. Results go to bench/results/CASE.json.
"""
import argparse
import json
import math
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
TIMEOUT = 300


# The peers, each as a good user of NumPy, SciPy and scikit-learn would write it. They run in a child process.

def load(files):
    import numpy as np
    import scipy.sparse as sp

    A = sp.load_npz(files["graph"]).tocsr().astype(np.float64)
    column = lambda name: np.loadtxt(files[name], delimiter=",", skiprows=1, dtype=int)[:, 1]
    return A, column("groups") if "groups" in files else None


def kmeans(points, clusters):
    from sklearn.cluster import KMeans

    return KMeans(clusters, n_init=10, random_state=0).fit(points).labels_


def scipy_eigsh(A, groups, clusters, tol, solver="eigsh"):
    """Projection by QR, then the largest eigenvectors of P (I + D^-1/2 A D^-1/2) P."""
    import numpy as np
    from scipy.sparse.linalg import LinearOperator, eigsh, lobpcg
    import scipy.sparse as sp

    n = A.shape[0]
    s = 1 / np.sqrt(np.asarray(A.sum(axis=1)).ravel())
    A_n = sp.diags(s) @ A @ sp.diags(s)
    F = np.eye(groups.max() + 1)[groups][:, :-1]
    C = s[:, None] * (F - F.mean(axis=0))
    Q, _ = np.linalg.qr(C)
    project = lambda x: x - Q @ (Q.T @ x)

    def apply(x):
        y = project(x)
        return project(y + A_n @ y)

    B = LinearOperator((n, n), matvec=apply, matmat=apply, dtype=float)
    if solver == "eigsh":
        _, X = eigsh(B, k=clusters, which="LA", tol=tol, v0=np.random.default_rng(0).normal(size=n))
    else:
        start = np.random.default_rng(0).normal(size=(n, clusters + 2))
        _, X = lobpcg(B, start, largest=True, tol=tol * np.sqrt(n), maxiter=200)
        X = X[:, :clusters]
    return kmeans(s[:, None] * X, clusters)


def sklearn_spectral(A, clusters, solver):
    from sklearn.cluster import SpectralClustering

    return SpectralClustering(clusters, affinity="precomputed", eigen_solver=solver, n_init=10,
                              random_state=0, assign_labels="kmeans").fit(A).labels_


def typed_out(A, groups, clusters):
    """NFairSC as published: explicit null space and matrix square root."""
    import numpy as np
    import scipy.linalg as la

    A = A.toarray()
    D = np.diag(A.sum(axis=1))
    F = np.eye(groups.max() + 1)[groups][:, :-1]
    Z = la.null_space((F - F.mean(axis=0)).T)
    Q_inverse = la.inv(la.sqrtm(Z.T @ D @ Z).real)
    _, X = la.eigh(Q_inverse @ Z.T @ (D - A) @ Z @ Q_inverse, subset_by_index=[0, clusters - 1])
    return kmeans(Z @ Q_inverse @ X, clusters)


def one_dsyevd(A):
    import scipy.linalg as la

    R = A.toarray()
    R[range(len(R)), range(len(R))] = 1
    started = time.perf_counter()
    la.eigh(R, driver="evd")
    return time.perf_counter() - started


def worker(request):
    """Runs one peer; prints seconds, peak memory and labels."""
    A, groups = load(request["files"])
    k, peer = request["clusters"], request["peer"]
    kmeans(A[:100, :2].toarray() + 1e-9 * A[:100].sum(axis=1).A * range(2), 2)  # imports, thread pools
    started = time.perf_counter()
    labels, seconds = None, None
    if peer.startswith("sklearn"):
        labels = sklearn_spectral(A, k, peer.split()[1])
    elif peer == "typed out":
        labels = typed_out(A, groups, k)
    elif peer.startswith("dsyevd"):
        seconds = one_dsyevd(A)
    else:
        name, tol = peer.split()[1:]
        labels = scipy_eigsh(A, groups, k, float(tol), name)
    print(json.dumps({
        "seconds": seconds or time.perf_counter() - started,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "labels": None if labels is None else [int(x) for x in labels]}))


# The comparison.

def ari(a, b):
    from sklearn.metrics import adjusted_rand_score

    return round(adjusted_rand_score(a, b), 4)


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="repsc-compare-"))
        threads = str(options.threads)
        self.environment = dict(os.environ, OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads)
        self.rows = []

    def run(self, *words):
        return subprocess.run([self.options.tool, *map(str, words)], env=self.environment, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout

    def generate(self, name, *words):
        prefix = self.folder / name
        self.run("generate", "rpp", *words, "-o", prefix, "--format", "npz", "--seed", 1)
        return {"graph": f"{prefix}.similarity.npz", "groups": f"{prefix}.groups.csv", "truth": f"{prefix}.truth.csv"}

    def column(self, path):
        with open(path) as file:
            return [int(line.rsplit(",", 1)[1]) for line in list(file)[1:]]

    def record(self, case, who, seconds, megabytes, **more):
        row = {"case": case, "who": who, "seconds": round(statistics.median(seconds), 4),
               "runs": [round(x, 4) for x in seconds], "megabytes": round(megabytes, 1), **more}
        self.rows.append(row)
        extra = "  ".join(f"{key} {value}" for key, value in more.items())
        print(f"{case:<24} {who:<28} {row['seconds']:>9.3f} s {row['megabytes']:>8.0f} MB  {extra}", flush=True)
        return row

    def ours(self, case, files, clusters, *words, command="cluster", repeats=None):
        seconds, result = [], None
        labels = self.folder / "labels.csv"
        for _ in range(repeats or self.options.repeats):
            result = json.loads(self.run(command, files["graph"], *words, "-k", clusters, "--json", "-", "--quiet",
                                         "--threads", self.options.threads, "-o", labels))
            part = result["seconds"]
            seconds.append(part["constraint"] + part["eigen"] + part["kmeans"] if command == "cluster"
                           else part["total"] - part["load"])
        more = {}
        if command == "cluster":
            more = {"solver": result["solver"], "products": result["iterations"],
                    "residual": f"{result['residual']:.0e}", "load": round(result["seconds"]["load"], 3),
                    "eigen": round(result["seconds"]["eigen"], 3), "kmeans": round(result["seconds"]["kmeans"], 3)}
            if "truth" in files:
                more["truth"] = ari(self.column(labels), self.column(files["truth"]))
                more["groups"] = ari(self.column(labels), self.column(files["groups"]))
        return self.record(case, "repsc " + " ".join(w for w in map(str, words) if not w.startswith("/")), seconds,
                           result["peak_memory_bytes"] / 2**20, **more)

    def peer(self, case, name, files, clusters, threads=None, repeats=None):
        seconds, answer = [], None
        request = json.dumps({"peer": name, "files": files, "clusters": clusters})
        environment = dict(self.environment)
        if threads:
            environment.update(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        for _ in range(repeats or self.options.repeats):
            try:
                done = subprocess.run([sys.executable, __file__, "--worker", request], env=environment,
                                      timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            except subprocess.TimeoutExpired:
                print(f"{case:<24} {name:<28} no answer in {TIMEOUT} s", flush=True)
                self.rows.append({"case": case, "who": name, "seconds": None})
                return None
            if done.returncode != 0:
                print(f"{case:<24} {name:<28} failed", flush=True)
                self.rows.append({"case": case, "who": name, "seconds": None, "failed": True})
                return None
            answer = json.loads(done.stdout.splitlines()[-1])
            seconds.append(answer["seconds"])
        more = {}
        if answer["labels"] and "truth" in files:
            more = {"truth": ari(answer["labels"], self.column(files["truth"])),
                    "groups": ari(answer["labels"], self.column(files["groups"]))}
        return self.record(case, name + (f" ({threads} thread)" if threads else ""), seconds, answer["megabytes"], **more)

    def ratio(self, what, theirs, ours, asked):
        if theirs and ours:
            value = theirs["seconds"] / ours["seconds"]
            print(f"  -> {what}: {value:.2f} (asked: {asked})", flush=True)
            self.rows.append({"ratio": what, "value": round(value, 3), "asked": asked})

    # The cases of the issue.

    def msbm(self):
        for n in (1000, 2000, 4000):
            unit = (math.log(n) / n) ** (2 / 3)  # the model of Kleindessner et al. 2019: 10, 7, 4, 1 times this
            files = self.generate(f"msbm{n}", "-n", n, "-k", 5, "-P", 5, "-p", 10 * unit, "-q", 7 * unit, "-r", 4 * unit,
                                  "-s", unit)
            case = f"m-SBM, N = {n}"
            ours = self.ours(case, files, 5, "--groups", files["groups"])
            theirs = self.peer(case, "scipy eigsh 1e-3", files, 5)
            self.peer(case, "scipy eigsh 0", files, 5)
            self.peer(case, "scipy lobpcg 1e-3", files, 5)
            self.peer(case, "sklearn arpack", files, 5)
            self.peer(case, "sklearn lobpcg", files, 5)
            if n <= 1000:
                self.peer(case, "typed out", files, 5, repeats=1)
            self.ratio(f"eigsh / repsc, N = {n}", theirs, ours, ">= 3 at N = 4000")

    def sparse(self):
        q = 200 / 100000 / 1.7
        files = self.generate("sparse", "-n", 100000, "-k", 5, "-P", 4, "-p", 4 * q, "-q", 3 * q, "-r", 2 * q, "-s", q)
        case = "R-PP, 100,000 x 200"
        ours = self.ours(case, files, 5, "--groups", files["groups"])
        self.ours(case, files, 5, "--groups", files["groups"], "--tol", "1e-3", repeats=1)
        self.ours(case, files, 5, "--groups", files["groups"], "--tol", "1e-8", repeats=1)
        lobpcg = self.peer(case, "sklearn lobpcg", files, 5, repeats=1)
        self.peer(case, "scipy eigsh 1e-3", files, 5, repeats=1)
        self.peer(case, "scipy lobpcg 1e-3", files, 5, repeats=1)
        self.ratio("sklearn lobpcg, unconstrained / repsc", lobpcg, ours, ">= 10")
        if lobpcg:
            print(f"  -> memory: {ours['megabytes'] / lobpcg['megabytes']:.2f} of it (asked: <= 0.5)")

    def million(self):
        rows = []
        for n in (100000, 1000000):
            s = 40 / n / 1.95
            files = self.generate(f"million{n}", "-n", n, "-k", 8, "-P", 16, "-p", 12 * s, "-q", 6 * s, "-r", 6 * s, "-s", s)
            ours = self.ours(f"N = {n:,}, degree 40", files, 8, "--groups", files["groups"], repeats=1)
            entries = pathlib.Path(files["graph"]).stat().st_size / 4
            csr = (4 * entries + 8 * n) / 2**20
            limit = 2 * csr + 64 * n * 8 / 2**20
            print(f"  -> peak {ours['megabytes']:.0f} MB, CSR {csr:.0f} MB, asked: below {limit:.0f} MB", flush=True)
            rows.append((ours["seconds"] / entries, ours))
        print(f"  -> time per entry, 1,000,000 / 100,000 nodes: {rows[1][0] / rows[0][0]:.2f} (asked: <= 1.5)")

    def planted_r(self, n):
        prefix = self.folder / f"planted{n}"
        self.run("generate", "rpp", "-n", n, "-k", 4, "-P", 5, "--within", 0.8, "--across", 0.2, "-p", 0.4, "-q", 0.3,
                 "-r", 0.2, "-s", 0.1, "-o", prefix, "--format", "npz", "--seed", 1)
        return {"graph": f"{prefix}.similarity.npz", "representation": f"{prefix}.representation.npz"}

    def dense(self):
        files = self.planted_r(3000)
        case = "planted R, N = 3000"
        ours = self.ours(case, files, 4, files["representation"], "--rank", 1500, "--method", "nrepsc", repeats=1)
        of_r = {"graph": files["representation"]}
        one = self.peer(case, "dsyevd of R", of_r, 4, threads=1, repeats=1)
        all_cores = self.peer(case, "dsyevd of R", of_r, 4, repeats=1)
        for what, theirs in (("one thread", one), ("all cores", all_cores)):
            if theirs:
                print(f"  -> repsc / dsyevd ({what}): {ours['seconds'] / theirs['seconds']:.2f} (asked: <= 1.25)")

    def path(self):
        files = self.planted_r(3000)
        for method in ("urepsc", "nrepsc"):
            for ranks, dearest in (("1-20", 20), ("50-1000:50", 1000)):
                single = self.ours("path, N = 3000", files, 4, files["representation"], "--method", method, "--rank", dearest, repeats=1)
                whole = self.ours("path, N = 3000", files, 4, files["representation"], "--method", method, "--ranks", ranks,
                                  command="path", repeats=1)
                self.ratio(f"{method}, 20 ranks {ranks} / rank {dearest}", whole, single, "<= 3")

    def road(self):
        if not self.options.data:
            print("road: no --data and no REPSC_DATA, left out")
            return
        import random

        source = next(pathlib.Path(self.options.data, "luxembourg_osm").glob("*.mtx*"))
        graph = self.folder / "road.npz"
        self.run("graph", "convert", source, graph, "--from", "txt")  # its header is missing
        random.seed(0)
        groups = self.folder / "road.groups.csv"
        groups.write_text("node,group\n" + "".join(f"{i},{random.randrange(4)}\n" for i in range(114599)))
        self.ours("luxembourg_osm, K = 8", {"graph": str(graph)}, 8, "--groups", str(groups), "--tol", "1e-6", repeats=1)
        self.ours("luxembourg_osm, K = 8", {"graph": str(graph)}, 8, "--groups", str(groups), repeats=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tool", default=str(HERE.parent / "build/release/bin/repsc"))
    parser.add_argument("--data", default=os.environ.get("REPSC_DATA"))
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return worker(json.loads(options.worker))
    known = ["msbm", "sparse", "million", "dense", "path", "road"]
    for case in options.cases or known:
        if case not in known:
            parser.error(f"'{case}' is not one of {', '.join(known)}")
        bench = Bench(options)
        getattr(bench, case)()
        machine = {"machine": platform.machine(), "cores": os.cpu_count(), "threads": options.threads,
                   "load_before": os.getloadavg()[0]}
        (HERE / "results").mkdir(exist_ok=True)
        (HERE / "results" / f"{case}.json").write_text(json.dumps({**machine, "rows": bench.rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
