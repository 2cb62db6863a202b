"""What lies on the board below everybody: ground, grid, walls and doors. Drawn once for a map and a frame."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from functools import lru_cache

from cachetools import LRUCache, cached
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.boards.cells import FILLS, mark_cell, mark_door, mark_edge
from bot.render.boards.frame import Frame
from bot.render.boards.ground import ground_of
from bot.render.boards.ink import CELL, CELL_ODD, FRAME, LINE, PAPER, VEIL, WALL_MARK
from bot.render.boards.names import draw_names
from bot.render.boards.sprites import hatching
from bot.render.pictures.canvas import Canvas
from rules.core.maps.walls import clipped
from rules.core.model import per_state
from rules.core.space.barriers import edge_side
from rules.core.space.board import BLOCKED, UNKNOWN, VOID, Board, Points
from rules.core.space.cells import UNIT, Cell, cell_name, is_edge, parse_cell

MOST_BYTES = 64 * 1024 * 1024
_TINT = 110  # of 255: how much of a picture a cell's kind covers
_VEIL = 90
_BLANK = (255, 255, 255)
_RIM = 3  # pixels: how far things on the border of a crop are drawn beyond it

Picture = Image.Image
_kept: LRUCache[tuple[str, Frame], Picture] = LRUCache(MOST_BYTES, lambda picture: 3 * picture.width * picture.height)


def _key(board: Board, frame: Frame, ground: bytes = b"") -> tuple[str, Frame]:
    return _digest(board) + ("with its picture" if ground else ""), frame


# Pictures are drawn in threads, hence the lock.
@cached(_kept, key=_key, lock=threading.Lock())
def base_of(board: Board, frame: Frame, ground: bytes = b"") -> Picture:
    """Return the base layer, letters around it included; it is kept and must not be drawn on."""
    return _Base(board, frame, ground).drawn()


@per_state
def _digest(board: Board) -> str:
    return hashlib.sha256(board.model_dump_json().encode()).hexdigest()


def draw_barriers(image: Picture, board: Board, frame: Frame, top: int) -> None:
    """Draw walls and doors on a picture again, over what was laid on the base layer; its grid begins at `top`."""
    width, height = grid_size(frame)
    box = (
        frame.margin - _RIM,
        top + frame.margin - _RIM,
        width - frame.margin + _RIM,
        top + height - frame.margin + _RIM,
    )
    part = image.crop(box)
    drawn = _Barriers(board, frame, ImageDraw.Draw(part), (_RIM, _RIM))
    drawn.on_cells()
    drawn.on_lines()
    image.paste(part, box[:2])


def grid_size(frame: Frame) -> tuple[int, int]:
    """Return the pixels of a frame's grid with its margins."""
    return frame.columns * frame.cell + 2 * frame.margin, frame.rows * frame.cell + 2 * frame.margin


