"""Sight and cover: the one answer to who can see who, by the 25 lines between two cells.

Each cell has five points. A line is clear when it meets no barrier, low when it meets low ones only, else barred. Whole
numbers only; the 25 lines are the same both ways, so that sight and cover are. Rule: G-06.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rules.core.model import per_state
from rules.core.space.barriers import COVER, SIGHT, Barrier, Point, barriers_of, meets
from rules.core.space.board import Board
from rules.core.space.cells import UNIT, Cell, covered

NEAR, MIDDLE, FAR = 8, 32, 56
_POINTS = ((MIDDLE, MIDDLE), (NEAR, NEAR), (FAR, NEAR), (NEAR, FAR), (FAR, FAR))
_LINES = 25
_HEAVY, _LIGHT = 16, 33
_BODY = 12  # how far within their cell somebody begins to give cover


class Lines(NamedTuple):
    """How many of the 25 lines between two are clear, and how many meet low barriers only."""

    clear: int
    low: int

    @property
    def sight(self) -> bool:
        return self.clear + self.low > 0

    @property
    def score(self) -> int:
        return 2 * self.clear + self.low

    @property
    def cover(self) -> str:
        """Return `none`, `light` or `heavy`; empty if there is no sight."""
        if not self.sight:
            return ""
        return "heavy" if self.score <= _HEAVY else "light" if self.score <= _LIGHT else "none"

    @property
    def words(self) -> str:
        """Return it counted: *10 clear, 5 low of 25*."""
        return f"{self.clear} clear, {self.low} low of {_LINES}"


OPEN_LINES = Lines(_LINES, 0)


def points_of(cell: Cell) -> tuple[Point, ...]:
    """Return a cell's five points, its centre first."""
    return tuple((cell[0] * UNIT + x, cell[1] * UNIT + y) for x, y in _POINTS)


def lines_between(
    board: Board, one: Cell, other: Cell, size: int = 1, other_size: int = 1, *, between: tuple[Cell, ...] = ()
) -> Lines:
    """Count the lines between two tokens; of larger ones the pair of cells with the best score counts.

    `between` are cells of those who are a low barrier.
    """
    if size == other_size == 1:
        return _lines(board, min(one, other), max(one, other), between)
    best = Lines(0, 0)
    for cell in covered(one, size):
        for its in covered(other, other_size):
            lines = _lines(board, min(cell, its), max(cell, its), between)
            if lines.score > best.score:
                best = lines
                if best == OPEN_LINES:
                    return best
    return best


@per_state
def _lines(board: Board, one: Cell, other: Cell, standing: tuple[Cell, ...]) -> Lines:
    if one == other:
        return OPEN_LINES
    between = _among((*barriers_of(board), *(side for cell in standing for side in _sides_of(cell))), (one, other))
    if not between:
        return OPEN_LINES
    bars = [barrier for barrier in between if barrier.flags & SIGHT]
    lows = [barrier for barrier in between if not barrier.flags & SIGHT]
    clear = low = 0
    for start in points_of(one):
        for end in points_of(other):
            if any(meets(start, end, bar) for bar in bars):
                continue
            if any(meets(start, end, barrier) for barrier in lows):
                low += 1
            else:
                clear += 1
    return Lines(clear, low)


def _among(barriers: Iterable[Barrier], cells: Collection[Cell]) -> list[Barrier]:
    """Return what bars sight or covers in the rectangle around the points of cells: no line of theirs leaves it."""
    left, right = min(cell[0] for cell in cells) * UNIT + NEAR, max(cell[0] for cell in cells) * UNIT + FAR
    top, bottom = min(cell[1] for cell in cells) * UNIT + NEAR, max(cell[1] for cell in cells) * UNIT + FAR
    return [
        barrier
        for barrier in barriers
        if barrier.flags & (SIGHT | COVER)
        and min(barrier.x, barrier.to_x) <= right
        and max(barrier.x, barrier.to_x) >= left
        and min(barrier.y, barrier.to_y) <= bottom
        and max(barrier.y, barrier.to_y) >= top
    ]


def is_open(board: Board, cells: Collection[Cell]) -> bool:
    """Tell whether no barrier lies among cells, so that none of them has cover from another."""
    return not _among(barriers_of(board), cells)


def _sides_of(cell: Cell) -> tuple[Barrier, ...]:
    """Return the low square that somebody in a cell is."""
    left, top = cell[0] * UNIT + _BODY, cell[1] * UNIT + _BODY
    right, bottom = (cell[0] + 1) * UNIT - _BODY, (cell[1] + 1) * UNIT - _BODY
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return tuple(Barrier(*start, *end, COVER) for start, end in pairwise(corners))


