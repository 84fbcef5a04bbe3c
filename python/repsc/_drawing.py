"""What the pictures share: colours, axes, and the result to draw.

The colours can be distinguished with any kind of colour vision (Okabe and Ito 2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._results import Clustering, Refinement
from ._typing import AnyArray, BoolArray

if TYPE_CHECKING:  # matplotlib is imported when a picture is drawn
    from matplotlib.axes import Axes

COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "osD^vPX*"
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "++", "oo")


def axes_for(ax: Axes | None, size: tuple[float, float] = (5, 3.6)) -> Axes:
    """The given axes, or those of a new figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "repsc.plot needs matplotlib: pip install matplotlib, or pip install 'repsc[plot]'"
        ) from None
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def tidied(ax: Axes) -> Axes:
    """The axes without a frame at the top and on the right."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=3)
    return ax


def legend_beside(ax: Axes, **options: Any) -> None:
    """A legend to the right of the axes."""
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8, **options)


def has_labels(result: Any) -> bool:
    """Whether this is a result, and not an array of labels."""
    return hasattr(getattr(result, "result_", result), "labels")


def result_of(result: Any) -> Clustering | Refinement:
    """The Clustering or Refinement itself, or the one in an estimator or a TargetResult."""
    found = getattr(result, "result_", result)
    found = getattr(found, "clustering", found)
    if not isinstance(found, (Clustering, Refinement)):
        raise ValueError(
            f"expected a Clustering or a fitted estimator, not {type(result).__name__}"
        )
    return found


def write_numbers(ax: Axes, points: AnyArray, numbers: AnyArray, wanted: BoolArray) -> None:
    """Write the number of each wanted point unless it would overlap another number."""
    span = np.ptp(points, axis=0)
    span[span == 0] = 1
    places = np.flatnonzero(wanted)
    written: list[AnyArray] = []
    for place in [places[0], places[-1], *places[1:-1]]:
        point = points[place] / span
        if all(np.abs(point - other).max() > 0.08 for other in written):
            written.append(point)
            ax.annotate(
                f"{numbers[place]:g}",
                points[place],
                xytext=(5, -11),
                textcoords="offset points",
                fontsize=8,
            )
