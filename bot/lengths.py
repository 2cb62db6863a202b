"""How long what people type may be: told to Discord, and held again by the program (design 3.2).

Older commands send longer texts, and so do programs that talk to Discord. What files and saved characters hold has its
limits in `rules.core.sheets.sheet`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot import custom_ids
from rules.core.refusals import too_long
from rules.core.sheets import cast
from rules.core.typed.names import MAX_NAME

WORDS = 500  # lists, dice, notes, reasons, cells, and all that is not named here
SHEET = 6000  # Discord takes no longer option
FORM = 4000  # Discord takes no longer input of a form
_TITLE = 40  # of a kit
_OPTIONS: Mapping[str, int] = {
    "name": MAX_NAME,
    "ability": MAX_NAME,
    "saved": MAX_NAME,
    "sheet": SHEET,
    "fields": SHEET,
    "lines": FORM,
    "shape": 16,
    "columns": 2,
    "count": 3,
}
_WITHIN: Mapping[tuple[str, str], int] = {  # a command, or the kind of a form
    ("macro run", "name"): WORDS,  # what is to be changed comes after it
    ("kit get", "name"): _TITLE,
    ("kit delete", "name"): _TITLE,
    ("gm rename", "to"): MAX_NAME,
    ("map copy", "to"): MAX_NAME,
    ("map rename", "to"): MAX_NAME,
    (custom_ids.CAST, "lines"): cast.MOST_TEXT,
    (custom_ids.MAP, "text"): FORM,
}
_BLANK = re.compile(r"\s+")


def length_of(within: str, option: str) -> int:
    """Return how many characters an option of a command, or a field of a form, has at most."""
    return _WITHIN.get((within, option), _OPTIONS.get(option, WORDS))


def taken(within: str, option: str, text: str) -> str:
    """Return a text with its white space folded. Raises: Malformed if it is too long for that option.

    >>> taken("roll", "dice", "1d20   +5")
    '1d20 +5'
    """
    most = length_of(within, option)
    is_drawn = (within, option) == (custom_ids.MAP, "text")  # blanks are cells
    kept = text if is_drawn else _BLANK.sub(_one_blank, text)
    if len(kept) > most:
        raise too_long(option, kept, most)
    return kept


def begun(within: str, option: str, text: str) -> str:
    """Return a text that is still being typed, cut at the length that its option may have."""
    return _BLANK.sub(_one_blank, text)[: length_of(within, option)]


def _one_blank(blanks: re.Match[str]) -> str:
    return "\n" if "\n" in blanks[0] else " "
