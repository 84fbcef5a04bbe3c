from typing import Any, Literal, Union

from numpy.typing import ArrayLike

from ._estimator import RepresentationAwareSpectralClustering
from ._results import Clustering, RankPath, Refinement, TargetResult
from ._typing import FloatArray, Labels

Result = Union[Clustering, Refinement, TargetResult, RepresentationAwareSpectralClustering]

__all__: list[str]

def tradeoff(
    path: RankPath, *, cut: Literal["normalized_cut", "ratio_cut"] = "normalized_cut", ax: Any = None
) -> Any: ...
def balance_histogram(
    result: Result, *, bins: int = 20, ax: Any = None
) -> Any: ...
def composition(
    result: Result | Labels,
    groups: Labels,
    *,
    ax: Any = None,
) -> Any: ...
def graph(
    result: Result,
    *,
    layout: ArrayLike | None = None,
    ax: Any = None,
) -> Any: ...
def spring_layout(matrix: Any) -> FloatArray: ...
