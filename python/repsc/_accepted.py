"""Values that parameters accept, for the validation of scikit-learn."""

from __future__ import annotations

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, StrOptions


def words(*allowed: str) -> StrOptions:
    """One of these strings."""
    return StrOptions(set(allowed))


def integer(minimum: int) -> Interval:
    """An integer of at least ``minimum``."""
    return Interval(Integral, minimum, None, closed="left")


def number(minimum: float, maximum: float | None = None) -> Interval:
    """A number from ``minimum`` to ``maximum``, both allowed."""
    return Interval(Real, minimum, maximum, closed="left" if maximum is None else "both")
