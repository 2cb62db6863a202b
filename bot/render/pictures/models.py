"""What systems draw beside the board: a grid, a track of stages, a pile. The models are `rules.core.seen.pictures`.

Every sign has a form of its own (a filled cell, a ring, a cross, hatching), so that nothing hangs on a colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.pictures import canvas as paint
from rules.core.seen.pictures import SIGNS, Grid, GridCell, Picture, Pile, Sign, Track

GRID_WIDTH = 1080
_OWN: paint.Color = (204, 227, 242)
_HATCH: paint.Color = (168, 174, 182)
_NOW: paint.Color = (255, 243, 214)
_DONE: paint.Color = (238, 240, 243)


def draw_picture(picture: Picture) -> bytes:
    """Draw a system's picture as PNG."""
    if isinstance(picture, Grid):
        return _grid(picture)
    return _track(picture) if isinstance(picture, Track) else _pile(picture)


# A grid

_ROW = 84
_EDGE = 56
_GAP = 14  # between two columns that are not joined
_HEAD = 68


def _grid(grid: Grid) -> bytes:
    count = max(len(grid.columns), 1)
    room = GRID_WIDTH - _EDGE - paint.MARGIN - _GAP * (count - 1)
    wide = room / count
    rows = _legend_rows(grid)
    notes = _lines(grid.notes, 30, GRID_WIDTH - 2 * paint.MARGIN)
    below = 20 + 44 * (len(rows) + (1 if grid.joined else 0)) + 40 * len(notes) + 12
    top = _HEAD + 44
    canvas = paint.Canvas(top + _ROW * len(grid.rows) + below, GRID_WIDTH)
    canvas.text((paint.MARGIN, 18), grid.title, 36, bold=True, room=GRID_WIDTH - 2 * paint.MARGIN)
    lefts = [_EDGE + at * (wide + _GAP) for at in range(count)]
    for at, heading in enumerate(grid.columns):
        canvas.text((lefts[at] + wide / 2, _HEAD + 34), heading, 30, anchor="mb", color=paint.GREY, bold=True)
    for row, heading in enumerate(grid.rows):
        canvas.text((_EDGE - 10, top + _ROW * (row + 0.5)), heading, 28, anchor="rm", color=paint.GREY, bold=True)
    for at, column in enumerate(grid.cells):
        if at in grid.joined and at + 1 < count:
            _bridge(canvas, (lefts[at] + wide - 2, top + 2, lefts[at + 1] + 2, top + _ROW * len(grid.rows) - 4))
        for row, cell in enumerate(column):
            box = (lefts[at], top + _ROW * row + 2, lefts[at] + wide, top + _ROW * (row + 1) - 4)
            _cell(canvas, box, cell)
    y = top + _ROW * len(grid.rows) + 20.0
    for row_of_signs in rows:
        for number, sign in enumerate(row_of_signs):
            _key(canvas, (paint.MARGIN + number * (GRID_WIDTH / 2 - paint.MARGIN), y), sign, grid.legend[sign])
        y += 44
    if grid.joined:
        _bridge(canvas, (paint.MARGIN + 20, y, paint.MARGIN + 36, y + 34))
        canvas.text((paint.MARGIN + 68, y + 17), grid.gap, 28, anchor="lm", room=GRID_WIDTH - 120)
        y += 44
    for number, note in enumerate(notes):
        canvas.text((paint.MARGIN, y + 40 * number + 4), note, 30)
    return canvas.png()


def _legend_rows(grid: Grid) -> list[list[Sign]]:
    """Return the signs that are in the grid, two to a row if their words leave room for it."""
    room = GRID_WIDTH / 2 - paint.MARGIN - 80
    used = [sign for sign in SIGNS if sign in grid.legend and _is_used(grid, sign)]
    short = [sign for sign in used if paint.measure(grid.legend[sign], 28) <= room]
    pairs = [short[at : at + 2] for at in range(0, len(short), 2)]
    return [*pairs, *([sign] for sign in used if sign not in short)]


def _is_used(grid: Grid, sign: Sign) -> bool:
    return any(sign in cell.signs for column in grid.cells for cell in column)


