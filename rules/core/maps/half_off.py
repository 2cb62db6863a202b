"""Walls that lie half a cell beside the grid: by how much to move them, and the board on which they are moved."""

from __future__ import annotations

from contextlib import suppress

from rules.core.maps.file import require_room
from rules.core.maps.walls import with_walls
from rules.core.space.board import Board, EdgeKind, Points
from rules.core.space.cells import UNIT
from rules.core.space.line_doors import with_door
from rules.core.space.steps import rooms
from rules.errors import Malformed

_HALF = UNIT // 2
WAYS = {
    "right and down": (1, 1),
    "left and up": (-1, -1),
    "right": (1, 0),
    "left": (-1, 0),
    "down": (0, 1),
    "up": (0, -1),
}


def best_way(board: Board) -> tuple[str, int] | None:
    """Return the way in which half a cell frees most cells, and how many; None if none does."""
    now = sum(rooms(board))
    found = dict.fromkeys(WAYS, now)
    for way in WAYS:
        with suppress(Malformed):  # more walls than a board may hold: nothing to offer
            found[way] = sum(rooms(moved_walls(board, way)))
    way = max(found, key=lambda each: found[each])
    return (way, found[way] - now) if found[way] > now else None


def moved_walls(board: Board, way: str) -> Board:
    """Return the board with its walls and doors on lines half a cell farther; what comes onto the grid is an edge.

    Raises: Malformed if that makes more walls than a board may hold.
    """
    across, down = (part * _HALF for part in WAYS[way])
    most = (board.width * UNIT, board.height * UNIT)

    def moved(points: Points) -> Points:
        x, y, to_x, to_y = points
        ends = (x + across, most[0]), (y + down, most[1]), (to_x + across, most[0]), (to_y + down, most[1])
        first, second, third, fourth = (min(max(0, at), end) for at, end in ends)
        return first, second, third, fourth

    lines: list[tuple[list[tuple[int, int]], EdgeKind]] = []
    for wall in board.walls:
        x, y, to_x, to_y = moved(wall.points)
        if (x, y) != (to_x, to_y):
            lines.append(([(x, y), (to_x, to_y)], wall.kind))
    doors = {at: door for at, door in board.doors.items() if at not in board.lines}
    empty = board.evolve(walls=(), lines={}, doors=doors, next_door=1)
    after = with_walls(empty, lines).board
    for place, points in board.lines.items():
        if place in board.doors:
            after = with_door(after, moved(points), board.doors[place], board.names.get(place, ""))
    require_room(after, "That would be", instead="{most} at most: the option part takes only a piece of the file.")
    return after
