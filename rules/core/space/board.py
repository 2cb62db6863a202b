"""The board: a grid of cells with letters and numbers that every system may use (design 3.2).

Cells are named `C4` where people read them and are (column, row), counted from 0, where they are reckoned with.
How far a movement goes and through whom is in `rules.core.space.paths`; what a system says about it are hooks of
`System`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Literal

from rules.core.model import Frozen
from rules.errors import Illegal, Malformed

MAX_SIDE = 64
SAY_WHERE = "Say where to (option to)."
A_CELL_OR_PATH = "A cell, as in C4, or a path, as in C4 D4 E5."
MAX_TOKEN = 6
UNIT = 64  # what a cell is wide and high where walls stand at an angle
DIFFICULT = "difficult"
BLOCKED = "blocked"
VOID = "void"
LOW = "low"
HAZARD = "hazard"
WINDOW = "window"
DOOR = "door"
WALL = "wall"
CURTAIN = "curtain"
PROP = "prop"
NAMED = "named"
OPEN = "open"
UNKNOWN = "unknown"  # of a board as somebody knows it: a cell that they have not seen
KINDS = (DIFFICULT, BLOCKED, VOID, LOW, HAZARD, WINDOW, DOOR, NAMED, OPEN)
OTHER_WORDS = {"solid": BLOCKED}

Cell = tuple[int, int]
Points = tuple[int, int, int, int]  # a line from a point to another, in 1/64 cells
Metric = Literal["orthogonal", "eight"]
EdgeKind = Literal["wall", "window", "low", "curtain"]
WallKind = Literal["wall", "window", "low", "curtain", "prop"]
DoorState = Literal["open", "closed", "locked"]
OPEN_DOOR: DoorState = "open"
CLOSED_DOOR: DoorState = "closed"
LOCKED_DOOR: DoorState = "locked"

_CELL = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
_LONGEST_CELL = 5
_SIZE = re.compile(r"([0-9]{1,3})\s*[xX×*]\s*([0-9]{1,3})")
_ORTHOGONAL: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_DIAGONAL: tuple[Cell, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
DIRECTIONS: tuple[Cell, ...] = _ORTHOGONAL + _DIAGONAL  # their numbers are the bits of `rules.core.space.steps`


class Wall(Frozen):
    """A straight piece from a point to another, in 1/64 cells from the top left corner, at any angle."""

    points: Points
    kind: WallKind = "wall"


class Background(Frozen):
    """A picture under the cells: the digest of its bytes, its size, and how it lies there, in its own pixels.

    `cell` is the width of a cell in twentieths of a pixel, `shift` what lies left of and above the first cell, `fade`
    how pale it is drawn, in per cent.
    """

    digest: str
    width: int
    height: int
    cell: int
    shift: tuple[int, int] = (0, 0)
    fade: int = 25


class Unseen(Frozen):
    """What only the GM knows of a board: it bars nothing until it is revealed.

    A secret door stands among `doors` here, and for everybody as a wall on its edge or a solid cell.
    """

    terrain: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}
    edges: Mapping[str, EdgeKind] = {}
    doors: Mapping[str, DoorState] = {}
    walls: tuple[Wall, ...] = ()


class Board(Frozen):
    """A grid of `width` × `height`; `terrain` maps a cell to its kind, `texts` to a name.

    `edges` maps an edge such as `C4/D4` to what stands on it, `doors` a cell or an edge to the state of its door;
    of a door that lies on no edge the place is `Door 1`, and its line stands in `lines`. `notes` are the GM's, on
    places. `names` are what doors are called. `unseen`, `stands` (where somebody of a name stands on joining) and
    `starts` (the same for a side) are the GM's. Where combatants stand is in `Combatant.cell` (their top left cell) and
    `Combatant.size`. `remembered` are, on a board as somebody knows it, cells that they saw and do not see now.
    """

    width: int
    height: int
    terrain: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}
    edges: Mapping[str, EdgeKind] = {}
    doors: Mapping[str, DoorState] = {}
    walls: tuple[Wall, ...] = ()
    names: Mapping[str, str] = {}
    lines: Mapping[str, Points] = {}
    next_door: int = 1
    notes: Mapping[str, str] = {}
    picture: Background | None = None
    unseen: Unseen = Unseen()
    stands: Mapping[str, tuple[str, ...]] = {}
    starts: Mapping[str, tuple[str, ...]] = {}
    remembered: tuple[str, ...] = ()

    def holds(self, cell: Cell, size: int = 1) -> bool:
        """Tell whether a token of that size lies wholly on the board."""
        return 0 <= cell[0] <= self.width - size and 0 <= cell[1] <= self.height - size

    def kind(self, cell: Cell) -> str:
        """Return the cell's terrain; `open` where nothing was laid."""
        return self.terrain.get(cell_name(*cell), OPEN)

    def door_name(self, place: str) -> str:
        """Return what a door is called: its own name, else its cell or edge."""
        return self.names.get(place, place)

    def door_cells(self, place: str) -> tuple[Cell, ...]:
        """Return the cells that a door fills or lies between; of one on a line those at its middle."""
        if place not in self.lines:
            return parse_edge(place) if is_edge(place) else (parse_cell(place),)
        x, y, to_x, to_y = self.lines[place]
        across, down = (x + to_x) // 2, (y + to_y) // 2
        columns = {(across - 1) // UNIT, across // UNIT}
        rows = {(down - 1) // UNIT, down // UNIT}
        found = tuple((column, row) for row in sorted(rows) for column in sorted(columns))
        return tuple(cell for cell in found if self.holds(cell)) or ((0, 0),)

    @property
    def whole(self) -> Board:
        """Return the board as the GM knows it."""
        unseen = self.unseen
        terrain = {cell: kind for cell, kind in self.terrain.items() if cell not in unseen.doors}
        edges = {edge: kind for edge, kind in self.edges.items() if edge not in unseen.doors}
        secret = {self.lines[place] for place in unseen.doors if place in self.lines}
        return self.evolve(
            terrain={**terrain, **unseen.terrain},
            texts={**self.texts, **unseen.texts},
            edges={**edges, **unseen.edges},
            doors={**self.doors, **unseen.doors},
            walls=(*(wall for wall in self.walls if wall.points not in secret), *unseen.walls),
        )

    @property
    def last(self) -> str:
        """Return the name of the cell in the bottom right corner."""
        return cell_name(self.width - 1, self.height - 1)


class Area(Frozen):
    """Cells to draw for the one whose turn it is, with the word that the legend gives them."""

    label: str
    cells: frozenset[str]


# Names of cells


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
    """Return column and row counted from 0, None where the text is no cell."""
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
            f"{text.strip()[:20] or '(nothing)'} is no cell.", instead="Write a column and a row, as in C4."
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
    first, slash, second = text.partition("/")
    one, other = parse_cell(first), parse_cell(second if slash else "")
    if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
        raise Malformed(f"{text.strip()[:20]} is no edge.", instead="Name two cells side by side, as in C4/D4.")
    return one, other


def parse_path(text: str) -> tuple[Cell, ...]:
    """Read a cell, or a path of cells parted by spaces, commas or arrows. Raises: Malformed."""
    parts = [part for part in re.split(r"[\s,;→>]+", text.strip()) if part]
    if not parts:
        raise Malformed(SAY_WHERE, instead=A_CELL_OR_PATH)
    if len(parts) > MAX_SIDE * MAX_SIDE:
        raise Malformed("That path is too long.")
    return tuple(parse_cell(part) for part in parts)


def parse_cells(text: str, board: Board) -> tuple[Cell, ...]:
    """Read cells and rectangles (`B2, A1:C3`), each once, in the order typed. Raises: Malformed, Illegal."""
    found: dict[Cell, None] = {}
    for part in (piece for piece in re.split(r"[\s,;]+", text.strip()) if piece):
        first, colon, last = part.partition(":")
        one = on_board(parse_cell(first), board)
        other = on_board(parse_cell(last), board) if colon else one
        columns = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
        rows = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
        found.update(dict.fromkeys((column, row) for row in rows for column in columns))
    if not found:
        raise Malformed("Say which cells (option cells).", instead="Cells and rectangles, as in B2, A1:C3.")
    return tuple(found)


def on_board(cell: Cell, board: Board, size: int = 1) -> Cell:
    """Return the cell. Raises: Illegal where it, or a token of that size, is off the board."""
    if not board.holds(cell, size):
        where = "is off the board" if not board.holds(cell) else f"has no room for {size}×{size} on the board"
        raise Illegal(
            f"{cell_name(*cell)} {where}.",
            rule="G-06",
            instead=f"It has {board.width} columns, {board.height} rows: A1 to {board.last}.",
        )
    return cell


def parse_size(text: str) -> tuple[int, int]:
    """Read a board's size such as `20x15`. Raises: Malformed."""
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise Malformed(f"{text.strip()[:20] or '(nothing)'} is no size.", instead="Write columns x rows, as in 20x15.")
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise Malformed(f"A board has 1×1 to {MAX_SIDE}×{MAX_SIDE} cells.", instead="size:20x15, for example.")
    return width, height


def parse_token_size(text: str) -> int:
    """Read a token's size: `2`, or `2x2`. Raises: Malformed."""
    match = _SIZE.fullmatch(text.strip())
    side = match[1] if match and match[1] == match[2] else text.strip()
    if not re.fullmatch("[0-9]{1,2}", side) or not 1 <= int(side) <= MAX_TOKEN:
        raise Malformed(f"A token is 1×1 to {MAX_TOKEN}×{MAX_TOKEN} cells.", instead="size:2, for example.")
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
    """Return the spaces between two tokens: 0 where they overlap, 1 side by side.

    Of a token larger than one cell the nearest counts.

    >>> distance("orthogonal", (0, 0), (2, 3)), distance("eight", (0, 0), (2, 3))
    (5, 3)
    >>> distance("eight", (0, 0), (2, 0), size=2)
    1
    """
    across = max(0, other[0] - one[0] - size + 1, one[0] - other[0] - other_size + 1)
    down = max(0, other[1] - one[1] - size + 1, one[1] - other[1] - other_size + 1)
    return across + down if metric == "orthogonal" else max(across, down)


def cells_within(metric: Metric, board: Board, cell: Cell, size: int, spaces: int) -> frozenset[str]:
    """Return the names of the cells at most that many spaces from a token, its own left out."""
    column, row = cell
    return frozenset(
        cell_name(x, y)
        for y in range(max(0, row - spaces), min(board.height, row + size + spaces))
        for x in range(max(0, column - spaces), min(board.width, column + size + spaces))
        if 0 < distance(metric, cell, (x, y), size) <= spaces
    )


def names_of(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(cell_name(*cell) for cell in cells)


def rectangles(names: Iterable[str]) -> tuple[str, ...]:
    """Write cells as few rectangles, row by row.

    >>> rectangles(["A1", "B1", "A2", "B2", "D4"])
    ('A1:B2', 'D4')
    """
    left = {parse_cell(name) for name in names}
    found = []
    while left:
        column, row = min(left, key=lambda cell: (cell[1], cell[0]))
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
