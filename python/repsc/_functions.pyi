import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

from ._results import Clustering, Metrics, RankPath, Refinement, TargetResult
from ._typing import (
    Automatic,
    Constraint,
    Cut,
    EmbeddingRows,
    FloatArray,
    Format,
    GraphLike,
    Labels,
    Method,
    Mu,
    RandomState,
    Rank,
    RepresentationLike,
    SelfLoops,
    Solver,
)

def cluster(
    similarity: GraphLike,
    n_clusters: int,
    *,
    representation: RepresentationLike | None = None,
    groups: Labels | None = None,
    method: Method = "auto",
    rank: Rank = "auto",
    constraint: Constraint = "auto",
    strength: float | None = None,
    embedding_rows: EmbeddingRows = "auto",
    refine: Literal["auto"] | bool = "auto",
    mu: Mu = 2.0,
    min_cluster_size: int = 1,
    n_groups: int | None = None,
    solver: Solver = "auto",
    tol: Automatic = "auto",
    max_iter: int = 1000,
    n_init: int = 10,
    regularization: Automatic = 0.0,
    random_state: RandomState = 0,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Clustering: ...
def path(
    similarity: GraphLike,
    representation: RepresentationLike,
    n_clusters: int,
    ranks: Iterable[int] = (),
    *,
    strengths: Iterable[float] = (),
    refine: Iterable[float] = (),
    method: Literal["auto", "urepsc", "nrepsc"] = "nrepsc",
    embedding_rows: EmbeddingRows = "auto",
    solver: Solver = "auto",
    tol: Automatic = "auto",
    max_iter: int = 1000,
    n_init: int = 10,
    regularization: Automatic = 0.0,
    random_state: RandomState = 0,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> RankPath: ...
def refine(
    similarity: GraphLike,
    representation: RepresentationLike,
    labels: Labels,
    *,
    mu: Mu = 2.0,
    cut: Cut = "normalized",
    min_cluster_size: int = 1,
    max_rounds: int = 100,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Refinement: ...
def cluster_to_target(
    similarity: GraphLike,
    representation: RepresentationLike,
    n_clusters: int,
    *,
    target_balance: float | None = None,
    target_individual: float | None = None,
    max_cut_increase: float | None = None,
    min_cluster_size: int = 1,
    method: Literal["auto", "usc", "nsc", "urepsc", "nrepsc"] = "auto",
    embedding_rows: EmbeddingRows = "auto",
    solver: Solver = "auto",
    tol: Automatic = "auto",
    max_iter: int = 1000,
    n_init: int = 10,
    regularization: Automatic = 0.0,
    random_state: RandomState = 0,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> TargetResult: ...
def unreachable_nodes(
    representation: RepresentationLike, n_clusters: int, alpha: float
) -> Any: ...
def evaluate(
    similarity: GraphLike,
    labels: Labels,
    *,
    representation: RepresentationLike | None = None,
    groups: Labels | None = None,
    truth: Labels | None = None,
) -> Metrics: ...
def balance(representation: RepresentationLike, labels: Labels) -> FloatArray: ...
def ratio_cut(similarity: GraphLike, labels: Labels) -> float: ...
def normalized_cut(similarity: GraphLike, labels: Labels) -> float: ...
def sample_planted_partition(
    labels: Labels, within: float, across: float, *, random_state: RandomState = 0
) -> Any: ...
def sample_regular_representation(
    n_samples: int, n_clusters: int, degree: int, *, random_state: RandomState = 0
) -> Any: ...
def sample_rpp(
    representation: RepresentationLike,
    clusters: Labels,
    *,
    p: float,
    q: float,
    r: float,
    s: float,
    random_state: RandomState = 0,
) -> Any: ...
@overload
def read_graph(
    path: str | os.PathLike[str],
    *,
    format: Format = "auto",
    self_loops: SelfLoops = "drop",
    return_names: Literal[False] = False,
    verbose: int = 0,
) -> Any: ...
@overload
def read_graph(
    path: str | os.PathLike[str],
    *,
    format: Format = "auto",
    self_loops: SelfLoops = "drop",
    return_names: Literal[True],
    verbose: int = 0,
) -> tuple[Any, list[str]]: ...
def write_graph(
    graph: RepresentationLike,
    path: str | os.PathLike[str],
    *,
    format: Format = "auto",
    names: Sequence[object] | None = None,
) -> None: ...
