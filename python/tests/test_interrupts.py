"""Ctrl-C, threads, and the interpreter's lock."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import repsc

# Work of several seconds, each stopped in another kind of loop: block Lanczos, one LAPACK call,
# runs of k-means, a decomposition of R, rounds of refinement.
SLOW = {
    "lanczos": "repsc.cluster(big, 40, solver='lanczos', tol=1e-14, max_iter=100000)",
    "lapack": "repsc.cluster(middle, 4, solver='lapack')",
    "kmeans": "repsc.cluster(small, 60, n_init=100000)",
    "constraint": "repsc.cluster(middle, 4, representation=middle, rank='exact')",
    "path": "repsc.path(small, small, 4, range(1, 900), n_init=50)",
    "refine": "repsc.refine(middle, middle, np.arange(5000) % 8)",
    "target": "repsc.cluster_to_target(small, small, 8, target_balance=0.99)",
}

PROGRAM = """
import os, signal, threading, time, numpy as np, repsc, warnings
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells make background jobs ignore it
rng = np.random.RandomState(0)
labels = lambda n: rng.randint(0, 2, n)
small = repsc.sample_planted_partition(labels(1200), 0.05, 0.05)
middle = repsc.sample_planted_partition(labels(5000), 0.03, 0.03)
big = repsc.sample_planted_partition(labels(60000), 0.0005, 0.0005)
sent = []
def interrupt():
    time.sleep(1.0)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {call}
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted after", time.monotonic() - sent[0])
# The interpreter is healthy: the library still works.
result = repsc.cluster(repsc.sample_planted_partition(np.arange(100) // 50, 0.5, 0.01), 2)
assert (result.labels == np.arange(100) // 50).all()
print("healthy")
"""


@pytest.mark.parametrize("work", SLOW)
def test_ctrl_c_is_answered_and_leaves_python_healthy(work):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{call}", SLOW[work])],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    first, last = done.stdout.splitlines()
    assert last == "healthy"
    assert first.startswith("interrupted after"), first
    # One second; a busy machine needs longer.
    assert float(first.split()[-1]) < (1.0 if os.environ.get("REPSC_QUIET_MACHINE") else 10.0)


def test_an_error_in_a_progress_bar_ends_the_work(planted, monkeypatch):
    class Broken:
        def __init__(self, **_):
            raise RuntimeError("no bar today")

    tqdm = pytest.importorskip("tqdm.auto")
    monkeypatch.setattr(tqdm, "tqdm", Broken)
    with pytest.raises(RuntimeError, match="no bar today"):
        repsc.cluster(planted.G, 4, solver="lanczos", verbose=1)


def test_the_lock_is_released_while_computing():
    graph = repsc.sample_planted_partition(np.random.RandomState(0).randint(0, 2, 1500), 0.1, 0.1)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    repsc.cluster(graph, 4, solver="lapack")
    end = time.monotonic()
    stop.set()
    thread.join()
    during = [t for t in ticks if begin < t < end]
    assert len(during) > 5, f"{len(during)} ticks in {end - begin:.2f} s"


def side_by_side(calls):
    """The results of the calls, each in a thread of its own."""
    found = [None] * len(calls)

    def run(place):
        found[place] = calls[place]()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_several_threads_may_cluster_side_by_side(planted):
    expected = repsc.cluster(planted.G, 4, representation=planted.R)

    def call(n_jobs):
        return repsc.cluster(planted.G, 4, representation=planted.R, n_jobs=n_jobs)

    for result in side_by_side([lambda n=n: call(n) for n in (1, 2, 1, 2)]):
        np.testing.assert_array_equal(result.embedding, expected.embedding)


def test_several_threads_may_call_different_functions_side_by_side(planted, tmp_path):
    G, R = planted.G, planted.R
    start = np.arange(G.shape[0]) % 4
    repsc.write_graph(G, tmp_path / "G.txt")
    calls = (
        lambda: repsc.cluster(G, 4, groups=start, n_jobs=2).labels,
        lambda: repsc.path(G, R, 4, [1, 2], n_jobs=2).clusterings[1].labels,
        lambda: repsc.refine(G, R, start).labels,
        lambda: repsc.certify(G, R, start).lower_bound,
        lambda: repsc.balance(R, start),
        lambda: repsc.read_graph(tmp_path / "G.txt").indices,
        lambda: repsc.sample_planted_partition(start, 0.2, 0.1, random_state=3).indices,
    )
    expected = [call() for call in calls]
    for value, alone in zip(side_by_side(calls), expected):
        np.testing.assert_array_equal(value, alone)


def test_leaving_python_while_stopped_work_still_runs():
    """A LAPACK call cannot be stopped; Python exits nevertheless, with its own exit code."""
    program = PROGRAM.replace("{call}", SLOW["lapack"]).split("# The interpreter")[0]
    done = subprocess.run(
        [sys.executable, "-c", program + "import sys; sys.exit(7)"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 7, done.stderr