class _Base:
    def __init__(self, board: Board, frame: Frame, ground: bytes) -> None:
        self.board = board
        self.under = ground_of(board.picture, ground, frame) if board.picture is not None and ground else None
        self.frame = frame
        self.cell = frame.cell
        self.margin = frame.margin
        width, height = grid_size(frame)
        self.canvas = Canvas(height, width, PAPER)
        self.image, self.pen = self.canvas.image, self.canvas.pen
        self.shown = [
            (column, row)
            for row in range(frame.row, frame.row + frame.rows)
            for column in range(frame.column, frame.column + frame.columns)
        ]

    def drawn(self) -> Picture:
        self._ground()
        self._grid()
        self._remembered()
        _Barriers(self.board, self.frame, self.pen, (self.margin, self.margin)).on_lines()
        self._letters()
        return self.image

    def corner(self, cell: Cell) -> tuple[int, int]:
        return (
            self.margin + (cell[0] - self.frame.column) * self.cell,
            self.margin + (cell[1] - self.frame.row) * self.cell,
        )

    def _ground(self) -> None:
        board = self.board
        if self.under is not None:
            self.image.paste(self.under, (self.margin, self.margin))
        for cell in self.shown:
            x, y = self.corner(cell)
            name = cell_name(*cell)
            kind = board.terrain.get(name)
            if self.under is not None and kind != UNKNOWN:
                self._over_picture(name, kind, (x, y))
                continue
            fill = FILLS.get(kind or "", CELL_ODD if (cell[0] + cell[1]) % 2 else CELL)
            self.pen.rectangle((x, y, x + self.cell, y + self.cell), fill=fill)
            if kind is not None:
                mark_cell(self.pen, kind, x, y, self.cell)
            if name in board.doors:
                mark_door(self.pen, board.doors[name], x, y, self.cell)

    def _over_picture(self, name: str, kind: str | None, at: tuple[int, int]) -> None:
        """Mark a cell's kind over the picture, which shows through."""
        x, y = at
        fill = FILLS.get(kind or "")
        if fill is not None:
            tint = Image.new("L", (self.cell, self.cell), _TINT)
            self.image.paste(fill, (x, y, x + self.cell, y + self.cell), tint)
        if kind is not None:
            form = _rimmed(kind, self.cell)
            self.image.paste(form, (x, y), form)
        if name in self.board.doors:
            mark_door(self.pen, self.board.doors[name], x, y, self.cell)

    def _grid(self) -> None:
        thin = max(1, self.cell // 48)
        right, bottom = (side - self.margin for side in self.image.size)
        for column in range(self.frame.columns + 1):
            x = self.margin + column * self.cell
            self.pen.line((x, self.margin, x, bottom), fill=LINE, width=thin)
        for row in range(self.frame.rows + 1):
            y = self.margin + row * self.cell
            self.pen.line((self.margin, y, right, y), fill=LINE, width=thin)
        for cell in self.shown:
            if self.board.terrain.get(cell_name(*cell)) == BLOCKED:
                x, y = self.corner(cell)
                self.pen.rectangle((x, y, x + self.cell, y + self.cell), outline=WALL_MARK, width=thin)
        self._nothing(thin)
        # A side has a strong line if the board ends there; if only the crop ends, it has letters alone.
        frame, board = self.frame, self.board
        for is_end, ends in (
            (frame.column == 0, (self.margin, self.margin, self.margin, bottom)),
            (frame.row == 0, (self.margin, self.margin, right, self.margin)),
            (frame.column + frame.columns == board.width, (right, self.margin, right, bottom)),
            (frame.row + frame.rows == board.height, (self.margin, bottom, right, bottom)),
        ):
            self.pen.line(ends, fill=FRAME if is_end else LINE, width=4 if is_end else 1)

    def _remembered(self) -> None:
        """Lay a veil over what was seen and is not now: grey, with lines across."""
        kept = set(self.board.remembered)
        tint = Image.new("L", (self.cell, self.cell), _VEIL)
        lines = hatching(self.cell, VEIL)
        for cell in self.shown:
            if cell_name(*cell) in kept:
                x, y = self.corner(cell)
                self.image.paste(VEIL, (x, y, x + self.cell, y + self.cell), tint)
                self.image.paste(lines, (x, y), lines)

    def _nothing(self, thin: int) -> None:
        """Leave void cells blank, with a strong line around them."""
        void = {cell for cell in self.shown if self.board.terrain.get(cell_name(*cell)) == VOID}
        for cell in void:
            x, y = self.corner(cell)
            self.pen.rectangle((x, y, x + self.cell, y + self.cell), fill=PAPER)
        for column, row in void:
            x, y = self.corner((column, row))
            right, bottom = x + self.cell, y + self.cell
            for beside, line in (
                ((column, row - 1), (x, y, right, y)),
                ((column, row + 1), (x, bottom, right, bottom)),
                ((column - 1, row), (x, y, x, bottom)),
                ((column + 1, row), (right, y, right, bottom)),
            ):
                if beside not in void and self.frame.holds(beside):
                    self.pen.line(line, fill=FRAME, width=2 * thin)

    def _letters(self) -> None:
        """Write letters and numbers on all four sides, over anything that reaches out of the crop."""
        width, height = self.image.size
        for box in (
            (0, 0, width, self.margin - _RIM),
            (0, height - self.margin + _RIM, width, height),
            (0, 0, self.margin - _RIM, height),
            (width - self.margin + _RIM, 0, width, height),
        ):
            self.pen.rectangle(box, fill=PAPER)
        draw_names(self.canvas, self.frame)


@lru_cache(maxsize=64)
def _rimmed(kind: str, cell: int) -> Picture:
    """Return the form of a kind of cell with a pale rim: it is read on a picture of any colour."""
    form = Image.new("RGB", (cell, cell), _BLANK)
    mark_cell(ImageDraw.Draw(form), kind, 0, 0, cell)
    mask = (
        ImageChops.difference(form, Image.new("RGB", form.size, _BLANK))
        .convert("L")
        .point(lambda each: 255 * (each > 0))
    )
    rimmed = Image.new("RGBA", form.size)
    rimmed.paste(PAPER, mask=mask.filter(ImageFilter.MaxFilter(2 * max(1, cell // 40) + 1)))
    rimmed.paste(form, mask=mask)
    return rimmed


class _Barriers:
    """Draws walls, doors and all else on lines; `corner` is the start of the frame's first cell."""

    def __init__(self, board: Board, frame: Frame, pen: ImageDraw.ImageDraw, corner: tuple[int, int]) -> None:
        self.board = board
        self.frame = frame
        self.pen = pen
        self.left = corner[0] - frame.column * frame.cell
        self.top = corner[1] - frame.row * frame.cell

    def on_cells(self) -> None:
        """Draw the doors that fill a cell."""
        for place, state in sorted(self.board.doors.items()):
            if place not in self.board.lines and not is_edge(place):
                column, row = parse_cell(place)
                if self.frame.holds((column, row)):
                    x, y = self.left + column * self.frame.cell, self.top + row * self.frame.cell
                    mark_door(self.pen, state, x, y, self.frame.cell)

    def on_lines(self) -> None:
        board = self.board
        for place, kind in (*sorted(board.edges.items()), *sorted(board.doors.items())):
            if place in board.lines:
                self._line(board.lines[place], kind)
            elif is_edge(place):
                upright, line, piece = edge_side(place)
                ends = (line, piece, line, piece + 1) if upright else (piece, line, piece + 1, line)
                self._line([end * UNIT for end in ends], kind)
        for wall in board.walls:
            self._line(wall.points, wall.kind)

    def _line(self, points: Iterable[int], kind: str) -> None:
        x, y, to_x, to_y = (point * self.frame.cell / UNIT for point in points)
        ends = (self.left + x, self.top + y, self.left + to_x, self.top + to_y)
        mark_edge(self.pen, kind, ends, self.frame.cell)


def marked(board: Board, frame: Frame) -> frozenset[str]:
    """Return the kinds of terrain, edges and doors that are in a frame: what a legend has to name."""
    kinds = {kind for name, kind in board.terrain.items() if frame.holds(parse_cell(name))}
    for place in (*board.edges, *board.doors):
        if place in board.lines:
            is_in = within(board.lines[place], frame) is not None
        else:
            is_in = any(frame.holds(parse_cell(part)) for part in place.split("/"))
        if is_in:
            kinds.add(board.edges.get(place, "door"))
    kinds.update(wall.kind for wall in board.walls if within(wall.points, frame) is not None)
    return frozenset(kinds)


def within(points: Points, frame: Frame) -> Points | None:
    """Return what of a line is in a frame, from its top left corner; None if nothing is."""
    x, y, to_x, to_y = points
    left, top = frame.column * UNIT, frame.row * UNIT
    moved = (x - left, y - top, to_x - left, to_y - top)
    return clipped(moved, frame.columns * UNIT, frame.rows * UNIT)
