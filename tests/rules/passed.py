"""The tables that a decision passes through, the first and the last among them: whatever changes them is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from unittest.mock import patch

from rules.core.encounter import Table
from rules.core.step import Step


@contextmanager
def passing() -> Iterator[list[Table]]:
    """Note each table that the first step begun in here has had; what is tried on a copy is not among them."""
    tables: list[Table] = []
    steps: list[Step[Any]] = []
    plain: Callable[[object, str, object], None] = object.__setattr__

    def noted(step: Step[Any], name: str, value: object) -> None:
        plain(step, name, value)
        if name == "table" and isinstance(value, Table):
            steps[:] = steps or [step]
            if step is steps[0]:
                tables.append(value)

    with patch.object(Step, "__setattr__", noted):
        yield tables


def encounters(tables: list[Table]) -> Iterator[tuple[Any, Any]]:
    """Go through the encounters before and after each change, while it is one and the same."""
    for before, after in pairwise(tables):
        was, now = before.encounter, after.encounter
        if was is not None and now is not None and now is not was and was.id == now.id:
            yield was, now
