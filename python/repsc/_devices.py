"""Arrays and sparse matrices in the memory of a CUDA device: CuPy, PyTorch, Numba."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._typing import AnyArray

#: Bytes from which on several threads copy faster than CuPy does.
_LARGE = 1 << 26


def on_host(values: Any) -> Any:
    """A copy in the memory of the host; whatever is there already is returned as it is.

    The engine checks a graph, and measures its clusters, on the host. The copies wait for the
    stream of the caller, so that what lies on the device is complete as well when they are made.
    """
    if _is_cupy(values):
        return _copied(values)
    if getattr(values, "is_cuda", False) and hasattr(values, "cpu"):  # PyTorch
        return values.detach().cpu().numpy()
    if getattr(values, "__cuda_array_interface__", None) is None:
        return values
    if hasattr(values, "copy_to_host"):  # Numba
        return values.copy_to_host()
    raise TypeError(
        f"a {type(values).__module__}.{type(values).__name__} lies in the memory of a device and "
        "cannot be copied from there; copy it to the host yourself, or make a CuPy array of it: "
        "cupy.asarray(...)"
    )


def where_it_lies(graph: _engine.Graph, copy: Any, given: Any) -> _engine.Graph:
    """The graph, for work on a device in the arrays of ``given``, a sparse matrix that lies there.

    This holds if the graph views ``copy``, which :func:`on_host` made of it: then nothing had to be
    sorted, merged, dropped or rounded. Otherwise the device gets a copy from the host.
    """
    if copy is given or getattr(given, "format", None) not in ("csr", "csc"):
        return graph
    _, neighbors, weights = graph.arrays()
    if not _views(neighbors, copy.indices):
        return graph
    arrays = given.indices, given.data  # they stay, whatever happens to the matrix
    indices, data = _address(arrays[0], np.int32), 0
    if weights is not None and _views(weights, copy.data):
        data = _address(arrays[1], np.float64)
    device, other = (array.device.id for array in arrays)
    if indices == 0 or device != other:
        return graph
    return graph.also_on_device(device, indices, data, arrays)


def _views(array: AnyArray, other: AnyArray) -> bool:
    """Whether an array is the beginning of the other one, in the same memory."""
    return array.ctypes.data == other.ctypes.data and array.dtype == other.dtype


def _address(array: Any, dtype: Any) -> int:
    """Of the first number, if they are of this type and without gaps, otherwise 0."""
    facts = array.__cuda_array_interface__
    strides = facts.get("strides")
    if facts["typestr"] != np.dtype(dtype).str:
        return 0
    if strides is not None and tuple(strides) != (np.dtype(dtype).itemsize,):
        return 0
    return int(facts["data"][0])


def _copied(values: Any) -> Any:
    """A CuPy array or sparse matrix on the host."""
    if getattr(values, "format", None) not in ("csr", "csc") or values.data.nbytes < _LARGE:
        return values.get()
    kinds = {"csr": sp.csr_matrix, "csc": sp.csc_matrix}
    indptr = values.indptr.get()  # first: it waits for the stream of the caller
    arrays = _copied_array(values.data), _copied_array(values.indices), indptr
    return kinds[values.format](arrays, shape=values.shape)


def _copied_array(array: Any) -> AnyArray:
    """A CuPy array on the host, by the engine's threads if it has a device."""
    address = _address(array, array.dtype)
    copy: AnyArray = np.empty(array.shape, dtype=array.dtype)
    if address and _engine.copy_from_device(array.device.id, address, copy.view(np.uint8)):
        return copy
    return cast("AnyArray", array.get())


def _is_cupy(values: Any) -> bool:
    """An array, or a sparse matrix, which has no ``__cuda_array_interface__``."""
    package = type(values).__module__.partition(".")[0]
    return package in ("cupy", "cupyx") and hasattr(values, "get")
