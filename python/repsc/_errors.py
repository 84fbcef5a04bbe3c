"""The error for input and options that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Remedy(NamedTuple):
    """What can be done about an error.

    ``action`` is ``"use"``, ``"raise"``, ``"lower"`` or ``"leave out"``, each with the name of an
    option and, for ``"use"``, its value; or ``"advice"``, with the advice as the value.
    """

    action: str
    option: str | None
    value: Any


class InvalidInput(ValueError):  # noqa: N818 - the name in the C++ library
    """An option or the input cannot be used; the attributes say why, for programs.

    Attributes
    ----------
    option : str or None
        The option that the error is about, by its name in Python.
    value : object
        The value that was given; None if the error is not about a value.
    remedies : tuple of named tuples (action, option, value)
        Alternatives, such as ``("use", "solver", "lanczos")`` or ``("lower", "rank", None)``.
    where : str or None
        The file, or ``file:line``, of an error in a file.

    Examples
    --------
    >>> import numpy, repsc
    >>> try:
    ...     repsc.cluster(numpy.eye(4)[::-1], 2, method="nrepsc")
    ... except repsc.InvalidInput as error:
    ...     print(error.option, error.value)
    method nrepsc
    """

    def __init__(
        self, message: str, *,
        option: str | None = None, value: Any = None,
        remedies: Iterable[tuple[str, str | None, Any]] = (), where: str | None = None,
    ) -> None:
        super().__init__(message)
        self.option = option
        self.value = value
        self.remedies = tuple(Remedy(*remedy) for remedy in remedies)
        self.where = where
