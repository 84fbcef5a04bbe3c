"""Types of the public signatures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

# A SciPy sparse matrix, an array, a data frame, a NetworkX or an igraph graph. Naming their types
# would require all of these packages for type checking.
GraphLike = Any
# A GraphLike, or a rule of repsc.representation.
RepresentationLike = Any
CsrArray = Any  # scipy.sparse.csr_array; SciPy has no types
Frame = Union[Mapping[str, ArrayLike], Any]  # or a data frame
Labels = Union[ArrayLike, Sequence[Any], Any]  # or a series of a data frame

AnyArray = NDArray[Any]
IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

NumClusters = Union[Literal["auto"], int]
Method = Literal["auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"]
Rank = Union[Literal["auto", "exact"], int]
Constraint = Literal["auto", "hard", "soft"]
EmbeddingRows = Literal["auto", "plain", "unit"]
Refine = Union[Literal["auto"], bool]
Mu = Union[Literal["ratio"], float]
Cut = Literal["normalized", "ratio"]
Solver = Literal["auto", "lapack", "lanczos", "cholesky"]
Automatic = Union[Literal["auto"], float]
PlainCut = Union[Literal["auto"], float, None]
Affinity = Union[str, Callable[..., float]]
AssignLabels = Literal["kmeans", "discretize", "cluster_qr"]
RandomState = Union[int, np.random.RandomState, None]
Format = Literal["auto", "txt", "mtx", "graph", "npz", "rgraph"]
SelfLoops = Literal["drop", "keep", "add"]
Role = Literal["similarity", "representation"]