# All that a cell sees


@per_state
def seen_from(board: Board, cell: Cell, within: int = 0) -> frozenset[Cell]:
    """Return every cell that one cell sees: the same as the 25 lines to each, by what each barrier hides of a row.

    `within` so many columns and rows, what barriers beyond hide is not worked out; 0 is everywhere.
    """
    bars = tuple(barrier for barrier in barriers_of(board) if barrier.flags & SIGHT and _is_near(barrier, cell, within))
    rows = _rows_seen(bars, board.width, board.height, cell, within)
    columns = range(board.width)
    if within:
        columns = range(max(0, cell[0] - within), min(board.width, cell[0] + within + 1))
    return frozenset(
        (column, row) for row, bits in enumerate(rows) if bits for column in columns if bits >> 2 * column & 3
    )


def _is_near(barrier: Barrier, cell: Cell, within: int) -> bool:
    """Tell whether a barrier reaches into the square of cells that is looked at."""
    if not within:
        return True
    x, y, to_x, to_y, _ = barrier
    left, right = (cell[0] - within) * UNIT, (cell[0] + within + 1) * UNIT
    top, bottom = (cell[1] - within) * UNIT, (cell[1] + within + 1) * UNIT
    return min(x, to_x) <= right and max(x, to_x) >= left and min(y, to_y) <= bottom and max(y, to_y) >= top


# Bench `board`, "all that one cell sees": a movement in fog looks from each cell that it enters.
@lru_cache(maxsize=4096)
def _rows_seen(bars: tuple[Barrier, ...], width: int, height: int, cell: Cell, within: int) -> tuple[int, ...]:
    """Return for each row the cells that one cell sees as bits, two for each.

    Near barriers come first, and a row ends when all of it is hidden.
    """
    column, row = cell
    centre = (column * UNIT + MIDDLE, row * UNIT + MIDDLE)
    near = sorted(bars, key=lambda barrier: _far(centre, barrier))
    views = tuple(_View(point, near) for point in points_of(cell))
    found = []
    for down in range(height):
        seen = 3 << 2 * column if down == row else 0
        for part in (NEAR, MIDDLE, FAR) if not within or abs(down - row) <= within else ():
            middle = part == MIDDLE
            whole = (1 << (width if middle else 2 * width)) - 1
            open_points = 0
            for view in views:
                open_points |= whole & ~view.hidden(down * UNIT + part, whole, middle=middle)
                if open_points == whole:
                    break
            seen |= _spread(open_points, width) if middle else open_points
        found.append(seen)
    return tuple(found)


def _spread(bits: int, width: int) -> int:
    """Return the points of a middle row on the places of a row with two points in each cell."""
    return sum(1 << 2 * number for number in range(width) if bits >> number & 1)


def _far(point: Point, barrier: Barrier) -> int:
    x, y, to_x, to_y, _ = barrier
    across = max(0, min(x, to_x) - point[0], point[0] - max(x, to_x))
    down = max(0, min(y, to_y) - point[1], point[1] - max(y, to_y))
    return across + down


