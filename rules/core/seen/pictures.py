"""What a system lets people see as a picture beside the board, as plain data: a grid, a track, or a pile.

The words are facts for a reader, names as they are typed; how they are drawn and escaped is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rules.core.model import Frozen

Sign = Literal["filled", "ringed", "struck", "hatched"]
SIGNS: tuple[Sign, ...] = ("filled", "ringed", "struck", "hatched")


class GridCell(Frozen):
    """One cell: its word, what lies in it (`note`), and signs whose meaning the grid's legend gives."""

    words: str
    note: str = ""
    signs: tuple[Sign, ...] = ()


class Grid(Frozen):
    """Columns of cells, each as long as `rows`.

    `joined` are the columns without a gap to the next one, counted from 0; `gap` says what that means.
    `notes` are short sentences for below the grid.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    joined: frozenset[int] = frozenset()
    gap: str = ""
    legend: Mapping[Sign, str] = {}
    notes: tuple[str, ...] = ()


class Stage(Frozen):
    """One stage of a track; `names` are those who act in it, with a word behind if one is needed."""

    words: str
    names: tuple[str, ...] = ()


class Track(Frozen):
    """Stages that come one after the other. `now` counts from 0; None before the first one."""

    title: str
    stages: tuple[Stage, ...]
    now: int | None = None
    notes: tuple[str, ...] = ()


class PileItem(Frozen):
    """One thing in a pile: what it is, whose, and a line on it."""

    words: str
    who: str
    note: str = ""


class Pile(Frozen):
    """Things that wait on each other, the top one first: it is the next to be done."""

    title: str
    items: tuple[PileItem, ...]
    notes: tuple[str, ...] = ()


Picture = Grid | Track | Pile
