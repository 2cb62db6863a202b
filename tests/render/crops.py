"""Parts of the board's picture, and the words of its legend."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageChops

from bot.render.boards.frame import TITLE, frame_of
from bot.render.boards.legend import Legend
from bot.render.boards.picture import draw_board
from bot.render.boards.view import BoardView
from rules.core.space.board import Board

CELL = 144
Box = tuple[int, int, int, int]


def pixels(box: Box, board: Board, **given: object) -> Image.Image:
    """Return a part of the picture, in pixels from the top left corner of A1."""
    view = BoardView.model_validate({"title": "", "board": board, **given})
    image = Image.open(BytesIO(draw_board(view))).convert("RGB")
    left, top, right, bottom = box
    margin = frame_of(board, view.needed, view.part).margin
    return image.crop((margin + left, TITLE + margin + top, margin + right, TITLE + margin + bottom))


def is_same(one: Image.Image, other: Image.Image) -> bool:
    """Tell whether two parts look the same, though each picture has a palette of its own."""
    return max(ImageChops.difference(one, other).tobytes()) < 24


def named(board: Board, part: str, **given: object) -> set[str]:
    view = BoardView.model_validate({"title": "", "board": board, "part": part, **given})
    legend = Legend(view, frame_of(board, (), part), (), 1080)
    return {words for row in legend.rows for _, (_, _, words) in row}