def _bridge(canvas: paint.Canvas, box: paint.Box) -> None:
    """Draw a filled gap: a solid band between two columns."""
    canvas.pen.rectangle(tuple(map(round, box)), fill=paint.INK)


def _cell(canvas: paint.Canvas, box: paint.Box, cell: GridCell) -> None:
    _ground(canvas, box, cell.signs)
    left, top, right, bottom = box
    middle = ((left + right) / 2, (top + bottom) / 2 - (15 if cell.note else 0))
    own = "filled" in cell.signs
    room = right - left - 18
    size = next((size for size in (30, 27, 24, 21) if paint.measure(cell.words, size, bold=own) <= room), 21)
    canvas.text(middle, cell.words, size, anchor="mm", bold=own, room=room)
    if cell.note:
        size = next((size for size in (24, 21) if paint.measure(cell.note, size) <= room), 21)
        canvas.text((middle[0], bottom - 22), cell.note, size, anchor="mm", color=(0, 84, 132), room=room)


def _ground(canvas: paint.Canvas, box: paint.Box, signs: Sequence[Sign]) -> None:
    left, top, right, bottom = (round(edge) for edge in box)
    fill = _OWN if "filled" in signs else paint.PAPER
    canvas.pen.rectangle((left, top, right, bottom), fill=fill)
    if "hatched" in signs:
        for start in range(left - (bottom - top), right, 18):
            points = _clipped((start, bottom), (start + bottom - top, top), left, right)
            if points is not None:
                canvas.pen.line(points, fill=_HATCH, width=2)
    if "struck" in signs:  # below the word, which stays legible
        canvas.pen.line((left + 5, top + 5, right - 5, bottom - 5), fill=paint.RED, width=5)
        canvas.pen.line((left + 5, bottom - 5, right - 5, top + 5), fill=paint.RED, width=5)
    outline = paint.BLUE if "filled" in signs else paint.FAINT
    canvas.pen.rectangle((left, top, right, bottom), outline=outline, width=4 if "filled" in signs else 2)
    if "ringed" in signs:
        canvas.pen.rounded_rectangle((left + 6, top + 6, right - 6, bottom - 6), radius=20, outline=paint.GREY, width=2)


def _clipped(start: tuple[int, int], end: tuple[int, int], left: int, right: int) -> tuple[int, int, int, int] | None:
    """Cut a rising diagonal to a cell's width."""
    (x0, y0), (x1, y1) = start, end
    if x0 < left:
        y0, x0 = y0 - (left - x0), left
    if x1 > right:
        y1, x1 = y1 + (x1 - right), right
    return (x0, y0, x1, y1) if x0 < x1 else None


def _key(canvas: paint.Canvas, at: tuple[float, float], sign: Sign, words: str) -> None:
    x, y = at
    box = (x, y, x + 56, y + 34)
    _ground(canvas, box, (sign,))
    canvas.text((x + 68, y + 17), words, 28, anchor="lm", room=GRID_WIDTH - paint.MARGIN - x - 68)


# A track

_STAGE = 74
_TALL_LINE = 38


def _track(track: Track) -> bytes:
    named = [_names_lines(stage.names) for stage in track.stages]
    heights = [max(_STAGE, 24 + _TALL_LINE * len(lines)) for lines in named]
    notes = _lines(track.notes, 28, paint.WIDTH - 2 * paint.MARGIN)
    canvas = paint.Canvas(_HEAD + 14 + sum(heights) + 38 * len(notes) + 24)
    canvas.text((paint.MARGIN, 18), track.title, 34, bold=True, room=paint.WIDTH - 2 * paint.MARGIN)
    y = float(_HEAD + 8)
    for number, (stage, lines, tall) in enumerate(zip(track.stages, named, heights, strict=True)):
        _stage(canvas, y, tall, number, track.now, stage.words, lines)
        y += tall
    for number, note in enumerate(notes):
        canvas.text((paint.MARGIN, y + 14 + 38 * number), note, 28)
    return canvas.png()