class _View:
    """What barriers hide from one point, row by row.

    Beyond a barrier that lies wholly above or wholly below the point its shadow grows as the row lies farther: its ends
    are worked out once as two slopes. `below` and `above` hold each barrier with its distance from which that is
    so, its slopes, and itself.
    """

    def __init__(self, point: Point, bars: list[Barrier]) -> None:
        self.point = point
        self.bars = bars
        self.below = [slopes for bar in bars if (slopes := _slopes(point, bar, 1)) is not None]
        self.above = [slopes for bar in bars if (slopes := _slopes(point, bar, -1)) is not None]

    def hidden(self, at: int, whole: int, *, middle: bool) -> int:
        """Return the points of a row, as bits, to which a line from the point is barred."""
        px, py = self.point
        hidden = 0
        count = whole.bit_length()
        if at == py:
            for barrier in self.bars:
                hidden |= _shadow(self.point, at, middle, whole, barrier)
            return hidden & whole
        span = at - py if at > py else py - at
        for begins, ends, left, left_by, right, right_by, barrier in self.below if at > py else self.above:
            if begins > span:
                continue
            if not left_by or ends > span:
                hidden |= _shadow(self.point, at, middle, whole, barrier)
            else:
                first, last = px - (-left * span // left_by), px + right * span // right_by + 1
                column, rest = (first >> 6, first & 63) if first > 0 else (0, 0)
                begin = column + (rest > MIDDLE) if middle else 2 * column + (rest > NEAR) + (rest > FAR)
                column, rest = (last >> 6, last & 63) if last > 0 else (0, 0)
                stop = column + (rest > MIDDLE) if middle else 2 * column + (rest > NEAR) + (rest > FAR)
                stop = min(stop, count)
                if stop > begin:
                    hidden |= (1 << stop) - (1 << begin)
            if hidden == whole:
                break
        return hidden & whole


Slopes = tuple[int, int, int, int, int, int, Barrier]


def _slopes(point: Point, barrier: Barrier, turn: int) -> Slopes | None:
    """Return from how far on a barrier hides something of a row, and is hidden past; None if it does not.

    Then the left slope and the right one, two numbers each; divisors of 0 say that they have to be worked out again.
    """
    px, py = point
    ax, ay, bx, by = barrier.x - px, (barrier.y - py) * turn, barrier.to_x - px, (barrier.to_y - py) * turn
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
    if by < 0:
        return None
    if ay <= 0:
        return ay, by, 0, 0, 0, 0, barrier
    if ax * by > bx * ay:
        ax, ay, bx, by = bx, by, ax, ay
    return min(ay, by), max(ay, by), ax, ay, bx, by, barrier


def _shadow(point: Point, at: int, middle: bool, whole: int, barrier: Barrier) -> int:
    """Return what one barrier hides of a row: a closed interval of it, which may be without an end."""
    ends = _on_level(point, barrier) if at == point[1] else _projected(point, at, barrier)
    if ends is None:
        return 0
    first, last = ends
    count = whole.bit_length()
    begin = 0 if first is None else min(_index(first, middle), count)
    stop = count if last is None else min(_index(last + 1, middle), count)
    return (1 << stop) - (1 << begin) if stop > begin else 0


def _index(x: int, middle: bool) -> int:
    """Return the number of the first point of a row at `x` or right of it."""
    column, rest = divmod(max(0, x), UNIT)
    if middle:
        return column + (rest > MIDDLE)
    return 2 * column + (rest > NEAR) + (rest > FAR)


Interval = tuple[int | None, int | None]  # from the first to the last x in it; None has no end on that side


def _on_level(point: Point, barrier: Barrier) -> Interval | None:
    """Return what a barrier hides of the row on which the point lies itself."""
    x, y, to_x, to_y, _ = barrier
    px, py = point
    if (y < py and to_y < py) or (y > py and to_y > py):
        return None
    if y == to_y:
        left, right = min(x, to_x), max(x, to_x)
        if left <= px <= right:
            return None, None
        return (left, None) if left > px else (None, right)
    across, down = (to_x - x) * (py - y), to_y - y
    crossing, over = divmod(across, down)  # the barrier crosses the level at x + crossing, and a part of one if `over`
    floor = x + crossing
    if floor == px and not over:
        return None, None
    return (floor + bool(over), None) if floor >= px else (None, floor)


def _projected(point: Point, at: int, barrier: Barrier) -> Interval | None:
    """Return what a barrier hides of a row above or below the point, rounded inwards."""
    px, py = point
    # From here on the row lies `span` below the point, which is (0, 0).
    turn = 1 if at > py else -1
    span = (at - py) * turn
    ax, ay, bx, by = barrier.x - px, (barrier.y - py) * turn, barrier.to_x - px, (barrier.to_y - py) * turn
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
    if by < 0 or ay > span:
        return None
    if by == 0:  # it touches the point's level from above, or lies on it: hides the row only through the point
        touched = min(ax, bx) <= 0 <= max(ax, bx) if ay == 0 else bx == 0
        return (None, None) if touched else None
    # The end that is nearer to the row: its own projection, or the barrier's crossing with the row.
    over, under = (ax * (by - ay) + (bx - ax) * (span - ay), by - ay) if by > span else (bx * span, by)
    if ay > 0:
        other_over, other_under = ax * span, ay
        if over * other_under > other_over * under:
            over, under, other_over, other_under = other_over, other_under, over, under
        return px - (-over // under), px + other_over // other_under
    side = ax * by - ay * bx  # its crossing with the point's level, on which side: there its shadow has no end
    if side == 0:
        return None, None
    return (px - (-over // under), None) if side > 0 else (None, px + over // under)
