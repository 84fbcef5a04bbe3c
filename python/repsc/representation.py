"""Representation graphs from what is known about people.

A rule keeps the columns it is made of, so that scikit-learn can take rows out of it, in
cross-validation for instance; the graph is built when it is needed. Every graph has a self-loop at
each node: everyone represents themselves.

Examples
--------
>>> import repsc
>>> people = {"age": [21, 24, 60, 63], "school": ["north", "north", "north", "south"]}
>>> rule = repsc.representation.where(people, within={"age": 5}, same=["school"])
>>> rule.tocsr().toarray().astype(int)
array([[1, 1, 0, 0],
       [1, 1, 0, 0],
       [0, 0, 1, 0],
       [0, 0, 0, 1]])
"""

import sys
from numbers import Integral, Real

import numpy as np

from . import _engine

__all__ = ["Rule", "groups", "knn", "where"]


class Rule:
    """Who represents whom, by what is known about them. Made by the functions of this module."""

    def __init__(self, columns, names):
        self._columns = columns
        self._names = names
        self._graph = None

    @property
    def shape(self):
        """The number of people, as a tuple: what scikit-learn looks at before it takes rows."""
        return (len(self._names),)

    def __len__(self):
        return len(self._names)

    def __getitem__(self, rows):
        if isinstance(rows, tuple):  # rule[rows, ...]
            rows = rows[0]
        if isinstance(rows, Integral):
            rows = [rows]
        return self._with({name: values[rows] for name, values in self._columns.items()},
                          self._names[rows])

    def to_graph(self):
        """The engine's graph, built once."""
        if self._graph is None:
            self._graph = self._build()
        return self._graph

    def tocsr(self):
        """The representation graph as a SciPy CSR array.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_samples, n_samples)
        """
        from ._graphs import to_scipy

        return to_scipy(self.to_graph())

    def __getstate__(self):
        return {**self.__dict__, "_graph": None}

    def __repr__(self):
        return f"<{type(self).__name__}: {len(self)} people by {', '.join(self._columns)}>"

    def _with(self, columns, names):
        raise NotImplementedError

    def _build(self):
        raise NotImplementedError

    def _table(self, used):
        """The columns for the engine: name, words, and numbers where there are any."""
        return [(name, *_words_and_numbers(self._columns[name], name)) for name in used]


class _Neighbors(Rule):
    def __init__(self, columns, names, n_neighbors, categorical):
        super().__init__(columns, names)
        self._n_neighbors = n_neighbors
        self._categorical = categorical

    def _with(self, columns, names):
        return _Neighbors(columns, names, self._n_neighbors, self._categorical)

    def _build(self):
        return _engine.representation_from_neighbors(
            self._names.tolist(), self._table(self._columns), self._categorical, self._n_neighbors
        )


class _Where(Rule):
    def __init__(self, columns, names, within, same):
        super().__init__(columns, names)
        self._within = within
        self._same = same

    def _with(self, columns, names):
        return _Where(columns, names, self._within, self._same)

    def _build(self):
        return _engine.representation_by_rule(
            self._names.tolist(), self._table(self._columns), list(self._within.items()), self._same
        )


class _Groups(Rule):
    """Cliques. The engine takes the labels: it needs no graph for them."""

    def _with(self, columns, names):
        return _Groups(columns, names)

    @property
    def labels(self):
        from ._graphs import label_numbers

        (values,) = self._columns.values()
        return label_numbers(values, what="groups")[0]

    def _build(self):
        return _engine.representation_from_groups(self.labels)


def knn(frame, n_neighbors=10, *, columns=None, categorical=()):
    """Everyone is represented by the people most like them.

    Numeric columns are scaled to standard deviation 1; a column of words adds 1 to the squared
    distance where the words differ. Two people are linked where either is among the nearest of the
    other.

    Parameters
    ----------
    frame : DataFrame or dict of columns
        Sensitive attributes, one row a sample. Numbers, words, booleans and categories; a missing
        value is an error.
    n_neighbors : int, default=10
        How many others represent a person, at least.
    columns : list of str, default=None
        Those to look at; None: all.
    categorical : list of str, default=()
        Numeric columns to compare as words.

    Returns
    -------
    Rule

    Examples
    --------
    >>> import repsc
    >>> people = {"age": [20, 21, 22, 60, 61, 62], "gender": list("fmfmfm")}
    >>> repsc.representation.knn(people, n_neighbors=2, columns=["age"]).tocsr().sum(axis=0)
    array([3., 3., 3., 3., 3., 3.])
    """
    if not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r} must be a whole number from 1")
    taken, names = _columns_of(frame, columns)
    _require_known(categorical, taken)
    return _Neighbors(taken, names, int(n_neighbors), [str(name) for name in categorical])


