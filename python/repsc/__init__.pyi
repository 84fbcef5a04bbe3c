from . import plot as plot
from . import representation as representation
from ._estimator import (
    RepresentationAwareSpectralClustering as RepresentationAwareSpectralClustering,
)
from ._functions import balance as balance
from ._functions import cluster as cluster
from ._functions import cluster_to_target as cluster_to_target
from ._functions import evaluate as evaluate
from ._functions import normalized_cut as normalized_cut
from ._functions import path as path
from ._functions import ratio_cut as ratio_cut
from ._functions import read_graph as read_graph
from ._functions import refine as refine
from ._functions import sample_planted_partition as sample_planted_partition
from ._functions import sample_regular_representation as sample_regular_representation
from ._functions import sample_rpp as sample_rpp
from ._functions import unreachable_nodes as unreachable_nodes
from ._functions import write_graph as write_graph
from ._results import Clustering as Clustering
from ._results import Metrics as Metrics
from ._results import NotConverged as NotConverged
from ._results import RankPath as RankPath
from ._results import Refinement as Refinement
from ._results import TargetMissed as TargetMissed
from ._results import TargetResult as TargetResult

__version__: str
__all__: list[str]
