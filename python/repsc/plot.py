"""Pictures of results, with matplotlib if it is installed.

Every function draws into ``ax``, or into a new figure, and returns the axes. Clusters and groups
can be distinguished with any kind of colour vision, and in print by markers or hatches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Union

import numpy as np
from numpy.typing import ArrayLike

from ._drawing import (
    COLORS,
    HATCHES,
    MARKERS,
    axes_for,
    has_labels,
    legend_beside,
    result_of,
    tidied,
    write_numbers,
)
from ._estimator import RepresentationAwareSpectralClustering
from ._labels import label_numbers
from ._names import in_order_of_nodes
from ._results import Clustering, Refinement
from ._searches import RankPath, TargetResult
from ._typing import CsrArray, FloatArray, Labels

if TYPE_CHECKING:  # matplotlib is imported when a picture is drawn
    from matplotlib.axes import Axes

__all__ = ["balance_histogram", "composition", "graph", "spring_layout", "tradeoff"]

Result = Union[Clustering, Refinement, TargetResult, RepresentationAwareSpectralClustering]

_CUTS = {"ratio_cut": "ratio cut", "normalized_cut": "normalized cut"}
_MAX_NODES = 5000
_MAX_EDGES = 20000


def tradeoff(
    path: RankPath,
    *,
    cut: Literal["normalized_cut", "ratio_cut"] = "normalized_cut",
    ax: Axes | None = None,
) -> Axes:
    """Draw average balance against cut, with a point for each rank and strength.

    Parameters
    ----------
    path : RankPath
        From :func:`repsc.path`. Refined points are hollow.
    cut : {"normalized_cut", "ratio_cut"}, default="normalized_cut"
        The cut on the horizontal axis.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        With the numbers of the ranks and strengths.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(200, 2, degree=20)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(200)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> repsc.plot.tradeoff(repsc.path(G, R, 2, [1, 5, 20, 80])).get_xlabel()
    'normalized cut'
    """
    if cut not in _CUTS:
        raise ValueError(f"cut={cut!r} is not one of {', '.join(_CUTS)}")
    ax = axes_for(ax)
    table = path.metrics
    points = np.column_stack([table[cut], table["average_balance"]])
    soft, refined = ~np.isnan(table["strength"]), ~np.isnan(table["mu"])
    kinds = {"rank": ~soft & ~refined, "strength": soft & ~refined, "refined": refined}
    for number, (name, places) in enumerate(kinds.items()):
        if not places.any():
            continue
        x, y = points[places].T
        if name != "refined":
            ax.plot(x, y, color=COLORS[7], linewidth=1, zorder=1)
        ax.scatter(
            x,
            y,
            s=28,
            marker=MARKERS[number],
            edgecolors=COLORS[number],
            facecolors="none" if name == "refined" else COLORS[number],
            label=name,
            zorder=2,
        )
    write_numbers(ax, points, np.where(soft, table["strength"], table["rank"]), ~refined)
    ax.set_xlabel(_CUTS[cut])
    ax.set_ylabel("average balance of a node")
    if soft.any():
        title = "numbers are strengths of the soft constraint"
        title = title if soft.all() else "numbers are ranks of the representation, or strengths"
    else:
        title = "numbers are ranks of the representation"
    ax.set_title(title, fontsize=9)
    if sum(places.any() for places in kinds.values()) > 1:
        ax.legend(frameon=False, fontsize=8)
    ax.margins(0.08)
    return tidied(ax)


def balance_histogram(result: Result, *, bins: int = 20, ax: Axes | None = None) -> Axes:
    """Draw a histogram of the balance of the nodes.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult or fitted estimator
        Found with a representation graph or groups.
    bins : int, default=20
        The number of bins between 0 and 1.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        With a line at the average.

    Examples
    --------
    >>> import repsc
    >>> G = repsc.sample_planted_partition([i // 50 for i in range(100)], 0.5, 0.1)
    >>> result = repsc.cluster(G, 2, sensitive_features=[i % 2 for i in range(100)])
    >>> repsc.plot.balance_histogram(result).get_ylabel()
    'number of nodes'
    """
    balance = result_of(result).balance
    if np.isnan(balance).all():
        raise ValueError("there is no balance without a representation graph or groups")
    ax = axes_for(ax)
    ax.hist(balance, bins=bins, range=(0, 1), color=COLORS[0], edgecolor="white", linewidth=0.5)
    mean = float(balance.mean())
    ax.axvline(mean, color="black", linestyle="--", linewidth=1)
    ax.annotate(
        f"average {mean:.2f}",
        (mean, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if mean > 0.5 else 4, -2),
        textcoords="offset points",
        ha="right" if mean > 0.5 else "left",
        va="top",
        fontsize=8,
    )
    ax.set_xlim(0, 1)
    ax.set_xlabel("balance $\\rho_i$ of a node (1: evenly represented)")
    ax.set_ylabel("number of nodes")
    return tidied(ax)


def composition(result: Result | Labels, groups: Labels, *, ax: Axes | None = None) -> Axes:
    """Draw the share of each group in each cluster, beside its share among all nodes.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult, fitted estimator or array-like
        The clusters, or a label for each node.
    groups : array-like of shape (n_samples,)
        Any attribute of the nodes; a pandas Series or a dict is matched by name if the graph has
        names.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        With a bar for each cluster, and one for all nodes.

    Examples
    --------
    >>> import repsc
    >>> repsc.plot.composition([0, 0, 1, 1], ["f", "m", "f", "f"]).get_ylabel()
    'share of nodes'
    """
    found = result_of(result) if has_labels(result) else None
    labels, clusters = label_numbers(result if found is None else found.labels)
    nodes = None if found is None else found._nodes
    groups = in_order_of_nodes(groups, nodes, "groups")
    members, names = label_numbers(groups, len(labels), "groups")
    counts = np.zeros((len(clusters), len(names)))
    np.add.at(counts, (labels, members), 1)
    sizes = counts.sum(axis=1)
    shares = np.vstack([counts / sizes[:, None], counts.sum(axis=0) / sizes.sum()])
    places = np.append(np.arange(len(clusters)), len(clusters) + 0.5)
    ax = axes_for(ax)
    below = np.zeros(len(places))
    for group, name in enumerate(names):
        ax.bar(
            places,
            shares[:, group],
            bottom=below,
            color=COLORS[group % len(COLORS)],
            hatch=HATCHES[group % len(HATCHES)],
            edgecolor="white",
            width=0.8,
            label=str(name),
        )
        below += shares[:, group]
    ticks = [f"{name}\n{int(size)}" for name, size in zip(clusters, sizes)]
    ax.set_xticks(places, [*ticks, f"all\n{int(sizes.sum())}"])
    ax.set_xlabel("cluster, and its number of nodes")
    ax.set_ylabel("share of nodes")
    ax.set_ylim(0, 1)
    legend_beside(ax)
    return tidied(ax)


def graph(result: Result, *, layout: ArrayLike | None = None, ax: Axes | None = None) -> Axes:
    """Draw the graph; each cluster has its own colour and marker.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult or fitted estimator
        The clusters.
    layout : array-like of shape (n_samples, 2), default=None
        Positions of the nodes; None: a spring layout by NetworkX, which is always the same.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        With a legend of the clusters.

    Examples
    --------
    >>> import repsc
    >>> result = repsc.cluster(repsc.sample_planted_partition([0] * 20 + [1] * 20, 0.5, 0.05), 2)
    >>> len(repsc.plot.graph(result).get_legend().get_texts())
    2
    """
    from matplotlib.collections import LineCollection

    found = result_of(result)
    matrix = found.similarity
    positions = spring_layout(matrix) if layout is None else np.asarray(layout, dtype=float)
    if positions.shape != (matrix.shape[0], 2):
        raise ValueError(f"layout has shape {positions.shape}, not ({matrix.shape[0]}, 2)")
    ax = axes_for(ax, size=(5, 4.5))
    edges = matrix.tocoo()
    once = np.flatnonzero(edges.row < edges.col)
    if len(once) > _MAX_EDGES:  # more edges merge into a grey area
        once = once[np.linspace(0, len(once) - 1, _MAX_EDGES).astype(int)]
    lines = np.stack([positions[edges.row[once]], positions[edges.col[once]]], axis=1)
    faint = float(np.clip(150 / max(len(once), 1), 0.005, 0.4))
    ax.add_collection(LineCollection(list(lines), colors="black", linewidths=0.4, alpha=faint))
    size = float(np.clip(6000 / matrix.shape[0], 6, 60))
    for cluster in range(found.n_clusters):
        members = positions[found._numbers == cluster]
        ax.scatter(
            members[:, 0],
            members[:, 1],
            s=size,
            color=COLORS[cluster % len(COLORS)],
            marker=MARKERS[cluster % len(MARKERS)],
            edgecolors="white",
            linewidths=0.3,
            label=f"{cluster} ({len(members)})",
            zorder=2,
        )
    ax.set_axis_off()
    legend_beside(ax, title="cluster (nodes)", title_fontsize=8)
    return ax


def spring_layout(matrix: CsrArray) -> FloatArray:
    """Compute positions for :func:`graph`, to draw several results of one graph in the same way.

    Parameters
    ----------
    matrix : sparse matrix of shape (n_samples, n_samples)
        A graph with at most 5000 nodes.

    Returns
    -------
    ndarray of shape (n_samples, 2)
    """
    if matrix.shape[0] > _MAX_NODES:
        raise ValueError(
            f"{matrix.shape[0]} nodes are too many for a spring layout (at most {_MAX_NODES}); "
            "give layout=..., or draw a part of the graph"
        )
    try:
        import networkx
    except ImportError:
        raise ImportError(
            "a spring layout needs NetworkX: pip install networkx, or give layout=..."
        ) from None
    drawn = networkx.from_scipy_sparse_array(matrix)
    found = networkx.spring_layout(drawn, seed=0, iterations=100)
    return np.array([found[node] for node in range(matrix.shape[0])])
