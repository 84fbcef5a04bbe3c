"""CuPy's eigsh on the projected operator, on a graph that `bench_cuda --save FOLDER` has written.

    python3 bench/cuda_peer.py FOLDER GROUPS CLUSTERS

All data lie on the device before the clock starts; k-means and the way back to the host are left
out (docs/gpu.md).
"""

import sys
import time

import cupy as cp
import cupyx.scipy.sparse as sparse
import cupyx.scipy.sparse.linalg as linalg
import numpy as np


def main() -> None:
    folder, groups, clusters = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    offsets = np.fromfile(folder + "/offsets", dtype=np.int64)
    neighbors = cp.asarray(np.fromfile(folder + "/neighbors", dtype=np.int32))
    n = len(offsets) - 1
    degrees = cp.asarray(np.diff(offsets).astype(np.float32))
    ones = cp.ones(len(neighbors), dtype=cp.float32)
    indptr = cp.asarray(offsets.astype(np.int32))
    A = sparse.csr_matrix((ones, neighbors, indptr), shape=(n, n))
    scale = 1 / cp.sqrt(degrees)
    group = (cp.arange(n) // clusters) % groups
    member = (group[:, None] == cp.arange(groups)[None, :]).astype(cp.float32)
    removed = scale[:, None] * (member[:, 1:] - member[:, 1:].mean(axis=0))
    Q, _ = cp.linalg.qr(removed)  # the directions that the constraint removes

    def project(x: cp.ndarray) -> cp.ndarray:
        return x - Q @ (Q.T @ x)

    def multiply(x: cp.ndarray) -> cp.ndarray:
        x = project(x.ravel())
        return project(x + scale * (A @ (scale * x)))

    operator = linalg.LinearOperator((n, n), matvec=multiply, dtype=cp.float32)
    block = cp.random.standard_normal((n, 8), dtype=cp.float32)
    for _ in range(2):
        cp.cuda.Device().synchronize()
        start = time.perf_counter()
        for _ in range(5):
            A @ block
        cp.cuda.Device().synchronize()
        product = (time.perf_counter() - start) / 5
    print(f"cupy: product with 8 columns {1e3 * product:.2f} ms")
    for tolerance in (1e-2, 1e-3):
        for _ in range(2):
            cp.cuda.Device().synchronize()
            start = time.perf_counter()
            values, _ = linalg.eigsh(operator, k=clusters, which="LA", tol=tolerance)
            cp.cuda.Device().synchronize()
            seconds = time.perf_counter() - start
        found = np.sort(2 - cp.asnumpy(values))
        print(f"cupy: eigsh tol {tolerance:g} {seconds:.4f} s, values {found}")


main()
