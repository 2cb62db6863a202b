"""The board: a grid of cells with letters and numbers that every system may use (design 3.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core.errors import Malformed
from rules.core.model import Frozen

MAX_SIDE = 50
_CELL = re.compile(r"([A-Za-z]{1,2})(\d{1,3})")


class Board(Frozen):
    """A grid of `width` × `height`; `terrain` maps a cell to its kind, `texts` to its name.

    Where combatants stand is in `Combatant.cell` (their top left cell) and `Combatant.size`.
    """

    width: int
    height: int
    terrain: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}


def column_letters(column: int) -> str:
    """Return the letters of a column counted from 0: A … Z, then AA."""
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell counted from 0; row 1 is on top."""
    return f"{column_letters(column)}{row + 1}"


def parse_cell(text: str) -> tuple[int, int]:
    """Return column and row counted from 0. Raises: Malformed."""
    match = _CELL.fullmatch(text.strip())
    if not match or int(match[2]) < 1:
        raise Malformed(f"{text.strip()[:20]} is no cell.", instead="Write a column and a row, as in C4.")
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(match[2]) - 1
