"""What is common to reading maps of other programs: numbers and lists at a path of a JSON file, and the result."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.core import refusals
from rules.core.space.board import Board
from rules.core.space.cells import MAX_SIDE, Cell, cell_name, parse_cell
from rules.core.space.steps import rooms
from rules.errors import Malformed

MOST_NUMBER = 100_000
MOST_POINTS = 500_000
MOST_DEPTH = 32
MOST_NAMED_CELLS = 2**18  # a whole board 64 times
_MOST_CELLS = 8
EXPORT_ANEW = "Export it again from the program that made it."
PART = "part:A1:BL64 takes only those cells."
HALF_OFF = "The walls seem to be half a cell off."
_LARGE = re.compile(r"\s*([A-Za-z]{1,3}[0-9]{1,4})\s*:\s*([A-Za-z]{1,3}[0-9]{1,4})\s*")


@dataclass
class Imported:
    """A map that was read: its parts in words, what was left out of it, what only the GM reads, and its picture."""

    name: str
    board: Board
    counts: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    picture: str = ""  # as the file holds it, in base64; how it lies on the cells:
    across: float = 0  # columns
    corner: Cell = (0, 0)  # the first cell of the part that is read
    shift: tuple[int, int] = (0, 0)
    fade: int = 25
    pixels: float = 0  # of the picture a cell, as the file says; 0 if it does not
    walls_alone: bool = False  # the picture could not be read

    @property
    def words(self) -> str:
        """Return what was read, *Church: 24 × 33, 212 walls (of 1,840 points), 20 doors*, and what was not."""
        found = f"{self.name}: {', '.join((f'{self.board.width} × {self.board.height}', *self.counts))}"
        found += f"; left out: {', '.join(self.left_out)}." if self.left_out else "."
        return "\n".join((found, *_on_walls(self.board), *self.remarks))


def _on_walls(board: Board) -> list[str]:
    """Tell the cells that cannot be entered because a wall at an angle lies on their middle."""
    free = rooms(board.evolve(walls=(), doors={at: door for at, door in board.doors.items() if at not in board.lines}))
    able = rooms(board)
    shut = [(at % board.width, at // board.width) for at, is_free in enumerate(free) if is_free and not able[at]]
    if not shut:
        return []
    named = ", ".join(cell_name(*cell) for cell in shut[:_MOST_CELLS])
    more = f" and {len(shut) - _MOST_CELLS} more" if len(shut) > _MOST_CELLS else ""
    words = f"{counted(len(shut), 'cell')} {'lies' if len(shut) == 1 else 'lie'} on a wall and cannot be entered: "
    found = [f"{words}{named}{more}."]
    if 10 * len(shut) > board.width * board.height:
        found.append(HALF_OFF)
    return found


class NamedCells:
    """Counts the cells that a file names: a few bytes that name all of them, again and again, would take hours."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, count: int) -> None:
        """Count some more. Raises: Malformed."""
        self._count += count
        if self._count > MOST_NAMED_CELLS:
            raise Malformed(f"That map names cells more than {MOST_NAMED_CELLS:,} times.", instead=EXPORT_ANEW)


def said(*counts: str) -> list[str]:
    """Return the counts of what there is: nothing is said of what there is none of."""
    return [count for count in counts if not count.startswith("0 ")]


def counted(count: int, what: str) -> str:
    """Return a number with its noun: `1 door`, `1,840 points`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def measure(data: object, path: str) -> float:
    """Return the number at a path of names. Raises: Malformed if it is missing or is none."""
    found = at_path(data, path)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise Malformed(f"{path} is {'missing' if found is None else 'no number'}.", instead=EXPORT_ANEW)
    return sensible(found, path)


def sized(columns: int, rows: int) -> Malformed:
    """Say that a map has no cell, or more than a file is read for."""
    return Malformed(
        f"That map has {columns} × {rows} cells.", instead=f"It can have 1 × 1 to {MAX_SIDE} × {MAX_SIDE}."
    )


def sensible(number: float, path: str) -> float:
    """Return a number that can be one of a map. Raises: Malformed."""
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not is_number or not -MOST_NUMBER <= number <= MOST_NUMBER:
        raise Malformed(f"{path} has a number that no map can have.", instead=EXPORT_ANEW)
    return number


def said_number(value: object) -> float | None:
    """Return a number that is only told or compared, None if it is none or none that a map has."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -MOST_NUMBER <= value <= MOST_NUMBER:
        return None
    return float(value)


def whole(data: object, path: str) -> int:
    return math.floor(measure(data, path))


def at_path(data: object, path: str) -> Any:
    """Return what lies at a path of names, None if nothing does."""
    for name in path.split("."):
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data


def listed_at(data: object, path: str) -> Sequence[Any]:
    """Return the list at a path, empty if there is none. Raises: Malformed if it is something else."""
    found = at_path(data, path)
    if found is None:
        return ()
    if not isinstance(found, list):
        raise Malformed(f"{path} is not a list.", instead=EXPORT_ANEW)
    return found


def text_at(data: object, path: str, most: int) -> str:
    found = at_path(data, path)
    return " ".join(found.split())[:most] if isinstance(found, str) else ""


def require_sane(data: object) -> None:
    """Refuse JSON that is nested deeply, or holds more than any map. Raises: Malformed."""
    level: list[dict[str, object] | list[object]] = [data] if isinstance(data, (dict, list)) else []
    count = 0
    for _ in range(MOST_DEPTH):
        held = (each.values() if isinstance(each, dict) else each for each in level)
        below: list[dict[str, object] | list[object]] = [
            value for values in held for value in values if isinstance(value, (dict, list))
        ]
        count += len(below)
        if count > 2 * MOST_POINTS:
            raise refusals.too_many_points(MOST_POINTS)
        if not below:
            return
        level = below
    raise Malformed(f"It is nested more than {MOST_DEPTH} deep.", instead=EXPORT_ANEW)


def part_of(columns: int, rows: int, part: str | None) -> tuple[Cell, int, int]:
    """Return the top left cell, width and height of the part that is wanted. Raises: Malformed."""
    if part is None:
        corner, width, height = (0, 0), columns, rows
    else:
        match = _LARGE.fullmatch(part)
        if match is None:
            raise Malformed(f"{part.strip()[:20]} is not a part of a map.", instead="For example part:A1:BL64.")
        one, other = parse_cell(match[1]), parse_cell(match[2])
        corner = min(one[0], other[0]), min(one[1], other[1])
        width = min(max(one[0], other[0]) + 1, columns) - corner[0]
        height = min(max(one[1], other[1]) + 1, rows) - corner[1]
    if width < 1 or height < 1:
        if part is None:
            raise sized(columns, rows)
        raise Malformed(f"{part} is outside the map.", instead=f"The map has A1 to {cell_name(columns - 1, rows - 1)}.")
    if max(width, height) > MAX_SIDE:
        raise refusals.too_large_a_map(width, height, MAX_SIDE, instead=PART)
    return corner, width, height
