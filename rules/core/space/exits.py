"""Ways out: narrow openings in the border of a board that is shut elsewhere. Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.model import per_state
from rules.core.space.board import UNKNOWN, Board, Cell
from rules.core.space.steps import rooms

MOST_WIDE = 4  # cells: what is wider is no opening, but open ground


@per_state
def exits_of(board: Board) -> tuple[Cell, ...]:
    """Return the middle cell of each opening in a border, the upper one first; none where a whole side is open."""
    free = rooms(board)
    found: dict[Cell, None] = {}
    for side in _sides(board):
        run: list[Cell] = []
        for cell in (*side, None):
            if cell is not None and free[cell[1] * board.width + cell[0]] and board.kind(cell) != UNKNOWN:
                run.append(cell)
                continue
            if 0 < len(run) <= MOST_WIDE and len(run) < len(side):
                found[run[len(run) // 2]] = None
            run = []
    return tuple(found)


def _sides(board: Board) -> Iterator[list[Cell]]:
    right, bottom = board.width - 1, board.height - 1
    yield [(column, 0) for column in range(board.width)]
    yield [(0, row) for row in range(board.height)]
    yield [(right, row) for row in range(board.height)]
    yield [(column, bottom) for column in range(board.width)]
