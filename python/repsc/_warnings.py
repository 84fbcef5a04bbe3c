"""Warnings: a result is returned, but with a reservation."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _engine
from ._options import EngineOptions
from ._results import Clustering


class NotConverged(ConvergenceWarning):
    """The eigensolver stopped before it met the tolerance; its labels are returned."""


class TargetMissed(UserWarning):
    """No clustering that was tried meets the target; the nearest one is returned."""


def warn_unless_converged(
    clustering: Clustering, options: EngineOptions, stacklevel: int, where: str = ""
) -> None:
    """Warn of an eigensolver that stopped early; ``where`` says at which point of a search."""
    if clustering.converged:
        return
    tolerance = _engine.tolerance_for(len(clustering.labels), options)
    warnings.warn(
        f"not converged{where}: residual {clustering.residual:.1e} after {clustering.n_iter} "
        f"iterations, above tol={tolerance:.1e}; raise max_iter or tol, or try another solver",
        NotConverged,
        stacklevel=stacklevel + 1,
    )


def warn_of_components(clustering: Clustering, stacklevel: int) -> None:
    """Warn of more components than clusters: then all eigenvalues are 0."""
    if clustering.constraint_rank > 0 or clustering.eigenvalues[-1] > 1e-6:
        return
    count = int(np.asarray(_engine.connected_components(clustering._similarity)).max()) + 1
    if count > clustering.n_clusters:
        warnings.warn(
            f"the graph has {count} components, more than n_clusters={clustering.n_clusters}: "
            "which of them share a cluster is arbitrary; cluster the largest component, or raise "
            "n_clusters",
            UserWarning,
            stacklevel=stacklevel + 1,
        )
