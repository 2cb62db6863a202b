"""A canvas for pictures that are read on a phone: 800 pixels wide, which is 400 at double density.

The font is DejaVu Sans Condensed, which is brought along (`bot/render/fonts`); scripts that it lacks are spelled in
Latin letters (`letters.py`). Nothing depends on the machine. The colour-blind can tell the colours apart too
(the palette of Okabe and Ito), and no colour alone has a meaning.
"""

from __future__ import annotations

import math
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bot.render.pictures.letters import readable

WIDTH = 800
MARGIN = 24

PAPER = (255, 255, 255)
INK = (31, 35, 40)
FAINT = (208, 213, 219)
GREY = (107, 114, 128)
BLUE = (0, 114, 178)
GREEN = (0, 158, 115)
ORANGE = (230, 159, 0)
RED = (213, 94, 0)
PINK = (204, 121, 167)
YELLOW = (240, 228, 66)

Color = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]

_FONTS = Path(__file__).parents[1] / "fonts"


@cache
def _font(size: int, *, bold: bool) -> ImageFont.FreeTypeFont:
    # The plain layout: the other one needs a library of the machine, and no letter that is kept needs it.
    file = _FONTS / f"DejaVuSansCondensed{'-Bold' if bold else ''}.ttf"
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


def measure(text: str, size: int, *, bold: bool = False) -> float:
    """Return how many pixels a text takes."""
    return float(_font(size, bold=bold).getlength(readable(text)))


def fitted(text: str, size: int, room: float, *, bold: bool = False) -> str:
    """Return text cut to a width, with dots at the cut."""
    shown = readable(text)
    if measure(shown, size, bold=bold) <= room:
        return shown
    while shown and measure(f"{shown}…", size, bold=bold) > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}…"


def wrapped(text: str, size: int, room: float) -> list[str]:
    """Break a text into lines of a width; a word that is too long is cut with dots."""
    lines: list[str] = []
    for word in text.split():
        wider = f"{lines[-1]} {word}" if lines else word
        if lines and measure(wider, size) <= room:
            lines[-1] = wider
        else:
            lines.append(fitted(word, size, room))
    return lines


def dashed(pen: ImageDraw.ImageDraw, ends: Box, color: Color, *, width: int = 3, dashes: int = 3) -> None:
    """Draw a line in so many dashes; lines that go on from one another are dashed evenly."""
    x, y, to_x, to_y = ends
    for at in range(dashes):
        start, stop = (at + 0.25) / dashes, (at + 0.75) / dashes
        dash = (x + (to_x - x) * start, y + (to_y - y) * start, x + (to_x - x) * stop, y + (to_y - y) * stop)
        pen.line(dash, fill=color, width=width)


class Canvas:
    """A picture to draw on; a paper of four numbers can be seen through. `png` is the same for the same strokes."""

    def __init__(self, height: int, width: int = WIDTH, paper: tuple[int, ...] = PAPER) -> None:
        self.width = width
        self.height = height
        self.image = Image.new("RGB" if len(paper) == 3 else "RGBA", (width, height), paper)
        self.pen = ImageDraw.Draw(self.image)

    def png(self) -> bytes:
        out = BytesIO()
        self.image.save(out, "PNG", optimize=True)
        return out.getvalue()

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        *,
        color: Color = INK,
        anchor: str = "la",
        bold: bool = False,
        room: float | None = None,
        rim: tuple[int, Color] | None = None,
    ) -> None:
        """Write text, cut to `room`; `anchor` is Pillow's (`la`: left, ascender; `mm`: the middle)."""
        shown = readable(text) if room is None else fitted(text, size, room, bold=bold)
        width, around = rim or (0, None)
        font = _font(size, bold=bold)
        self.pen.text(at, shown, font=font, fill=color, anchor=anchor, stroke_width=width, stroke_fill=around)

    def stamp(self, image: Image.Image, middle: Point) -> None:
        """Lay a small picture that can be seen through on a point."""
        self.image.paste(image, (round(middle[0] - image.width / 2), round(middle[1] - image.height / 2)), image)

    def bar(self, box: Box, color: Color, *, striped: bool = False) -> None:
        """Draw a bar; a striped one is told apart without its colour."""
        left, top, right, bottom = box
        if bottom - top < 1 or right - left < 1:
            return
        if not striped:
            self.pen.rectangle((round(left), round(top), round(right) - 1, round(bottom) - 1), fill=color)
            return
        size = (max(round(right) - round(left), 1), max(round(bottom) - round(top), 1))
        tile = Image.new("RGB", size, PAPER)
        pen = ImageDraw.Draw(tile)
        for start in range(-size[1], size[0] + size[1], 9):
            pen.line((start, size[1], start + size[1], 0), fill=color, width=3)
        pen.rectangle((0, 0, size[0] - 1, size[1] - 1), outline=color, width=2)
        self.image.paste(tile, (round(left), round(top)))

    def polygon(
        self, points: list[Point], *, fill: Color | None = None, outline: Color | None = None, width: int = 3
    ) -> None:
        self.pen.polygon(points, fill=fill)
        if outline is not None:
            self.pen.line([*points, points[0], points[1]], fill=outline, width=width, joint="curve")


def nice_step(span: float, most: int) -> int:
    """Return a round whole step that parts a span into `most` pieces at most.

    >>> nice_step(100, 8)
    20
    """
    raw = max(span / max(most, 1), 1)
    power = 10 ** math.floor(math.log10(raw))
    for factor in (1, 2, 5, 10):
        if factor * power >= raw:
            return int(factor * power)
    return int(10 * power)
