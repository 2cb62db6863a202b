"""Forms as Discord sends them back: a text below a row, a select below a label."""

from __future__ import annotations

from typing import Any


def row_of(key: str, value: str | list[str]) -> dict[str, Any]:
    """Return one field of a form with what was typed, or selected, in it."""
    if isinstance(value, str):
        return {"type": 1, "components": [{"type": 4, "custom_id": key, "value": value}]}
    return {"type": 18, "component": {"type": 3, "custom_id": key, "values": value}}
