"""Walls as files bring them: points in whole 1/64 cells, thinned, cut at the map's border, on edges if they fit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from rules.core.space.board import Board, EdgeKind, Points, Wall
from rules.core.space.cells import UNIT
from rules.core.space.line_doors import edges_under
from rules.errors import Malformed

SNAP = 4  # in 1/64 cells: so near to a grid line is on it
TOLERANCES = (4, 8, 16, 32)
MOST_SLANTED = 1000  # segments that lie on no edge of the grid
MOST_SEGMENTS = 30_000  # of all, many of them along the same edges: a board has 3,000 walls
_MOST_LOOKS = 2_000_000  # at points while lines are thinned: one that bends everywhere would take hours

Point = tuple[int, int]


class TooManyError(Exception):
    """More walls at an angle than a map may have, or lines that take too long to thin."""


class Laid(NamedTuple):
    """A board with walls on it, how many segments they are, and how many lay off the map."""

    board: Board
    walls: int
    off: int


def unit(cells: float) -> int:
    """Return a coordinate in 1/64 cells, on the grid line if it is near one.

    >>> unit(1.5), unit(1.02), unit(-0.01)
    (96, 64, 0)
    """
    at = math.floor(UNIT * cells + 0.5)
    rest = at % UNIT
    return at - rest if rest <= SNAP else at + UNIT - rest if rest >= UNIT - SNAP else at


def with_walls(board: Board, lines: Iterable[tuple[Sequence[Point], EdgeKind]]) -> Laid:
    """Lay lines on a board, thinned until there are few enough. Raises: Malformed if there are too many.

    Lines are asked for one by one, and no further than until there are too many.
    """
    wanted, looks = _Lines(lines), Looks()
    for tolerance in TOLERANCES:
        with suppress(TooManyError):
            return _laid(board, wanted, tolerance, looks)
    raise Malformed(
        f"That map has more than {MOST_SLANTED:,} walls at an angle.",
        instead="The option part takes a piece of it; objects:none leaves out objects.",
    )


class _Lines:
    """Lines that are read once, as far as somebody wants them."""

    def __init__(self, lines: Iterable[tuple[Sequence[Point], EdgeKind]]) -> None:
        self._left = iter(lines)
        self._read: list[tuple[list[Point], EdgeKind]] = []

    def __iter__(self) -> Iterator[tuple[list[Point], EdgeKind]]:
        yield from self._read
        for points, kind in self._left:
            self._read.append((_apart(points), kind))
            yield self._read[-1]


def _apart(points: Sequence[Point]) -> list[Point]:
    """Return the points without those that repeat the one before."""
    found: list[Point] = []
    for point in points:
        if not found or found[-1] != point:
            found.append(point)
    return found


def _laid(board: Board, lines: Iterable[tuple[list[Point], EdgeKind]], tolerance: int, looks: Looks) -> Laid:
    """Lay lines that are thinned so much. Raises: TooManyError, and Malformed if they can never be few enough."""
    sides = _Sides()
    walls: dict[Points, EdgeKind] = {}
    count = off = 0
    for points, kind in lines:
        if len(walls) > MOST_SLANTED:
            raise TooManyError
        if count > MOST_SEGMENTS:
            raise Malformed(
                f"That map has more than {MOST_SEGMENTS:,} walls.",
                instead="3,000 at most: the option part takes a piece of it.",
            )
        for start, end in pairwise(thinned(points, tolerance, looks)):
            inside = clipped((*start, *end), board.width * UNIT, board.height * UNIT)
            if inside is None:
                off += 1
                continue
            count += 1
            for piece in _on_grid(board, inside, kind, sides):
                if (*piece[2:], *piece[:2]) not in walls:
                    walls.setdefault(piece, kind)
    if len(walls) > MOST_SLANTED:
        raise TooManyError
    made = tuple(Wall(points=piece, kind=kind) for piece, kind in walls.items())
    return Laid(board.evolve(edges={**board.edges, **sides.edges(board)}, walls=(*board.walls, *made)), count, off)


class _Sides:
    """What lies along the lines of the grid: of each line and kind its pieces as bits, as long as lines are laid."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[bool, int], dict[EdgeKind, int]] = {}

    def lay(self, upright: bool, line: int, first: int, last: int, kind: EdgeKind) -> None:
        """Lay the pieces from `first` up to `last`; what lay there before makes room."""
        laid = (1 << last) - (1 << first)
        kinds = self._pieces.setdefault((upright, line), {})
        for other, bits in kinds.items():
            if other != kind:
                kinds[other] = bits & ~laid
        kinds[kind] = kinds.get(kind, 0) | laid

    def edges(self, board: Board) -> dict[str, EdgeKind]:
        """Return the edges of the grid with what lies on them."""
        found: dict[str, EdgeKind] = {}
        for (upright, line), kinds in self._pieces.items():
            for kind, bits in kinds.items():
                for piece in range(bits.bit_length()):
                    if bits >> piece & 1:
                        at, begin, end = line * UNIT, piece * UNIT, (piece + 1) * UNIT
                        points = (at, begin, at, end) if upright else (begin, at, end, at)
                        found.update(dict.fromkeys(edges_under(board, points), kind))
        return found


