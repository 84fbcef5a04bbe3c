"""The options of the estimator and the functions: ranges, and what the engine calls them.

An option is declared here once; the estimator, :func:`repsc.cluster` and :func:`repsc.path` only
repeat its name and default in their signatures.
"""

import os
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import (
    Interval,
    StrOptions,
    validate_parameter_constraints,
)

from . import _engine

METHODS = ("auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc")

#: Ranges, in the words of scikit-learn's parameter validation.
CONSTRAINTS = {
    "n_clusters": [Interval(Integral, 2, None, closed="left")],
    "method": [StrOptions(set(METHODS))],
    "rank": [StrOptions({"auto", "exact"}), Interval(Integral, 1, None, closed="left")],
    "constraint": [StrOptions({"auto", "hard", "soft"})],
    "strength": [None, Interval(Real, 0, None, closed="left")],
    "embedding_rows": [StrOptions({"auto", "plain", "unit"})],
    "refine": [StrOptions({"auto"}), "boolean"],
    "n_groups": [None, Interval(Integral, 2, None, closed="left")],
    "solver": [StrOptions(set(_engine.available_solvers()))],
    "tol": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "regularization": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
    "memory_limit": [None, Interval(Integral, 1, None, closed="left")],
    "mu": [StrOptions({"ratio"}), Interval(Real, 0, None, closed="left")],
    "cut": [StrOptions({"normalized", "ratio"})],
    "min_cluster_size": [Interval(Integral, 1, None, closed="left")],
    "max_rounds": [Interval(Integral, 1, None, closed="left")],
    "target_balance": [None, Interval(Real, 0, 1, closed="both")],
    "target_individual": [None, Interval(Real, 0, 1, closed="both")],
    "max_cut_increase": [None, Interval(Real, 0, None, closed="left")],
    "alpha": [Interval(Real, 0, 1, closed="both")],
    "random_state": ["random_state"],
    "n_jobs": [None, Integral],
    "verbose": ["verbose"],
}


def check(caller, **values):
    """Raise ``InvalidParameterError``, a ``ValueError``, for the first value out of its range."""
    constraints = {name: CONSTRAINTS[name] for name in values}
    validate_parameter_constraints(constraints, values, caller_name=caller)


def engine_options(
    *,
    method,
    rank="auto",
    constraint="auto",
    strength=None,
    embedding_rows="auto",
    refine="auto",
    mu=2.0,
    min_cluster_size=1,
    n_groups=None,
    solver,
    tol,
    max_iter,
    n_init,
    regularization,
    random_state,
    memory_limit,
):
    """Options of the engine, by their names in C++; a strength stands for a soft constraint."""
    if regularization == "auto":
        regularization = _engine.automatic_regularization
    return {
        "method": method,
        "rank": rank if isinstance(rank, str) else int(rank),
        "constraint": constraint if strength is None else "soft",
        "strength": 1.0 if strength is None else float(strength),
        "embedding_rows": embedding_rows,
        "refine": refine if isinstance(refine, str) else ("yes" if refine else "no"),
        "refinement": {"mu": mu_from(mu), "min_cluster_size": int(min_cluster_size)},
        "num_groups": 0 if n_groups is None else int(n_groups),
        "solver": solver,
        "tolerance": 0.0 if tol == "auto" else float(tol),
        "max_iterations": int(max_iter),
        "kmeans_restarts": int(n_init),
        "regularization": float(regularization),
        "seed": seed_from(random_state),
        "memory_limit": 0 if memory_limit is None else int(memory_limit),
    }


def refine_options(*, mu, cut, min_cluster_size=1, max_rounds=100, seed):
    """Options of the engine's refinement, by their names in C++."""
    return {
        "mu": mu_from(mu),
        "cut": cut,
        "min_cluster_size": int(min_cluster_size),
        "max_rounds": int(max_rounds),
        "seed": seed,
    }


def mu_from(mu):
    """A number, or "ratio"."""
    return mu if isinstance(mu, str) else float(mu)


def seed_from(random_state):
    """An int is the seed itself, as on the command line; otherwise a number is drawn."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def set_threads(n_jobs):
    """None and -1: all cores; -2: all but one, and so on, as in joblib."""
    if n_jobs == 0:
        raise ValueError("n_jobs=0 has no meaning; use None for all cores")
    if n_jobs is None:
        count = 0
    else:
        count = n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    _engine.set_num_threads(int(count))
