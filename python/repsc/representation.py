"""Representation graphs from attributes of people.

A rule keeps the columns it is made of, so that scikit-learn can select rows of it, for instance in
cross-validation. The graph is built when it is needed. Every graph has a self-loop at each node,
because all people represent themselves. Rules are combined by ``|`` and ``&``.

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
>>> rule | repsc.representation.groups(people["school"])
<Rule for 4 people: (age within 5 and same school) or same group>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from numbers import Integral

from ._columns import Table, require_known, width_of, words_and_numbers
from ._rules import GroupRule, Rule, TableRule, condition_graph, group_graph, neighbor_graph
from ._typing import Frame, Labels

__all__ = ["Rule", "groups", "knn", "where"]


def knn(
    frame: Frame,
    n_neighbors: int = 10,
    *,
    columns: Sequence[str | int] | None = None,
    categorical: Sequence[str | int] = (),
    id: str | None = None,
) -> Rule:
    """A rule by which every person is represented by the most similar people.

    Numeric columns are scaled to standard deviation 1. A column of words adds 1 to the squared
    distance of two people with different words. Two people represent each other if either is among
    the nearest neighbours of the other.

    Parameters
    ----------
    frame : DataFrame, dict of columns, or array-like of shape (n_samples, n_attributes)
        Sensitive attributes, one row per sample: numbers, words, booleans or categories. A missing
        value is an error. The columns of an array are called 0, 1, ...
    n_neighbors : int, default=10
        Minimum number of other people that represent a person.
    columns : list of str or int, default=None
        The columns to compare; None: all of them.
    categorical : list of str or int, default=()
        Numeric columns to compare as words.
    id : str, default=None
        The column with the names of the people, for a similarity graph whose nodes have names.
        None: the index of a pandas frame, or the only column that has the names of the nodes.

    Returns
    -------
    Rule
        Its graph is symmetric, so that a person can have more than ``n_neighbors``.

    Examples
    --------
    >>> import repsc
    >>> people = {"age": [20, 21, 22, 60, 61, 62], "gender": list("fmfmfm")}
    >>> repsc.representation.knn(people, n_neighbors=2, columns=["age"]).tocsr().sum(axis=0)
    array([3., 3., 3., 3., 3., 3.])
    """
    if not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r} must be an integer of at least 1")
    table = Table.of(frame, columns, id)
    require_known(categorical, table.columns)
    words = [str(name) for name in categorical]
    build = partial(neighbor_graph, categorical=words, n_neighbors=int(n_neighbors))
    text = f"{n_neighbors} nearest by {', '.join(table.columns)}"
    return TableRule(table, build, text)


def where(
    frame: Frame,
    *,
    within: Mapping[str, float] | None = None,
    same: str | Sequence[str] = (),
    id: str | None = None,
) -> Rule:
    """A rule by which people represent one another if they satisfy all of its conditions.

    Parameters
    ----------
    frame : DataFrame, dict of columns, or array-like of shape (n_samples, n_attributes)
        Sensitive attributes, one row per sample. A missing value matches nothing.
    within : dict of str to float, default=None
        Numeric columns, each with the maximum difference, such as ``{"age": 5}``.
    same : str or list of str, default=()
        Columns whose values must be equal.
    id : str, default=None
        The column with the names of the people, for a similarity graph whose nodes have names.
        None: the index of a pandas frame, or the only column that has the names of the nodes.

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
    widths = {str(name): width_of(name, width) for name, width in dict(within or {}).items()}
    equal = [same] if isinstance(same, str) else [str(name) for name in same]
    used = list(dict.fromkeys([*widths, *equal]))
    if not used:
        raise ValueError(
            'an empty rule links everyone; give within={"age": 5} or same=["school"], for example'
        )
    table = Table.of(frame, used, id)
    for name in widths:
        if words_and_numbers(table.columns[name], name)[1] is None:
            raise ValueError(f"column {name!r} is not numeric, so it cannot be given in within=")
    conditions = [f"{name} within {width:g}" for name, width in widths.items()]
    text = " and ".join([*conditions, *(f"same {name}" for name in equal)])
    return TableRule(table, partial(condition_graph, within=widths, same=equal), text)


def groups(series: Labels, *, id: str | None = None) -> Rule:
    """A rule by which people of the same group represent one another.

    Parameters
    ----------
    series : array-like of shape (n_samples,), dict or data frame
        The group of each sample, of any kind; a dict has a group for the name of each node. People
        of the same group agree in all columns of a frame.
    id : str, default=None
        The column of a frame with the names of the people, as for :func:`knn`.

    Returns
    -------
    Rule
        As a constraint it is applied without building a graph.

    Examples
    --------
    >>> import repsc
    >>> repsc.representation.groups(["f", "m", "f"]).tocsr().toarray().astype(int)
    array([[1, 0, 1],
           [0, 1, 0],
           [1, 0, 1]])
    """
    table = Table.of_groups(series, id)
    return GroupRule(table, group_graph, f"same {' and '.join(table.columns)}")
