"""Warnings: a result is returned, but with a reservation."""

from __future__ import annotations

import sys
import warnings

from sklearn.exceptions import ConvergenceWarning

from . import _engine
from ._options import EngineOptions
from ._results import Clustering


class NotConverged(ConvergenceWarning):
    """The eigensolver stopped before it met the tolerance; its labels are returned."""


class ClusteringWarning(UserWarning):
    """Something to know about clusters; ``warnings`` of the result has it with a stable code."""


class NotConnected(ClusteringWarning):
    """The similarity graph has several components, which are clusters or parts of clusters."""


class TargetMissed(UserWarning):
    """No clustering that was tried meets the target; the nearest one is returned."""


def _users_line() -> int:
    """The stacklevel of the first caller outside of this package and of scikit-learn."""
    level, frame = 1, sys._getframe(1)
    while frame.f_globals.get("__name__", "").split(".")[0] in ("repsc", "sklearn"):
        if frame.f_back is None:
            break
        level, frame = level + 1, frame.f_back
    return level


def warn_unless_converged(
    clustering: Clustering, options: EngineOptions, where: str = ""
) -> None:
    """Warn of an eigensolver that stopped early; ``where`` says at which point of a search."""
    if clustering.converged:
        return
    tolerance = _engine.tolerance_for(len(clustering.labels), options)
    warnings.warn(
        f"not converged{where}: residual {clustering.residual:.1e} after {clustering.n_iter} "
        f"iterations, above tol={tolerance:.1e}; raise max_iter or tol, or try another solver",
        NotConverged,
        stacklevel=_users_line(),
    )


def warn_of_result(clustering: Clustering, seen: set[str] | None = None) -> None:
    """Give the engine's warnings of a result, unless their codes have been ``seen``."""
    if clustering.search is not None and not clustering.search.met:
        warnings.warn(
            f"the structure or fairness that was asked for is not reached: structure kept "
            f"{clustering.structure_kept:.3f}, fairness gained {clustering.fairness_gained:.3f}",
            TargetMissed,
            stacklevel=_users_line(),
        )
    for code, message in clustering.warnings:
        if seen is not None and code in seen:
            continue
        if seen is not None:
            seen.add(code)
        category: type[Warning] = ClusteringWarning
        if code == "several_components":
            message = f"the graph is not fully connected: {message}"
            category = NotConnected
        warnings.warn(message, category, stacklevel=_users_line())
