"""Which part of a board a picture shows, and how large its cells are, for a phone that shows 360 points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.core.space.board import Board
from rules.core.space.cells import Cell, parse_cell

WIDTH = 1080
HEIGHT = 1440
MARGIN = 36  # for the letters and numbers, on each side
LETTER = 26  # pixels: under 9 points
TITLE = 48
LEGEND = 252  # what is left free for it below
_HEIGHT = HEIGHT - TITLE - LEGEND
CELLS = (144, 108, 84, 72)  # pixels: 48, 36, 28 and 24 points
WHOLE_WIDTH = 1920
WHOLE_MARGIN, WHOLE_LETTER = (side * WHOLE_WIDTH // WIDTH for side in (MARGIN, LETTER))  # as large to the eye
WHOLE_HEIGHT = 2400
ALL = "all"
BRIEF = "brief"  # what a prompt has room for on a phone's screen (play 10): no title, no names, which are below it
BRIEF_HEIGHT, BRIEF_LEGEND = 720, 66


class Frame(NamedTuple):
    """A rectangle of cells from (`column`, `row`), and the pixels of a cell."""

    column: int
    row: int
    columns: int
    rows: int
    cell: int

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] - self.column < self.columns and 0 <= cell[1] - self.row < self.rows

    @property
    def margin(self) -> int:
        return MARGIN if self._is_for_phone else WHOLE_MARGIN

    @property
    def letter(self) -> int:
        """The pixels of letters and numbers around the grid."""
        return LETTER if self._is_for_phone else WHOLE_LETTER

    @property
    def _is_for_phone(self) -> bool:
        return self.columns * self.cell + 2 * MARGIN <= WIDTH

    def is_whole(self, board: Board) -> bool:
        return (self.columns, self.rows) == (board.width, board.height)


class Box(NamedTuple):
    """Cells from a column and row to another, both within."""

    left: int
    top: int
    right: int
    bottom: int

    def around(self, cell: Cell) -> Box:
        return Box(min(self.left, cell[0]), min(self.top, cell[1]), max(self.right, cell[0]), max(self.bottom, cell[1]))

    def wider(self, board: Board) -> Box:
        """Return it with one cell of margin on the board."""
        right, bottom = min(board.width - 1, self.right + 1), min(board.height - 1, self.bottom + 1)
        return Box(max(0, self.left - 1), max(0, self.top - 1), right, bottom)

    def fits(self, columns: int, rows: int) -> bool:
        return self.right - self.left < columns and self.bottom - self.top < rows


def frame_of(board: Board, needed: Sequence[Cell], part: str = "") -> Frame:
    """Return the frame in which everything needed is largest; what comes late in `needed` may be left out of it.

    `part`: `all`, `brief`, or a rectangle such as `C3:N14` that lies on the board.
    """
    if part == ALL:
        box = Box(0, 0, board.width - 1, board.height - 1)
        on_phone = next((_filled(board, box, each) for each in CELLS if box.fits(*_most(each))), None)
        return on_phone or _whole(board, box, WHOLE_WIDTH, WHOLE_HEIGHT)
    if part and part != BRIEF:
        first, _, last = part.partition(":")
        one, other = parse_cell(first), parse_cell(last or first)
        box = Box(*one, *one).around(other)
        return next((_filled(board, box, each) for each in CELLS if box.fits(*_most(each))), None) or _whole(
            board, box, WIDTH, _HEIGHT
        )
    height = BRIEF_HEIGHT - BRIEF_LEGEND if part == BRIEF else _HEIGHT
    cells = list(needed) or [(0, 0)]
    box = _box(cells).wider(board)
    for each in CELLS:
        if box.fits(*_most(each, height)):
            return _filled(board, box, each, height)
    return _filled(board, _nearest(board, cells, height), CELLS[-1], height)


def _most(cell: int, height: int = _HEIGHT) -> tuple[int, int]:
    """Return how many columns and rows of cells of that size there is room for."""
    return (WIDTH - 2 * MARGIN) // cell, (height - 2 * MARGIN) // cell


def _box(cells: Iterable[Cell]) -> Box:
    cells = list(cells)
    return Box(min(x for x, _ in cells), min(y for _, y in cells), max(x for x, _ in cells), max(y for _, y in cells))


def _nearest(board: Board, cells: Sequence[Cell], height: int) -> Box:
    """Return a box with as much of what is needed as there is room for at the smallest cells, the first ones first."""
    most = _most(CELLS[-1], height)
    box = Box(*cells[0], *cells[0])
    for cell in cells[1:]:
        wider = box.around(cell)
        if wider.wider(board).fits(*most):
            box = wider
    return box.wider(board)


def _filled(board: Board, box: Box, cell: int, height: int = _HEIGHT) -> Frame:
    """Return a frame around a box, with as much of the board around it as there is room for."""
    most = _most(cell, height)
    columns, rows = min(most[0], board.width), min(most[1], board.height)
    left = min(max(0, (box.left + box.right + 1 - columns) // 2), board.width - columns)
    top = min(max(0, (box.top + box.bottom + 1 - rows) // 2), board.height - rows)
    return Frame(left, top, columns, rows, cell)


def _whole(board: Board, box: Box, width: int, height: int) -> Frame:
    columns, rows = box.right - box.left + 1, box.bottom - box.top + 1
    margin = MARGIN if width <= WIDTH else WHOLE_MARGIN
    cell = min(CELLS[0], (width - 2 * margin) // columns, max(16, (height - 2 * margin) // rows))
    return Frame(box.left, box.top, columns, rows, cell)
