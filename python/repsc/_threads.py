"""How many threads a call uses: cores of this process, and the limits of joblib and OpenMP."""

from __future__ import annotations

import os

import joblib
from joblib.parallel import get_active_backend

from . import _engine


def use_threads(n_jobs: int | None = None) -> None:
    """Set the number of threads of the engine from ``n_jobs``.

    None: all cores within the limits. -1, -2, ...: all of these, all but one, ..., as in joblib. A
    number above that of the cores is lowered to it, as more threads would only wait for a core.
    """
    if n_jobs is not None and n_jobs == 0:
        raise ValueError("n_jobs=0 is not a number of threads; use None for all cores")
    _engine.set_num_threads(_number_of_threads(n_jobs))


def _number_of_threads(n_jobs: int | None) -> int:
    cores = available_cores()
    if n_jobs is not None and n_jobs > 0:
        return min(int(n_jobs), cores, _from_environment("OMP_THREAD_LIMIT") or cores)
    within = _default_limit(cores)
    if n_jobs is None:
        return within
    return max(1, within + 1 + int(n_jobs))


def available_cores() -> int:
    """The cores that this process may use: its affinity, its share of the machine (cgroups)."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    of_joblib = int(joblib.cpu_count())  # which knows cgroups and LOKY_MAX_CPU_COUNT
    return max(1, min(cores, of_joblib))


def _default_limit(cores: int) -> int:
    """What joblib and OpenMP leave to a call that does not name a number."""
    limits = [cores]
    of_openmp = _from_environment("OMP_NUM_THREADS")
    limits += [each for each in (of_openmp, _from_environment("OMP_THREAD_LIMIT")) if each]
    backend, of_context = get_active_backend()
    if of_context == 1 and not hasattr(joblib, "parallel_config"):
        of_context = None  # joblib below 1.3 says 1 where no context is active
    if of_context is not None:  # joblib.parallel_config(n_jobs=...)
        limits.append(of_context if of_context > 0 else max(1, cores + 1 + of_context))
    elif getattr(backend, "nesting_level", 0) and not of_openmp:
        limits.append(1)  # the workers of joblib use the cores; loky's set OMP_NUM_THREADS
    return max(1, min(limits))


def _from_environment(name: str) -> int | None:
    """A variable of OpenMP; of a list, one number for each level, the first."""
    first = os.environ.get(name, "").split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None
