"""From any kind of graph to the engine's CSR graph."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._labels import label_numbers
from ._matrices import graph_from_matrix, require_square
from ._rules import GroupRule, Rule
from ._typing import (
    CsrArray,
    GraphLike,
    IntArray,
    Labels,
    RepresentationLike,
    Role,
    SelfLoops,
)


class Fairness(NamedTuple):
    """What the clusters are to be fair to; both are None for plain clustering."""

    representation: _engine.Graph | None
    groups: IntArray | None


class Sensitive(NamedTuple):
    """Protected groups as they were given, and the name of the argument, for messages."""

    values: Labels | None
    name: str

    @classmethod
    def given(cls, sensitive_features: Labels | None, groups: Labels | None) -> Sensitive:
        """``groups`` is another name of ``sensitive_features``; only one of them may be given."""
        if sensitive_features is not None and groups is not None:
            raise ValueError(
                "groups= is another name of sensitive_features=; give only one of the two"
            )
        if groups is not None:
            return cls(groups, "groups")
        return cls(sensitive_features, "sensitive_features")


NO_GROUPS = Sensitive.given(None, None)


def is_graph_object(graph: object) -> bool:
    """Whether this is a graph of NetworkX, of igraph, or of the engine."""
    return isinstance(graph, _engine.Graph) or _is_networkx(graph) or _is_igraph(graph)


def node_names(graph: GraphLike) -> list[Any] | None:
    """The names of the nodes of a NetworkX or igraph graph, else None."""
    if _is_networkx(graph):
        return list(graph.nodes)
    if _is_igraph(graph) and "name" in graph.vs.attributes():
        return list(graph.vs["name"])
    return None


def as_graph(
    graph: RepresentationLike,
    *,
    role: Role = "similarity",
    self_loops: SelfLoops | None = None,
    n_samples: int | None = None,
    nodes: Sequence[Any] | None = None,
) -> _engine.Graph:
    """The engine's graph.

    Parameters
    ----------
    graph : sparse or dense matrix, NetworkX or igraph graph, rule
        The graph as it is given.
    role : {"similarity", "representation"}
        Its name in messages. A similarity graph loses its self-loops, a representation graph has
        one at every node.
    self_loops : {"drop", "keep", "add"}, default=None
        None: according to the role.
    n_samples : int, default=None
        The expected number of nodes.
    nodes : list, default=None
        The order of the nodes, for graphs whose nodes have names.

    Returns
    -------
    repsc._engine.Graph
    """
    if self_loops is None:
        self_loops = "drop" if role == "similarity" else "add"
    if isinstance(graph, _engine.Graph):
        return graph
    if isinstance(graph, Rule):
        require_square((len(graph), len(graph)), role, n_samples)
        return graph.to_graph()
    if _is_networkx(graph):
        graph = _from_networkx(graph, role, nodes)
    elif _is_igraph(graph):
        graph = _from_igraph(graph, role, nodes)
    return graph_from_matrix(graph, role, self_loops, n_samples)


def both_graphs(
    similarity: GraphLike, representation: RepresentationLike
) -> tuple[_engine.Graph, _engine.Graph]:
    """The engine's similarity graph and representation graph, with the nodes in the same order."""
    nodes = node_names(similarity)
    graph = as_graph(similarity)
    n_samples = graph.num_nodes
    return graph, as_graph(representation, role="representation", n_samples=n_samples, nodes=nodes)


def as_fairness(
    representation: RepresentationLike | None,
    sensitive: Sensitive,
    n_samples: int,
    nodes: Sequence[Any] | None = None,
) -> Fairness:
    """The engine's representation graph and group labels."""
    numbers = None
    if sensitive.values is not None:
        numbers = label_numbers(sensitive.values, n_samples, sensitive.name)[0]
    if isinstance(representation, GroupRule) and numbers is None:
        return Fairness(None, label_numbers(representation.labels, n_samples, "groups")[0])
    if representation is None:
        return Fairness(None, numbers)
    graph = as_graph(representation, role="representation", n_samples=n_samples, nodes=nodes)
    return Fairness(graph, numbers)


def _is_networkx(graph: object) -> bool:
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(graph, networkx.Graph)


def _is_igraph(graph: object) -> bool:
    igraph = sys.modules.get("igraph")
    return igraph is not None and isinstance(graph, igraph.GraphBase)


def _require_undirected(graph: Any, role: Role, remedy: str) -> None:
    if graph.is_directed():
        raise ValueError(
            f"the {role} graph is directed, but clustering needs an undirected one; "
            f"use graph.{remedy}()"
        )


def _common_order(names: Sequence[Any], wanted: Sequence[Any], role: Role) -> Any:
    """Positions of ``wanted`` among ``names``."""
    place = {name: position for position, name in enumerate(names)}
    missing = [name for name in wanted if name not in place]
    surplus = len(names) - (len(wanted) - len(missing))
    if missing or surplus:
        example = missing[0] if missing else next(iter(set(names) - set(wanted)))
        raise ValueError(
            f"the {role} graph and the similarity graph name different nodes: {len(missing)} are "
            f"missing in the {role} graph and {surplus} are only there, such as {example!r}; "
            "give both graphs the same nodes"
        )
    return np.array([place[name] for name in wanted], dtype=np.intp)


def _from_networkx(graph: Any, role: Role, nodes: Sequence[Any] | None) -> CsrArray:
    import networkx

    _require_undirected(graph, role, "to_undirected")
    names: Iterable[Any] = list(graph.nodes)
    if not names:
        raise ValueError(f"the {role} graph has no nodes")
    if nodes is not None:
        _common_order(list(names), nodes, role)
        names = nodes
    elif role == "representation" and set(names) == set(range(len(graph))):
        names = range(len(graph))  # the rows of a similarity matrix, by number
    return networkx.to_scipy_sparse_array(graph, nodelist=list(names), format="csr", dtype=float)


def _from_igraph(graph: Any, role: Role, nodes: Sequence[Any] | None) -> CsrArray:
    _require_undirected(graph, role, "as_undirected")
    if graph.vcount() == 0:
        raise ValueError(f"the {role} graph has no nodes")
    weight = "weight" if "weight" in graph.es.attributes() else None
    matrix = sp.csr_array(graph.get_adjacency_sparse(attribute=weight))
    names = node_names(graph)
    if nodes is not None and names is not None:
        order = _common_order(names, nodes, role)
        matrix = matrix[order][:, order]
    return matrix
