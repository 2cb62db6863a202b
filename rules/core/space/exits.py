"""Ways out: narrow openings in the border of a board that is shut elsewhere. Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.model import per_state
from rules.core.space.board import UNKNOWN, Board
from rules.core.space.cells import Cell
from rules.core.space.steps import rooms

MOST_WIDE = 4  # cells: what is wider is no opening, but open ground


@per_state
def exits_of(board: Board) -> tuple[Cell, ...]:
    """Return the middle cell of each opening in a side that is mostly shut, the upper one first.

    An opening has something shut on either side: what reaches a corner is open ground.
    """
    free = rooms(board)
    found: dict[Cell, None] = {}
    for side in _sides(board):
        able = [free[cell[1] * board.width + cell[0]] and board.kind(cell) != UNKNOWN for cell in side]
        if 2 * sum(able) > len(side):
            continue
        begin = 0
        for at, is_free in enumerate(able):
            if not is_free:
                begin = at + 1
            elif begin and at + 1 < len(side) and not able[at + 1] and at + 1 - begin <= MOST_WIDE:
                found[side[(begin + at + 1) // 2]] = None
    return tuple(found)


def _sides(board: Board) -> Iterator[list[Cell]]:
    right, bottom = board.width - 1, board.height - 1
    yield [(column, 0) for column in range(board.width)]
    yield [(0, row) for row in range(board.height)]
    yield [(right, row) for row in range(board.height)]
    yield [(column, bottom) for column in range(board.width)]
