"""Forms of sentences as they are written down: `[{who}] deals {amount} [{type}] damage`.

Words mean themselves, `(a|b)` is one of some, `[…]` may be left out, `{slot}` is what is read out of
it. A form is compared with a text whose words, commas and colons are separated by single blanks (`plain_words`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from rules.dice.signs import usual_signs, visible

_PARTS = re.compile(r"\{\w+\}|[\[\](|)]|[^\s\[\](|)]+")
_AVERAGE = re.compile(r"\b[0-9]{1,4} ?\( ?([0-9]{0,2}d[0-9]{1,3}(?: ?[+-] ?[0-9]{1,3})?) ?\)")
_LOOSE_SUM = re.compile(r"\b([0-9]{0,2}d[0-9]{1,3}) ?([+-]) ?(?=[0-9a-z])")
_FEET = re.compile(r"\b([0-9]{1,4})[ -]?(?:ft\b\.?|feet\b|foot\b)")
_OF_FEET = re.compile(r"(?<=[0-9]ft)-(?=[a-z])")
_BEHIND_BONUS = re.compile(r"([+-][0-9]{1,2}(?: to hit)?) ?\(([^()]{1,60})\)")
_IN_BRACKETS = re.compile(r" ?\(([0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})? two-handed|dc [0-9]{1,2} [^()]{1,40})\)")
_SHORTENED = (
    (re.compile(r"(?<=save|hrow) \((dc \d{1,2})\)"), r" \1"),
    (re.compile(r"(?<![\w+-])atk(?=:? ?(?:[+-]|1?d20))"), "attack"),
    (re.compile(r"\bdmg\b"), "damage"),
    (re.compile(r"\battack:? ?1?d20 ?(?=[+-])"), "attack "),
    (re.compile(r"\b1?d20 ?([+-] ?[0-9]{1,2})(?= (?:vs|against|to hit)\b)"), r"\1"),
    (re.compile(r"\bvs\."), "vs"),
)
_NAMED = re.compile(r"(\[[^\[\]]*\])")
_A_SPACE_IN_FEET, _A_SPACE_IN_METRES = 5, 1.5
_MARKS = re.compile(r" *([,:()]) *")


def plain_words(text: str) -> str:
    """Return a text in lower case, with single blanks, usual signs, and dice without the average before them.

    What is in square brackets is a name, and keeps its case.

    >>> plain_words("Hit: 5 (1d6 + 2) piercing damage, reach 5 ft.")
    'hit : 1d6+2 piercing damage , reach 5ft'
    """
    parts = _NAMED.split(usual_signs(visible(text)))
    words = "".join(part if _NAMED.fullmatch(part) else part.casefold() for part in parts).strip(" .;")
    for shortened, whole in _SHORTENED:
        words = shortened.sub(whole, words)
    words = _BEHIND_BONUS.sub(r"\1 \2", words)
    words = _OF_FEET.sub(" ", _FEET.sub(r"\1ft", _LOOSE_SUM.sub(r"\1\2", _AVERAGE.sub(r"\1", words))))
    words = _IN_BRACKETS.sub(r", \1", words)
    return " ".join(_MARKS.sub(r" \1 ", words).split())


def spaces_in(words: str | None) -> int | None:
    """Return how many spaces a distance is; None if none is said.

    >>> spaces_in("10ft"), spaces_in("30 feet"), spaces_in("9 m"), spaces_in("2 spaces")
    (2, 6, 6, 2)
    """
    if not words:
        return None
    number = int(re.sub(r"\D", "", words))
    if words.endswith(("ft", "feet")):
        return number // _A_SPACE_IN_FEET
    return int(number / _A_SPACE_IN_METRES) if " m" in words else number


def compiled(form: str, slots: Mapping[str, str]) -> re.Pattern[str]:
    """Return what finds a form in a text that has a blank before each word."""
    written = []
    for part in _PARTS.findall(form):
        if part == "[":
            written.append("(?:")
        elif part == "]":
            written.append(")?")
        elif part == "(":
            written.append("(?:")
        elif part in "|)":
            written.append(part)
        elif part[0] == "{":
            written.append(f" (?P<{part[1:-1]}>{slots[part[1:-1]]})")
        else:
            written.append(f" {re.escape(part)}")
    whole = "".join(written) + r"(?= |$)"
    return re.compile(whole)


# A word of a name. What limits, denies or compares is none: `with its claws unless bloodied`
NAMING = (
    r"(?!(?:only|if|unless|while|when|once|twice|times|every|each|most|no|not|none|but|half|instead|after|until|before"
    r"|per|or|and|at|for|during|under|as|than|by|this|that|next|(?:dis)?advantaged?|against|another|other|except|without|more|less|fewer|extra|additional|free|allied|opportunity)\b)"
    r"[a-z'’-]{1,24}"
)
NO_PURSE = (  # what nobody has in a purse, though it can be spent
    r"(?:it|the|your|my|his|her|each|per|of|bonus|free|extra|more|less|ally|enemy|creature|target"
    r"|(?:(?:re)?action|turn|round|minute|hour|day|week|use|attack)s?)\b"
)
SELF = r"you|i|me|self|this character|yourself|myself|itself|himself|herself"
_BEARER = re.compile(rf" ?(?:{SELF})")


def group(match: re.Match[str], name: str) -> str:
    """Return what a slot was read as; empty if it was left out."""
    return match.groupdict().get(name) or ""


def is_bearer(words: str) -> bool:
    """Tell whether words mean the one whose ability it is."""
    return _BEARER.fullmatch(words) is not None


def whom_of(match: re.Match[str]) -> Literal["target", "self"]:
    """Return whom a form is about: `you heal an ally` is about the ally."""
    return "self" if is_bearer(group(match, "whom") or group(match, "who")) else "target"
