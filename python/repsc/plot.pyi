from typing import Any, Literal

from numpy.typing import ArrayLike

from ._estimator import RepresentationAwareSpectralClustering
from ._results import Clustering, RankPath
from ._typing import FloatArray, Labels

__all__: list[str]

def tradeoff(
    path: RankPath, *, cut: Literal["normalized_cut", "ratio_cut"] = "normalized_cut", ax: Any = None
) -> Any: ...
def balance_histogram(
    result: Clustering | RepresentationAwareSpectralClustering, *, bins: int = 20, ax: Any = None
) -> Any: ...
def composition(
    result: Clustering | RepresentationAwareSpectralClustering | Labels,
    groups: Labels,
    *,
    ax: Any = None,
) -> Any: ...
def graph(
    result: Clustering | RepresentationAwareSpectralClustering,
    *,
    layout: ArrayLike | None = None,
    ax: Any = None,
) -> Any: ...
def spring_layout(matrix: Any) -> FloatArray: ...
