"""From a matrix to the engine's CSR graph, without a copy where possible, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._typing import AnyArray, CsrArray, GraphLike, Role, SelfLoops

#: Entries that differ by less, relative to the larger one, are considered equal up to rounding.
_ROUNDING = 1e-10
#: Entries that are looked at together: temporary arrays stay small.
_CHUNK = 1 << 20


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
            "Pass something that stays valid when rows are selected: groups=..., or a rule such "
            "as repsc.representation.knn(frame) or .where(frame, ...), or select rows and columns "
            "yourself, representation[rows][:, rows]"
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
        _require_weights(matrix, role)
        found = _view(_symmetric(matrix, role), self_loops)
    assert found is not None, "a symmetric matrix in canonical form can be viewed"
    return found


def to_scipy(graph: _engine.Graph) -> CsrArray:
    """A CSR array on the arrays of an engine's graph; unweighted ones get a 1 for each entry."""
    indptr, indices, weights = graph.arrays()
    if weights is None:
        weights = np.ones(len(indices))
    if len(indices) < 2**31:
        indptr = indptr.astype(np.int32)
    matrix = sp.csr_array((weights, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
    matrix.has_canonical_format = True
    return matrix


def _as_compressed(matrix: GraphLike, role: Role, n_samples: int | None) -> Any:
    """CSR, or CSC, which for a symmetric matrix is the same."""
    if sp.issparse(matrix):
        require_square(matrix.shape, role, n_samples)
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
    _require_real(dense, role)
    return sp.csr_array(dense)


def _all_ones(data: AnyArray) -> bool:
    return all((data[i : i + _CHUNK] == 1).all() for i in range(0, len(data), _CHUNK))


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
    weights = None
    if not _all_ones(matrix.data):
        weights = np.ascontiguousarray(matrix.data, dtype=np.float64)
    return _engine.view_graph(
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
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
    data = matrix.data
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


def _symmetric(matrix: Any, role: Role) -> Any:
    """The matrix in canonical form; entries that differ by rounding only are averaged."""
    matrix = matrix.tocsr(copy=True)
    matrix.data = matrix.data.astype(np.float64, copy=False)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    difference = abs(matrix - matrix.T).tocoo()
    larger = matrix.maximum(matrix.T).tocsr()
    limit = _ROUNDING * np.asarray(larger[difference.row, difference.col]).ravel()
    wrong = np.flatnonzero(difference.data > limit)
    if wrong.size > 0:
        i, j = int(difference.row[wrong[0]]), int(difference.col[wrong[0]])
        raise ValueError(
            f"the {role} matrix is not symmetric: {matrix[i, j]:g} at [{i}, {j}] but "
            f"{matrix[j, i]:g} at [{j}, {i}]; for a directed graph use (X + X.T) / 2 or "
            "X.maximum(X.T)"
        )
    if difference.data.any():
        matrix = (matrix + matrix.T) / 2
    return matrix.tocsr()
