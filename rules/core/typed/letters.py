"""What a name may be made of: the characters, the place of each, and the words that are no names (design 3.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

MAX_MARKS = 4  # combining marks on one letter
RESERVED = ("GM", "all", "self", "target", "table", "everyone", "Soulweaver", "improvised")
LEADING = "@#/"  # a mention, a channel, a command
_FORBIDDEN = ',;`"“”„‟«»'
_ZWNJ, _ZWJ, _TEXT, _EMOJI, _KEYCAP, _BLACK_FLAG = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3", "\U0001f3f4"
# Default_Ignorable_Code_Point of Unicode, and blanks that count as letters or symbols. Unassigned ones are refused.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
# Scripts whose letters change their form by a joiner: Arabic to N'Ko, those of India, Tibet to Khmer, Mongolian.
_JOINING = re.compile("[\u0600-\u07ff\u0840-\u0dff\u0f00-\u109f\u1780-\u18af]")
_MONGOLIAN = re.compile("[\u1820-\u18aa]")
_PICTURES = re.compile("[\u203c\u2049\u2190-\u21ff\u2300-\u27ff\u2900-\u2bff\u3030\U0001f000-\U0001faff]")
_TAGS = re.compile(f"{_BLACK_FLAG}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{1,8}}\U000e007f")  # as Scotland's flag
# Controls but tab and line feed, what parts lines or turns the direction of writing, halves of a surrogate pair.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def normalized(text: str) -> str:
    """Return a text in NFKC, trimmed, with single spaces; an acute for an apostrophe becomes one."""
    return " ".join(unicodedata.normalize("NFKC", text.replace("\u00b4", "'")).split(" ")).strip()


def without_controls(text: str) -> str:
    """Return a text without control and bidirectional characters; tabs and line feeds stay."""
    return text if text.isascii() and text.isprintable() else _CONTROLS.sub("", text)


def is_unseen(char: str) -> bool:
    """Tell whether nobody sees a character: default-ignorable, or a blank that is no space."""
    return _UNSEEN.match(char) is not None


def is_visible(text: str) -> bool:
    """Tell whether a text has a letter, a digit or an emoji that people see."""
    return any(not is_unseen(char) and (unicodedata.category(char)[0] in "LN" or _is_picture(char)) for char in text)


def misplaced(name: str, forbidden: str = _FORBIDDEN) -> tuple[str, ...]:
    """Return the characters of a normalized name that cannot be in their places, each once."""
    return tuple(dict.fromkeys(char for char, fits in _judged(name) if not fits or char in forbidden))


def fitting(name: str) -> str:
    """Return a normalized name without the characters that cannot be in their places."""
    return "".join(char for char, fits in _judged(name) if fits and char not in _FORBIDDEN)


def _judged(name: str) -> Iterator[tuple[str, bool]]:
    """Give each character of a name, and whether it may be in its place."""
    tagged = {at for match in _TAGS.finditer(name) for at in range(*match.span())}
    marks = 0
    for at, (before, char) in enumerate(pairwise(f" {name}")):
        after = name[at + 1 : at + 2]
        is_mark = unicodedata.category(char)[0] == "M" and not is_unseen(char)
        marks = marks + 1 if is_mark else 0 if not is_unseen(char) else marks
        if at in tagged:
            yield char, True
        elif is_mark:
            yield char, marks <= MAX_MARKS and before != " "
        elif is_unseen(char):
            yield char, _joins(before, char, after)
        else:
            yield char, _is_allowed(char)


def _joins(before: str, char: str, after: str) -> bool:
    """Tell whether a joiner or selector is inside an emoji, or between letters whose form it changes."""
    if char in {_TEXT, _EMOJI}:
        return _is_picture(before) or (before in "0123456789#*" and after == _KEYCAP)
    if char == _ZWJ and after and _is_picture(after):
        return _is_picture(before) or before == _EMOJI
    if char in {_ZWJ, _ZWNJ}:
        return _JOINING.match(before) is not None and _JOINING.match(after) is not None
    return "\u180b" <= char <= "\u180f" and _MONGOLIAN.match(before) is not None


def _is_picture(char: str) -> bool:
    return _PICTURES.match(char) is not None or unicodedata.category(char) == "So"


def _is_allowed(char: str) -> bool:
    """Tell whether a character may be in a name at all: no control, format, private or unassigned character."""
    category = unicodedata.category(char)
    if category == "Cn":  # emoji that are younger than this Python
        return _is_picture(char)
    return category not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
