"""Small parts of the board's picture that are drawn twice as large and reduced, so that their edges are smooth."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from bot.render.boards.ink import CORNERS, CROSS, FINE, GLOW, INK, LINE, OUT, SIDES, Colour, darker
from bot.render.pictures.canvas import Canvas, measure

Point = tuple[float, float]
_CLEAR = (0, 0, 0, 0)
_WHITE = (255, 255, 255)


@lru_cache(maxsize=512)
def token_sprite(
    side: int, label: str, radius: int, *, now: bool = False, out: bool = False, hidden: bool = False, own: bool = False
) -> Image.Image:
    """Return a token as a picture whose middle is its own; its form and its colour say its side."""
    half = int(radius * 1.4)
    canvas = Canvas(2 * half * FINE, 2 * half * FINE, _CLEAR)
    pen = canvas.pen
    size = radius * FINE
    at = (half * FINE, half * FINE)
    colour = OUT if out else SIDES[side % len(SIDES)]
    if now:
        draw_form(pen, side, at, size * 1.17, GLOW, INK)
    elif own:
        draw_form(pen, side, at, size * 1.12, GLOW, None)
    else:
        draw_form(pen, side, (at[0] + size * 0.05, at[1] + size * 0.08), size * 1.04, LINE, None)
    draw_form(pen, side, at, size, _WHITE, INK)
    draw_form(pen, side, at, size * 0.86, colour, None)
    if out:
        arm, width = size * 0.62, max(4, int(size * 0.16))
        for sign in (1, -1):
            pen.line((at[0] - arm, at[1] - arm * sign, at[0] + arm, at[1] + arm * sign), CROSS, width)
    is_pointed = CORNERS[side % len(CORNERS)] == 3  # a triangle has little room beside its middle
    height = int(size * (1.0, 0.92, 0.72)[min(len(label), 3) - 1] * (0.72 if is_pointed else 1))
    lift = size * 0.24 if is_pointed else 0
    rim = max(1, height // 14), (40, 40, 40) if out else darker(colour)
    canvas.text((at[0], at[1] + lift), label, max(height, 8), color=_WHITE, anchor="mm", rim=rim)
    if hidden:
        arm = size * 1.05
        pen.arc((at[0] - arm, at[1] - arm, at[0] + arm, at[1] + arm), 0, 90, INK, max(3, int(size * 0.1)))
    return canvas.image.reduce(FINE)


@lru_cache(maxsize=256)
def plate_sprite(text: str, height: int, *, arrow: float | None = None) -> Image.Image:
    """Return black figures on a white plate; with an `arrow` (an angle) that points out of it."""
    width = int(measure(text, height * FINE, bold=True)) + height * FINE * 7 // 10
    tall = int(height * FINE * 1.45)
    room = height * FINE // 2 if arrow is not None else 0
    canvas = Canvas(_even(tall + 2 * room), _even(width + 2 * room), _CLEAR)
    pen = canvas.pen
    middle = (canvas.width / 2, canvas.height / 2)
    if arrow is not None:
        reach = (width / 2 + room * 0.9) * abs(cos(arrow)) + (tall / 2 + room * 0.9) * abs(sin(arrow))
        tip = (middle[0] + reach * cos(arrow), middle[1] + reach * sin(arrow))
        foot = (middle[0] + (reach - 2 * room) * cos(arrow), middle[1] + (reach - 2 * room) * sin(arrow))
        across = (room * 0.8 * -sin(arrow), room * 0.8 * cos(arrow))
        pen.polygon(
            [tip, (foot[0] + across[0], foot[1] + across[1]), (foot[0] - across[0], foot[1] - across[1])], fill=INK
        )
    box = (room, room, canvas.width - room - 1, canvas.height - room - 1)
    pen.rounded_rectangle(box, radius=tall // 4, fill=(*_WHITE, 255), outline=INK, width=2 * FINE)
    canvas.text(middle, text, height * FINE, color=(0, 0, 0), anchor="mm", bold=True)
    return canvas.image.reduce(FINE)


@lru_cache(maxsize=32)
def hatching(cell: int, colour: Colour) -> Image.Image:
    """Return slanted lines for a cell that is dangerous to stand on."""
    side = cell * FINE
    image = Image.new("RGBA", (side, side), _CLEAR)
    pen = ImageDraw.Draw(image)
    for number in range(-2, 4):
        x = number * side // 3
        pen.line((x, side, x + side, 0), fill=(*colour, 150), width=max(2, side // 30))
    return image.reduce(FINE)


@lru_cache(maxsize=32)
def dot(cell: int, colour: Colour, *, full: bool) -> Image.Image:
    """Return the dot of a cell that lies in an area."""
    radius = max(3, int(cell * (0.075 if full else 0.055))) * FINE
    image = Image.new("RGBA", (_even(2 * radius + 4), _even(2 * radius + 4)), _CLEAR)
    spot = (2, 2, 2 * radius + 1, 2 * radius + 1)
    fill, outline = ((*colour, 255), None) if full else (None, (*colour, 255))
    ImageDraw.Draw(image).ellipse(spot, fill=fill, outline=outline, width=max(2, radius // 3))
    return image.reduce(FINE)


def _even(length: float) -> int:
    return int(length) + int(length) % FINE


def draw_form(
    pen: ImageDraw.ImageDraw, side: int, at: Point, radius: float, fill: Colour, outline: Colour | None
) -> None:
    """Draw a side's form around a point: circle, square, diamond, hexagon, triangle, pentagon."""
    corners = CORNERS[side % len(CORNERS)]
    width = max(2, int(radius * 0.05))
    x, y = at
    if corners == 0:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=outline, width=width)
    elif corners == 4:
        half = radius * 0.92
        box = (x - half, y - half, x + half, y + half)
        pen.rounded_rectangle(box, radius=radius * 0.2, fill=fill, outline=outline, width=width)
    else:
        reach = radius * {3: 1.2, 4: 1.12, 5: 1.1, 6: 1.06}[abs(corners)]
        count = abs(corners)
        turn = -pi / 2 + (pi / 6 if corners == 6 else 0)
        drop = radius * 0.14 if corners == 3 else 0
        points = [
            (x + reach * cos(turn + 2 * pi * n / count), y + drop + reach * sin(turn + 2 * pi * n / count))
            for n in range(count)
        ]
        pen.polygon(points, fill=fill, outline=outline, width=width)
