"""What a phone shows at a glance: how much of its screen a prompt takes, and labels as wide as it is (play 9, 10).

Of 390 x 700 pixels an app's own bars leave 475; a picture of the board takes 220 of what scrolls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from bot.discord_numbers import Component
from bot.render.components import BUTTONS_IN_ROW, LABEL, ROWS
from bot.render.words import clip
from rules.core.views.whole import WholeAction

Button = dict[str, Any]
SCREEN, BESIDE_BOARD = 475, 440
HEAD = 80  # pixels: who wrote the message, and the room between its parts
TEXT, ROW, BUTTONS = 22, 19, 46  # pixels of a line of text, of one in the frame, and of one of buttons
_TEXT_WIDE, ROW_WIDE = 37, 37  # characters
_BUTTONS_WIDE = 336  # pixels of a line of buttons
_BESIDE_LABEL = 40  # pixels of a button's frame
_SHORT = 12  # characters for what is a mention or a time on the screen
_UNSHOWN = re.compile(r"\*\*|~~|\\(?=\W)")
_PLACEHOLDER = re.compile(r"<[@t:][^>]*>")
WIDE = 40  # characters of a button that is as wide as a phone
_SHORTEST = 9  # characters that are left of a name


def text_lines(text: str, wide: int = _TEXT_WIDE) -> int:
    """Return how many lines a phone shows markdown in."""
    return sum(_broken(_shown(line), wide) for line in text.split("\n")) if text else 0


def _broken(line: str, wide: int) -> int:
    return 1 if len(line) <= wide else len(wrap(line, wide)) or 1


def shown_length(line: str) -> int:
    """Return how many characters are left of a line once its marks are read."""
    return len(_shown(line))


def _shown(line: str) -> str:
    return _UNSHOWN.sub("", _PLACEHOLDER.sub("@" * _SHORT, line))


def row_lines(text: str) -> int:
    """Return how many lines a phone shows markdown within a frame in."""
    return text_lines(text, ROW_WIDE)


def clip_lines(text: str, most: int) -> str:
    """Cut a line that is longer than so many lines of a phone; the log has it whole."""
    return text if text_lines(text) <= most else clip(text, most * _TEXT_WIDE)


def packed(buttons: Sequence[Button], fillers: Sequence[Button] = ()) -> list[Button]:
    """Return buttons in rows that a phone need not break, in their order; `fillers` fill the gaps.

    If it saves a row, the buttons fill gaps too.
    """
    orderly, tight = (_rows(_rows([], buttons, last=last), fillers) for last in (1, len(buttons)))
    return [{"type": Component.ROW, "components": row} for row in min(orderly, tight, key=len)]


def _rows(rows: list[list[Button]], buttons: Sequence[Button], last: int = ROWS) -> list[list[Button]]:
    """Add each button to the first of the `last` rows that has room for it, else to a new one."""
    for each in buttons:
        room = (row for row in rows[-last:] if len(row) < BUTTONS_IN_ROW and _wide([*row, each]) <= _BUTTONS_WIDE)
        row = next(room, None)
        if row is None:
            rows.append(row := [])
        row.append(each)
    return rows


def _wide(row: Sequence[Button]) -> int:
    return sum(15 * len(each["label"]) // 2 + _BESIDE_LABEL for each in row)


# Labels


def button_label(
    words: str, names: Iterable[str] = (), *, end: str = "", who: str = "", price: str = "", most: int = WIDE
) -> str:
    """Return a label of `most` characters: words, whose it is, the end, the price.

    If it is too long, the longest names in it are shortened first, then a price does not say how long it lasts; then
    it may take all that Discord allows. If that is not enough the words are cut: never what follows.
    """
    known = {*names, *([who] if who else [])}
    for price_said in dict.fromkeys((price, price.partition(" until ")[0])):
        for length in range(max((_SHORTEST, *map(len, known))), _SHORTEST - 1, -1):
            said = [words, f" ({who}){end}" if who else end]
            for name in known:
                if len(name) > length:
                    said = [part.replace(name, short_name(name, length)) for part in said]
            rest = said[1] + (f" · {price_said}" if price_said else "")
            if len(said[0]) + len(rest) <= most:
                return said[0] + rest
    return clip(said[0], max(LABEL - len(rest), 1)) + rest


def action_label(whole: WholeAction, *, end: str = "", who: str = "", most: int = WIDE) -> str:
    """Return the label of a whole action with its odds; `who` is said if it could be somebody else's."""
    odds = f" ({whole.odds})" if whole.odds else ""
    names = [name for value in whole.given.values() for name in value.split(", ")]
    return button_label(whole.label + odds, names, end=end, who=who, price=whole.price, most=most)


def short_name(name: str, most: int) -> str:
    """Cut a name in its middle: its last word tells it from those that begin alike.

    >>> short_name("Cultist of the Deep 12", 15)
    'Cultis… Deep 12'
    """
    words = name.split(" ")
    tail = " ".join(words[-2:]) if words[-1].isdecimal() else words[-1]
    if len(tail) > most // 2:
        tail = words[-1] if words[-1].isdecimal() else ""
    if len(words) == 1 or not tail:
        return clip(name, most)
    return f"{clip(name.removesuffix(tail).rstrip(), most - len(tail) - 1)} {tail}"
