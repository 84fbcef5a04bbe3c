"""Spectral clustering in which every individual is represented in every cluster.

The estimator :class:`RepresentationAwareSpectralClustering` follows scikit-learn; the functions are
thin twins of the C++ library; :mod:`repsc.representation` makes representation graphs of data
frames, and :mod:`repsc.plot` draws results with matplotlib.
"""

from . import plot, representation
from ._engine import __version__
from ._estimator import RepresentationAwareSpectralClustering
from ._functions import (
    balance,
    cluster,
    cluster_to_target,
    evaluate,
    normalized_cut,
    path,
    ratio_cut,
    read_graph,
    refine,
    sample_planted_partition,
    sample_regular_representation,
    sample_rpp,
    unreachable_nodes,
    write_graph,
)
from ._results import (
    Clustering,
    Metrics,
    NotConverged,
    RankPath,
    Refinement,
    TargetMissed,
    TargetResult,
)

__all__ = [
    "Clustering",
    "Metrics",
    "NotConverged",
    "RankPath",
    "Refinement",
    "RepresentationAwareSpectralClustering",
    "TargetMissed",
    "TargetResult",
    "__version__",
    "balance",
    "cluster",
    "cluster_to_target",
    "evaluate",
    "normalized_cut",
    "path",
    "plot",
    "ratio_cut",
    "read_graph",
    "refine",
    "representation",
    "sample_planted_partition",
    "sample_regular_representation",
    "sample_rpp",
    "unreachable_nodes",
    "write_graph",
]
