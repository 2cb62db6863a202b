"""Things in a cell and on its sides, each with a form of its own, so that nobody needs colours."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from PIL import ImageDraw

from bot.render.boards.ink import CELL, DARK, FRAME, INK, PAPER, ROUGH, ROUGH_MARK, WALL, WALL_MARK, Colour
from bot.render.pictures.canvas import dashed
from rules.core.space.board import (
    BLOCKED,
    CLOSED_DOOR,
    CURTAIN,
    DIFFICULT,
    HAZARD,
    LOCKED_DOOR,
    LOW,
    OPEN_DOOR,
    PROP,
    UNKNOWN,
    VOID,
    WINDOW,
)

DOOR_INK = (170, 110, 0)
FILLS: Mapping[str, Colour] = {
    DIFFICULT: ROUGH,
    BLOCKED: WALL,
    VOID: PAPER,
    LOW: (226, 222, 212),
    UNKNOWN: DARK,
    HAZARD: (250, 226, 214),
    WINDOW: (214, 232, 242),
}
Pen = ImageDraw.ImageDraw


def mark_cell(pen: Pen, kind: str, x: float, y: float, cell: float) -> None:
    """Draw the form of a kind of cell whose top left corner is given."""
    forms = {DIFFICULT: _waves, BLOCKED: _bricks, LOW: _crate, HAZARD: _warning, WINDOW: _panes, VOID: _nothing}
    if kind != UNKNOWN:  # it is dark, and has no form
        forms[kind](pen, x, y, cell)


def mark_door(pen: Pen, state: str, x: float, y: float, cell: float) -> None:
    """Draw a door that fills a cell: a bar across when shut, swung aside when open, a dot when locked."""
    width = max(4, int(cell / 8))
    if state == OPEN_DOOR:
        pen.line((x + cell * 0.1, y + cell * 0.05, x + cell * 0.1, y + cell * 0.95), fill=DOOR_INK, width=width)
        return
    box = (x + cell * 0.08, y + cell * 0.36, x + cell * 0.92, y + cell * 0.64)
    pen.rectangle(box, fill=DOOR_INK, outline=INK, width=max(2, width // 3))
    if state != "closed":
        spot = (x + cell * 0.43, y + cell * 0.43, x + cell * 0.57, y + cell * 0.57)
        pen.ellipse(spot, fill=CELL, outline=INK)


def mark_edge(pen: Pen, kind: str, ends: tuple[float, float, float, float], cell: float) -> None:
    """Draw a thing on a line: a wall thick, a window double, low dashed, a shut door as a bar.

    A pillar is thin with a spot in its middle: thin alone it is a wall on a phone.
    """
    x, y, to_x, to_y = ends
    width = max(2, int(cell / 24)) if kind == PROP else max(4, int(cell / 9))
    if kind == OPEN_DOOR:
        pen.line(
            (x, y, x + (to_y - y) * 0.9 + (to_x - x) * 0.2, y + (to_x - x) * 0.9 + (to_y - y) * 0.2), DOOR_INK, width
        )
        return
    if kind in (LOW, CURTAIN):
        dashed(pen, ends, FRAME, width=width if kind == CURTAIN else max(2, width // 2))
        return
    pen.line(ends, fill=PAPER, width=width + max(2, width // 2))
    pen.line(ends, fill=DOOR_INK if kind in (CLOSED_DOOR, LOCKED_DOOR) else INK, width=width)
    middle_x, middle_y, spot = (x + to_x) / 2, (y + to_y) / 2, cell * 0.09
    if kind == WINDOW:
        pen.line(ends, fill=PAPER, width=max(2, width // 2))
    elif kind == LOCKED_DOOR:
        pen.ellipse((middle_x - spot, middle_y - spot, middle_x + spot, middle_y + spot), fill=CELL, outline=INK)
    elif kind == PROP:
        spot = min(1.6 * spot, hypot(to_x - x, to_y - y) / 4)
        box = (middle_x - spot, middle_y - spot, middle_x + spot, middle_y + spot)
        pen.ellipse(box, fill=INK, outline=PAPER, width=max(1, width // 2))


def _nothing(pen: Pen, x: float, y: float, cell: float) -> None:
    pen.rectangle((x, y, x + cell, y + cell), outline=PAPER)


def _waves(pen: Pen, x: float, y: float, cell: float) -> None:
    """Draw rough ground: short waves in staggered rows."""
    step = cell / 4
    width = max(2, int(cell) // 32)
    for row in range(3):
        shift = step / 2 if row % 2 else 0
        for number in range(2):
            at_x = x + step * (0.55 + 1.6 * number) + shift
            at_y = y + cell * (0.28 + 0.24 * row)
            pen.arc((at_x, at_y - step / 2, at_x + step, at_y + step / 2), 200, 340, ROUGH_MARK, width)


def _bricks(pen: Pen, x: float, y: float, cell: float) -> None:
    width = max(2, int(cell) // 32)
    third = cell / 3
    for row in range(3):
        at_y = y + third * row
        if row:
            pen.line((x, at_y, x + cell, at_y), fill=WALL_MARK, width=width)
        middle = x + cell * (0.5 if row % 2 == 0 else 0.22)
        pen.line((middle, at_y, middle, at_y + third), fill=WALL_MARK, width=width)
        if row % 2:
            other = x + cell * 0.78
            pen.line((other, at_y, other, at_y + third), fill=WALL_MARK, width=width)


def _crate(pen: Pen, x: float, y: float, cell: float) -> None:
    width = max(2, int(cell) // 24)
    left, top, right, bottom = x + cell * 0.14, y + cell * 0.14, x + cell * 0.86, y + cell * 0.86
    pen.rectangle((left, top, right, bottom), outline=FRAME, width=width)
    pen.line((left, top, right, bottom), fill=FRAME, width=width)


def _warning(pen: Pen, x: float, y: float, cell: float) -> None:
    width = max(2, int(cell) // 20)
    corners = [(x + cell * 0.5, y + cell * 0.18), (x + cell * 0.84, y + cell * 0.8), (x + cell * 0.16, y + cell * 0.8)]
    pen.polygon(corners, outline=INK, width=width)
    pen.line((x + cell * 0.5, y + cell * 0.4, x + cell * 0.5, y + cell * 0.6), fill=INK, width=width)
    pen.line((x + cell * 0.5, y + cell * 0.67, x + cell * 0.5, y + cell * 0.72), fill=INK, width=width)


def _panes(pen: Pen, x: float, y: float, cell: float) -> None:
    width = max(2, int(cell) // 24)
    for part in (0.34, 0.66):
        pen.line((x, y + cell * part, x + cell, y + cell * part), fill=FRAME, width=width)
