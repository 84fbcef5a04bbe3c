"""Arrays and sparse matrices in the memory of a CUDA device: CuPy, PyTorch, Numba."""

from __future__ import annotations

from typing import Any


def on_host(values: Any) -> Any:
    """A copy in the memory of the host; whatever is there already is returned as it is.

    The engine checks a graph, and measures its clusters, on the host; with ``device="cuda"`` it
    sends its own copy back to the device.
    """
    if _is_cupy(values):
        return values.get()
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


def _is_cupy(values: Any) -> bool:
    """An array, or a sparse matrix, which has no ``__cuda_array_interface__``."""
    package = type(values).__module__.partition(".")[0]
    return package in ("cupy", "cupyx") and hasattr(values, "get")
