"""Steps: the one answer to whether a step from a cell to its neighbour is free.

A step is barred if the closed segment between the two centres meets a barrier that bars steps, so that no corner
is cut; `corners=free` lets a diagonal pass that only touches barriers in the common corner, if one of the two ways
round it is free. What leads off the board is barred as well. Rule: G-06.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from rules.core.model import per_state
from rules.core.space import board as grid
from rules.core.space.barriers import ROUGH, SOLIDS, STEPS, Barrier, barriers_of, meets
from rules.core.space.cells import DIRECTIONS, UNIT, Cell, cell_name, covered, edge_name, is_edge, parse_cell

_HALF = UNIT // 2
_EAST, _SOUTH, _SOUTHEAST, _SOUTHWEST = 1, 2, 5, 6
_FORWARD = (_EAST, _SOUTH, _SOUTHEAST, _SOUTHWEST)

Bars = tuple[int, ...]


def opposite(direction: int) -> int:
    """Return the direction back: `DIRECTIONS` is ordered so that two bits tell.

    >>> [DIRECTIONS[opposite(number)] for number in (0, 4)]
    [(0, 1), (-1, 1)]
    """
    return direction ^ 2


@per_state
def step_bars(board: grid.Board, size: int = 1, *, free_corners: bool = False) -> Bars:
    """Return for each top left cell, row by row, the barred directions as bits.

    A token makes a step when each of its cells can, and cannot stand across a step that is barred.
    """
    single = _single_bars(board, free_corners=free_corners)
    if size == 1:
        return single
    room = rooms(board, size, free_corners=free_corners)
    found = []
    for row in range(board.height):
        for column in range(board.width):
            bits = 0
            for x, y in covered((column, row), size):
                if board.holds((x, y)):
                    bits |= single[y * board.width + x]
            for direction, (across, down) in enumerate(DIRECTIONS):
                after = (column + across, row + down)
                if not board.holds(after, size) or not room[after[1] * board.width + after[0]]:
                    bits |= 1 << direction
            found.append(bits)
    return tuple(found)


@per_state
def rough_steps(board: grid.Board, size: int = 1) -> Bars | None:
    """Return for each cell, row by row, the directions in which a low edge is crossed as bits; None if none is."""
    low = [barrier for barrier in barriers_of(board) if barrier.flags & ROUGH]
    if not low:
        return None
    single = _met(board, low)[0]
    if size == 1:
        return tuple(single)
    return tuple(
        reduce(or_, (single[y * board.width + x] for x, y in covered((column, row), size) if board.holds((x, y))))
        for row in range(board.height)
        for column in range(board.width)
    )


@per_state
def rooms(board: grid.Board, size: int = 1, *, free_corners: bool = False) -> tuple[bool, ...]:
    """Tell of each cell, row by row, whether a token could stand there: on nothing solid and across no wall."""
    single = _single_bars(board, free_corners=free_corners)
    shut = _shut_cells(board)
    return tuple(
        board.holds((column, row), size)
        and shut.isdisjoint(covered((column, row), size))
        and (size == 1 or not _is_parted(board, single, (column, row), size))
        for row in range(board.height)
        for column in range(board.width)
    )


@per_state
def _shut_cells(board: grid.Board) -> frozenset[Cell]:
    """Return the cells that cannot be entered: solid ones, shut doors, windows, and those whose centre is barred."""
    shut = {
        parse_cell(name)
        for name, kind in board.terrain.items()
        if kind in (*SOLIDS, grid.WINDOW) and name not in board.doors
    }
    shut.update(
        parse_cell(name)
        for name, state in board.doors.items()
        if not is_edge(name) and name not in board.lines and state != grid.OPEN_DOOR
    )
    for wall in barriers_of(board):
        if wall.flags & STEPS and (
            wall.x % UNIT or wall.y % UNIT or wall.to_x % UNIT or wall.to_y % UNIT or _is_slanted(wall)
        ):
            for cell in _near(board, wall):
                centre = (cell[0] * UNIT + _HALF, cell[1] * UNIT + _HALF)
                if meets(centre, centre, wall):
                    shut.add(cell)
    return frozenset(shut)


def _is_slanted(wall: Barrier) -> bool:
    return wall.x != wall.to_x and wall.y != wall.to_y


def _is_parted(board: grid.Board, single: Bars, cell: Cell, size: int) -> bool:
    within = set(covered(cell, size))
    return any(
        single[y * board.width + x] >> direction & 1
        for x, y in within
        for direction in _FORWARD
        if (x + DIRECTIONS[direction][0], y + DIRECTIONS[direction][1]) in within
    )


def bar_between(board: grid.Board, before: Cell, after: Cell, size: int = 1) -> str:
    """Return in words what bars a step: the wall at an edge, a door, a corner."""
    door = door_between(board, before, after, size)
    if door is not None:
        return f"the door {board.door_name(door)}, which is {board.doors[door]}"
    across, down = after[0] - before[0], after[1] - before[1]
    for cell in covered(before, size):
        beyond = (cell[0] + across, cell[1] + down)
        for edge in _edges_between(cell, beyond):
            if board.edges.get(edge) in (grid.WALL, grid.WINDOW):
                return f"the {board.edges[edge]} at {edge}"
        for beside in ((beyond[0], cell[1]), (cell[0], beyond[1])) if across and down else ():
            if board.holds(beside) and beside in _shut_cells(board):
                return f"the corner of {cell_name(*beside)}"
    return "a wall"


def door_between(board: grid.Board, before: Cell, after: Cell, size: int = 1) -> str | None:
    """Return the place of the shut door that bars a step; None if none does."""
    across, down = after[0] - before[0], after[1] - before[1]
    for cell in covered(before, size):
        for edge in _edges_between(cell, (cell[0] + across, cell[1] + down)):
            if board.doors.get(edge, grid.OPEN_DOOR) != grid.OPEN_DOOR:
                return edge
    for cell in covered(after, size):
        if board.doors.get(cell_name(*cell), grid.OPEN_DOOR) != grid.OPEN_DOOR:
            return cell_name(*cell)
    return _line_between(board, before, after)


def at_door(board: grid.Board, place: str) -> str:
    """Return what would get somebody through a shut door.

    It is called by its place, that is no other's: its name a secret door may bear as well.
    """
    if board.doors[place] == grid.LOCKED_DOOR:
        return "It is locked; only the GM can unlock it."
    return f"Open it with /board door at:{place}."


def _line_between(board: grid.Board, before: Cell, after: Cell) -> str | None:
    """Return the shut door on a line that a step meets."""
    one, other = ((cell[0] * UNIT + _HALF, cell[1] * UNIT + _HALF) for cell in (before, after))
    for place, line in board.lines.items():
        state = board.doors.get(place, grid.OPEN_DOOR)
        if state != grid.OPEN_DOOR and meets(one, other, Barrier(*line, STEPS)):
            return place
    return None


def _edges_between(cell: Cell, beyond: Cell) -> tuple[str, ...]:
    """Return the edges that a step crosses: one, or of a diagonal the four that meet in its corner."""
    if cell[0] == beyond[0] or cell[1] == beyond[1]:
        return (edge_name(cell, beyond),)
    sideways, upright = (beyond[0], cell[1]), (cell[0], beyond[1])
    return tuple(edge_name(one, other) for one in (cell, beyond) for other in (sideways, upright))


@per_state
def _single_bars(board: grid.Board, *, free_corners: bool) -> Bars:
    bars, hard = _met(board, [barrier for barrier in barriers_of(board) if barrier.flags & STEPS])
    for row in range(board.height):
        for column in range(board.width):
            for direction, (across, down) in enumerate(DIRECTIONS):
                if not board.holds((column + across, row + down)):
                    bars[row * board.width + column] |= 1 << direction
                    hard[row * board.width + column] |= 1 << direction
    if free_corners:
        _open_corners(board, bars, hard)
    return tuple(bars)


def _open_corners(board: grid.Board, bars: list[int], hard: list[int]) -> None:
    """Free the diagonals that only touch in the corner, if one of the ways round is free."""
    straight = list(bars)  # the ways round are straight steps, which stay as they are
    width = board.width
    for place, bits in enumerate(straight):
        column, row = place % width, place // width
        for direction in range(4, 8):
            if not bits >> direction & 1 or hard[place] >> direction & 1:
                continue
            across, down = DIRECTIONS[direction]
            sideways, upright = (_EAST if across > 0 else 3), (_SOUTH if down > 0 else 0)
            beside, below = row * width + column + across, (row + down) * width + column
            first = not bits >> sideways & 1 and not straight[beside] >> upright & 1
            second = not bits >> upright & 1 and not straight[below] >> sideways & 1
            if first or second:
                bars[place] &= ~(1 << direction)


def _met(board: grid.Board, barriers: list[Barrier]) -> tuple[list[int], list[int]]:
    """Return the steps that meet a barrier, and those that meet one elsewhere than in the corner alone."""
    width = board.width
    bars = [0] * (width * board.height)
    hard = [0] * (width * board.height)
    for barrier in barriers:
        for column, row in _near(board, barrier):
            place = row * width + column
            start = (column * UNIT + _HALF, row * UNIT + _HALF)
            for direction in _FORWARD:
                across, down = DIRECTIONS[direction]
                if not (board.holds((column + across, row + down)) and board.holds((column, row))):
                    continue
                end = (start[0] + across * UNIT, start[1] + down * UNIT)
                if not meets(start, end, barrier):
                    continue
                there = place + down * width + across
                bars[place] |= 1 << direction
                bars[there] |= 1 << opposite(direction)
                corner = (start[0] + across * _HALF, start[1] + down * _HALF)
                if direction not in (_SOUTHEAST, _SOUTHWEST) or not _touches_only(start, end, corner, barrier):
                    hard[place] |= 1 << direction
                    hard[there] |= 1 << opposite(direction)
    return bars, hard


def _touches_only(start: tuple[int, int], end: tuple[int, int], corner: tuple[int, int], barrier: Barrier) -> bool:
    """Tell whether a diagonal meets a barrier in the corner and nowhere else."""
    along = (end[0] - start[0]) * (barrier.to_y - barrier.y) == (end[1] - start[1]) * (barrier.to_x - barrier.x)
    return not along and meets(corner, corner, barrier)


def _near(board: grid.Board, barrier: Barrier) -> Iterator[Cell]:
    """Return the cells whose steps east, south or aslant downward may meet a barrier."""
    x, y, to_x, to_y, _ = barrier
    if y > to_y:
        x, y, to_x, to_y = to_x, to_y, x, y
    for row in range(max(0, (y - _HALF - 1) // UNIT - 1), min(board.height, (to_y - _HALF) // UNIT + 2)):
        top, bottom = row * UNIT + _HALF, row * UNIT + _HALF + UNIT
        if bottom < y or top > to_y:
            continue
        ends = [x, to_x]
        if y != to_y:
            ends = [x + (to_x - x) * (min(max(at, y), to_y) - y) // (to_y - y) for at in (top, bottom)]
        first = (min(ends) - UNIT - _HALF) // UNIT
        last = (max(ends) + 1 + _HALF) // UNIT
        for column in range(max(0, first), min(board.width - 1, last) + 1):
            yield column, row
