"""The picture of a hand: stones by element and stars, playing cards by rank and suit, other cards by name.

Every element and suit has a shape of its own and its name, so that colour is never the only sign.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from bot.render.payload import clip_words
from bot.render.pictures.canvas import FAINT, GREY, INK, PAPER, RED, WIDTH, Canvas, Color, fitted, wrapped
from bot.render.pictures.symbols import draw_element
from rules.core.cards import counted

_ACROSS = 5
_MOST_TILES = 40
_GAP = 14
_STONE = re.compile(r"(.+) ([1-9]|inf)")
_PLAYING = re.compile(r"(A|[2-9]|10|J|Q|K)([CDHS])")
_SUITS = {"C": ("♣", "clubs"), "D": ("♦", "diamonds"), "H": ("♥", "hearts"), "S": ("♠", "spades")}
_TALL = 178


def draw_hand(cards: Sequence[str]) -> tuple[bytes, str]:
    """Draw one tile for each different card, in the order given; copies are a number in its corner."""
    counts = Counter(cards)
    tiles = list(counts)
    left_out = len(tiles) - _MOST_TILES
    shown = tiles[:_MOST_TILES]
    across = min(_ACROSS, max(len(shown), 3))
    wide = (WIDTH - _GAP * (across + 1)) / across
    rows = max(math.ceil(len(shown) / across), 1)
    canvas = Canvas(rows * (_TALL + _GAP) + _GAP + (34 if left_out > 0 or not shown else 0), paper=(238, 240, 243))
    for at, card in enumerate(shown):
        x = _GAP + (at % across) * (wide + _GAP)
        y = _GAP + (at // across) * (_TALL + _GAP)
        _tile(canvas, (x, y, x + wide, y + _TALL), card, counts[card])
    if left_out > 0:
        canvas.text((WIDTH / 2, canvas.height - 12), f"and {left_out} more different cards", 24, anchor="mb")
    if not shown:
        canvas.text((WIDTH / 2, canvas.height / 2), "no cards", 32, anchor="mm", color=GREY)
    words = counted(cards) or "none"
    return canvas.png(), clip_words(f"A hand of {len(cards)} cards: {words}.", 1000)


def _tile(canvas: Canvas, box: tuple[float, float, float, float], card: str, count: int) -> None:
    left, top, right, bottom = box
    canvas.pen.rounded_rectangle(box, radius=16, fill=PAPER, outline=FAINT, width=2)
    stone = _STONE.fullmatch(card)
    playing = _PLAYING.fullmatch(card)
    if playing:
        _playing(canvas, box, playing[1], playing[2])
    elif stone:
        _stone(canvas, box, stone[1], stone[2])
    elif card in ("X1", "X2"):
        canvas.text(((left + right) / 2, top + 74), "★", 110, anchor="mm", color=INK if card == "X1" else RED)
        canvas.text(((left + right) / 2, bottom - 18), f"Joker {card[1]}", 24, anchor="mb")
    else:
        _named(canvas, box, card)
    if count > 1:
        canvas.pen.rounded_rectangle((right - 58, top + 8, right - 8, top + 42), radius=14, fill=INK)
        canvas.text((right - 33, top + 25), f"{count}x", 24, anchor="mm", color=PAPER)


def _stone(canvas: Canvas, box: tuple[float, float, float, float], element: str, stars: str) -> None:
    left, top, right, bottom = box
    middle = (left + right) / 2
    color = draw_element(canvas, (middle, top + 58), 36, element)
    canvas.text((middle, top + 106), element, 25, anchor="ma", bold=True, room=right - left - 12)
    y = bottom - 24
    if stars == "inf":
        canvas.text((middle, y), "∞", 48, anchor="mm")
        return
    shown, size, dark = (stars, 26, INK) if int(stars) > 4 else ("★" * int(stars), 32, _dark(color))
    canvas.text((middle, y), shown, size, anchor="mm", color=dark)


def _dark(color: Color) -> Color:
    return (color[0] * 3 // 5, color[1] * 3 // 5, color[2] * 3 // 5)


def _playing(canvas: Canvas, box: tuple[float, float, float, float], rank: str, suit: str) -> None:
    left, top, right, bottom = box
    middle = (left + right) / 2
    color = (190, 30, 45) if suit in "DH" else INK
    canvas.text((left + 16, top + 8), rank, 44, color=color, bold=True)
    canvas.text((middle, top + 92), _SUITS[suit][0], 90, anchor="mm", color=color)
    canvas.text((middle, bottom - 18), _SUITS[suit][1], 22, anchor="ms", color=GREY)


def _named(canvas: Canvas, box: tuple[float, float, float, float], card: str) -> None:
    left, top, right, bottom = box
    lines = wrapped(card, 25, right - left - 20)
    lines[3:] = [fitted(" ".join(lines[3:]), 25, right - left - 20)] if len(lines) > 4 else lines[3:]
    y = (top + bottom) / 2 - (len(lines) - 1) * 15
    for at, line in enumerate(lines):
        canvas.text(((left + right) / 2, y + at * 30), line, 25, anchor="mm")