def _on_grid(board: Board, piece: Points, kind: EdgeKind, sides: _Sides) -> Iterable[Points]:
    """Put on edges what lies on the grid; return the rest. The board's own border is there anyway."""
    x, y, to_x, to_y = piece
    upright, level = x == to_x and not x % UNIT, y == to_y and not y % UNIT
    if not (upright or level):
        return (piece,)
    if (upright and x in (0, board.width * UNIT)) or (level and y in (0, board.height * UNIT)):
        return ()
    if kind == "prop":
        return (piece,)
    begin, end = sorted((y, to_y) if upright else (x, to_x))
    first, last = -(-begin // UNIT) * UNIT, end // UNIT * UNIT
    if first >= last:
        return (piece,)
    sides.lay(upright, (x if upright else y) // UNIT, first // UNIT, last // UNIT, kind)
    rest = [(low, high) for low, high in ((begin, first), (last, end)) if low < high]
    return tuple((x, low, x, high) if upright else (low, y, high, y) for low, high in rest)


class Looks:
    """How many points were looked at while lines are thinned."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, count: int) -> None:
        """Count some more. Raises: TooManyError."""
        self.count += count
        if self.count > _MOST_LOOKS:
            raise TooManyError


def thinned(points: Sequence[Point], tolerance: int, looks: Looks | None = None) -> list[Point]:
    """Return a line without the points that lie near it anyway (Douglas and Peucker); a ring is parted in two.

    >>> thinned([(0, 0), (10, 1), (20, 0), (20, 40)], 4)
    [(0, 0), (20, 0), (20, 40)]
    """
    if len(points) < 3:
        return list(points)
    looks = looks or Looks()
    if points[0] != points[-1]:
        return _thinned(points, tolerance, looks)
    x, y = points[0]
    far = max(range(len(points)), key=lambda at: (points[at][0] - x) ** 2 + (points[at][1] - y) ** 2)
    return [*_thinned(points[: far + 1], tolerance, looks), *_thinned(points[far:], tolerance, looks)[1:]]


def _thinned(points: Sequence[Point], tolerance: int, looks: Looks) -> list[Point]:
    kept = {0, len(points) - 1}
    left = [(0, len(points) - 1)]
    while left:
        first, last = left.pop()
        looks.add(last - first)
        (ax, ay), (bx, by) = points[first], points[last]
        across, down = bx - ax, by - ay
        between = points[first + 1 : last]
        if not between:
            continue
        length = across * across + down * down
        if length:
            level = across * ay - down * ax
            far = [abs(across * y - down * x - level) for x, y in between]
        else:  # of a line without length it is the distance itself
            far = [(x - ax) ** 2 + (y - ay) ** 2 for x, y in between]
        worst = max(far)
        if (worst * worst if length else worst) > tolerance * tolerance * max(length, 1):
            at = first + 1 + far.index(worst)
            kept.add(at)
            left += [(first, at), (at, last)]
    return [points[number] for number in sorted(kept)]


def clipped(piece: Points, width: int, height: int) -> Points | None:
    """Return the part of a segment that lies on the map, None if none does.

    >>> clipped((-64, 32, 64, 32), 128, 128), clipped((-64, 0, -1, 0), 128, 128)
    ((0, 32, 64, 32), None)
    """
    x, y, to_x, to_y = piece
    across, down = to_x - x, to_y - y
    enter, leave = (0, 1), (1, 1)  # as fractions of the way
    for step, room in ((-across, x), (across, width - x), (-down, y), (down, height - y)):
        if step == 0:
            if room < 0:
                return None
            continue
        over, under = (room, step) if step > 0 else (-room, -step)
        if step < 0 and over * enter[1] > enter[0] * under:
            enter = (over, under)
        elif step > 0 and over * leave[1] < leave[0] * under:
            leave = (over, under)
    if enter[0] * leave[1] > leave[0] * enter[1]:
        return None

    def at(part: tuple[int, int]) -> Point:
        return x + _rounded(across * part[0], part[1]), y + _rounded(down * part[0], part[1])

    start, end = at(enter), at(leave)
    return None if start == end else (*start, *end)


def _rounded(over: int, under: int) -> int:
    return (2 * over + under) // (2 * under)
