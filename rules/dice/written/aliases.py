"""Short names of rolls that are mere dice (`aliases.toml`): a text that begins with one, with its dice instead."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pkgutil import get_data

from rules.dice.forms import reckoned

_BEHIND = r"(?=\s*$|\s*[-+]\s*\d|\s*[!#]\s|\s+[^\W\d]{3}|\s+(?:adv|dis)\b)"
_PLAIN = re.compile(r"\s*(?:\d*d(?:\d+(?!l)|%|f\b)|\d+\s*[-+*/x]|[({.])", re.IGNORECASE)
_SETS = re.compile(r"\s*(\d+)\s+(?=[a-z]|\d+[a-ce-z])", re.IGNORECASE)
_SLOT = re.compile(r"\{(\d)(?::([^}]*)|([-+*]\d+))?\}")


@cache
def every_alias() -> tuple[tuple[re.Pattern[str], str], ...]:
    file = tomllib.loads((get_data(__name__, "aliases.toml") or b"").decode("utf-8"))
    patterns = [(rf"\s*(?:{typed}){_BEHIND}", rolled) for typed, rolled in file["alias"]]
    return tuple((re.compile(pattern, re.IGNORECASE | re.ASCII), rolled) for pattern, rolled in patterns)


def without_alias(text: str) -> str | None:
    """Return what a text with such a name rolls, None if there is none.

    >>> without_alias("ex5"), without_alias("3 sw8 + 1 shooting"), without_alias("1d20")
    ('5d10s>=7ss10', '3x (1d8!, 1d6!)kh1 + 1 shooting', None)
    """
    if not text or _PLAIN.match(text):
        return None
    for pattern, rolled in every_alias():
        if match := pattern.match(text):
            return _filled(rolled, match) + text[match.end() :]
    sets = _SETS.match(text)
    plain = None if sets is None else without_alias(text[sets.end() :])
    return None if sets is None or plain is None else f"{sets[1]}x {plain}"


def _filled(rolled: str, match: re.Match[str]) -> str:
    def filled(slot: re.Match[str]) -> str:
        value = (match[int(slot[1])] or "").strip()
        if slot[3]:
            return str(reckoned(f"{value}{slot[3]}"))
        return value or slot[2] or ""

    return _SLOT.sub(filled, rolled)
