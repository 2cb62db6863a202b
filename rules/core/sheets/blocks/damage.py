"""Damage as a sentence tells it: `7 (2d4 + 2) piercing damage plus 3 (1d6) fire damage`."""

from __future__ import annotations

import re

from rules.core.sheets.blocks.block import tight

_DICE = r"\d*d\d+(?:\s*[+-]\s*\d+)?"
_TYPE = r"(?:(?:(?:non)?magical\s+)?(?P<type>[A-Za-z]+(?:(?:,|,? or) [A-Za-z]+)*)\s+)?"
_AMOUNT = rf"(?:\d+\s*\(\s*(?P<dice>{_DICE})\s*\)|(?P<bare>{_DICE}|\d+))\s+{_TYPE}damage"
FIRST = re.compile(_AMOUNT)
MORE = re.compile(rf",?\s*(?:plus|and)\s+{_AMOUNT}")
IF = re.compile(rf",?\s*or\s+{_AMOUNT}\s+((?:if|when)\s[^.,]*)")
_TWO_HANDS = re.compile(r"(?:used|wielded)\s+(?:with|in)\s+two\s+hands", re.IGNORECASE)


_HANGS = re.compile(
    r"[\s,(]*(?:unless|if|when|while|but|except|instead|only|against|to|or|for each|per|where|provided|equal)\b",
    re.IGNORECASE,
)  # words that say when, or whose


def amount(found: re.Match[str]) -> str:
    """Return dice or a number, and the type of damage."""
    return " ".join(filter(None, (tight(found["dice"] or found["bare"]), (found["type"] or "").casefold())))


def damage_at(text: str, at: int) -> tuple[str, int]:
    """Return the damage that is said from a place on, with what is added, and its end."""
    match = FIRST.match(text, at)
    if match is None:
        return "", at
    said = amount(match)
    at = match.end()
    while more := MORE.match(text, at):
        said += f" plus {amount(more)}"
        at = more.end()
    if both := IF.match(text, at):
        when = "two-handed" if _TWO_HANDS.search(both[4]) else " ".join(both[4].split())
        said += f" ({tight(both['dice'] or both['bare'])} {when})"
        at = both.end()
    if depends(text, at):
        return "", match.start()
    return said, at


def depends(text: str, at: int) -> bool:
    """Tell whether what was said up to a place depends on the words that follow: then nobody can do it alone."""
    return _HANGS.match(text, at) is not None
