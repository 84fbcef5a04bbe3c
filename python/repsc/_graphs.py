"""From whatever people call a graph to the engine's CSR graph, without a copy where possible."""

import sys

import numpy as np
import scipy.sparse as sp

from . import _engine
from .representation import Rule, is_missing

#: Entries that differ by less, relative to the larger, are the same number rounded twice.
_ROUNDING = 1e-10
_CHUNK = 1 << 20


def _is_networkx(graph):
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(graph, networkx.Graph)


def _is_igraph(graph):
    igraph = sys.modules.get("igraph")
    return igraph is not None and isinstance(graph, igraph.GraphBase)


def is_graph_object(graph):
    """Whether this is a graph of NetworkX, of igraph, or of the engine."""
    return isinstance(graph, _engine.Graph) or _is_networkx(graph) or _is_igraph(graph)


def node_names(graph):
    """The nodes of a NetworkX or igraph graph as their owner calls them, else None."""
    if _is_networkx(graph):
        return list(graph.nodes)
    if _is_igraph(graph) and "name" in graph.vs.attributes():
        return list(graph.vs["name"])
    return None


def _common_order(names, wanted, role):
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


def _from_networkx(graph, role, nodes):
    import networkx

    if graph.is_directed():
        raise ValueError(
            f"the {role} graph is directed, but clusters need an undirected one; "
            "use graph.to_undirected()"
        )
    names = list(graph.nodes)
    if nodes is not None:
        _common_order(names, nodes, role)
        names = nodes
    elif set(names) == set(range(len(names))):
        names = range(len(names))
    if not names:
        raise ValueError(f"the {role} graph has no nodes")
    return networkx.to_scipy_sparse_array(graph, nodelist=list(names), format="csr", dtype=float)


def _from_igraph(graph, role, nodes):
    if graph.is_directed():
        raise ValueError(
            f"the {role} graph is directed, but clusters need an undirected one; "
            "use graph.as_undirected()"
        )
    if graph.vcount() == 0:
        raise ValueError(f"the {role} graph has no nodes")
    weight = "weight" if "weight" in graph.es.attributes() else None
    matrix = sp.csr_array(graph.get_adjacency_sparse(attribute=weight))
    names = node_names(graph)
    if nodes is not None and names is not None:
        order = _common_order(names, nodes, role)
        matrix = matrix[order][:, order]
    return matrix


def _require_square(shape, role, n_samples):
    if len(shape) == 2 and shape[0] == shape[1]:
        if n_samples is None or shape[0] == n_samples:
            return
        raise ValueError(
            f"the {role} matrix has {shape[0]} rows and columns, but there are {n_samples} samples"
        )
    if role == "representation" and len(shape) == 2 and shape[0] == n_samples:
        raise ValueError(
            f"the representation matrix is {shape[0]} x {shape[1]} and no longer square: "
            "scikit-learn slices fit parameters by rows, in cross-validation for instance. Pass "
            "something that keeps its meaning when rows are taken out: groups=..., or a rule such "
            "as repsc.representation.knn(frame) or .where(frame, ...), or slice the matrix on both "
            "axes yourself, representation[rows][:, rows]"
        )
    raise ValueError(
        f"the {role} matrix has shape {tuple(shape)}, but an adjacency matrix is square"
    )


def _as_compressed(matrix, role, n_samples):
    """CSR, or CSC, which for a symmetric matrix is the same; and whether the arrays are ours."""
    if sp.issparse(matrix):
        _require_square(matrix.shape, role, n_samples)
        if matrix.format in ("csr", "csc"):
            return matrix, False
        return matrix.tocsr(), True
    if hasattr(matrix, "iloc") and matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"a data frame of shape {tuple(matrix.shape)} is no {role} graph; say what its columns "
            "mean with a rule: repsc.representation.knn(frame), .where(frame, within=..., "
            "same=...) or .groups(series)"
        )
    dense = np.asarray(matrix)
    _require_square(dense.shape, role, n_samples)
    if dense.dtype == object:
        dense = dense.astype(float)
    return sp.csr_array(dense), True


def _all_ones(data):
    return all((data[i : i + _CHUNK] == 1).all() for i in range(0, len(data), _CHUNK))


def _require_real(data, role):
    if not (np.issubdtype(data.dtype, np.number) or data.dtype == bool):
        raise ValueError(f"the {role} matrix holds {data.dtype}, but weights are numbers")
    if np.issubdtype(data.dtype, np.complexfloating):
        raise ValueError(
            f"Complex data not supported: the {role} matrix holds complex numbers, but weights are real"
        )


