"""What on the board may be selected beside a cell to move to: doors at hand, and spots for an area (maps 6).

Everything is reckoned from a state as somebody knows it (`rules.core.board.fog.as_seen`). Rule: G-06.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.core import refusals
from rules.core.board.areas import AreaOf, area_of
from rules.core.encounter import Encounter
from rules.core.registry import option_value, system_of
from rules.core.space.board import LOCKED_DOOR, OPEN_DOOR, Board
from rules.core.space.cells import Cell, cell_name, covered, distance, parse_cell
from rules.core.space.sight import lines_between
from rules.core.values import Combatant, Seat
from rules.errors import Refusal

MOST_SPOTS = 24
_TRIED = 3 * MOST_SPOTS
_AIMED = ("cone", "line")


class Door(NamedTuple):
    """A door that may be worked: its place, how it is, what would be done to it, and a cell beside it."""

    place: str
    state: str
    do: str
    cell: Cell


class Spot(NamedTuple):
    """A spot for an area: the cell that is named, the area as text, those in it."""

    cell: Cell
    area: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return cell_name(*self.cell)


# Doors


def doors_at_hand(state: Encounter, seat: Seat, who: str) -> tuple[Door, ...]:
    """Return the doors that somebody may open or close now, the nearest first; a GM any of them."""
    board, own = state.board, state.find(who)
    if board is None or own is None or own.cell is None:
        return ()
    board = board.whole if seat.gm else board
    if not seat.gm and option_value(state, "doors") == "gm":
        return ()
    at = parse_cell(own.cell)
    found = []
    for place, held in sorted(board.doors.items()):
        spaces, cell = min((distance("eight", at, cell, own.size), cell) for cell in board.door_cells(place))
        if seat.gm or (spaces <= 1 and held != LOCKED_DOOR and seat.owns(own)):
            do = "unlock" if held == LOCKED_DOOR else "close" if held == OPEN_DOOR else "open"
            found.append((spaces, Door(place, held, do, cell)))
    return tuple(door for _, door in sorted(found)[:MOST_SPOTS])


def door_cell(board: Board, place: str, at: Cell, size: int = 1) -> Cell:
    """Return a door's cell that is nearest to a token and not its own: beyond the edge of one on an edge."""
    own = {*covered(at, size)}
    cells = board.door_cells(place)
    return nearest_cell([cell for cell in cells if cell not in own] or cells, at, size)


def nearest_cell(cells: Iterable[Cell], at: Cell, size: int = 1) -> Cell:
    """Return the cell nearest to a token; one straight beside it is nearer than one at its corner."""
    return min(cells, key=lambda each: (distance("eight", at, each, size), distance("orthogonal", at, each, size)))


def door_point(board: Board, place: str) -> tuple[float, float]:
    """Return the middle of a door, in cells from the top left corner of the board."""
    if place in board.lines:
        x, y, to_x, to_y = board.lines[place]
        return (x + to_x) / 128, (y + to_y) / 128
    cells = board.door_cells(place)
    count = len(cells)
    return sum(cell[0] for cell in cells) / count + 0.5, sum(cell[1] for cell in cells) / count + 0.5


# Areas


def area_spots(state: Encounter, who: str, shape: str, visible: Iterable[str]) -> tuple[Spot, ...]:
    """Return spots for an area such as `burst 2`: each group once, most foes and fewest friends first.

    A cone and a line begin at `who` and lead toward the cell that is named. Raises: Malformed, Illegal.
    """
    names = tuple(visible)
    own = state.combatant(who)
    board = state.board
    if board is None or own.cell is None:
        raise refusals.off_board(who)
    shape = " ".join(shape.split())
    standing = [
        combatant for name in names if (combatant := state.find(name)) is not None and combatant.cell is not None
    ]
    is_aimed = shape.casefold().startswith(_AIMED)
    tried: dict[tuple[str, ...], tuple[tuple[int, int, int], Cell, str, AreaOf]] = {}
    for cell in _aims(board, own) if is_aimed else _near(board, standing, _size(shape)):
        text = f"{shape} at {own.cell} toward {cell_name(*cell)}" if is_aimed else f"{shape} at {cell_name(*cell)}"
        try:
            area = area_of(state, f"{text} through", names)
        except Refusal:
            area_of(state, text.replace(cell_name(*cell), board.last), names)  # a shape that is none is refused
            continue
        inside = tuple(each.name for each in standing if area.holds(each))
        key = (*_worth(state, own, inside), distance(system_of(state).metric, parse_cell(own.cell), cell, own.size))
        if inside and (inside not in tried or key < tried[inside][0]):
            tried[inside] = (key, cell, text, area)
    sees = state.options.get("sight") != "off"
    found: dict[tuple[str, ...], Spot] = {}
    for _, cell, text, area in sorted(tried.values(), key=lambda each: (each[0], each[1][::-1]))[:_TRIED]:
        inside = tuple(each.name for each in standing if area.holds(each) and (not sees or _is_seen(board, area, each)))
        if inside:
            found.setdefault(inside, Spot(cell, text, inside))
    best = sorted(found.values(), key=lambda spot: (_worth(state, own, spot.names), spot.cell[1], spot.cell[0]))
    return tuple(best[:MOST_SPOTS])


def _worth(state: Encounter, own: Combatant, names: tuple[str, ...]) -> tuple[int, int]:
    """Return what is sorted by: most foes first, then fewest of your own side."""
    system = system_of(state)
    sides = [state.combatant(name).side for name in names if not system.is_out(state, name)]
    friends = sum(side == own.side for side in sides)
    return friends - len(sides), friends


def _size(shape: str) -> int:
    number = next((word for word in shape.split() if word.isdecimal()), "1")
    return int(number[:2])


def _near(board: Board, standing: Iterable[Combatant], size: int) -> Iterator[Cell]:
    """Return the cells from which somebody could be hit."""
    found: dict[Cell, None] = {}
    for combatant in standing:
        column, row = parse_cell(combatant.cell or "A1")
        for cell in covered((column - size, row - size), 2 * size + combatant.size):
            if board.holds(cell):
                found[cell] = None
    yield from found


def _aims(board: Board, own: Combatant) -> Iterator[Cell]:
    """Return cells all around, in all directions that differ."""
    column, row = parse_cell(own.cell or "A1")
    ring = 4 + own.size
    for cell in covered((column - ring, row - ring), 2 * ring + 1):
        if board.holds(cell) and max(abs(cell[0] - column), abs(cell[1] - row)) in (own.size, ring):
            yield cell


def _is_seen(board: Board, area: AreaOf, combatant: Combatant) -> bool:
    within = (cell for cell in covered(parse_cell(combatant.cell or "A1"), combatant.size) if cell in area.cells)
    return any(lines_between(board, area.origin, cell).sight for cell in within)


def beside_door(board: Board, cell: Cell) -> str | None:
    """Return the place of a door in or at a cell."""
    for place in sorted(board.doors):
        if cell in board.door_cells(place):
            return place
    return None
