from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .representation import Rule

# A SciPy sparse matrix, an array, a data frame, a NetworkX or igraph graph: none of them is needed to
# type-check code that uses another.
GraphLike = Any
RepresentationLike = Union[Rule, GraphLike]
Frame = Union[Mapping[str, ArrayLike], Any]
Labels = Union[ArrayLike, Sequence[Any], Any]
IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Method = Literal["auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"]
Rank = Union[Literal["auto", "exact"], int]
Constraint = Literal["auto", "hard", "soft"]
EmbeddingRows = Literal["auto", "plain", "unit"]
Mu = Union[Literal["ratio"], float]
Cut = Literal["normalized", "ratio"]
Solver = Literal["auto", "lapack", "lanczos", "cholesky"]
Automatic = Union[Literal["auto"], float]
RandomState = Union[int, np.random.RandomState, None]
Format = Literal["auto", "txt", "mtx", "graph", "npz"]
SelfLoops = Literal["drop", "keep", "add"]
