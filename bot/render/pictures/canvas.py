"""A canvas for pictures that are read on a phone: 800 pixels wide, which is 400 at double density.

The font is Pillow's own, which has Latin letters and digits; other scripts are spelled in them (`bot.render.letters`),
Chinese characters are drawn with a font of this machine where it has one. Symbols are drawn. Colours are told apart by
the colour-blind too (the palette of Okabe and Ito), and never stand alone for a meaning.
"""

from __future__ import annotations

import io
import math
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bot.render.letters import is_spelled, spelled

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

# Fonts with Chinese characters, as systems name their files; the first one that is found is used.
_WIDE_FONTS = (
    "NotoSansCJK*",
    "SourceHanSans*",
    "wqy-*",
    "DroidSansFallback*",
    "PingFang*",
    "Hiragino*",
    "msyh*",
    "simsun*",
)
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "C:/Windows/Fonts")


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    loaded = ImageFont.load_default(size)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType")
    return loaded


@cache
def wide_font_file() -> Path | None:
    """Return a font of this machine that has Chinese characters, None where there is none."""
    for folder in _FONT_FOLDERS:
        for pattern in _WIDE_FONTS:
            found = sorted(path for path in Path(folder).rglob(pattern) if path.suffix in (".ttf", ".ttc", ".otf"))
            if found:
                return found[0]
    return None


@cache
def _wide_font(size: int) -> ImageFont.FreeTypeFont | None:
    path = wide_font_file()
    return None if path is None else ImageFont.truetype(path, size)


def can_draw(text: str) -> bool:
    """Tell whether a text that cannot be spelled in Latin letters can be drawn as it is on this machine."""
    font = _wide_font(24)
    if font is None:
        return False
    missing = bytes(font.getmask("\uffff"))
    return all(is_spelled(char) or bytes(font.getmask(char)) != missing for char in text)


def drawable(text: str) -> str:
    """Return text as it is drawn: in Latin letters; what cannot be spelled stays for a font that has it, or is `?`."""
    if is_spelled(text):
        return spelled(text)
    return text if can_draw(text) else spelled(text).replace("\ufffd", "?")


def _font_for(shown: str, size: int) -> ImageFont.FreeTypeFont:
    wide = None if is_spelled(shown) else _wide_font(size)
    return font(size) if wide is None else wide


class Canvas:
    """A white picture to draw on; `png` is deterministic for the same strokes."""

    def __init__(self, height: int, width: int = WIDTH, paper: Color = PAPER) -> None:
        self.width = width
        self.height = height
        self.image = Image.new("RGB", (width, height), paper)
        self.pen = ImageDraw.Draw(self.image)

    def png(self) -> bytes:
        out = io.BytesIO()
        self.image.save(out, "PNG", optimize=True)
        return out.getvalue()

    def text(
        self, at: Point, text: str, size: int, *, color: Color = INK, anchor: str = "la", bold: bool = False
    ) -> None:
        """Write text; `anchor` is Pillow's (`la`: left, ascender; `mm`: the middle)."""
        shown = drawable(text)
        self.pen.text(
            at,
            shown,
            font=_font_for(shown, size),
            fill=color,
            anchor=anchor,
            stroke_width=0.6 if bold else 0,
            stroke_fill=color,
        )

    def fitted(self, text: str, size: int, room: float) -> str:
        """Return text cut to a width, with dots where it was cut."""
        shown = drawable(text)
        if self.measure(shown, size) <= room:
            return shown
        while shown and self.measure(shown + "...", size) > room:
            shown = shown[:-1]
        return shown.rstrip() + "..."

    def measure(self, text: str, size: int) -> float:
        shown = drawable(text)
        return float(_font_for(shown, size).getlength(shown))

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

    def dashed(self, start: Point, end: Point, color: Color, *, width: int = 3, dash: int = 12) -> None:
        length = math.hypot(end[0] - start[0], end[1] - start[1])
        steps = max(int(length // dash), 1)
        for at in range(0, steps, 2):
            one, two = at / steps, min((at + 1) / steps, 1)
            self.pen.line(
                (
                    start[0] + (end[0] - start[0]) * one,
                    start[1] + (end[1] - start[1]) * one,
                    start[0] + (end[0] - start[0]) * two,
                    start[1] + (end[1] - start[1]) * two,
                ),
                fill=color,
                width=width,
            )

    def polygon(
        self, points: list[Point], *, fill: Color | None = None, outline: Color | None = None, width: int = 3
    ) -> None:
        self.pen.polygon(points, fill=fill)
        if outline is not None:
            self.pen.line([*points, points[0], points[1]], fill=outline, width=width, joint="curve")

    def star(self, centre: Point, radius: float, color: Color) -> None:
        points = []
        for at in range(10):
            reach = radius if at % 2 == 0 else radius * 0.42
            angle = math.pi * at / 5 - math.pi / 2
            points.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
        self.polygon(points, fill=color)


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
