"""The picture of `/luck`: how often each face came, beside a band of what fair dice do."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from bot.render.figures import DieLuck, number, percent
from bot.render.payload import clip_words
from bot.render.pictures.canvas import BLUE, FAINT, GREY, INK, MARGIN, PAPER, RED, WIDTH, Canvas, measure

_HEAD = 84
_CHART = 220
_FOOT = 46
_MOST_DICE = 4
_MOST_BARS = 20


def draw_luck(who: str, lucks: Sequence[DieLuck]) -> tuple[bytes, str]:
    """Draw the sizes of dice that were rolled most."""
    shown = sorted((each for each in lucks if each.rolled), key=lambda each: (-each.rolled, each.sides))[:_MOST_DICE]
    canvas = Canvas(max(len(shown), 1) * (_HEAD + _CHART + _FOOT) + 50)
    for at, each in enumerate(shown):
        _chart(canvas, at * (_HEAD + _CHART + _FOOT) + 14, each)
    _legend(canvas)
    left_out = sum(1 for each in lucks if each.rolled) - len(shown)
    return canvas.png(), _alt(who, shown, left_out)


def _groups(each: DieLuck) -> list[tuple[str, int, int]]:
    """Return bars: label, faces in it, how often they came. Large dice are grouped evenly."""
    size = -(-each.sides // _MOST_BARS) if each.sides > _MOST_BARS else 1
    if each.sides == 100:
        size = 10
    groups = []
    for first in range(1, each.sides + 1, size):
        last = min(first + size - 1, each.sides)
        label = str(first) if size == 1 else f"{first}-{last}"
        groups.append((label, last - first + 1, sum(each.counts.get(face, 0) for face in range(first, last + 1))))
    return groups


def _chart(canvas: Canvas, top: int, each: DieLuck) -> None:
    canvas.text((MARGIN, top), f"d{each.sides}: {each.rolled} rolled", 32, bold=True)
    words = (
        f"mean {number(each.mean)} (fair {number(each.expected)}), higher than {percent(each.better_than)} of fair dice"
    )
    words = words if each.says_something else "too few to tell"
    canvas.text((MARGIN, top + 40), words, 25, color=GREY, room=WIDTH - 2 * MARGIN)
    groups = _groups(each)
    bands = [_band(each, faces, len(groups)) for _, faces, _ in groups]
    most = max(*(count for _, _, count in groups), *(high for _, _, high in bands), 1)
    base = top + _HEAD + _CHART - 14
    room = _CHART - 34
    wide = (WIDTH - 2 * MARGIN) / len(groups)
    label_size = next(size for size in (22, 20, 18, 16, 12) if size == 12 or _fit(groups, size, wide - 4))
    for at, ((label, _, count), (low, due, high)) in enumerate(zip(groups, bands, strict=True)):
        left, right = MARGIN + at * wide, MARGIN + (at + 1) * wide
        gap = min(8.0, wide * 0.2)
        canvas.pen.rectangle((left, base - room * high / most, right, base - room * low / most), fill=FAINT)
        unusual = each.says_something and (count < low or count > high)
        color = RED if unusual else BLUE
        canvas.bar((left + gap, base - room * count / most, right - gap, base), color)
        level = base - room * due / most
        canvas.pen.line((left, level, right, level), fill=PAPER, width=5)
        canvas.pen.line((left, level, right, level), fill=INK, width=2)
        size = 22 if wide > 34 else 18
        shown = f"{count} !" if unusual else str(count)
        above = base - room * count / most - 4
        if above - 20 < level < above + 4:  # the line of what is due would cross the number
            above = level - 6
        canvas.text(((left + right) / 2, above), shown, size, anchor="mb", bold=unusual)
        canvas.text(((left + right) / 2, base + 8), label, label_size, anchor="ma")
    canvas.pen.line((MARGIN, base, WIDTH - MARGIN, base), fill=INK, width=2)


def _fit(groups: Sequence[tuple[str, int, int]], size: int, room: float) -> bool:
    return all(measure(label, size) < room for label, _, _ in groups)


def _band(each: DieLuck, faces: int, bars: int) -> tuple[float, float, float]:
    """Return the range that holds 19 of 20 people with fair dice: least, due, most."""
    share = faces / each.sides
    due = each.rolled * share
    spread = NormalDist().inv_cdf(1 - 0.025 / bars) * sqrt(each.rolled * share * (1 - share))
    return max(due - spread, 0.0), due, due + spread


def _legend(canvas: Canvas) -> None:
    y = canvas.height - 44
    canvas.pen.rectangle((MARGIN, y + 4, MARGIN + 26, y + 26), fill=FAINT)
    canvas.pen.line((MARGIN, y + 15, MARGIN + 26, y + 15), fill=INK, width=2)
    canvas.text((MARGIN + 36, y + 2), "line: expected; band: where 19 of 20 people end up;  ! outside", 22, color=GREY)


def _alt(who: str, shown: Sequence[DieLuck], left_out: int) -> str:
    parts = [
        f"d{each.sides}: {each.rolled} rolled, mean {number(each.mean)} of {number(each.expected)} expected, "
        f"higher than {percent(each.better_than)} of fair dice"
        for each in shown
    ]
    if left_out > 0:
        parts.append(f"the numbers show {left_out} more sizes of dice")
    return clip_words(f"How often each face came up for {who}. {'; '.join(parts) or 'No dice'}.", 1000)
