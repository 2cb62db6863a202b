"""The picture of `/odds`: distributions one below the other on one axis, so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.figures import number, percent
from bot.render.payload import clip_words
from bot.render.pictures.canvas import (
    BLUE,
    FAINT,
    GREEN,
    GREY,
    INK,
    MARGIN,
    PINK,
    RED,
    WIDTH,
    Canvas,
    measure,
    nice_step,
)
from rules.dice.odds import Distribution

_CHART = 190
_ALONE = 300
_HEAD = 84
_FOOT = 64
_COLORS = (BLUE, RED, GREEN, PINK)
_MOST_BARS = 120


def draw_odds(odds: Sequence[tuple[str, Distribution]], at_least: int | None) -> tuple[bytes, str]:
    """Draw the charts; bars from `at_least` on are full, those below it striped."""
    low, high = _span([each for _, each in odds])
    beyond = max(_beyond(each, low, high) for _, each in odds)
    group = max(1, -(-(high - low + 1) // _MOST_BARS))
    chart = _ALONE if len(odds) == 1 else _CHART
    canvas = Canvas(len(odds) * (_HEAD + chart) + _FOOT + (30 if group > 1 or beyond else 0))
    binned = [_binned(each, low, high, group) for _, each in odds]
    tallest = max(max(shares) for shares in binned)
    for at, ((label, each), shares) in enumerate(zip(odds, binned, strict=True)):
        top = at * (_HEAD + chart) + 14
        _head(canvas, top, label, each, at_least)
        _bars(canvas, top + _HEAD - 14, chart, shares, tallest, _COLORS[at], low, group, at_least)
        _mean(canvas, top + _HEAD - 14 + chart, _place(low, high, each.mean))
    bottom = len(odds) * (_HEAD + chart)
    _axis(canvas, bottom, low, high)
    notes = [f"each bar: {group} results"] if group > 1 else []
    notes += [f"beyond the ends: {percent(beyond)}"] if beyond else []
    canvas.text((WIDTH - MARGIN, canvas.height - 10), ";  ".join(notes), 20, anchor="rb", color=GREY)
    return canvas.png(), _alt(odds, at_least)


def _binned(each: Distribution, low: int, high: int, group: int) -> list[float]:
    shares = [0.0] * ((high - low) // group + 1)
    for value in each.ways:
        if low <= value <= high:
            shares[(value - low) // group] += each.probability(value)
    return shares


def _span(odds: Sequence[Distribution]) -> tuple[int, int]:
    """Return what the axis shows: everything, or all but a thousandth at each end if that saves a third."""
    low, high = min(each.lowest for each in odds), max(each.highest for each in odds)
    ends = [_middle(each) for each in odds]
    near, far = min(end[0] for end in ends), max(end[1] for end in ends)
    return (near, far) if high - low > 40 and (far - near) * 1.5 < high - low else (low, high)


def _middle(each: Distribution) -> tuple[int, int]:
    reached = 0.0
    low: int | None = None
    for value in each.ways:
        reached += each.probability(value)
        if low is None and reached > 0.001:
            low = value
        if reached > 0.999:
            return (each.lowest if low is None else low), value
    return each.lowest, each.highest


def _beyond(each: Distribution, low: int, high: int) -> float:
    return sum(each.probability(value) for value in each.ways if not low <= value <= high)


def _head(canvas: Canvas, top: int, label: str, each: Distribution, at_least: int | None) -> None:
    canvas.text((MARGIN, top), label, 32, bold=True, room=WIDTH - 2 * MARGIN)
    words = f"mean {number(each.mean)}   deviation {number(each.deviation)}"
    if at_least is not None:
        words += f"   {at_least} or more: {percent(each.at_least(at_least))}"
    canvas.text((MARGIN, top + 40), words, 25, color=GREY, room=WIDTH - 2 * MARGIN)


def _place(low: int, high: int, value: float) -> float:
    """Return the x of a value's middle."""
    return MARGIN + (WIDTH - 2 * MARGIN) * (value - low + 0.5) / (high - low + 1)


def _bars(
    canvas: Canvas,
    top: int,
    height: int,
    shares: Sequence[float],
    tallest: float,
    color: tuple[int, int, int],
    low: int,
    group: int,
    at_least: int | None,
) -> None:
    room = height - 34
    base = top + height
    wide = (WIDTH - 2 * MARGIN) / len(shares)
    gap = min(6.0, wide * 0.18)
    labelled = wide >= 62
    for at, share in enumerate(shares):
        left, right = MARGIN + at * wide + gap / 2, MARGIN + (at + 1) * wide - gap / 2
        tall = room * share / tallest
        if share > 0:
            tall = max(tall, 2)
        striped = at_least is not None and low + at * group < at_least
        canvas.bar((left, base - tall, right, base), color, striped=striped and wide >= 6 and tall > 4)
        if labelled and share > 0:
            shown = percent(share).replace(" ", "") if wide > 90 else f"{share * 100:.0f}%" if share >= 0.01 else "<1%"
            canvas.text(((left + right) / 2, base - tall - 4), shown, 22 if wide > 74 else 20, anchor="mb")
    canvas.pen.line((MARGIN, base, WIDTH - MARGIN, base), fill=INK, width=2)


def _mean(canvas: Canvas, base: float, x: float) -> None:
    """Mark the mean below the axis: a triangle that points at it."""
    canvas.polygon([(x, base + 3), (x - 9, base + 17), (x + 9, base + 17)], fill=INK)


def _axis(canvas: Canvas, top: int, low: int, high: int) -> None:
    step = nice_step(high - low + 1, 12)
    if (high - low + 1) <= 16:
        step = 1
    last = -1e9
    for value in range(-(-low // step) * step, high + 1, step):
        x = _place(low, high, value)
        half = measure(str(value), 24) / 2
        if x - half < last + 10 or x + half > WIDTH:
            continue
        canvas.pen.line((x, top + 18, x, top + 24), fill=FAINT, width=2)
        canvas.text((x, top + 26), str(value), 24, anchor="ma", color=INK)
        last = x + half


def _alt(odds: Sequence[tuple[str, Distribution]], at_least: int | None) -> str:
    parts = []
    for label, each in odds:
        words = (
            f"{label}: mean {number(each.mean)}, deviation {number(each.deviation)}, {each.lowest} to {each.highest}"
        )
        if at_least is not None:
            words += f", {at_least} or more in {percent(each.at_least(at_least))}"
        parts.append(words)
    return clip_words(f"Bar chart of the odds. {'; '.join(parts)}.", 1000)
