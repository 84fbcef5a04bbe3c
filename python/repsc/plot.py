"""Pictures of results, with matplotlib where it is installed.

Every function draws into ``ax``, or into a new figure, and returns the axes. Colours are told apart
with any kind of colour vision (Okabe and Ito 2008), and by markers or hatches in print.
"""

import numpy as np

from ._graphs import label_numbers

__all__ = ["balance_histogram", "composition", "graph", "spring_layout", "tradeoff"]

_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
_MARKERS = "osD^vPX*"
_HATCHES = ("", "//", "..", "\\\\", "xx", "--", "++", "oo")
_MOST_NODES = 5000
_MOST_EDGES = 20000

_CUTS = {"ratio_cut": "ratio cut", "normalized_cut": "normalized cut"}


def _axes(ax, size=(5, 3.6)):
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "repsc.plot needs matplotlib: pip install matplotlib, or pip install 'repsc[plot]'"
        ) from None
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def _tidy(ax):
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=3)
    return ax


def _result(result):
    """The Clustering, from itself, a fitted estimator or the result of a search."""
    found = getattr(result, "result_", result)
    found = getattr(found, "clustering", found)
    if not hasattr(found, "labels"):
        raise ValueError(
            "a Clustering or a fitted estimator is needed, not " + type(result).__name__
        )
    return found


def tradeoff(path, *, cut="normalized_cut", ax=None):
    """What fairness costs: balance against cut, a point for each rank and strength.

    Parameters
    ----------
    path : RankPath
        From :func:`repsc.path`. Refined points are hollow.
    cut : {"normalized_cut", "ratio_cut"}, default="normalized_cut"
        The price.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import repsc
    >>> R = repsc.sample_regular_representation(200, 2, degree=20)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(200)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> repsc.plot.tradeoff(repsc.path(G, R, 2, [1, 5, 20, 80])).get_xlabel()
    'normalized cut'
    """
    if cut not in _CUTS:
        raise ValueError(f"cut={cut!r} is not one of {', '.join(_CUTS)}")
    ax = _axes(ax)
    table = path.metrics
    points = np.column_stack([table[cut], table["average_balance"]])
    soft, refined = ~np.isnan(table["strength"]), ~np.isnan(table["mu"])
    series = (("rank", ~soft & ~refined), ("strength", soft & ~refined), ("refined", refined))
    series = [(name, places) for name, places in series if places.any()]
    for name, places in series:
        number = ("rank", "strength", "refined").index(name)
        x, y = points[places].T
        if name != "refined":
            ax.plot(x, y, color=_COLORS[7], linewidth=1, zorder=1)
        ax.scatter(
            x,
            y,
            s=28,
            marker=_MARKERS[number],
            edgecolors=_COLORS[number],
            facecolors="none" if name == "refined" else _COLORS[number],
            label=name,
            zorder=2,
        )
    _write_numbers(ax, points, np.where(soft, table["strength"], table["rank"]), ~refined)
    ax.set_xlabel(_CUTS[cut])
    ax.set_ylabel("average balance of a node")
    if soft.any():
        title = "numbers are strengths of the soft constraint"
        title = title if soft.all() else "numbers are ranks of the representation, or strengths"
    else:
        title = "numbers are ranks of the representation"
    ax.set_title(title, fontsize=9)
    if len(series) > 1:
        ax.legend(frameon=False, fontsize=8)
    ax.margins(0.08)
    return _tidy(ax)


def _write_numbers(ax, points, numbers, wanted):
    """A number is written where it does not run into one that is written already."""
    span = np.ptp(points, axis=0)
    span[span == 0] = 1
    places = np.flatnonzero(wanted)
    written = []
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


def balance_histogram(result, *, bins=20, ax=None):
    """How many nodes have which balance.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult or fitted estimator
        Found with a representation or groups.
    bins : int, default=20
        Of the range from 0 to 1.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import repsc
    >>> G = repsc.sample_planted_partition([i // 50 for i in range(100)], 0.5, 0.1)
    >>> result = repsc.cluster(G, 2, groups=[i % 2 for i in range(100)])
    >>> repsc.plot.balance_histogram(result).get_ylabel()
    'number of nodes'
    """
    balance = _result(result).balance
    if np.isnan(balance).all():
        raise ValueError("there is no balance without a representation or groups")
    ax = _axes(ax)
    ax.hist(balance, bins=bins, range=(0, 1), color=_COLORS[0], edgecolor="white", linewidth=0.5)
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
    return _tidy(ax)


