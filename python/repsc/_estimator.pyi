from typing import Any, Literal

from ._results import Clustering, Refinement
from ._typing import (
    Automatic,
    Constraint,
    EmbeddingRows,
    FloatArray,
    GraphLike,
    IntArray,
    Labels,
    Mu,
    RandomState,
    Rank,
    RepresentationLike,
    Solver,
)

class RepresentationAwareSpectralClustering:
    n_clusters: int
    labels_: IntArray
    embedding_: FloatArray
    eigenvalues_: FloatArray
    n_iter_: int
    converged_: bool
    residual_: float
    constraint_rank_: int
    strength_: float | None
    refinement_: Refinement | None
    balance_: FloatArray
    average_balance_: float
    ratio_cut_: float
    normalized_cut_: float
    affinity_matrix_: Any
    result_: Clustering
    n_features_in_: int
    feature_names_in_: Any
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        normalized: bool = True,
        rank: Rank = "auto",
        constraint: Constraint = "auto",
        strength: float | None = None,
        embedding_rows: EmbeddingRows = "auto",
        refine: Literal["auto"] | bool = "auto",
        mu: Mu = 2.0,
        min_cluster_size: int = 1,
        affinity: Literal["precomputed", "nearest_neighbors", "rbf"] = "precomputed",
        gamma: float = 1.0,
        n_neighbors: int = 10,
        solver: Solver = "auto",
        tol: Automatic = "auto",
        max_iter: int = 1000,
        n_init: int = 10,
        regularization: Automatic = 0.0,
        random_state: RandomState = None,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def fit(
        self,
        X: GraphLike,
        y: object = None,
        *,
        representation: RepresentationLike | None = None,
        groups: Labels | None = None,
    ) -> RepresentationAwareSpectralClustering: ...
    def fit_predict(
        self,
        X: GraphLike,
        y: object = None,
        *,
        representation: RepresentationLike | None = None,
        groups: Labels | None = None,
    ) -> IntArray: ...
    def fit_transform(
        self,
        X: GraphLike,
        y: object = None,
        *,
        representation: RepresentationLike | None = None,
        groups: Labels | None = None,
    ) -> Any: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> RepresentationAwareSpectralClustering: ...
    def set_output(
        self, *, transform: Literal["default", "pandas", "polars"] | None = None
    ) -> RepresentationAwareSpectralClustering: ...
    def set_fit_request(
        self,
        *,
        representation: bool | str | None = "$UNCHANGED$",
        groups: bool | str | None = "$UNCHANGED$",
    ) -> RepresentationAwareSpectralClustering: ...
    def get_feature_names_out(self, input_features: object = None) -> Any: ...
