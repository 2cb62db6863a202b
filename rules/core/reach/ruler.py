"""The ruler: the distance between two places, the way, and what can be seen. It changes nothing. Rule: G-06."""

from __future__ import annotations

from typing import NamedTuple

from rules.core import refusals
from rules.core.board.fog import as_seen, sight_reaches
from rules.core.encounter import Encounter
from rules.core.reach.spots import nearest_cell
from rules.core.reach.vision import cover_from_foes, lines_drawn
from rules.core.registry import option_value, system_of
from rules.core.space.barriers import STEPS, Barrier, edge_side, meets, side_of, sides_of_cell
from rules.core.space.board import Board, on_board
from rules.core.space.cells import UNIT, Cell, cell_name, covered, distance, is_edge, parse_cell
from rules.core.space.paths import Ground, best_path, costs_within
from rules.core.space.steps import rooms
from rules.core.space.winds import way_words
from rules.core.typed.names import resolve_name, shown
from rules.core.typed.skeleton import skeleton
from rules.core.values import Combatant, Seat
from rules.errors import Illegal, Refusal

_FAR = 10_000
_HALF = UNIT // 2


class Place(NamedTuple):
    """A cell, or the combatant in it."""

    cell: Cell
    who: Combatant | None = None

    @property
    def size(self) -> int:
        return 1 if self.who is None else self.who.size

    @property
    def words(self) -> str:
        return cell_name(*self.cell) if self.who is None else f"{self.who.name} ({cell_name(*self.cell)})"


def measured(state: Encounter, seat: Seat, to: str, start: str | None = None) -> tuple[str, ...]:
    """Return what lies between two places, line by line, as far as the seat may know. Raises: Refusal."""
    state = as_seen(state, seat)
    board = state.board
    if board is None:
        raise refusals.no_board()
    one = _own_place(state, seat) if start is None else place_of(state, seat, board, start)
    other = _held(state, seat, place_of(state, seat, board, to, one))
    metric = system_of(state).metric
    two = tuple(place.who.name for place in (one, other) if place.who is not None)
    lines = lines_drawn(state, one.cell, other.cell, one.size, other.size, two)
    near = distance("eight", one.cell, other.cell, one.size, other.size) <= 1
    cover = "" if near or lines.cover in ("", "none") else f", {lines.cover} cover"
    found = [
        f"{one.words} to {other.words}: {way_words(metric, one.cell, other.cell, one.size, other.size)}.",
        _way(state, board, one, other),
        f"In sight{cover}: {lines.words}." if lines.sight else f"Not in sight: {_why_unseen(state, one, other)}.",
    ]
    if other.who is not None and (covering := cover_from_foes(state, other.who.name)) is not None:
        name = other.who.name
        found.append(f"{name} has cover from {shown(covering)}." if covering else f"{name} is outside of cover.")
    doors = _doors_between(board, one.cell, other.cell)
    if doors:
        found.append(f"Doors between: {', '.join(doors)}.")
    return tuple(found)


def _why_unseen(state: Encounter, one: Place, other: Place) -> str:
    if sight_reaches(state, one.cell, other.cell, one.size, other.size):
        return "there is a wall, a door or a curtain in between"
    spaces = distance(system_of(state).metric, one.cell, other.cell, one.size, other.size)
    return f"it is {spaces} spaces away, and you can see for {option_value(state, 'sight_range')}"


def _own_place(state: Encounter, seat: Seat) -> Place:
    turn = system_of(state).waits_for(state)
    own = [combatant for combatant in state.combatants if combatant.cell is not None and seat.owns(combatant)]
    own.sort(key=lambda each: each.name not in turn)
    if not own:
        raise refusals.none_on_board(instead="Say from where, such as from:C4.")
    return Place(parse_cell(own[0].cell or ""), own[0])


