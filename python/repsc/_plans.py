"""plan(): what cluster() would do, and why."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _engine
from ._clustering import cluster
from ._graphs import Sensitive, as_fairness, as_graph, node_names
from ._options import ClusterOptions
from ._shown import html_table

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    _Arguments = ParamSpec("_Arguments")


class Decision(NamedTuple):
    """One decision and its reason."""

    what: str
    choice: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """What :func:`cluster` would do; ``print(plan)`` shows a table of the decisions.

    Attributes
    ----------
    method : str
        The method that runs.
    decisions : tuple of named tuples (what, choice, reason)
        On method, constraint, embedding rows, precision, solver and refinement.
    ignored : tuple of str
        Options and inputs that were given and have no effect. :func:`cluster` raises an error for
        them.
    """

    method: str
    decisions: tuple[Decision, ...] = field(repr=False)
    ignored: tuple[str, ...]
    _table: str = field(repr=False)

    def __str__(self) -> str:
        return self._table

    def _repr_html_(self) -> str:
        return html_table("Plan", ("what", "choice", "reason"), self.decisions)


def _with_arguments_of(
    model: Callable[_Arguments, object],
) -> Callable[[Callable[[dict[str, Any]], Plan]], Callable[_Arguments, Plan]]:
    """A function that takes the arguments of ``model`` gets them all, as one dict."""
    signature = inspect.signature(model)

    def decorated(function: Callable[[dict[str, Any]], Plan]) -> Callable[_Arguments, Plan]:
        @functools.wraps(function)
        def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Plan:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            return function(given.arguments)

        returned = inspect.signature(function).return_annotation
        call.__signature__ = signature.replace(return_annotation=returned)  # type: ignore[attr-defined]
        return call

    return decorated


@_with_arguments_of(cluster)
def plan(arguments: dict[str, Any]) -> Plan:
    """Say which method, constraint, solver and refinement :func:`cluster` would use, and why.

    Nothing is decomposed, so this is fast.

    Parameters
    ----------
    similarity, n_clusters, representation, sensitive_features, groups, method, rank, \
    constraint, strength, embedding_rows, refine, mu, min_cluster_size, keep_structure, \
    fairness, n_groups, solver, device, tol, \
    max_iter, n_init, regularization, random_state, memory_limit, time_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    Plan

    Raises
    ------
    InvalidInput
        If options contradict each other or do not fit the graphs.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(400)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> chosen = repsc.plan(G, 4, representation=R, strength=3)
    >>> chosen
    Plan(method='nrepsc', ignored=())
    >>> chosen.decisions[1].choice
    'soft, strength 3'
    """
    options = ClusterOptions.from_arguments("plan", arguments)
    if options.n_clusters == "auto":
        raise ValueError(
            'n_clusters="auto" is decided by repsc.choose_k(), which computes eigenvectors; '
            "plan() needs a number"
        )
    options.set_threads()
    similarity = arguments["similarity"]
    graph = as_graph(similarity)
    sensitive = Sensitive.given(arguments["sensitive_features"], arguments["groups"])
    fairness = as_fairness(
        arguments["representation"], sensitive, graph.num_nodes, node_names(similarity)
    )
    # No decision depends on the seed, and drawing one would change a RandomState.
    asked = replace(options, random_state=0).for_engine()
    chosen = _engine.plan(graph, *fairness, int(options.n_clusters), asked)
    return Plan(
        method=chosen["method"],
        decisions=tuple(Decision(*decision) for decision in chosen["decisions"]),
        ignored=tuple(chosen["ignored"]),
        _table=chosen["text"].rstrip("\n"),
    )
