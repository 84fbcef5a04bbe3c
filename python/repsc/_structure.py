"""Checks of the index arrays of a sparse matrix.

SciPy reads and writes through these arrays without looking at them, so that a wrong number ends the
process. They are checked before anything of SciPy or of the engine follows them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._typing import AnyArray

_WAY_OUT = "make it again from rows, columns and values: scipy.sparse.coo_array(...).tocsr()"


def require_structure(matrix: Any, what: str, *, entries: bool = True) -> None:
    """Raise ValueError if an index of a sparse matrix points outside of it.

    Without ``entries``, only what needs no look at the index of every entry is checked.
    """
    formats = {"coo": _check_coordinates, "dia": _check_diagonals, "lil": _check_lists}
    if matrix.format in ("csr", "csc", "bsr"):
        fault = _check_compressed(matrix, entries)
    elif matrix.format in formats:
        fault = formats[matrix.format](matrix)
    else:
        return  # a dict of keys holds no index arrays
    if fault is not None:
        raise ValueError(f"{what} is malformed: {fault}; {_WAY_OUT}")


def are_narrow(matrix: Any) -> bool:
    """Whether the indices have the type of the engine, which checks their range itself."""
    return matrix.format in ("csr", "csc") and matrix.indices.dtype == np.int32


def _check_compressed(matrix: Any, entries: bool) -> str | None:
    rows, columns = matrix.shape
    if matrix.format == "bsr":
        rows, columns = rows // matrix.blocksize[0], columns // matrix.blocksize[1]
    outer, inner = (columns, rows) if matrix.format == "csc" else (rows, columns)
    indptr, indices = matrix.indptr, matrix.indices
    fault = _not_integers("indptr", indptr) or _not_integers("indices", indices)
    if fault is not None:
        return fault
    if len(indptr) != outer + 1:
        return f"indptr has {len(indptr)} numbers, but a shape of {matrix.shape} needs {outer + 1}"
    if indptr[0] != 0:
        return f"indptr begins with {indptr[0]}, not with 0"
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if falls.size > 0:
        place = int(falls[0])
        return f"indptr decreases from {indptr[place]} to {indptr[place + 1]} at [{place + 1}]"
    stored = int(indptr[-1])
    held = min(len(indices), len(matrix.data))
    if stored > held:
        return f"indptr ends with {stored}, but there are {held} indices and values"
    return _outside("indices", indices[:stored], inner) if entries else None


def _check_coordinates(matrix: Any) -> str | None:
    for name, indices, size in zip(("row", "col"), (matrix.row, matrix.col), matrix.shape):
        fault = _not_integers(name, indices)
        if fault is None and len(indices) != len(matrix.data):
            fault = f"{name} has {len(indices)} numbers, but there are {len(matrix.data)} values"
        fault = fault or _outside(name, indices, size)
        if fault is not None:
            return fault
    return None


def _check_diagonals(matrix: Any) -> str | None:
    fault = _not_integers("offsets", matrix.offsets)
    if fault is None and (matrix.data.ndim != 2 or len(matrix.data) != len(matrix.offsets)):
        fault = f"there are {len(matrix.offsets)} offsets, but {len(matrix.data)} diagonals"
    return fault


def _check_lists(matrix: Any) -> str | None:
    if not len(matrix.rows) == len(matrix.data) == matrix.shape[0]:
        return f"it has lists for {len(matrix.rows)} rows, but {matrix.shape[0]} rows"
    for row, (columns, values) in enumerate(zip(matrix.rows, matrix.data)):
        if len(columns) != len(values):
            return f"row {row} has {len(columns)} columns, but {len(values)} values"
        if any(not 0 <= column < matrix.shape[1] for column in columns):
            return f"row {row} has a column that is not from 0 to {matrix.shape[1] - 1}"
    return None


def _not_integers(name: str, numbers: Any) -> str | None:
    if not isinstance(numbers, np.ndarray) or numbers.ndim != 1:
        return f"{name} is not a one-dimensional array"
    if numbers.dtype.kind not in "iu":
        return f"{name} holds {numbers.dtype}, but indices are integers"
    return None


def _outside(name: str, indices: AnyArray, size: int) -> str | None:
    """The first index that is not from 0 to size - 1."""
    if len(indices) == 0 or (indices.min() >= 0 and indices.max() < size):
        return None
    place = int(np.flatnonzero((indices < 0) | (indices >= size))[0])
    return f"{name}[{place}] is {indices[place]}, but indices are from 0 to {size - 1}"
