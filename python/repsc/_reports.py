"""A page about clusters, for the people in them and for those who decide."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from . import _engine
from ._audits import Audited
from ._graphs import Fairness, Sensitive
from ._options import ReportOptions
from ._progress import progress
from ._typing import GraphLike, Labels, RandomState, RepresentationLike


def write_report(
    similarity: _engine.Graph, fairness: Fairness, labels: Any, n_clusters: int,
    file: str | os.PathLike[str], options: ReportOptions, *, nodes: Sequence[Any] | None = None,
    group_names: Sequence[str] = (), what: str = "labels",
) -> None:
    """Write the page, and its JSON twin if that is asked for."""
    if fairness.representation is None and fairness.groups is None:
        raise ValueError(
            "a report needs representation= or sensitive_features=, because representation is "
            "what it reports"
        )
    names = None
    if options.names:
        names = [str(node) for node in (nodes if nodes is not None else range(len(labels)))]
    if fairness.groups is not None and not group_names:
        group_names = [str(g) for g in range(int(np.max(fairness.groups)) + 1)]
    given = {
        "threshold": options.threshold, "path": options.path, "certificate": options.certificate,
        "seed": options.seed(), "title": options.title, "what": what,
        "made": _now(), "group_names": list(group_names),
    }
    with progress(options.verbose) as on_progress:
        page, twin = _engine.report(
            similarity, *fairness, labels, n_clusters, given, names, on_progress
        )
    Path(file).write_text(page, encoding="utf-8")
    if options.json is not None:
        Path(options.json).write_text(twin + "\n", encoding="utf-8")


def _now() -> str:
    """As the command line writes it."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    zone = timezone.utc
    time = datetime.fromtimestamp(int(given), zone) if given else datetime.now(zone)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def report(
    similarity: GraphLike, representation: RepresentationLike | None, labels: Labels,
    file: str | os.PathLike[str], *,
    sensitive_features: Labels | None = None, groups: Labels | None = None,
    threshold: float | None = None, names: bool = False, path: bool = True,
    certificate: bool = True, json: str | os.PathLike[str] | None = None,
    title: str = "Clusters", random_state: RandomState = 0, n_jobs: int | None = None,
    verbose: int = 0,
) -> None:
    """Write a page about clusters that people can read and act on.

    One file that opens in a browser without a network: a verdict in words, cut against balance with
    plain clustering, lots and other clusters that were possible, the clusters and groups, and the
    people who are represented worst with the step that would help them most.

    Parameters
    ----------
    similarity, representation
        The graphs, as for :func:`cluster`; None for ``representation`` with ``sensitive_features``.
    labels : array-like of shape (n_samples,)
        The cluster of each node, from any tool.
    file : path
        The page.
    sensitive_features, groups
        The protected group of each node; with ``representation``, these groups are counted in every
        cluster.
    threshold : float, default=None
        People with a lower balance are counted as poorly represented. None: 0.8, after the
        four-fifths rule.
    names : bool, default=False
        Whether the page has the names of the nodes; otherwise they are Person 1, Person 2, ...
    path, certificate : bool, default=True
        Whether other clusters that were possible are shown, and whether a lower bound of the cut is
        proved; for at most 20,000 nodes.
    json : path, default=None
        The data of the page, too.
    title : str, default="Clusters"
        Of the page.
    random_state, n_jobs, verbose
        As for :func:`cluster`.

    Examples
    --------
    >>> import tempfile, repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     repsc.report(G, R, [i % 2 for i in range(120)], f"{folder}/report.html")
    """
    options = ReportOptions.from_arguments("report", locals())
    options.set_threads()
    audited = Audited(similarity, representation, Sensitive.given(sensitive_features, groups))
    numbers, values = audited.labels(labels)
    write_report(
        audited.graph, audited.fairness, numbers, len(values), file, options,
        nodes=audited.nodes, group_names=audited.group_names,
    )