def place_of(state: Encounter, seat: Seat, board: Board, text: str, start: Place | None = None) -> Place:
    """Return the place that a cell or a name means; of a door the side that `start` is on. Raises: Refusal."""
    try:
        return Place(on_board(parse_cell(text), board))
    except Illegal:
        raise
    except Refusal:
        named = [cell for cell, name in board.texts.items() if skeleton(name) == skeleton(text.strip())]
        if named:
            return Place(min((parse_cell(cell) for cell in named), key=lambda cell: (cell[1], cell[0])))
        door = _door_called(state, seat, board, text)
        if door:
            return Place(door[0] if start is None else nearest_cell(door, start.cell, start.size))
        who = state.combatant(resolve_name(text, state.visible_names(seat), "cell, place or combatant"))
    if who.name in state.out_of_sight:
        raise refusals.out_of_sight(who.name)
    if who.cell is None:
        raise refusals.off_board(who.name, instead="Name a cell, such as C4.")
    return Place(parse_cell(who.cell), who)


def _held(state: Encounter, seat: Seat, place: Place) -> Place:
    """Return who is on a cell instead of it, as far as the seat may know; you may go over the fallen."""
    if place.who is not None:
        return place
    for name in state.visible_names(seat):
        combatant = state.combatant(name)
        if combatant.cell is not None and name not in state.out_of_sight and not system_of(state).is_out(state, name):
            at = parse_cell(combatant.cell)
            if place.cell in covered(at, combatant.size):
                return Place(at, combatant)
    return place


def _door_called(state: Encounter, seat: Seat, board: Board, text: str) -> tuple[Cell, ...]:
    """Return the cells of the doors that a name or an edge means; nobody's name is taken for a door."""
    called = skeleton(text.strip())
    if any(skeleton(name) == called for name in state.visible_names(seat)):
        return ()
    known = board.whole if seat.gm else board
    return tuple(cell for place in known.doors_called(text) for cell in known.door_cells(place))


def _way(state: Encounter, board: Board, one: Place, other: Place) -> str:
    """Return the shortest way: to a cell beside it, if somebody is there."""
    system = system_of(state)
    ground = None if one.who is None else system.ground(state, one.who.name)
    if ground is None:
        free = option_value(state, "corners") == "free"
        ground = Ground(board=board, metric=system.metric, start=one.cell, free_corners=free)
    goals = {other.cell} if other.who is None else _beside(ground, other)
    costs = costs_within(ground, min(_FAR, 4 * board.width * board.height))
    able = [cell for cell in goals if cell in costs]
    if not able:
        is_free = other.who is not None or rooms(board)[other.cell[1] * board.width + other.cell[0]]
        return "There is no way to it." if is_free else f"There is no way to it: nobody can stand on {other.words}."
    goal = min(able, key=lambda cell: (costs[cell], cell[1], cell[0]))
    if goal == ground.start:
        return "They are next to each other." if other.who is not None else "That is the same cell."
    path = best_path(ground, goal, costs[goal])
    way = "" if path is None else f" ({' '.join(path.names)})"
    beside = "" if other.who is None else " to stand next to them"
    return f"The shortest way costs {costs[goal]}{beside}{way}."


def _beside(ground: Ground, other: Place) -> set[Cell]:
    (column, row), size = other.cell, ground.size
    around = (
        (x, y) for y in range(row - size, row + other.size + 1) for x in range(column - size, column + other.size + 1)
    )
    return {
        cell
        for cell in around
        if ground.board.holds(cell, size)
        and distance(ground.metric, cell, other.cell, size, other.size) == 1
        and (cell == ground.start or (ground.cost(cell) and ground.can_stay(cell)))
    }


def _doors_between(board: Board, one: Cell, other: Cell) -> list[str]:
    """Return the doors that the straight line between two centres meets, with their state."""
    start, end = ((cell[0] * UNIT + _HALF, cell[1] * UNIT + _HALF) for cell in (one, other))
    return [
        f"{board.door_name(place)} ({state})"
        for place, state in sorted(board.doors.items())
        if any(meets(start, end, side) for side in _sides_of_door(board, place))
    ]


def _sides_of_door(board: Board, place: str) -> tuple[Barrier, ...]:
    if place in board.lines:
        return (Barrier(*board.lines[place], STEPS),)
    if is_edge(place):
        upright, line, at = edge_side(place)
        return (side_of(upright, line, at, at, STEPS),)
    return tuple(side_of(upright, line, at, at, STEPS) for upright, line, at in sides_of_cell(parse_cell(place)))
