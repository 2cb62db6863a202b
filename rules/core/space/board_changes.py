"""What differs between two boards of one size: an event holds that, never the board (maps 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeVar

from rules.core.model import Frozen
from rules.core.space.board import Board, Unseen, Wall
from rules.core.space.cells import cells_of, rectangles

# By field: of a mapping its entries, cells as rectangles, None for what is gone; else the new value
Changes = Mapping[str, Any]
B = TypeVar("B", Board, Unseen)
_WALLS, _UNSEEN = "walls", "unseen"
_CELLS = ("terrain", "texts")
_GONE, _NEW, _ALL = "gone", "new", "all"


def changes_between(before: B, after: B) -> dict[str, Any]:
    """Return what leads from a board to another one, as plain data."""
    found: dict[str, Any] = {}
    for name in type(after).model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if old is new or old == new:
            continue
        if name == _UNSEEN:
            found[name] = changes_between(old, new)
        elif name == _WALLS:
            found[name] = _walls_between(old, new)
        elif isinstance(new, Mapping):
            gone = dict.fromkeys((key for key in old if key not in new), None)
            change = {**gone, **{key: _plain(value) for key, value in new.items() if old.get(key) != value}}
            found[name] = _by_rectangles(change) if name in _CELLS else change
        else:
            found[name] = _plain(new)
    return found


def with_changes(board: B, changes: Changes) -> B:
    """Return the board to which changes lead."""
    made: dict[str, Any] = {}
    for name, change in changes.items():
        old = getattr(board, name)
        if name == _UNSEEN:
            made[name] = with_changes(old, change)
        elif name == _WALLS:
            made[name] = _walls_after(old, change)
        elif isinstance(old, Mapping):
            entries = dict(old)
            for key, value in change.items():
                for each in cells_of(key) if name in _CELLS else (key,):
                    entries.pop(each, None) if value is None else entries.update({each: value})
            made[name] = entries
        else:
            made[name] = change
    return board.evolve(**made)


def _by_rectangles(laid: Mapping[str, str | None]) -> dict[str, str | None]:
    cells: dict[str | None, list[str]] = {}
    for cell, what in laid.items():
        cells.setdefault(what, []).append(cell)
    return {each: what for what, names in cells.items() for each in rectangles(names)}


def _walls_between(old: tuple[Wall, ...], new: tuple[Wall, ...]) -> dict[str, Any]:
    """Return the walls that are gone and those that are new; all of them where they stand in another order."""
    gone, more = Counter(old) - Counter(new), Counter(new) - Counter(old)
    change = {
        name: [_plain(wall) for wall in found]
        for name, found in (
            (_GONE, [wall for wall in old if wall in gone]),
            (_NEW, [wall for wall in new if wall in more]),
        )
    }
    return change if _walls_after(old, change) == new else {_ALL: [_plain(wall) for wall in new]}


def _walls_after(old: tuple[Wall, ...], change: Changes) -> tuple[Wall, ...]:
    if _ALL in change:
        return tuple(map(Wall.model_validate, change[_ALL]))
    gone = set(map(Wall.model_validate, change[_GONE]))
    return (*(wall for wall in old if wall not in gone), *map(Wall.model_validate, change[_NEW]))


def _plain(value: Any) -> Any:
    if isinstance(value, Frozen):
        return value.model_dump(mode="json", exclude_defaults=True)
    return list(value) if isinstance(value, tuple) else value
