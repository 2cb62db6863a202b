"""Shapes of elements, drawn because the font has none."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageChops

from bot.render.pictures.canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PAPER,
    RED,
    YELLOW,
    Canvas,
    Color,
    Point,
)

_EARTH = (140, 98, 57)
_FINE = 4  # symbols are drawn so many times larger first


def _smooth(canvas: Canvas, centre: Point, size: float, draw: Callable[[Canvas, Point, float], None]) -> None:
    """Draw something larger and make it smaller, so that its edges are smooth; the ground must be paper."""
    reach = math.ceil(size * 1.25)
    large = Canvas(2 * reach * _FINE, 2 * reach * _FINE)
    draw(large, (reach * _FINE, reach * _FINE), size * _FINE)
    small = large.image.resize((2 * reach, 2 * reach), Image.Resampling.LANCZOS)
    at = (round(centre[0]) - reach, round(centre[1]) - reach)
    ground = canvas.image.crop((*at, at[0] + 2 * reach, at[1] + 2 * reach))
    canvas.image.paste(ImageChops.darker(ground, small), at)


def draw_element(canvas: Canvas, centre: Point, size: float, element: str) -> Color:
    """Draw an element's sign and return its colour; one that is not known gets its letters in a ring."""
    known = _ELEMENTS.get(element.casefold())
    if known is None:
        x, y = centre
        canvas.pen.ellipse((x - size, y - size, x + size, y + size), outline=GREY, width=4)
        canvas.text(centre, element[:2], 32, anchor="mm", bold=True)
        return GREY
    shape, color = known
    _smooth(canvas, centre, size, lambda large, middle, wide: shape(large, middle, wide, color))
    return color


def _wind(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    for at, (reach, bend) in enumerate(((0.7, -1), (1.0, 1), (0.55, 1))):
        level = y + (at - 1) * size * 0.55
        end = x - size + 2 * size * reach * 0.8
        canvas.pen.line((x - size, level, end, level), fill=color, width=round(size * 0.19))
        radius = size * 0.26
        middle = level + bend * radius
        start, stop = (90, 360) if bend < 0 else (-180, 90)
        box = (end - radius, middle - radius, end + radius, middle + radius)
        if bend < 0:
            canvas.pen.arc(box, start - 180, stop - 270, fill=color, width=round(size * 0.19))
        else:
            canvas.pen.arc(box, -90, 90, fill=color, width=round(size * 0.19))


def _drop(centre: Point, size: float, *, lean: float = 0.0) -> list[Point]:
    x, y = centre
    radius = size * 0.66
    middle = y + size * 0.34
    points: list[Point] = [(x + lean * size, y - size)]
    for at in range(-30, 211, 8):
        angle = math.radians(at)
        points.append((x + radius * math.cos(angle), middle + radius * math.sin(angle)))
    return points


def _water(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    canvas.polygon(_drop(centre, size), fill=color, outline=color)
    x, y = centre
    box = (x - size * 0.4, y - size * 0.05, x + size * 0.4, y + size * 0.75)
    canvas.pen.arc(box, 100, 170, fill=PAPER, width=round(size * 0.14))


def _neutral(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    reach = size * 0.85
    canvas.pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=color, width=round(size * 0.25))


def _fire(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    outer = [
        (0.05, -1.0), (0.35, -0.55), (0.62, -0.15), (0.7, 0.3), (0.55, 0.7), (0.2, 0.95), (-0.2, 0.95), (-0.55, 0.7),
        (-0.7, 0.3), (-0.6, -0.1), (-0.42, -0.4), (-0.3, -0.1), (-0.12, -0.3), (0.0, -0.65),
    ]  # fmt: skip
    canvas.polygon([(x + dx * size, y + dy * size) for dx, dy in outer], fill=color, outline=color)
    inner = [(0.05, 0.05), (0.3, 0.4), (0.25, 0.7), (0.0, 0.85), (-0.25, 0.7), (-0.3, 0.4), (-0.12, 0.3)]
    canvas.polygon([(x + dx * size, y + dy * size) for dx, dy in inner], fill=YELLOW)


def _earth(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    left = [(x - size, y + size * 0.8), (x - size * 0.2, y - size * 0.8), (x + size * 0.55, y + size * 0.8)]
    right = [(x, y + size * 0.8), (x + size * 0.5, y - size * 0.25), (x + size, y + size * 0.8)]
    canvas.polygon(left, fill=color)
    canvas.polygon(right, fill=color)
    top = [
        (x - size * 0.2, y - size * 0.6),
        (x - size * 0.36, y - size * 0.24),
        (x - size * 0.2, y - size * 0.36),
        (x - size * 0.04, y - size * 0.24),
    ]
    canvas.polygon(top, fill=PAPER)


def _darkness(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    reach = size * 0.9
    canvas.pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=color)
    away = size * 0.42
    canvas.pen.ellipse(
        (x - reach + away, y - reach * 1.2, x + reach + away, y + reach * 0.55),
        fill=PAPER,
    )


def _light(canvas: Canvas, centre: Point, size: float, color: Color) -> None:
    x, y = centre
    core = size * 0.45
    for at in range(8):
        angle = math.pi * at / 4
        near, far = size * 0.62, size * 1.0
        canvas.pen.line(
            (
                x + near * math.cos(angle),
                y + near * math.sin(angle),
                x + far * math.cos(angle),
                y + far * math.sin(angle),
            ),
            fill=color,
            width=round(size * 0.19),
        )
    canvas.pen.ellipse((x - core, y - core, x + core, y + core), fill=color)


_ELEMENTS = {
    "wind": (_wind, GREEN),
    "water": (_water, BLUE),
    "neutral": (_neutral, GREY),
    "fire": (_fire, RED),
    "earth": (_earth, _EARTH),
    "darkness": (_darkness, (68, 51, 102)),
    "light": (_light, ORANGE),
}
