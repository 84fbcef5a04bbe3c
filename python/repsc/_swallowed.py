"""Groups that scikit-learn passes to its splitter and not to the estimator.

``GridSearchCV.fit(X, groups=...)`` and ``cross_validate(model, X, groups=...)`` give ``groups`` to
the splitter only. A splitter such as KFold ignores them, and the model is then fitted without
groups. The estimator never sees them, but it is cloned while these calls are active, so that they
can be recognized on the stack.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.model_selection._split import GroupsConsumerMixin


def require_groups_are_used() -> None:
    """Raise ValueError inside of a call of scikit-learn that would drop its ``groups``."""
    if get_config()["enable_metadata_routing"]:
        return  # scikit-learn itself refuses what nobody has asked for
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("sklearn.model_selection._"):
            caller, groups, cv = _held(frame)
            if groups is not None and _ignores_groups(cv):
                raise ValueError(
                    f"groups= of {caller} is passed to its splitter, which ignores it, and not to "
                    "the model, which would be fitted without groups; use sensitive_features=... "
                    "instead of groups=..."
                )
        frame = frame.f_back


def _held(frame: FrameType) -> tuple[str, Any, Any]:
    """The caller, its groups and its splitter; groups are None in a frame without them."""
    held = frame.f_locals
    name = frame.f_code.co_name
    search, params = held.get("self"), held.get("params")
    if name == "fit" and isinstance(search, BaseSearchCV) and isinstance(params, Mapping):
        return f"{type(search).__name__}.fit", params.get("groups"), search.cv
    if "groups" in held and "cv" in held:  # cross_validate() and its relatives
        return name, held["groups"], held["cv"]
    return name, None, None


def _ignores_groups(cv: Any) -> bool:
    """Whether a splitter is one of scikit-learn that does not use groups."""
    splitter = check_cv(cv)
    known = type(splitter).__module__.startswith("sklearn.")
    return known and not isinstance(splitter, GroupsConsumerMixin)
