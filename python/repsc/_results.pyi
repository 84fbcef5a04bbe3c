from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._typing import BoolArray, FloatArray, IntArray

class NotConverged(UserWarning): ...
class TargetMissed(UserWarning): ...

@dataclass(frozen=True)
class Metrics:
    ratio_cut: float
    normalized_cut: float
    average_balance: float
    minimum_balance: float
    constraint_residual: float
    cluster_sizes: IntArray
    accuracy: float = ...
    adjusted_rand_index: float = ...

class _Measured:
    @property
    def similarity(self) -> Any: ...
    @property
    def balance(self) -> FloatArray: ...
    @property
    def metrics(self) -> Metrics: ...

class Refinement(_Measured):
    labels: Any
    n_clusters: int
    mu: float
    cut_kind: str
    cut: float
    average_balance: float
    objective: float
    start_objective: float
    moves: int
    rounds: int
    local_optimum: bool

class Clustering(_Measured):
    labels: IntArray
    n_clusters: int
    method: str
    embedding: FloatArray
    eigenvalues: FloatArray
    inertia: float
    converged: bool
    settled: bool
    residual: float
    constraint_rank: int
    constraint_residual: float
    n_iter: int
    solver: str
    seconds: dict[str, float]
    strength: float | None
    groups: IntArray | None
    refinement: Refinement | None
    before_refinement: IntArray | None

class RankPath:
    ranks: IntArray
    clusterings: list[Clustering]
    decomposition_seconds: float
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Clustering]: ...
    def __getitem__(self, position: int) -> Clustering: ...
    @property
    def strengths(self) -> FloatArray: ...
    @property
    def mus(self) -> FloatArray: ...
    @property
    def metrics(self) -> dict[str, Any]: ...
    @property
    def on_average_front(self) -> BoolArray: ...
    @property
    def on_minimum_front(self) -> BoolArray: ...

class TargetResult:
    clustering: Clustering
    met: bool
    start: str
    mu: float
    cut_kind: str
    cut: float
    plain_cut: float
    average_balance: float
    satisfied: int | None
    below: IntArray
    unreachable: Any
    tried: int
    @property
    def labels(self) -> IntArray: ...
    @property
    def cut_increase(self) -> float: ...
