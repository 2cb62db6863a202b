"""What the words of a line of the to-do ask for: damage, healing, a condition, moving, with the numbers that they have.

A hint fills a form in, which the GM reads and sends: nothing happens by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from rules.core.encounter import Encounter, Todo
from rules.core.registry import system_of
from rules.core.values import USUAL_CONDITIONS

_WORD = re.compile(r"[\w+-]+")
_AMOUNT = re.compile(r"(?:[0-9]{0,2}d[0-9]{1,4}|[0-9]{1,4})(?:[+-][0-9]{1,4}){0,4}")
_HEALS = frozenset(("heal", "heals", "regain", "regains", "recover", "recovers", "healing"))
_MOVES = frozenset(
    (
        *("push", "pushes", "pushed", "pull", "pulls", "pulled", "slide", "slides", "shift", "shifts"),
        *("move", "moves", "moved", "teleport", "teleports", "teleported", "swap", "swaps"),
    )
)
_SELF = frozenset(("i", "you", "yourself", "myself", "self"))
_NO_TYPES = frozenset(("the", "that", "this", "extra", "more", "half", "no", "of", "additional", "any", "all", "as"))
_NEAR = 4  # words after a verb that may have its number among them


class Hint(NamedTuple):
    """A form that settles a line, with what is known of its fields, and who it is about."""

    form: Literal["damage", "heal", "condition", "move"]
    targets: tuple[str, ...]
    values: Mapping[str, str]


def hints_of(state: Encounter, line: Todo) -> tuple[Hint, ...]:
    """Return what a line of the table's to-do may ask for, each kind once; moving only on a board."""
    words = _WORD.findall(re.sub(r" ([+-]) (?=[0-9])", r"\1", line.text.casefold()))
    targets = (line.who,) if words[:1] and words[0] in _SELF else line.targets
    conditions = (*system_of(state).conditions, *state.own_conditions, *USUAL_CONDITIONS)
    named = next((name for name in conditions if name.casefold() in _runs(words)), None)
    hints: list[_Found | None] = [_damage(words), _healing(words)]
    if named is not None:
        hints.append(("condition", _condition(named, words)))
    if state.board is not None and not _MOVES.isdisjoint(words):
        hints.append(("move", {}))
    return tuple(Hint(each[0], targets, each[1]) for each in hints if each is not None)


_Found = tuple[Literal["damage", "heal", "condition", "move"], Mapping[str, str]]


def _damage(words: list[str]) -> _Found | None:
    if "damage" not in words:
        return None
    at = words.index("damage")
    before = words[max(0, at - 2) : at]
    amount = next((each for each in reversed(before) if _AMOUNT.fullmatch(each)), "")
    kind = before[-1] if before and amount and before[-1] != amount and before[-1] not in _NO_TYPES else ""
    return "damage", {"amount": amount, "type": kind}


def _healing(words: list[str]) -> _Found | None:
    at = next((at for at, word in enumerate(words) if word in _HEALS), None)
    if at is None:
        return None
    behind = words[at + 1 : at + 1 + _NEAR]
    return "heal", {"amount": next((each for each in behind if _AMOUNT.fullmatch(each)), "")}


def _condition(name: str, words: list[str]) -> Mapping[str, str]:
    said = zip(words, words[1:], words[2:], strict=False)
    lasts = (f"{number} {unit}" for before, number, unit in said if before == "for" and number.isdecimal())
    return {"name": name, "duration": next(lasts, "")}


def _runs(words: list[str]) -> Iterator[str]:
    """Return each word, and each two and three that are side by side."""
    for length in (1, 2, 3):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) + 1 - length))
