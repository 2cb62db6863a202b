"""The names of places in the board's picture, away from tokens and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core.space.cells import Cell

Box = tuple[float, float, float, float]


def best_spot(spots: Sequence[Box], taken: Sequence[Box]) -> Box:
    """Return the first of the spots that are hidden least.

    >>> best_spot([(0, 0, 10, 4), (0, 6, 10, 10)], [(2, 0, 5, 5)])
    (0, 6, 10, 10)
    """
    return min(spots, key=lambda spot: sum(_shared(spot, each) for each in taken))


def spots_of(
    group: Sequence[Cell], corner: tuple[int, int], cell: int, plate: tuple[float, float], room: Box
) -> list[Box]:
    """Return the spots for a place's name, the best first: low in its cells, then on their border, then beside it.

    `group` are cells that touch, `corner` is the corner of cell A1, `plate` the width and height of the writing,
    `room` the grid that is shown.
    """
    width, height = plate
    spots = []
    for left, right, row in (_whole(group), *_runs(group)):
        middle = corner[0] + (left + right + 1) / 2 * cell
        spots.append((middle, corner[1] + (row + 1) * cell - height * 0.58))
    left, right, last = _whole(group)
    middle, first = corner[0] + (left + right + 1) / 2 * cell, min(row for _, row in group)
    top, bottom = corner[1] + first * cell, corner[1] + (last + 1) * cell
    beside = (bottom, top, bottom + height * 0.6, top - height * 0.6)
    spots += ((middle, y) for y in beside if room[1] <= y - height / 2 and y + height / 2 <= room[3])
    inside = ((min(max(x, room[0] + width / 2), room[2] - width / 2), y) for x, y in spots)
    return [(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in inside]


def _whole(group: Sequence[Cell]) -> tuple[int, int, int]:
    across = [column for column, _ in group]
    return min(across), max(across), max(row for _, row in group)


def _runs(group: Sequence[Cell]) -> Iterator[tuple[int, int, int]]:
    """Return the cells of a group that lie beside one another, single ones too, the lowest first."""
    for row in sorted({row for _, row in group}, reverse=True):
        columns = sorted(column for column, at in group if at == row)
        yield columns[0], columns[-1], row
        yield from ((column, column, row) for column in columns)


def _shared(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0
