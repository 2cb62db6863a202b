"""Cells of a grid: their names, the steps between them, how far they lie apart (design 3.2).

They are named `C4` for people and are (column, row), counted from 0, in all reckoning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal

from rules.errors import Malformed

MAX_SIDE = 64
SAY_WHERE = "Say where with the option to."
A_CELL_OR_PATH = "A cell, such as C4, or a path, such as C4 D4 E5."
MAX_TOKEN = 6
UNIT = 64  # what a cell is wide and high if walls stand at an angle

Cell = tuple[int, int]
Metric = Literal["orthogonal", "eight"]

_CELL = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
_LONGEST_CELL = 5
_SIZE = re.compile(r"([0-9]{1,3})\s*[xX×*]\s*([0-9]{1,3})")
_ORTHOGONAL: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_DIAGONAL: tuple[Cell, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
DIRECTIONS: tuple[Cell, ...] = _ORTHOGONAL + _DIAGONAL  # their numbers are the bits of `rules.core.space.steps`


@cache
def column_letters(column: int) -> str:
    """Return the letters of a column counted from 0: A … Z, then AA.

    >>> column_letters(0), column_letters(25), column_letters(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@cache
def cell_name(column: int, row: int) -> str:
    """Return the name of a cell counted from 0; row 1 is on top."""
    return f"{column_letters(column)}{row + 1}"


def find_cell(text: str) -> Cell | None:
    """Return column and row counted from 0, None if the text is no cell."""
    text = text.strip()
    return _cell_of(text) if len(text) <= _LONGEST_CELL else None


@lru_cache(maxsize=4096)  # whatever people type is asked, and no more of it is to be kept
def _cell_of(text: str) -> Cell | None:
    match = _CELL.fullmatch(text)
    if not match or int(match[2]) < 1:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(match[2]) - 1


def parse_cell(text: str) -> Cell:
    """Return column and row counted from 0. Raises: Malformed."""
    cell = find_cell(text.strip()) if len(text) < 12 else None
    if cell is None:
        raise Malformed(
            f"{text.strip()[:20] or '(nothing)'} is not a cell.", instead="Write a column and a row, such as C4."
        )
    return cell


def edge_name(one: Cell, other: Cell) -> str:
    """Return the name of the edge between two neighbours, the left or upper one first.

    >>> edge_name((3, 3), (2, 3))
    'C4/D4'
    """
    first, second = sorted((one, other), key=lambda cell: (cell[1], cell[0]))
    return f"{cell_name(*first)}/{cell_name(*second)}"


def is_edge(place: str) -> bool:
    """Tell whether a place such as a door's is an edge (`C4/D4`), not a cell."""
    return "/" in place


def parse_edge(text: str) -> tuple[Cell, Cell]:
    """Return the two cells of an edge such as `C4/D4`. Raises: Malformed."""
    first, _, second = text.partition("/")
    able = first.strip() and second.strip()
    one, other = (parse_cell(first), parse_cell(second)) if able else ((0, 0), (0, 0))
    if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
        raise Malformed(f"{text.strip()[:20]} is not an edge.", instead="Name two cells side by side, such as C4/D4.")
    return one, other


def parse_path(text: str) -> tuple[Cell, ...]:
    """Read a cell, or a path of cells separated by spaces, commas or arrows. Raises: Malformed."""
    parts = [part for part in re.split(r"[\s,;→>]+", text.strip()) if part]
    if not parts:
        raise Malformed(SAY_WHERE, instead=A_CELL_OR_PATH)
    if len(parts) > MAX_SIDE * MAX_SIDE:
        raise Malformed("That path is too long.", instead="Name only the last cell: I take the best way to it.")
    return tuple(parse_cell(part) for part in parts)


def parse_size(text: str) -> tuple[int, int]:
    """Read a board's size such as `20x15`. Raises: Malformed."""
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise Malformed(
            f"{text.strip()[:20] or '(nothing)'} is not a size.", instead="Write columns x rows, such as 20x15."
        )
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise Malformed(f"A board can be 1×1 to {MAX_SIDE}×{MAX_SIDE} cells.", instead="For example size:20x15.")
    return width, height


def parse_token_size(text: str) -> int:
    """Read a token's size: `2`, or `2x2`. Raises: Malformed."""
    match = _SIZE.fullmatch(text.strip())
    side = match[1] if match and match[1] == match[2] else text.strip()
    if not re.fullmatch("[0-9]{1,2}", side) or not 1 <= int(side) <= MAX_TOKEN:
        raise Malformed(f"A token can be 1×1 to {MAX_TOKEN}×{MAX_TOKEN} cells.", instead="For example size:2.")
    return int(side)


# Geometry


def steps_of(metric: Metric) -> tuple[Cell, ...]:
    """Return the steps to the neighbours of a cell: four, or eight with the diagonals last."""
    return _ORTHOGONAL if metric == "orthogonal" else _ORTHOGONAL + _DIAGONAL


def covered(cell: Cell, size: int) -> Iterator[Cell]:
    """Return the cells of a token whose top left cell is given."""
    for row in range(cell[1], cell[1] + size):
        for column in range(cell[0], cell[0] + size):
            yield column, row


def distance(metric: Metric, one: Cell, other: Cell, size: int = 1, other_size: int = 1) -> int:
    """Return the spaces between two tokens: 0 if they overlap, 1 side by side.

    Of a token larger than one cell the nearest counts.

    >>> distance("orthogonal", (0, 0), (2, 3)), distance("eight", (0, 0), (2, 3))
    (5, 3)
    >>> distance("eight", (0, 0), (2, 0), size=2)
    1
    """
    across = max(0, other[0] - one[0] - size + 1, one[0] - other[0] - other_size + 1)
    down = max(0, other[1] - one[1] - size + 1, one[1] - other[1] - other_size + 1)
    return across + down if metric == "orthogonal" else max(across, down)


def names_of(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(cell_name(*cell) for cell in cells)


def rectangles(names: Iterable[str]) -> tuple[str, ...]:
    """Write cells as few rectangles, row by row.

    >>> rectangles(["A1", "B1", "A2", "B2", "D4"])
    ('A1:B2', 'D4')
    """
    left = {parse_cell(name) for name in names}
    found = []
    for column, row in sorted(left, key=lambda cell: (cell[1], cell[0])):
        if (column, row) not in left:
            continue
        width = 1
        while (column + width, row) in left:
            width += 1
        height = 1
        while all((column + x, row + height) in left for x in range(width)):
            height += 1
        left -= {(column + x, row + y) for x in range(width) for y in range(height)}
        first, last = cell_name(column, row), cell_name(column + width - 1, row + height - 1)
        found.append(first if first == last else f"{first}:{last}")
    return tuple(found)


def cells_between(one: Cell, other: Cell) -> Iterator[Cell]:
    """Return the cells of the rectangle with these corners, row by row."""
    columns = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
    rows = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
    return ((column, row) for row in rows for column in columns)
