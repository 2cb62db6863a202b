"""The board: a grid of cells with letters and numbers that every system may use (design 3.2).

How far a movement goes and past which tokens is in `rules.core.space.paths`; a system adds to it by hooks of
`System`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from rules.core import refusals
from rules.core.model import Frozen
from rules.core.space.cells import (
    UNIT,
    Cell,
    Metric,
    cell_name,
    cells_between,
    distance,
    is_edge,
    parse_cell,
    parse_edge,
)
from rules.core.typed.skeleton import same
from rules.errors import Illegal

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

V = TypeVar("V")
Points = tuple[int, int, int, int]  # a line from a point to another, in 1/64 cells
EdgeKind = Literal["wall", "window", "low", "curtain", "prop"]
DoorState = Literal["open", "closed", "locked"]
OPEN_DOOR: DoorState = "open"
CLOSED_DOOR: DoorState = "closed"
LOCKED_DOOR: DoorState = "locked"


class Wall(Frozen):
    """A straight piece from a point to another, in 1/64 cells from the top left corner, at any angle."""

    points: Points
    kind: EdgeKind = "wall"


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

    A secret door is among `doors` here, and for everybody a wall on its edge or a solid cell; if that wall is
    hidden too, it is here beside it.
    """

    terrain: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}
    edges: Mapping[str, EdgeKind] = {}
    doors: Mapping[str, DoorState] = {}
    walls: tuple[Wall, ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """Return the cells and edges on which something is hidden, and what doors on no edge are called."""
        return frozenset((*self.terrain, *self.texts, *self.edges, *self.doors))


class Board(Frozen):
    """A grid of `width` × `height`; `terrain` maps a cell to its kind, `texts` to a name.

    `edges` maps an edge such as `C4/D4` to what is on it, `doors` a cell or an edge to the state of its door;
    of a door that lies on no edge the place is `Door 1`, and its line is in `lines`. `notes` are the GM's, on
    places. `names` are what doors are called. `unseen`, `stands` (the cell that somebody of a name joins on) and
    `starts` (the same for a side) are the GM's. Combatants' places are `Combatant.cell` (their top left cell) and
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
        """Return the cell's terrain; `open` if nothing was laid."""
        return self.terrain.get(cell_name(*cell), OPEN)

    def door_name(self, place: str) -> str:
        """Return what a door is called: its own name, else its cell or edge."""
        return self.names.get(place, place)

    def doors_called(self, text: str) -> tuple[str, ...]:
        """Return the places of the doors that a text means: the one at that place, else all of that name."""
        exact = tuple(place for place in self.doors if same(place, text))
        return exact or tuple(place for place in self.doors if same(self.door_name(place), text))

    def door_at(self, place: str) -> str:
        """Return what `/board door at:` takes for a door: its own name, or its place if others share the name."""
        name = self.door_name(place)
        return name if sum(self.door_name(door) == name for door in self.doors) < 2 else place

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
        if not (unseen.places or unseen.walls):
            return self
        return self.in_light(unseen.places, unseen.walls).evolve(unseen=unseen)

    def in_light(self, places: Collection[str], walls: Collection[Wall], *, with_doors: bool = True) -> Board:
        """Return the board on which all know what is hidden at places, and hidden walls; what these replace goes.

        Without the doors a secret one shows as the wall that it looks like.
        """
        unseen = self.unseen
        terrain, texts = _at(unseen.terrain, places), _at(unseen.texts, places)
        edges, doors = _at(unseen.edges, places), _at(unseen.doors, places if with_doors else ())
        looked = {self.lines[place] for place in doors if place in self.lines}  # others took these doors for walls
        looked |= {turned(points) for points in looked}
        gone = looked | {points for wall in walls for points in (wall.points, turned(wall.points))}
        shown = {place: state for place, state in self.doors.items() if place not in terrain and place not in edges}
        return self.evolve(
            terrain={**_but(self.terrain, doors), **_but(terrain, doors)},
            texts={**self.texts, **texts},
            edges={**_but(self.edges, doors), **_but(edges, doors)},
            doors={**shown, **doors},
            names={place: name for place, name in self.names.items() if place not in self.doors or place in shown},
            walls=(*_not_on(self.walls, gone), *_not_on(walls, looked)),
            unseen=Unseen(
                terrain=_but(unseen.terrain, terrain),
                texts=_but(unseen.texts, texts),
                edges=_but(unseen.edges, edges),
                doors=_but(unseen.doors, doors),
                walls=tuple(wall for wall in _not_on(unseen.walls, looked) if wall not in walls),
            ),
        )

    @property
    def last(self) -> str:
        """Return the name of the cell in the bottom right corner."""
        return cell_name(self.width - 1, self.height - 1)


class Area(Frozen):
    """Cells to draw for the one whose turn it is, with the word that the legend gives them."""

    label: str
    cells: frozenset[str]


def turned(points: Points) -> Points:
    """Return the same line from its other end."""
    return (*points[2:], *points[:2])


def _not_on(walls: Iterable[Wall], lines: Collection[Points]) -> Iterator[Wall]:
    return (wall for wall in walls if wall.points not in lines)


def _at(held: Mapping[str, V], places: Collection[str]) -> dict[str, V]:
    return {place: value for place, value in held.items() if place in places}


def _but(held: Mapping[str, V], places: Collection[str]) -> dict[str, V]:
    return {place: value for place, value in held.items() if place not in places}


def parse_cells(text: str, board: Board) -> tuple[Cell, ...]:
    """Read cells and rectangles (`B2, A1:C3`), each once, in the order typed. Raises: Malformed, Illegal."""
    found: dict[Cell, None] = {}
    for part in listed(text):
        first, colon, last = part.partition(":")
        one = on_board(parse_cell(first), board)
        other = on_board(parse_cell(last), board) if colon else one
        found.update(dict.fromkeys(cells_between(one, other)))
    if not found:
        raise refusals.which_cells(instead="Write cells and rectangles, such as B2, A1:C3.")
    return tuple(found)


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a list, whatever they are separated by.

    >>> listed("B2, A1:C3;D4")
    ('B2', 'A1:C3', 'D4')
    """
    return tuple(piece for piece in re.split(r"[\s,;]+", text.strip()) if piece)


def on_board(cell: Cell, board: Board, size: int = 1) -> Cell:
    """Return the cell. Raises: Illegal if it, or a token of that size, is off the board."""
    if not board.holds(cell, size):
        where = "is off the board" if not board.holds(cell) else f"has no room for {size}×{size} on the board"
        raise Illegal(
            f"{cell_name(*cell)} {where}.",
            rule="G-06",
            instead=f"The board has {board.width} columns and {board.height} rows: A1 to {board.last}.",
        )
    return cell


def cells_within(metric: Metric, board: Board, cell: Cell, size: int, spaces: int) -> frozenset[str]:
    """Return the names of the cells at most that many spaces from a token, its own left out."""
    column, row = cell
    return frozenset(
        cell_name(x, y)
        for y in range(max(0, row - spaces), min(board.height, row + size + spaces))
        for x in range(max(0, column - spaces), min(board.width, column + size + spaces))
        if 0 < distance(metric, cell, (x, y), size) <= spaces
    )
