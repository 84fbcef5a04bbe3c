"""The number of threads: the cores of the process, and the limits of joblib and OpenMP."""

import json
import os
import subprocess
import sys

import joblib
import pytest

import repsc
from repsc import RepresentationAwareSpectralClustering as Model
from repsc import _threads

CORES = len(os.sched_getaffinity(0))

# For each n_jobs: threads before and after, and how many the engine was told to use.
COUNT = """
import json, os, sys
import numpy as np, repsc
from repsc import _engine
truth = np.arange(8000) % 4
told, inner = [], _engine.set_num_threads
G = repsc.sample_planted_partition(truth, 0.008, 0.001)
before = len(os.listdir("/proc/self/task"))
_engine.set_num_threads = lambda count: (told.append(count), inner(count))
answers = []
for n_jobs in json.loads(sys.argv[1]):
    told.clear()
    repsc.cluster(G, 4, n_jobs=n_jobs)
    repsc.RepresentationAwareSpectralClustering(4, n_jobs=n_jobs).fit(G)
    answers.append([before, len(os.listdir("/proc/self/task")), list(told)])
print(json.dumps(answers))
"""


def count(*n_jobs, cores=None, **environment):
    """Threads before, threads left behind, and what the engine was told, in a new process."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "LOKY_"))}
    command = [sys.executable, "-c", COUNT, json.dumps(n_jobs)]
    limit = None if cores is None else lambda: os.sched_setaffinity(0, cores)
    done = subprocess.run(
        command, env={**clean, **environment}, preexec_fn=limit, capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_three_hundred_jobs_leave_no_more_threads_than_cores():
    ((before, after, told),) = count(300)
    assert told == [CORES] * 2
    assert after <= before + CORES


def test_affinity_is_followed():
    one = {min(os.sched_getaffinity(0))}
    for before, after, told in count(None, -1, 4, cores=one):
        assert told == [1] * 2 and after == before


def test_limits_of_openmp_are_followed():
    for before, after, told in count(None, -1, OMP_NUM_THREADS="1"):
        assert told == [1] * 2 and after == before


@pytest.fixture
def eight_cores(monkeypatch):
    """A machine of eight cores, without variables of OpenMP."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)))
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def resolved(n_jobs):
    return _threads._number_of_threads(n_jobs)


def test_numbers_of_jobs(eight_cores):
    given = (None, -1, -2, -8, -100, 1, 5, 8, 300)
    assert [resolved(n_jobs) for n_jobs in given] == [8, 8, 7, 1, 1, 1, 5, 8, 8]
    with pytest.raises(ValueError, match="n_jobs=0"):
        _threads.use_threads(0)


def test_openmp_limits_what_is_not_named(eight_cores):
    for value, expected in (("3", 3), ("3,2", 3), ("100", 8), ("", 8), ("many", 8), ("0", 8)):
        eight_cores.setenv("OMP_NUM_THREADS", value)
        assert resolved(None) == resolved(-1) == expected, value
        assert resolved(5) == 5, "a number that is named is used, as in scikit-learn"
    eight_cores.setenv("OMP_NUM_THREADS", "6")
    eight_cores.setenv("OMP_THREAD_LIMIT", "4")
    assert [resolved(n_jobs) for n_jobs in (None, -2, 5)] == [4, 3, 4]


def test_a_maximum_of_joblib_is_followed(monkeypatch):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert [resolved(n_jobs) for n_jobs in (None, -1, 5)] == [1, 1, 1]


def test_joblib_limits_what_is_not_named(eight_cores):
    with joblib.parallel_config(n_jobs=2):
        assert [resolved(n_jobs) for n_jobs in (None, -1, 5)] == [2, 2, 5]
    with joblib.parallel_config(n_jobs=-3):
        assert resolved(None) == 6
    with joblib.parallel_config(n_jobs=1):
        assert resolved(None) == 1
    assert resolved(None) == 8


def test_a_worker_of_joblib_uses_its_share(eight_cores):
    def inside(**options):
        task = joblib.delayed(resolved)
        return joblib.Parallel(**options)(task(None) for _ in range(2))

    assert inside(n_jobs=2, backend="threading") == [1, 1]
    assert inside(n_jobs=1) == [8, 8]


def test_the_processes_of_joblib_share_the_cores():
    told = joblib.Parallel(n_jobs=CORES, backend="loky")(
        joblib.delayed(resolved)(None) for _ in range(CORES)
    )
    assert told == [1] * CORES


def test_every_function_sets_the_threads_before_it_computes(eight_cores, tmp_path):
    """Also those without n_jobs, so that limits hold for them."""
    told = []
    eight_cores.setattr(_threads._engine, "set_num_threads", told.append)
    eight_cores.setenv("OMP_NUM_THREADS", "2")
    G = repsc.sample_planted_partition([0, 0, 0, 1, 1, 1], 1.0, 0.5)
    R = repsc.sample_regular_representation(6, 2, 2)
    labels = [0, 0, 0, 1, 1, 1]
    calls = (
        lambda: repsc.sample_rpp(R, labels, p=1, q=1, r=0, s=0),
        lambda: repsc.cluster(G, 2),
        lambda: repsc.plan(G, 2),
        lambda: repsc.path(G, R, 2, [1]),
        lambda: repsc.refine(G, R, labels),
        lambda: repsc.cluster_to_target(G, R, 2, target_balance=0.1),
        lambda: repsc.unreachable_nodes(R, 2, 0.5),
        lambda: repsc.evaluate(G, labels),
        lambda: repsc.balance(R, labels),
        lambda: repsc.ratio_cut(G, labels),
        lambda: repsc.normalized_cut(G, labels),
        lambda: repsc.write_graph(G, tmp_path / "G.mtx"),
        lambda: repsc.read_graph(tmp_path / "G.mtx"),
        lambda: Model(2).fit(G),
    )
    assert told == [2, 2]
    for position, call in enumerate(calls):
        told.clear()
        call()
        assert set(told) == {2}, position
