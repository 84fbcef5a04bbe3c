"""Labels of any kind as the numbers that the engine uses."""

from __future__ import annotations

import sys

import numpy as np

from ._typing import AnyArray, IntArray, Labels


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN or pandas.NA."""
    pandas = sys.modules.get("pandas")
    return value is None or (pandas is not None and value is pandas.NA) or bool(value != value)


def label_numbers(
    labels: Labels, n_samples: int | None = None, what: str = "labels"
) -> tuple[IntArray, AnyArray]:
    """Labels of any kind as int32 from 0, and the values they stand for, sorted."""
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise ValueError(f"{what} must be one-dimensional, not of shape {labels.shape}")
    if n_samples is not None and len(labels) != n_samples:
        raise ValueError(f"there are {len(labels)} {what}, but {n_samples} samples")
    if len(labels) == 0:
        raise ValueError(f"{what} are empty")
    if labels.dtype.kind in "fO":
        for position, label in enumerate(labels.tolist()):
            if is_missing(label):
                raise ValueError(f"{what}[{position}] is missing; every sample needs one")
    try:
        values, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{what} have types that cannot be compared: {error}") from None
    return numbers.astype(np.int32), values
