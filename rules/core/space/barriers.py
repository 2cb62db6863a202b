"""Barriers: what bars steps, sight and cover, as closed segments between points in whole 1/64 cells.

Whole numbers only, and touching is meeting. Things on cells, edges and lines are in `rules.core.space.board`; which
steps are free in `rules.core.space.steps`, who can see who in `rules.core.space.sight`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.core.model import per_state
from rules.core.space import board as grid
from rules.core.space.cells import UNIT, Cell, is_edge, parse_cell, parse_edge

STEPS, SIGHT, COVER, ROUGH = 1, 2, 4, 8

Point = tuple[int, int]

# What each kind bars. `ROUGH`: a step across costs as difficult ground does.
EDGE_FLAGS: Mapping[str, int] = {
    grid.WALL: STEPS | SIGHT,
    grid.WINDOW: STEPS | COVER,
    grid.LOW: COVER | ROUGH,
    grid.CURTAIN: SIGHT,
    grid.PROP: SIGHT,
}
# A low cell is rough to enter by its kind, not by its sides.
_CELL_FLAGS: Mapping[str, int] = {
    grid.BLOCKED: STEPS | SIGHT,
    grid.VOID: STEPS | SIGHT,
    grid.WINDOW: STEPS | COVER,
    grid.LOW: COVER,
}
SOLIDS = (grid.BLOCKED, grid.VOID)


class Barrier(NamedTuple):
    """A closed segment from (`x`, `y`) to (`to_x`, `to_y`); `flags` says what it bars."""

    x: int
    y: int
    to_x: int
    to_y: int
    flags: int


def meets(one: Point, other: Point, barrier: Barrier) -> bool:
    """Tell whether the closed segment between two points meets a barrier.

    >>> meets((0, 0), (64, 64), Barrier(64, 64, 128, 64, SIGHT))
    True
    >>> meets((0, 0), (64, 63), Barrier(64, 64, 128, 64, SIGHT))
    False
    """
    (ax, ay), (bx, by) = one, other
    cx, cy, dx, dy, _ = barrier
    if max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx) or max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
        return False
    across, down = bx - ax, by - ay
    first = across * (cy - ay) - down * (cx - ax)
    second = across * (dy - ay) - down * (dx - ax)
    if (first > 0 and second > 0) or (first < 0 and second < 0):
        return False
    across, down = dx - cx, dy - cy
    third = across * (ay - cy) - down * (ax - cx)
    fourth = across * (by - cy) - down * (bx - cx)
    return not ((third > 0 and fourth > 0) or (third < 0 and fourth < 0))


@per_state
def barriers_of(board: grid.Board) -> tuple[Barrier, ...]:
    """Return a board's barriers: sides shared by two solid cells fall away, collinear sides are joined."""
    sides: dict[tuple[bool, int, int], set[int]] = {}
    for cell, flags in _barred_cells(board):
        for upright, line, at in sides_of_cell(cell):
            if (
                flags & SIGHT
                and flags & STEPS
                and _is_solid(board, cell)
                and _is_solid(board, _beyond(cell, upright, line))
            ):
                continue
            sides.setdefault((upright, line, flags), set()).add(at)
    for name, flags in _barred_edges(board):
        upright, line, at = edge_side(name)
        sides.setdefault((upright, line, flags), set()).add(at)
    barriers = [
        side_of(upright, line, first, last, flags)
        for (upright, line, flags), places in sorted(sides.items())
        for first, last in _runs(places)
    ]
    barriers += [Barrier(*wall.points, EDGE_FLAGS[wall.kind]) for wall in board.walls]
    shut = (board.lines.get(place) for place, state in board.doors.items() if state != grid.OPEN_DOOR)
    barriers += [Barrier(*line, STEPS | SIGHT) for line in shut if line is not None]
    return tuple(barriers)


def _barred_cells(board: grid.Board) -> Iterator[tuple[Cell, int]]:
    for name, kind in board.terrain.items():
        if kind in _CELL_FLAGS and name not in board.doors:
            yield parse_cell(name), _CELL_FLAGS[kind]
    for name, state in board.doors.items():
        if not is_edge(name) and name not in board.lines and state != grid.OPEN_DOOR:
            yield parse_cell(name), STEPS | SIGHT


def _barred_edges(board: grid.Board) -> Iterator[tuple[str, int]]:
    for name, kind in board.edges.items():
        yield name, EDGE_FLAGS[kind]
    for name, state in board.doors.items():
        if is_edge(name) and state != grid.OPEN_DOOR:
            yield name, STEPS | SIGHT


def _is_solid(board: grid.Board, cell: Cell) -> bool:
    return board.holds(cell) and board.kind(cell) in SOLIDS


def sides_of_cell(cell: Cell) -> tuple[tuple[bool, int, int], ...]:
    """Return a cell's four sides: whether upright, on which line, and which piece of that line."""
    column, row = cell
    return (True, column, row), (True, column + 1, row), (False, row, column), (False, row + 1, column)


def _beyond(cell: Cell, upright: bool, line: int) -> Cell:
    column, row = cell
    if upright:
        return (column - 1 if line == column else column + 1), row
    return column, (row - 1 if line == row else row + 1)


def edge_side(name: str) -> tuple[bool, int, int]:
    """Return the side that an edge such as `C4/D4` lies on: whether upright, on which line, which piece of it."""
    (column, row), (to_column, to_row) = parse_edge(name)
    return (True, max(column, to_column), row) if row == to_row else (False, max(row, to_row), column)


def side_of(upright: bool, line: int, first: int, last: int, flags: int) -> Barrier:
    """Return the barrier along a line, from its `first` to its `last` piece."""
    at, begin, end = line * UNIT, first * UNIT, (last + 1) * UNIT
    return Barrier(at, begin, at, end, flags) if upright else Barrier(begin, at, end, at, flags)


def _runs(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Return the first and last of each row of successive numbers."""
    ordered = sorted(places)
    first = last = ordered[0]
    for place in ordered[1:]:
        if place != last + 1:
            yield first, last
            first = place
        last = place
    yield first, last
