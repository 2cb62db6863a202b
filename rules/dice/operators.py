"""Reads what comes after dice or a set: runs of operators with their selectors.

    operator    = ("k" | "p" | "rr" | "ro" | "ra" | "e" | "!" | "eo" | "ep" | "ec" | "mi" | "ma"
                  | "s" | "f" | "ss" | "b") selector
    selector    = ["h" | "l" | "<" | ">" | "<=" | ">="] integer

`kh kl dh dl` are `k` or `p` with `h` or `l`, and may leave the number out for 1. `!` without a selector
explodes on the highest face. A bare number selects the values equal to it: `k3` keeps the threes. `s` counts the dice
that it selects instead of adding them; `f` after it takes those that it selects off again, `ss` counts them once
more, and `b` marks them. `eo` explodes once, each added die of `ep` counts one less, and of `ec` it is one die with
the one that added it.
"""

from __future__ import annotations

import re

from rules.dice.refused import BeyondLimit, UnreadableDice, beyond_largest
from rules.dice.tree import COUNTING, LARGEST, MOST_DICE, Operator, Operators, Selector

_ONE_OPERATOR = re.compile(
    r"\s*(adv|dis|rr|ro|ra|mi|ma|e[cop]|ss|[kpd][hl]|[kpesfb]|!(?!=))"
    r"(?:(?<![hl])\s*([<>]=?|[hl]))?(?:\s*(\d+))?",  # 2d20kh >= 15: kh leaves its number out
    re.IGNORECASE | re.ASCII,
)
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def read_operators(text: str, at: int, highest: int | None) -> tuple[Operators, int, int]:
    """Read the operators that begin there after dice (or after a set: `highest` None).

    Return them, the sources of adv (+) or dis (−), and their end. Raises: UnreadableDice, BeyondLimit.
    """
    read: list[Operator] = []
    edge = 0
    while match := _ONE_OPERATOR.match(text, at):
        name, category, digits = match[1].lower(), (match[2] or "").lower(), match[3] or ""
        typed, place, at = quoted(match[0]), match.start(1) + 1, match.end()
        if edge:
            raise UnreadableDice(
                place, quoted(name), "a sign such as +", instead="After adv and dis there can be only a modifier."
            )
        if name in {"adv", "dis"}:
            sources = int(digits or 1)
            if category or read or not 1 <= sources <= 9:
                expected = "it after a plain 2d6" if read else "a number from 1 to 9"
                raise UnreadableDice(place, typed, expected, instead="For example: 2d6 adv 2 + 3.")
            edge = sources if name == "adv" else -sources
            continue
        if name[-1] in "hl":
            name, category, digits = ("k" if name[0] == "k" else "p"), name[-1], digits or "1"
        elif name == "!":
            name = "e"
            if not digits and not category and highest is not None:
                digits = str(highest)
        if not digits:
            got = quoted(text[at : at + 1])
            raise UnreadableDice(at + 1, got, f"a number after {typed}", instead="For example: 4d6kh3, 4d6rr<3, 2d6e6.")
        number = int(digits)
        if number > LARGEST:
            raise beyond_largest()
        is_counted = bool(read) and read[-1].name in COUNTING
        if (misplaced := _misplaced(name, category, is_counted=is_counted)) is not None:
            expected, instead = misplaced
            raise UnreadableDice(place, typed, expected, instead=instead)
        if category in {"<=", ">="}:
            number += 1 if category == "<=" else -1
            category = category[0]
        selector = Selector(category, number)
        if read and read[-1].name == name and name not in {"mi", "ma"}:
            read[-1] = Operator(name, (*read[-1].selectors, selector))
        else:
            read.append(Operator(name, (selector,)))
    return tuple(read), edge, at


def _misplaced(name: str, category: str, *, is_counted: bool) -> tuple[str, str] | None:
    """Say what was expected instead of an operator, and what would work; None if it may stay."""
    if is_counted and name not in COUNTING:
        return "a sign such as +", "A count of successes comes last: 6d10e10s>=7."
    if name in COUNTING and category in {"h", "l"}:
        return f"which faces after {name}", "For example: 6d10s>=7f1."
    if name in {"f", "ss", "b"} and not is_counted:
        return f"s before {name}", "Failures are subtracted from successes: 6d10s>=7f1."
    if name in {"mi", "ma"} and category:
        return f"a plain number after {name}", "For example: 4d6mi2."
    return None


def refuse_endless(operator: Operator, lowest: int, highest: int, *, is_first: bool) -> None:
    """Refuse what would roll forever, before a die is drawn."""
    name, selectors = operator
    by_rank = name == "rr" and any(one.category in "hl" and one.category and one.number for one in selectors)
    everything = is_first and any(one.covers(lowest, highest) for one in selectors)
    if not everything and is_first and highest - lowest < MOST_DICE:
        everything = all(any(one.covers(value, value) for one in selectors) for value in range(lowest, highest + 1))
    if by_rank or everything:
        what = "rolled again" if name == "rr" else "followed by another die"
        raise BeyondLimit(
            f"With {operator} every die would be {what} forever.",
            instead="Choose a selector that leaves a face out" + (", or ro for once." if name == "rr" else "."),
        )


def clean(words: str) -> str:
    """Return words without what cannot be shown."""
    if not words.isprintable():
        words = _NOT_SHOWN.sub("", words)
    return words.strip()


def quoted(words: str) -> str:
    """Quote what was typed, for a refusal; a backtick would be shown as it is, since all of a refusal is escaped."""
    shown = clean(words)
    return f"“{shown}”" if shown else "nothing"
