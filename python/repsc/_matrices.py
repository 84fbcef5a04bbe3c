"""From a matrix to the engine's CSR graph, without a copy where possible, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._structure import are_narrow, require_structure
from ._typing import AnyArray, CsrArray, GraphLike, Role, SelfLoops

#: Entries of float64 that differ by less, relative to the larger one, are equal up to rounding.
_ROUNDING = 1e-10
#: The same for shorter types, in units of their precision: what a few operations add up to.
_ROUNDING_UNITS = 16
#: Entries that are looked at together: temporary arrays stay small.
_CHUNK = 1 << 20
_FEW_CHUNKS = 8
#: NumPy compares without holding the GIL; more threads than this wait for memory.
_MOST_THREADS = 8


def require_square(shape: Sequence[int], role: Role, n_samples: int | None) -> None:
    """Raise ValueError unless the shape is square and fits ``n_samples``."""
    if len(shape) == 2 and shape[0] == shape[1]:
        if n_samples is None or shape[0] == n_samples:
            return
        raise ValueError(
            f"the {role} matrix has {shape[0]} rows and columns, but there are {n_samples} samples"
        )
    if role == "representation" and len(shape) == 2 and shape[0] == n_samples:
        raise ValueError(
            f"the representation matrix is {shape[0]} x {shape[1]} and no longer square: "
            "scikit-learn selects rows of every fit parameter, for instance in cross-validation. "
            "Pass something that stays valid when rows are selected: sensitive_features=..., or a "
            "rule such as repsc.representation.knn(frame) or .where(frame, ...), or select rows "
            "and columns yourself, representation[rows][:, rows]"
        )
    raise ValueError(
        f"the {role} matrix has shape {tuple(shape)}, but an adjacency matrix is square"
    )


def graph_from_matrix(
    given: GraphLike, role: Role, self_loops: SelfLoops, n_samples: int | None
) -> _engine.Graph:
    """The engine's graph of a sparse or dense matrix, checked."""
    matrix = _as_compressed(given, role, n_samples)
    _require_real(matrix.data, role)
    found = _view(matrix, self_loops)
    if found is None:
        require_structure(matrix, f"the {role} matrix")
        _require_weights(matrix, role)
        found = _view(_symmetric(matrix, role, _precision(given, matrix)), self_loops)
    assert found is not None, "a symmetric matrix in canonical form can be viewed"
    return found


