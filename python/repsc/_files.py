"""Graph files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, overload

from . import _engine
from ._graphs import as_graph, node_names
from ._matrices import to_scipy
from ._progress import progress
from ._threads import use_threads
from ._typing import CsrArray, Format, RepresentationLike, SelfLoops


@overload
def read_graph(
    path: str | os.PathLike[str], *,
    format: Format = ..., self_loops: SelfLoops = ..., return_names: Literal[False] = ...,
    trusted: bool = ..., memory: int | None = ..., verbose: int = ...,
) -> CsrArray: ...
@overload
def read_graph(
    path: str | os.PathLike[str], *,
    format: Format = ..., self_loops: SelfLoops = ..., return_names: Literal[True],
    trusted: bool = ..., memory: int | None = ..., verbose: int = ...,
) -> tuple[CsrArray, list[str]]: ...
def read_graph(
    path: str | os.PathLike[str],
    *,
    format: Format = "auto",
    self_loops: SelfLoops = "drop",
    return_names: bool = False,
    trusted: bool = False,
    memory: int | None = None,
    verbose: int = 0,
) -> CsrArray | tuple[CsrArray, list[str]]:
    """Read a graph file: an edge list, MatrixMarket, METIS, a SciPy ``.npz`` or ``.rgraph``.

    Parameters
    ----------
    path : str or path-like
        Text formats may end in ``.gz``.
    format : {"auto", "txt", "mtx", "graph", "npz", "rgraph"}, default="auto"
        auto: by the ending; an edge list if the ending is unknown. Endings of other formats, such
        as ``.gml``, are refused.
    self_loops : {"drop", "keep", "add"}, default="drop"
        Use ``"add"``, a self-loop at every node, for representation graphs.
    return_names : bool, default=False
        Whether to return the names of the nodes as well.
    trusted : bool, default=False
        ``.rgraph``: the file was read before and has not changed, so that it is not checked again.
        A file that has changed can make the program crash.
    memory : int, default=None
        Text formats: how many bytes of edges are in memory at once, at least 2**20; the others are
        sorted in temporary files in the current folder. None: all of them.
    verbose : int, default=0
        1 shows progress and what reading changed, such as merged duplicates and dropped self-loops.

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
        Undirected: directions are ignored and duplicates are merged.
    names : list of str
        Only with ``return_names``.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "friends.txt")
    ...     repsc.write_graph([[0, 1, 0], [1, 0, 2], [0, 2, 0]], file, names=["Ann", "Bob", "Cy"])
    ...     graph, names = repsc.read_graph(file, return_names=True)
    >>> graph.toarray()
    array([[0., 1., 0.],
           [1., 0., 2.],
           [0., 2., 0.]])
    >>> names
    ['Ann', 'Bob', 'Cy']
    """
    use_threads()
    with progress(verbose) as on_progress:
        graph, changes = _engine.read_graph(
            os.fspath(path), format, self_loops, trusted, memory, on_progress
        )
    if verbose and changes:
        print(f"repsc: {os.fspath(path)}: {changes}")
    return (to_scipy(graph), graph.names) if return_names else to_scipy(graph)


def write_graph(
    graph: RepresentationLike,
    path: str | os.PathLike[str],
    *,
    format: Format = "auto",
    names: Sequence[object] | None = None,
    compress: bool = False,
) -> None:
    """Write a graph file. If writing fails, no partial file is left.

    Parameters
    ----------
    graph : sparse or dense matrix, NetworkX or igraph graph, rule
        Self-loops are kept.
    path : str or path-like
        The ending determines the format; ``.gz`` compresses the file.
    format : {"auto", "txt", "mtx", "graph", "npz", "rgraph"}, default="auto"
        auto: by the ending.
    names : list of str, default=None
        The names of the nodes. None: their names in NetworkX and igraph, otherwise 0, 1, ...
        Formats without names write them to a file beside the graph, ``pair.mtx.names``; nodes that
        are called 0 to N-1 or 1 to N are written in the order of their numbers.
    compress : bool, default=False
        ``.rgraph`` only: store the neighbours in fewer bytes.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "pair.mtx")
    ...     repsc.write_graph([[0, 1], [1, 0]], file)
    ...     repsc.read_graph(file).nnz
    2
    """
    use_threads()
    if names is None:
        names = node_names(graph)
    written = as_graph(graph, self_loops="keep")
    if names is not None:
        written = written.with_names([str(name) for name in names])
    _engine.write_graph(written, os.fspath(path), format, compress)
