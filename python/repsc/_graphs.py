"""From any kind of graph to the engine's CSR graph."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._devices import on_host, where_it_lies
from ._frames import frame_names, is_frame, is_pandas, square_frame
from ._labels import label_numbers
from ._matrices import graph_from_matrix, require_square
from ._names import (
    RowNames,
    are_row_numbers,
    has_names,
    in_order_of_nodes,
    objects,
    positions,
)
from ._rules import GroupRule, Rule
from ._typing import (
    AnyArray,
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

    def on_host(self) -> Fairness:
        """The same without memory of a device."""
        graph = self.representation
        return self._replace(representation=None if graph is None else graph.on_host())


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


def node_names(graph: GraphLike, role: Role = "similarity") -> list[Any] | None:
    """The names of the nodes of a NetworkX or igraph graph, or of a pandas frame, else None."""
    if _is_networkx(graph):
        return list(graph.nodes)
    if _is_igraph(graph) and "name" in graph.vs.attributes():
        names = list(graph.vs["name"])
        return names if len(set(names)) == len(names) else None
    if is_pandas(graph) and graph.ndim == 2 and graph.shape[0] == graph.shape[1]:
        return frame_names(graph, role)
    return None


def own_nodes(representation: RepresentationLike) -> list[Any] | None:
    """The names of the nodes of a representation graph that is given without a similarity graph.

    Nodes that are called 0, 1, ..., N - 1 are in this order.
    """
    names = node_names(representation, "representation")
    return list(range(len(names))) if names is not None and are_row_numbers(names) else names


def labels_of_nodes(
    labels: Labels, nodes: Sequence[Any] | None, n_samples: int | None = None, what: str = "labels"
) -> tuple[IntArray, AnyArray]:
    """Labels as int32 from 0 in the order of the nodes, and the values they stand for."""
    if is_frame(labels):
        shape = np.shape(np.asarray(labels))
        raise ValueError(f"{what} must be one-dimensional, not of shape {shape}")
    return label_numbers(in_order_of_nodes(labels, nodes, what), n_samples, what)


def labels_of_representation(
    labels: Labels, representation: RepresentationLike, what: str = "labels"
) -> tuple[IntArray, AnyArray]:
    """Labels for a representation graph that is given without a similarity graph."""
    names, nodes = node_names(representation, "representation"), own_nodes(representation)
    if names != nodes and not has_names(labels):
        raise ValueError(
            f"{what} can be matched with the representation graph in two ways, by the numbers of "
            "its nodes and by the order of its nodes; give a dict with a value for each node"
        )
    return labels_of_nodes(labels, nodes, what=what)


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
        return graph.in_order_of(nodes).to_graph()
    if _is_networkx(graph):
        graph = _from_networkx(graph, role, nodes)
    elif _is_igraph(graph):
        graph = _from_igraph(graph, role, nodes)
    elif is_pandas(graph) and graph.ndim == 2 and graph.shape[0] == graph.shape[1]:
        graph = _from_frame(graph, role, nodes)
    copy = on_host(graph)
    return where_it_lies(graph_from_matrix(copy, role, self_loops, n_samples), copy, graph)


class Problem(NamedTuple):
    """A similarity graph, and what its clusters are to be fair to, on the same nodes."""

    similarity: _engine.Graph
    fairness: Fairness
    nodes: list[Any] | None


def as_problem(
    similarity: GraphLike, representation: RepresentationLike | None, sensitive: Sensitive
) -> Problem:
    """The engine's graph, and its representation graph or group labels, one of which is needed."""
    if representation is None and sensitive.values is None:
        raise ValueError("give representation= or sensitive_features=, which define balance")
    if representation is not None and sensitive.values is not None:
        raise ValueError(f"{sensitive.name}= cannot be given with representation=; give only one")
    nodes = node_names(similarity)
    graph = as_graph(similarity)
    return Problem(graph, as_fairness(representation, sensitive, graph.num_nodes, nodes), nodes)


def as_fairness(
    representation: RepresentationLike | None,
    sensitive: Sensitive,
    n_samples: int | None,
    nodes: Sequence[Any] | None = None,
) -> Fairness:
    """The engine's representation graph and group labels."""
    numbers = None
    if sensitive.values is not None:
        values = in_order_of_nodes(sensitive.values, nodes, sensitive.name)
        numbers = label_numbers(values, n_samples, sensitive.name)[0]
    if isinstance(representation, GroupRule) and numbers is None:
        require_square((len(representation), len(representation)), "representation", n_samples)
        return Fairness(None, cast(GroupRule, representation.in_order_of(nodes)).labels)
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


def _from_networkx(graph: Any, role: Role, nodes: Sequence[Any] | None) -> CsrArray:
    import networkx

    _require_undirected(graph, role, "to_undirected")
    names = list(graph.nodes)
    if not names:
        raise ValueError(f"the {role} graph has no nodes")
    if nodes is not None:
        positions(names, nodes, f"the {role} graph")
        names = list(nodes)
    elif role == "representation":
        _require_row_numbers(names)
        names = list(range(len(graph)))  # the rows of a similarity matrix, by number
    return networkx.to_scipy_sparse_array(graph, nodelist=names, format="csr", dtype=float)


def _from_igraph(graph: Any, role: Role, nodes: Sequence[Any] | None) -> CsrArray:
    _require_undirected(graph, role, "as_undirected")
    if graph.vcount() == 0:
        raise ValueError(f"the {role} graph has no nodes")
    weight = "weight" if "weight" in graph.es.attributes() else None
    matrix = sp.csr_array(graph.get_adjacency_sparse(attribute=weight))
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    if role == "representation" and names is not None:
        if nodes is None:
            _require_row_numbers(names)
            nodes = range(len(names))
        order = positions(names, nodes, f"the {role} graph")
        return matrix if order is None else matrix[order][:, order]
    return matrix


def _from_frame(frame: Any, role: Role, nodes: Sequence[Any] | None) -> Any:
    """The matrix in a pandas frame, with its rows and columns in the order of the nodes."""
    names = frame_names(frame, role)
    matrix = square_frame(frame).to_numpy()
    if role == "similarity":
        return matrix
    rows = frame.index if names is None else names
    index = RowNames(objects(rows), numbered=names is None, columns={})
    order = index.match(nodes, f"the {role} frame").rows
    return matrix if order is None else matrix[np.ix_(order, order)]


def _require_row_numbers(names: Sequence[Any]) -> None:
    """A representation graph with names, and a similarity graph without."""
    if not are_row_numbers(names):
        raise ValueError(
            f"the representation graph names its nodes, such as {names[0]!r}, but the similarity "
            "graph has rows without names; give both as graphs with names, or give the matrix of "
            "the representation graph, with its rows in the order of the similarity matrix"
        )
