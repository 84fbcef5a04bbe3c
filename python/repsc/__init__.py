"""Spectral clustering in which every individual is represented in every cluster.

The estimator :class:`RepresentationAwareSpectralClustering` is compatible with scikit-learn. The
functions call the C++ library of the same names. :mod:`repsc.representation` makes representation
graphs from data frames, and :mod:`repsc.plot` draws results with matplotlib.
"""

from . import _engine, plot, representation
from ._audits import Comparison, Person, compare, explain
from ._baselines import Baselines, baselines
from ._certificates import Certificate, certify
from ._choices import ClusterCount, choose_k
from ._clustering import cluster
from ._errors import InvalidInput
from ._estimator import RepresentationAwareSpectralClustering
from ._files import read_graph, write_graph
from ._measures import GroupFairness, Metrics
from ._metrics import (
    balance,
    conductance,
    evaluate,
    group_fairness,
    modularity,
    normalized_cut,
    proportional_balance,
    ratio_cut,
)
from ._models import sample_planted_partition, sample_regular_representation, sample_rpp
from ._paths import path
from ._plans import Plan, plan
from ._refinement import refine
from ._reports import report
from ._results import Clustering, Refinement
from ._searches import RankPath, TargetResult
from ._targets import cluster_to_target, unreachable_nodes
from ._theory import Theory, theory
from ._warnings import ClusteringWarning, NotConnected, NotConverged, TargetMissed

__all__ = [
    "Baselines",
    "Certificate",
    "ClusterCount",
    "Clustering",
    "ClusteringWarning",
    "Comparison",
    "GroupFairness",
    "InvalidInput",
    "Metrics",
    "NotConnected",
    "NotConverged",
    "Person",
    "Plan",
    "RankPath",
    "Refinement",
    "RepresentationAwareSpectralClustering",
    "TargetMissed",
    "TargetResult",
    "Theory",
    "__version__",
    "balance",
    "baselines",
    "certify",
    "choose_k",
    "cluster",
    "cluster_to_target",
    "compare",
    "conductance",
    "evaluate",
    "explain",
    "group_fairness",
    "modularity",
    "normalized_cut",
    "path",
    "plan",
    "plot",
    "proportional_balance",
    "ratio_cut",
    "read_graph",
    "refine",
    "report",
    "representation",
    "sample_planted_partition",
    "sample_regular_representation",
    "sample_rpp",
    "theory",
    "unreachable_nodes",
    "write_graph",
]

__version__: str = _engine.__version__  # type: ignore[attr-defined]  # not in nanobind's stub
