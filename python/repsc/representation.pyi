from collections.abc import Mapping, Sequence
from typing import Any

from ._typing import Frame, Labels

__all__: list[str]

class Rule:
    @property
    def shape(self) -> tuple[int]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, rows: Any) -> Rule: ...
    def to_graph(self) -> Any: ...
    def tocsr(self) -> Any: ...

def knn(
    frame: Frame,
    n_neighbors: int = 10,
    *,
    columns: Sequence[str] | None = None,
    categorical: Sequence[str] = (),
) -> Rule: ...
def where(
    frame: Frame,
    *,
    within: Mapping[str, float] | None = None,
    same: str | Sequence[str] = (),
) -> Rule: ...
def groups(series: Labels) -> Rule: ...
