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


class NotConnected(UserWarning):
    """The similarity graph has several components, which are clusters or parts of clusters."""


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


def warn_of_components(graph: _engine.Graph, n_clusters: int, stacklevel: int) -> None:
    """Warn of a similarity graph that is not connected."""
    count = int(np.asarray(_engine.connected_components(graph)).max()) + 1
    if count == 1:
        return
    if count > n_clusters:
        what = (
            f", more than n_clusters={n_clusters}: which of them share a cluster is arbitrary; "
            "cluster the largest component, or raise n_clusters"
        )
    else:
        what = (
            ", which plain clustering separates first; cluster the largest component if they are "
            "not the clusters you look for"
        )
    warnings.warn(
        f"the graph is not fully connected: it has {count} components{what}",
        NotConnected,
        stacklevel=stacklevel + 1,
    )
