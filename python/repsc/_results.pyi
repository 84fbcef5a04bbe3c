from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._typing import FloatArray, IntArray

class NotConverged(UserWarning): ...

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

class Clustering:
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
    groups: IntArray | None
    @property
    def similarity(self) -> Any: ...
    @property
    def balance(self) -> FloatArray: ...
    @property
    def metrics(self) -> Metrics: ...

class RankPath:
    ranks: IntArray
    clusterings: list[Clustering]
    decomposition_seconds: float
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Clustering]: ...
    def __getitem__(self, position: int) -> Clustering: ...
    @property
    def metrics(self) -> dict[str, Any]: ...
