"""The letters and numbers around a grid: all of them, or as many as have room beside one another."""

from __future__ import annotations

from collections.abc import Iterable

from bot.render.boards.frame import Frame
from bot.render.boards.ink import FRAME, GLOW, INK, PAPER, Colour
from bot.render.pictures.canvas import Canvas, measure
from rules.core.space.cells import Cell, column_letters

_EVERY = (1, 2, 5, 10)


def draw_names(canvas: Canvas, frame: Frame) -> None:
    """Write them on all four sides of a grid."""
    for across in (True, False):
        for number in _written(frame, across):
            for spot in _spots(frame, 0, across, number):
                canvas.text(spot, _text(across, number), frame.letter, color=FRAME, anchor="mm")


def draw_gold(canvas: Canvas, frame: Frame, top: int, cells: Iterable[Cell]) -> None:
    """Write those of some cells on gold; if two would touch the first is written, and none in black beside it."""
    cells = list(cells)
    for across in (True, False):
        gold: list[int] = []
        for number in sorted({cell[0 if across else 1] for cell in cells}):
            if not gold or (number - gold[-1]) * frame.cell >= _room(frame, across, number):
                gold.append(number)
        for number in _written(frame, across):
            away = min((abs(number - each) * frame.cell for each in gold), default=frame.cell * frame.columns)
            if away < 2 * _half(frame, across, number)[0 if across else 1]:
                _plate(canvas, frame, top, across, number, PAPER)
        for number in gold:
            _plate(canvas, frame, top, across, number, GLOW)
            for spot in _spots(frame, top, across, number):
                canvas.text(spot, _text(across, number), frame.letter, color=INK, anchor="mm")


def _plate(canvas: Canvas, frame: Frame, top: int, across: bool, number: int, fill: Colour) -> None:
    wide, high = _half(frame, across, number)
    for x, y in _spots(frame, top, across, number):
        canvas.pen.rounded_rectangle((x - wide, y - high, x + wide, y + high), radius=6, fill=fill)


def _written(frame: Frame, across: bool) -> range:
    """Return the columns or rows that are written, the first of the board among them."""
    start, count = (frame.column, frame.columns) if across else (frame.row, frame.rows)
    room = max(_room(frame, across, number) for number in range(start, start + count))
    each = next((each for each in _EVERY if each * frame.cell >= room), _EVERY[-1])
    return range(start + -start % each, start + count, each)


def _room(frame: Frame, across: bool, number: int) -> float:
    """Return the pixels that one takes of its side."""
    return measure(_text(across, number), frame.letter) + frame.letter / 4 if across else frame.letter


def _half(frame: Frame, across: bool, number: int) -> tuple[float, float]:
    wide = measure(_text(across, number), frame.letter) / 2 + 4
    return max(wide, frame.letter * 0.54), frame.letter * 0.62


def _text(across: bool, number: int) -> str:
    return column_letters(number) if across else str(number + 1)


def _spots(frame: Frame, top: int, across: bool, number: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the middles of a thing's two sides, if it has them."""
    margin, cell = frame.margin, frame.cell
    at = margin + (number - (frame.column if across else frame.row)) * cell + cell // 2
    far = margin + (frame.rows if across else frame.columns) * cell + margin - margin // 2
    return ((at, top + margin // 2), (at, top + far)) if across else ((margin // 2, top + at), (far, top + at))
