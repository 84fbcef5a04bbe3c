"""Labels of any kind as the numbers that the engine uses."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._typing import AnyArray, IntArray, Labels


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, NaT, pandas.NA or masked."""
    pandas = sys.modules.get("pandas")
    if value is None or value is np.ma.masked or (pandas is not None and value is pandas.NA):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # a sequence, for example
        return False


def array_of(values: Any) -> AnyArray:
    """A sequence as an array in which missing values can be recognized.

    NumPy makes the word "nan" of a NaN beside words, and drops the mask of a masked array.
    """
    if np.ma.is_masked(values):
        objects = np.array(values.data, dtype=object)
        objects[np.ma.getmaskarray(values)] = None
        return objects
    array = np.asarray(values)
    if array.dtype.kind in "US" and not hasattr(values, "dtype"):
        objects = np.asarray(values, dtype=object)
        if objects.ndim == 1 and any(is_missing(value) for value in objects):
            return objects
    return array


def first_missing(values: AnyArray) -> int | None:
    """The position of the first missing value of a one-dimensional array."""
    if values.dtype.kind in "fc":
        missing = np.isnan(values)
    elif values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype.kind == "O":
        missing = np.fromiter((is_missing(value) for value in values), bool, len(values))
    else:
        return None
    return int(np.argmax(missing)) if missing.any() else None


def label_numbers(
    labels: Labels, n_samples: int | None = None, what: str = "labels"
) -> tuple[IntArray, AnyArray]:
    """Labels of any kind as int32 from 0, and the values they stand for, sorted."""
    labels = array_of(labels)
    if labels.ndim != 1:
        raise ValueError(f"{what} must be one-dimensional, not of shape {labels.shape}")
    if n_samples is not None and len(labels) != n_samples:
        raise ValueError(f"there are {len(labels)} {what}, but {n_samples} samples")
    if len(labels) == 0:
        raise ValueError(f"{what} are empty")
    position = first_missing(labels)
    if position is not None:
        raise ValueError(f"{what}[{position}] is missing; every sample needs one")
    try:
        values, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{what} have types that cannot be compared: {error}") from None
    return numbers.astype(np.int32), values