def _stage(
    canvas: paint.Canvas, y: float, tall: int, number: int, now: int | None, words: str, lines: Sequence[str]
) -> None:
    is_now = number == now
    is_past = now is not None and number < now
    box = (paint.MARGIN, y, paint.WIDTH - paint.MARGIN, y + tall - 8)
    fill = _NOW if is_now else _DONE if is_past else paint.PAPER
    canvas.pen.rounded_rectangle(
        box, radius=12, fill=fill, outline=paint.ORANGE if is_now else paint.FAINT, width=5 if is_now else 2
    )
    middle = y + (tall - 8) / 2
    if is_now:
        canvas.polygon(
            [(paint.MARGIN + 16, middle - 15), (paint.MARGIN + 40, middle), (paint.MARGIN + 16, middle + 15)],
            fill=paint.INK,
        )
    elif is_past:
        points = [(paint.MARGIN + 15, middle + 1), (paint.MARGIN + 24, middle + 11), (paint.MARGIN + 41, middle - 12)]
        canvas.pen.line(points, fill=paint.GREY, width=5, joint="curve")
    else:
        canvas.text((paint.MARGIN + 28, middle), str(number + 1), 28, anchor="mm", color=paint.GREY)
    canvas.text(
        (paint.MARGIN + 58, middle), words, 28, anchor="lm", color=paint.GREY if is_past else paint.INK, bold=is_now
    )
    start = middle - _TALL_LINE * (len(lines) - 1) / 2
    for at, line in enumerate(lines):
        canvas.text(
            (_NAMES_AT, start + _TALL_LINE * at), line, 28, anchor="lm", color=paint.GREY if is_past else paint.INK
        )


_NAMES_AT = 320


def _names_lines(names: Sequence[str]) -> list[str]:
    """Return names in lines; more than four lines end with a count."""
    lines = _lines([", ".join(names)], 28, paint.WIDTH - paint.MARGIN - _NAMES_AT - 12)
    if len(lines) <= 4:
        return lines
    shown = " ".join(lines[:3]).count(",")  # names hold no commas
    return [*lines[:3], f"and {max(len(names) - shown, 1)} more"]


# A pile

_ITEM = 112
_MOST_ITEMS = 8


def _pile(pile: Pile) -> bytes:
    shown = pile.items[:_MOST_ITEMS]
    left = len(pile.items) - len(shown)
    notes = _lines(([f"and {left} below"] if left else []) + [*pile.notes], 28, paint.WIDTH - 2 * paint.MARGIN)
    canvas = paint.Canvas(_HEAD + (_ITEM + 26) * len(shown) + 38 * len(notes) + 24)
    canvas.text((paint.MARGIN, 18), pile.title, 34, bold=True, room=paint.WIDTH - 2 * paint.MARGIN)
    y = float(_HEAD)
    for number, item in enumerate(shown):
        inset = paint.MARGIN + 14 * min(number, 4)
        box = (inset, y, paint.WIDTH - paint.MARGIN, y + _ITEM)
        top = number == 0
        canvas.pen.rounded_rectangle(
            box,
            radius=14,
            fill=_NOW if top else paint.PAPER,
            outline=paint.ORANGE if top else paint.GREY,
            width=5 if top else 2,
        )
        order = "1st" if top else f"{number + 1}"
        canvas.text((inset + 44, y + _ITEM / 2), order, 34 if not top else 30, anchor="mm", color=paint.GREY, bold=True)
        room = paint.WIDTH - paint.MARGIN - inset - 100
        head = f"{item.who}: {item.words}"
        canvas.text((inset + 88, y + 16), head, 32, bold=True, room=room)
        canvas.text((inset + 88, y + 62), item.note, 27, color=paint.GREY, room=room)
        y += _ITEM
        if number + 1 < len(shown):
            _arrow(canvas, (paint.WIDTH / 2, y + 2), (paint.WIDTH / 2, y + 24))
        y += 26
    for number, note in enumerate(notes):
        canvas.text((paint.MARGIN, y + 38 * number), note, 28)
    return canvas.png()


def _arrow(canvas: paint.Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw an arrow down: this one first, then that one."""
    canvas.pen.line((*start, end[0], end[1] - 8), fill=paint.GREY, width=4)
    canvas.polygon([(end[0] - 9, end[1] - 10), (end[0] + 9, end[1] - 10), end], fill=paint.GREY)


# All


def _lines(texts: Sequence[str], size: int, room: float) -> list[str]:
    return [line for text in texts for line in paint.wrapped(text, size, room)]
