"""How much of a phone's screen a prompt takes: of 390 x 700 pixels an app's own bars leave 475 (play 10)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.discord_numbers import Component
from bot.render.components import BUTTONS_IN_ROW
from bot.render.words import clip

SCREEN = 475
HEAD = 45  # pixels: who wrote the message, and the frame around the order
TEXT, ROW, BUTTONS = 22, 19, 46  # pixels of a line of text, of one in the frame, and of one of buttons
_TEXT_WIDE, ROW_WIDE = 37, 40  # characters
_BUTTONS_WIDE = 48  # characters of a line of buttons, the frames of the buttons among them
_BESIDE_LABEL = 6  # a button's frame, in characters
_SHORT = 12  # characters for what is a mention or a time on the screen
_UNSHOWN = re.compile(r"\*\*|~~|\\(?=\W)")
_PLACEHOLDER = re.compile(r"<[@t:][^>]*>")


def text_lines(text: str, wide: int = _TEXT_WIDE) -> int:
    """Return how many lines a phone shows markdown in."""
    return sum(max(-(-shown_length(line) // wide), 1) for line in text.split("\n")) if text else 0


def shown_length(line: str) -> int:
    """Return how many characters are left of a line once its marks are read."""
    return len(_UNSHOWN.sub("", _PLACEHOLDER.sub("@" * _SHORT, line)))


def row_lines(text: str) -> int:
    """Return how many lines a phone shows markdown within a frame in."""
    return text_lines(text, ROW_WIDE)


def clip_lines(text: str, most: int) -> str:
    """Cut a line that is longer than so many lines of a phone; the log has it whole."""
    return text if text_lines(text) <= most else clip(text, most * _TEXT_WIDE)


def packed(buttons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return buttons in rows that a phone need not break: each is in the first one that has room for it."""
    rows: list[list[dict[str, Any]]] = []
    for each in buttons:
        room = (row for row in rows if len(row) < BUTTONS_IN_ROW and _wide(row) + _wide([each]) <= _BUTTONS_WIDE)
        row = next(room, None)
        if row is None:
            rows.append(row := [])
        row.append(each)
    return [{"type": Component.ROW, "components": row} for row in rows]


def _wide(row: Sequence[dict[str, Any]]) -> int:
    return sum(len(each["label"]) + _BESIDE_LABEL for each in row)