def where(frame, *, within=None, same=()):
    """People represent one another where every part of the rule holds.

    Parameters
    ----------
    frame : DataFrame or dict of columns
        Sensitive attributes, one row a sample. A missing value matches nothing.
    within : dict of str to float, default=None
        Numeric columns and the largest difference: ``{"age": 5}``.
    same : str or list of str, default=()
        Columns that must be equal.

    Returns
    -------
    Rule

    Examples
    --------
    >>> import repsc
    >>> people = {"age": [30, 33, 40], "city": ["Rome", "Rome", "Rome"]}
    >>> repsc.representation.where(people, within={"age": 5}, same="city").tocsr().nnz
    5
    """
    within = {str(name): _width(name, width) for name, width in dict(within or {}).items()}
    same = [same] if isinstance(same, str) else [str(name) for name in same]
    used = list(dict.fromkeys([*within, *same]))
    if not used:
        raise ValueError('an empty rule links everyone; say within={"age": 5} or same=["school"]')
    taken, names = _columns_of(frame, used)
    for name in within:
        if _words_and_numbers(taken[name], name)[1] is None:
            raise ValueError(f"column {name!r} is not numeric, so within= has no meaning for it")
    return _Where(taken, names, within, same)


def groups(series):
    """People of the same group represent one another.

    Parameters
    ----------
    series : array-like of shape (n_samples,)
        The group of each sample, of any kind.

    Returns
    -------
    Rule
        As a constraint it costs no graph, however large the groups are.

    Examples
    --------
    >>> import repsc
    >>> repsc.representation.groups(["f", "m", "f"]).tocsr().toarray().astype(int)
    array([[1, 0, 1],
           [0, 1, 0],
           [1, 0, 1]])
    """
    name = getattr(series, "name", None)
    taken, names = _columns_of({str(name or "group"): series}, None)
    rule = _Groups(taken, names)
    rule.labels  # a missing value is found here
    return rule


def _width(name, width):
    if not isinstance(width, Real) or not width >= 0 or not np.isfinite(width):
        raise ValueError(f"within={{{name!r}: {width!r}}} must be a finite number from 0")
    return float(width)


def _require_known(names, columns):
    for name in names:
        if str(name) not in columns:
            raise ValueError(f"there is no column {name!r}; there are {', '.join(columns)}")


def _columns_of(frame, wanted):
    """The wanted columns as arrays by name, and what the rows are called."""
    if hasattr(frame, "columns"):
        columns = {str(name): frame[name] for name in frame.columns}
    elif hasattr(frame, "items"):
        columns = {str(name): values for name, values in frame.items()}
    else:
        raise ValueError(
            "a data frame or a dict of columns is needed, not " + type(frame).__name__
        )
    if wanted is not None:
        wanted = [wanted] if isinstance(wanted, str) else wanted
        _require_known(wanted, columns)
        columns = {str(name): columns[str(name)] for name in wanted}
    if not columns:
        raise ValueError("there are no columns")
    index = getattr(next(iter(columns.values())), "index", None)
    arrays = {name: _as_array(values) for name, values in columns.items()}
    lengths = {len(values) if values.ndim == 1 else -1 for values in arrays.values()}
    if len(lengths) != 1 or -1 in lengths:
        raise ValueError("columns must be one-dimensional and of the same length")
    return arrays, _row_names(index, lengths.pop())


def _row_names(index, count):
    """What messages call the rows: the frame's own index where it tells them apart."""
    if index is not None and not callable(index):
        names = np.asarray([str(name) for name in index], dtype=object)
        if len(set(names)) == count and all(names):
            return names
    return np.asarray([str(row) for row in range(count)], dtype=object)


def _words_and_numbers(values, name):
    """A column as the engine takes it; numbers are None where it holds anything else."""
    if np.issubdtype(values.dtype, np.datetime64) or np.issubdtype(values.dtype, np.timedelta64):
        raise ValueError(f"column {name!r} holds dates; turn them into numbers first, such as years")
    if np.issubdtype(values.dtype, np.number):
        numbers = values.astype(np.float64)
        if np.isinf(numbers).any():
            raise ValueError(f"column {name!r} holds an infinite number")
        words = ["" if np.isnan(n) else _written(n) for n in numbers.tolist()]
        return words, numbers
    return ["" if is_missing(v) else str(v) for v in values.tolist()], None


def is_missing(value):
    """None, NaN, or what pandas writes for them."""
    pandas = sys.modules.get("pandas")
    return value is None or (pandas is not None and value is pandas.NA) or bool(value != value)


def _as_array(column):
    """A column as NumPy sees it; missing whole numbers of pandas become NaN."""
    dtype = getattr(column, "dtype", None)
    if hasattr(column, "to_numpy") and getattr(dtype, "kind", "O") in "iuf":
        if not isinstance(dtype, np.dtype) and getattr(dtype, "na_value", None) is not None:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(column)


def _written(number):
    return str(int(number)) if number == int(number) else repr(number)