def composition(result, groups, *, ax=None):
    """The share of each group in each cluster, beside its share in all nodes.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult, fitted estimator or array-like of shape (n_samples,)
        The clusters.
    groups : array-like of shape (n_samples,)
        Any attribute of the nodes.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import repsc
    >>> repsc.plot.composition([0, 0, 1, 1], ["f", "m", "f", "f"]).get_ylabel()
    'share of nodes'
    """
    known = hasattr(getattr(result, "result_", result), "labels")
    labels, clusters = label_numbers(_result(result).labels if known else result)
    members, names = label_numbers(groups, len(labels), "groups")
    counts = np.zeros((len(clusters), len(names)))
    np.add.at(counts, (labels, members), 1)
    sizes = counts.sum(axis=1)
    shares = np.vstack([counts / sizes[:, None], counts.sum(axis=0) / sizes.sum()])
    places = np.append(np.arange(len(clusters)), len(clusters) + 0.5)
    ax = _axes(ax)
    below = np.zeros(len(places))
    for group, name in enumerate(names):
        ax.bar(
            places,
            shares[:, group],
            bottom=below,
            color=_COLORS[group % len(_COLORS)],
            hatch=_HATCHES[group % len(_HATCHES)],
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
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8)
    return _tidy(ax)


def graph(result, *, layout=None, ax=None):
    """The graph with its clusters, each of its own colour and marker.

    Parameters
    ----------
    result : Clustering, Refinement, TargetResult or fitted estimator
        The clusters.
    layout : array-like of shape (n_samples, 2), default=None
        Where the nodes are; None: a spring layout by NetworkX, which is the same every time.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import repsc
    >>> G = repsc.sample_planted_partition([i // 20 for i in range(40)], 0.5, 0.05)
    >>> len(repsc.plot.graph(repsc.cluster(G, 2)).get_legend().get_texts())
    2
    """
    from matplotlib.collections import LineCollection

    found = _result(result)
    matrix = found.similarity
    positions = spring_layout(matrix) if layout is None else np.asarray(layout, dtype=float)
    if positions.shape != (matrix.shape[0], 2):
        raise ValueError(f"layout has shape {positions.shape}, not ({matrix.shape[0]}, 2)")
    ax = _axes(ax, size=(5, 4.5))
    edges = matrix.tocoo()
    once = np.flatnonzero(edges.row < edges.col)
    if len(once) > _MOST_EDGES:  # more of them are a grey blot
        once = once[np.linspace(0, len(once) - 1, _MOST_EDGES).astype(int)]
    lines = np.stack([positions[edges.row[once]], positions[edges.col[once]]], axis=1)
    faint = float(np.clip(150 / max(len(once), 1), 0.005, 0.4))
    ax.add_collection(LineCollection(lines, colors="black", linewidths=0.4, alpha=faint))
    size = float(np.clip(6000 / matrix.shape[0], 6, 60))
    for cluster in range(found.n_clusters):
        mine = positions[found._numbers == cluster]
        ax.scatter(
            *mine.T,
            s=size,
            color=_COLORS[cluster % len(_COLORS)],
            marker=_MARKERS[cluster % len(_MARKERS)],
            edgecolors="white",
            linewidths=0.3,
            label=f"{cluster} ({len(mine)})",
            zorder=2,
        )
    ax.set_axis_off()
    ax.legend(
        title="cluster (nodes)",
        loc="upper left",
        bbox_to_anchor=(1, 1),
        frameon=False,
        fontsize=8,
        title_fontsize=8,
    )
    return ax


def spring_layout(matrix):
    """Positions for :func:`graph`, to draw several results of one graph alike.

    Parameters
    ----------
    matrix : sparse matrix of shape (n_samples, n_samples)
        Of at most 5000 nodes.

    Returns
    -------
    ndarray of shape (n_samples, 2)
    """
    if matrix.shape[0] > _MOST_NODES:
        raise ValueError(
            f"{matrix.shape[0]} nodes are too many for a spring layout (at most {_MOST_NODES}); "
            "pass layout=..., or draw a part of the graph"
        )
    try:
        import networkx
    except ImportError:
        raise ImportError(
            "a layout needs NetworkX (pip install networkx), or pass layout=..."
        ) from None
    drawn = networkx.from_scipy_sparse_array(matrix)
    found = networkx.spring_layout(drawn, seed=0, iterations=100)
    return np.array([found[node] for node in range(matrix.shape[0])])
