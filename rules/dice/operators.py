"""Reads what stands behind dice or a set: runs of operators with their selectors.

    operator    = ("k" | "p" | "rr" | "ro" | "ra" | "e" | "!" | "eo" | "ep" | "ec" | "mi" | "ma"
                  | "s" | "f" | "ss" | "b") selector
    selector    = ["h" | "l" | "<" | ">" | "<=" | ">="] integer

`kh kl dh dl` are `k` or `p` with `h` or `l`, and may leave the number out for 1. `!` without a selector
explodes on the highest face. A bare number selects the values equal to it: `k3` keeps the threes. `s` counts the dice
that it selects instead of adding them; `f` behind it takes those that it selects off again, `ss` counts them once
more, and `b` marks them. `eo` explodes once, each added die of `ep` counts one less, and of `ec` it is one die with
the one that added it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rules.dice.refused import BeyondLimit, beyond_largest
from rules.dice.tree import COUNTING, LARGEST, MOST_DICE, Operator, Operators, Selector

MOST_KEPT = 256  # runs of operators read lately

_ONE_OPERATOR = re.compile(
    r"\s*(adv|dis|rr|ro|ra|mi|ma|e[cop]|ss|[kpd][hl]|[kpesfb]|!(?!=))"
    r"(?:(?<![hl])\s*([<>]=?|[hl]))?(?:\s*(\d+))?",  # 2d20kh >= 15: kh leaves its number out
    re.IGNORECASE | re.ASCII,
)
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


class Slip(Exception):  # noqa: N818 - the grammar makes a refusal of it
    """What is wrong with a run of operators, at an offset in it."""

    def __init__(self, offset: int, got: str, expected: str, instead: str | None = None) -> None:
        super().__init__(got)
        self.offset = offset
        self.got = got
        self.expected = expected
        self.instead = instead


def end_of_operators(text: str, at: int) -> int:
    """Return where the operators end that begin there."""
    while found := _ONE_OPERATOR.match(text, at):
        at = found.end()
    return at


@lru_cache(maxsize=MOST_KEPT)
def read_operators(chained: str, highest: int | None) -> tuple[Operators, int]:
    """Read operators behind dice (or behind a set: `highest` None), and the sources of adv (+) or dis (−)."""
    read: list[Operator] = []
    edge = 0
    at = 0
    while at < len(chained):
        found = _ONE_OPERATOR.match(chained, at)
        assert found is not None  # noqa: S101 - `chained` was matched by the same pattern
        name, category, digits = found[1].lower(), (found[2] or "").lower(), found[3] or ""
        start, at = found.start(1), found.end()
        if edge:
            raise Slip(start, quoted(name), "a sign such as +", "Behind adv and dis only a modifier may follow.")
        if name in {"adv", "dis"}:
            sources = int(digits or 1)
            if category or not 1 <= sources <= 9:
                raise Slip(
                    found.end(1),
                    quoted(category + digits[:20]),
                    "a number from 1 to 9",
                    "For example: 2d6 adv 2.",
                )
            edge = sources if name == "adv" else -sources
            if read:
                raise Slip(start, quoted(name), "it after a plain 2d6", "For example: 2d6 adv 2 + 3.")
            continue
        if name[-1] in "hl":
            name, category, digits = ("k" if name[0] == "k" else "p"), name[-1], digits or "1"
        elif name == "!":
            name = "e"
            if not digits and not category and highest is not None:
                digits = str(highest)
        if not digits:
            raise Slip(
                at,
                quoted(chained[at : at + 1]) if at < len(chained) else "nothing",
                f"a number behind {quoted(found[0].strip())}",
                "For example: 4d6kh3, 4d6rr<3, 2d6e6.",
            )
        number = int(digits)
        if number > LARGEST:
            raise beyond_largest()
        if category in {"<=", ">="}:
            number += 1 if category == "<=" else -1
            category = category[0]
        if read and read[-1].name in COUNTING and name not in COUNTING:
            raise Slip(start, quoted(name), "a sign such as +", "A count of successes stands last: 6d10e10s>=7.")
        if name in COUNTING and category in {"h", "l"}:
            raise Slip(start, quoted(found[0].strip()), f"which faces behind {name}", "For example: 6d10s>=7f1.")
        if name in {"f", "ss", "b"} and not (read and read[-1].name in COUNTING):
            raise Slip(
                start, quoted(found[0].strip()), f"s before {name}", "Failures are taken off successes: 6d10s>=7f1."
            )
        if name in {"mi", "ma"} and category:
            raise Slip(start, quoted(found[0].strip()), f"a plain number behind {name}", "For example: 4d6mi2.")
        selector = Selector(category, number)
        if read and read[-1].name == name and name not in {"mi", "ma"}:
            read[-1] = Operator(name, (*read[-1].selectors, selector))
        else:
            read.append(Operator(name, (selector,)))
    return tuple(read), edge


def refuse_endless(operator: Operator, lowest: int, highest: int, *, is_first: bool) -> None:
    """Refuse what would roll for ever, before a die is drawn."""
    name, selectors = operator
    by_rank = name == "rr" and any(one.category in "hl" and one.category and one.number for one in selectors)
    everything = is_first and any(one.covers(lowest, highest) for one in selectors)
    if not everything and is_first and highest - lowest < MOST_DICE:
        everything = all(any(_takes(one, value) for one in selectors) for value in range(lowest, highest + 1))
    if by_rank or everything:
        what = "rolled again" if name == "rr" else "followed by another die"
        raise BeyondLimit(
            f"With {operator} every die would be {what} for ever.",
            instead="Choose a selector that leaves a face out" + (", or ro for once." if name == "rr" else "."),
        )


def _takes(selector: Selector, value: int) -> bool:
    return selector.covers(value, value)


def clean(words: str) -> str:
    """Return words without what cannot be shown."""
    if not words.isprintable():
        words = _NOT_SHOWN.sub("", words)
    return words.strip()


def quoted(words: str) -> str:
    """Quote what was typed, for a refusal; a backtick would be shown as it is, since all of a refusal is escaped."""
    shown = clean(words)
    return f"“{shown}”" if shown else "nothing"