def to_scipy(graph: _engine.Graph) -> CsrArray:
    """A CSR array with a copy of the graph's arrays, so that it can be changed.

    Unweighted graphs get a 1 for each entry.
    """
    indptr, indices, weights = graph.arrays()
    weights = np.ones(len(indices)) if weights is None else weights.copy()
    indptr = indptr.astype(np.int32 if len(indices) < 2**31 else np.int64)
    indices = indices.astype(indptr.dtype)  # SciPy needs one type for both
    matrix = sp.csr_array((weights, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
    matrix.has_canonical_format = True
    return matrix


def _as_compressed(matrix: GraphLike, role: Role, n_samples: int | None) -> Any:
    """CSR, or CSC, which for a symmetric matrix is the same."""
    if sp.issparse(matrix):
        require_square(matrix.shape, role, n_samples)
        require_structure(matrix, f"the {role} matrix", entries=not are_narrow(matrix))
        if matrix.format in ("csr", "csc"):
            return matrix
        return matrix.tocsr()
    if hasattr(matrix, "iloc") and matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"a data frame of shape {tuple(matrix.shape)} is not a {role} graph; state what its "
            "columns mean with a rule: repsc.representation.knn(frame), .where(frame, "
            "within=..., same=...) or .groups(series)"
        )
    dense = np.asarray(matrix)
    require_square(dense.shape, role, n_samples)
    if dense.dtype == object:
        dense = dense.astype(float)
    elif dense.dtype == np.float16:  # SciPy has no sparse matrices of it
        dense = dense.astype(np.float32)
    _require_real(dense, role)
    return sp.csr_array(dense)


def _as_float64(data: AnyArray) -> AnyArray:
    """A number of a wider type that is too large becomes infinite, which is refused later."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(data, dtype=np.float64)


def _all_ones(data: AnyArray) -> bool:
    """Few chunks are looked at one by one, as most weights are not 1; then several at a time."""

    def are_ones(start: int) -> bool:
        return bool((data[start : start + _CHUNK] == 1).all())

    starts = range(0, len(data), _CHUNK)
    if not all(map(are_ones, starts[:_FEW_CHUNKS])):
        return False
    if len(starts) <= _FEW_CHUNKS:
        return True
    with ThreadPoolExecutor(min(_MOST_THREADS, _engine.num_threads())) as threads:
        return all(threads.map(are_ones, starts[_FEW_CHUNKS:]))


def _require_real(data: AnyArray, role: Role) -> None:
    if not (np.issubdtype(data.dtype, np.number) or data.dtype == bool):
        raise ValueError(f"the {role} matrix holds {data.dtype}, but weights are numbers")
    if np.issubdtype(data.dtype, np.complexfloating):
        raise ValueError(
            f"Complex data not supported: the {role} matrix holds complex numbers, "
            "but weights are real"
        )


def _view(matrix: Any, self_loops: SelfLoops) -> _engine.Graph | None:
    """The engine's graph on the matrix's own arrays; None unless they are in canonical form."""
    if matrix.shape[0] >= 2**31:
        raise ValueError(f"{matrix.shape[0]} nodes, but nodes are numbered with 32 bits")
    stored = int(matrix.indptr[-1])  # SciPy allows longer arrays
    data = matrix.data[:stored]
    weights = None
    if not _all_ones(data):
        weights = _as_float64(data)
    return _engine.view_graph(
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices[:stored], dtype=np.int32),
        weights,
        self_loops,
    )


def _entry(matrix: Any, position: int) -> tuple[int, int]:
    """The row and column of a stored entry."""
    outer = int(np.searchsorted(matrix.indptr, position, side="right")) - 1
    inner = int(matrix.indices[position])
    return (outer, inner) if matrix.format == "csr" else (inner, outer)


def _require_weights(matrix: Any, role: Role) -> None:
    """Raise ValueError with the first weight that is not finite or is negative."""
    data = matrix.data[: int(matrix.indptr[-1])]
    checks: tuple[tuple[str, Callable[[AnyArray], AnyArray]], ...] = (
        ("NaN or infinity", lambda part: ~np.isfinite(part)),
        ("Negative values", lambda part: part < 0),
    )
    for what, wrong in checks:
        for start in range(0, len(data), _CHUNK):
            found = np.flatnonzero(wrong(data[start : start + _CHUNK]))
            if found.size > 0:
                position = start + int(found[0])
                row, column = _entry(matrix, position)
                raise ValueError(
                    f"{what} in data: the {role} matrix has {data[position]} at "
                    f"[{row}, {column}], but weights must be finite and 0 or more"
                )


def _precision(given: GraphLike, matrix: Any) -> np.dtype[Any]:
    """The type in which the entries were computed."""
    half = getattr(given, "dtype", None) == np.float16
    return np.dtype(np.float16 if half else matrix.dtype)


def _symmetric(matrix: Any, role: Role, given: np.dtype[Any]) -> Any:
    """The matrix in canonical form; entries that differ by rounding only are averaged.

    ``given`` is the type of the entries, which says what rounding explains.
    """
    matrix = matrix.tocsr(copy=True)
    matrix.data = _as_float64(matrix.data)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    _require_weights(matrix, role)  # of the sums
    difference = abs(matrix - matrix.T).tocoo()
    if difference.nnz == 0:
        return matrix
    larger = matrix.maximum(matrix.T).tocsr()
    relative, least = _rounding(given)
    limit = relative * np.asarray(larger[difference.row, difference.col]).ravel() + least
    wrong = np.flatnonzero(difference.data > limit)
    if wrong.size > 0:
        place = int(wrong[0])
        i, j = int(difference.row[place]), int(difference.col[place])
        above, below = _written(matrix[i, j], matrix[j, i], given)
        explained = f" (rounding of {given} explains {limit[place]:.1g})" if limit[place] else ""
        raise ValueError(
            f"the {role} matrix is not symmetric: {above} at [{i}, {j}] but {below} at [{j}, {i}], "
            f"a difference of {difference.data[place]:.3g}{explained}; for a directed graph use "
            "(X + X.T) / 2 or X.maximum(X.T)"
        )
    if difference.data.any():
        half = matrix / 2  # twice the largest number is not finite
        matrix = half + half.T if half.max() > 1e300 else (matrix + matrix.T) / 2
        matrix.eliminate_zeros()
    return matrix.tocsr()


def _rounding(dtype: np.dtype[Any]) -> tuple[float, float]:
    """How much entries may differ, relative to the larger one, and at least.

    Integers have no rounding. The smallest numbers have few digits, so that one unit in the last
    place is a large part of them.
    """
    if not np.issubdtype(dtype, np.floating):
        return 0.0, 0.0
    precision = float(np.finfo(dtype).eps)
    smallest = float(np.nextafter(dtype.type(0), dtype.type(1)))
    return max(_ROUNDING, _ROUNDING_UNITS * precision), _ROUNDING_UNITS * smallest


def _written(first: float, second: float, dtype: np.dtype[Any]) -> tuple[str, str]:
    """Both numbers, with as many digits as it takes to tell them apart."""
    short = f"{first:g}", f"{second:g}"
    if short[0] != short[1]:
        return short
    exact = dtype.type if dtype.itemsize < 8 else np.float64
    return str(exact(first)), str(exact(second))