def _view(matrix, self_loops):
    """The engine's graph on the matrix's own arrays, or None where they need putting in order."""
    if matrix.shape[0] >= 2**31:
        raise ValueError(f"{matrix.shape[0]} nodes, but nodes are numbered with 32 bits")
    weights = None
    if not _all_ones(matrix.data):
        weights = np.ascontiguousarray(matrix.data, dtype=np.float64)
    return _engine.view_graph(
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        weights,
        self_loops,
    )


def _entry(matrix, position):
    """The row and column of a stored entry."""
    outer = int(np.searchsorted(matrix.indptr, position, side="right")) - 1
    inner = int(matrix.indices[position])
    return (outer, inner) if matrix.format == "csr" else (inner, outer)


def _require_weights(matrix, role):
    """Weights are finite and not negative; the first that is not is named."""
    data = matrix.data
    for what, wrong in (
        ("NaN or infinity", lambda part: ~np.isfinite(part)),
        ("Negative values", lambda part: part < 0),
    ):
        for start in range(0, len(data), _CHUNK):
            found = np.flatnonzero(wrong(data[start : start + _CHUNK]))
            if found.size > 0:
                position = start + int(found[0])
                row, column = _entry(matrix, position)
                raise ValueError(
                    f"{what} in data: the {role} matrix has {data[position]} at "
                    f"[{row}, {column}], but weights must be finite and 0 or more"
                )


def _symmetric(matrix, role):
    """The matrix in canonical form; entries that differ by rounding only are averaged."""
    matrix = matrix.tocsr(copy=True)
    matrix.data = matrix.data.astype(np.float64, copy=False)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    difference = abs(matrix - matrix.T).tocoo()
    larger = matrix.maximum(matrix.T).tocsr()
    limit = _ROUNDING * np.asarray(larger[difference.row, difference.col]).ravel()
    wrong = np.flatnonzero(difference.data > limit)
    if wrong.size > 0:
        i, j = int(difference.row[wrong[0]]), int(difference.col[wrong[0]])
        raise ValueError(
            f"the {role} matrix is not symmetric: {matrix[i, j]:g} at [{i}, {j}] but "
            f"{matrix[j, i]:g} at [{j}, {i}]; for a directed graph use (X + X.T) / 2 or "
            "X.maximum(X.T)"
        )
    if difference.data.any():
        matrix = (matrix + matrix.T) / 2
    return matrix.tocsr()


def as_graph(graph, *, role="similarity", self_loops=None, n_samples=None, nodes=None):
    """The engine's graph.

    Parameters
    ----------
    graph : sparse or dense matrix, NetworkX or igraph graph, rule
        The graph as it is given.
    role : {"similarity", "representation"}
        What messages call it. A similarity graph loses its self-loops, a representation graph has
        one at every node.
    self_loops : {"drop", "keep", "add"}, default=None
        None is what the role asks for.
    n_samples : int, default=None
        How many nodes there must be.
    nodes : list, default=None
        The order of the nodes, for graphs that name theirs.

    Returns
    -------
    repsc._engine.Graph
    """
    if self_loops is None:
        self_loops = "drop" if role == "similarity" else "add"
    if isinstance(graph, _engine.Graph):
        return graph
    if isinstance(graph, Rule):
        _require_square((len(graph), len(graph)), role, n_samples)
        return graph.to_graph()
    if _is_networkx(graph):
        graph = _from_networkx(graph, role, nodes)
    elif _is_igraph(graph):
        graph = _from_igraph(graph, role, nodes)
    matrix, _ = _as_compressed(graph, role, n_samples)
    _require_real(matrix.data, role)
    found = _view(matrix, self_loops)
    if found is None:
        _require_weights(matrix, role)
        found = _view(_symmetric(matrix, role), self_loops)
    return found


def to_scipy(graph):
    """A CSR array on the arrays of an engine's graph; unweighted ones get a 1 for each entry."""
    indptr, indices, weights = graph.arrays()
    if weights is None:
        weights = np.ones(len(indices))
    if len(indices) < 2**31:
        indptr = indptr.astype(np.int32)
    matrix = sp.csr_array((weights, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
    matrix.has_canonical_format = True
    return matrix


def label_numbers(labels, n_samples=None, what="labels"):
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
        raise ValueError(f"{what} are of kinds that cannot be compared: {error}") from None
    return numbers.astype(np.int32), values
