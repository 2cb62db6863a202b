"""The picture under a board's cells: cut to a frame, at the frame's size, faded."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image

from bot.render.boards.frame import Frame
from bot.render.boards.ink import PAPER
from rules.core.space.background import FINE
from rules.core.space.board import Background


def ground_of(picture: Background, data: bytes, frame: Frame) -> Image.Image | None:
    """Return the picture as it lies under a frame's cells; None if it cannot be read."""
    image = _image(data)
    if image is None:
        return None
    cell = picture.cell / FINE
    left, top = picture.shift[0] + frame.column * cell, picture.shift[1] + frame.row * cell
    size = frame.columns * frame.cell, frame.rows * frame.cell
    box = (left, top, left + frame.columns * cell, top + frame.rows * cell)
    under = image.transform(size, Image.Transform.EXTENT, box, Image.Resampling.BILINEAR, fillcolor=PAPER)
    return Image.blend(under, Image.new("RGB", size, PAPER), picture.fade / 100)


@lru_cache(maxsize=3)
def _image(data: bytes) -> Image.Image | None:
    try:
        return Image.open(BytesIO(data), formats=("WEBP",)).convert("RGB")
    except (OSError, ValueError):
        return None
