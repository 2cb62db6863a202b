"""Whether a regular expression can split one text in several ways, so that failing costs more than the text is long.

A pattern becomes an automaton of positions: one for each character or class of it, and which may follow which. Two ways
through it that read the same text and meet again are what a backtracking matcher tries one after the other. Of words
ahead and behind nothing is known here: they hold back nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined] # what `re` itself reads patterns with
from re import _parser  # type: ignore[attr-defined] # the same
from typing import Any

ALPHABET = "".join(map(chr, range(32, 127))) + "\t\nÄéßſ×·÷−–—→≤≥≠٣\u3000\u0301\u200d😀"
FEW = 16  # a repeat with more is taken as one without an end
_ALL = (1 << len(ALPHABET)) - 1
_CLASSES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


@dataclass(frozen=True)
class Part:
    """A part of a pattern: the positions that it may begin and end with, and whether it may be nothing."""

    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    empty: bool = True


@dataclass
class Positions:
    """The automaton. `letters` are the signs of each position, as bits; `follows` counts the ways to the next one."""

    flags: int
    letters: list[int] = field(default_factory=list)
    follows: Counter[tuple[int, int]] = field(default_factory=Counter)
    is_empty_repeated: bool = False

    def of(self, parsed: Iterable[tuple[Any, Any]]) -> Part:
        found = Part()
        for code, given in parsed:
            found = self._then(found, self._one(code, given))
        return found

    def _one(self, code: Any, given: Any) -> Part:
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeated(*given)
        if code is sre.SUBPATTERN:
            return self.of(given[-1])
        if code is sre.ATOMIC_GROUP:
            return self.of(given)
        if code is sre.BRANCH:
            return _either([self.of(each) for each in given[1]])
        if code in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            return Part()
        if code is sre.GROUPREF:
            return self._position(_ALL)
        return self._position(_letters(code, given, self.flags))

    def _position(self, letters: int) -> Part:
        self.letters.append(letters)
        here = frozenset((len(self.letters) - 1,))
        return Part(here, here, empty=False)

    def _then(self, one: Part, other: Part) -> Part:
        self.follows.update((last, first) for last in one.last for first in other.first)
        return Part(
            one.first | (other.first if one.empty else frozenset()),
            other.last | (one.last if other.empty else frozenset()),
            one.empty and other.empty,
        )

    def _repeated(self, least: int, most: Any, parsed: Any) -> Part:
        if most is not sre.MAXREPEAT and most <= FEW:
            found = Part()
            for number in range(most):
                one = self.of(parsed)
                found = self._then(found, one if number < least else Part(one.first, one.last))
            return found
        one = self.of(parsed)
        self.is_empty_repeated = self.is_empty_repeated or one.empty
        self.follows.update((last, first) for last in one.last for first in one.first)
        return Part(one.first, one.last, one.empty or least == 0)


def _either(parts: list[Part]) -> Part:
    return Part(
        frozenset().union(*(each.first for each in parts)),
        frozenset().union(*(each.last for each in parts)),
        any(each.empty for each in parts),
    )


def _letters(code: Any, given: Any, flags: int) -> int:
    """Return the signs of a position as bits."""
    if code is sre.ANY:
        return _bits(lambda sign: bool(flags & re.DOTALL) or sign != "\n")
    if code is sre.LITERAL:
        return _same(given, flags)
    if code is sre.NOT_LITERAL:
        return _ALL & ~_same(given, flags)
    if code is sre.IN:
        found = 0
        for each, value in given:
            if each is sre.LITERAL:
                found |= _same(value, flags)
            elif each is sre.RANGE:
                found |= _range(*value, flags)
            elif each is sre.CATEGORY:
                found |= _category(_CLASSES[value], flags & re.ASCII)
        return _ALL & ~found if given[0][0] is sre.NEGATE else found
    raise NotImplementedError(code)


@cache
def _range(low: int, high: int, flags: int) -> int:
    return _bits(lambda sign: any(low <= ord(one) <= high for one in _cases(sign, flags)))


def _cases(sign: str, flags: int) -> tuple[str, ...]:
    swapped = sign.swapcase()
    return (sign, swapped) if flags & re.IGNORECASE and len(swapped) == 1 else (sign,)


@cache
def _same(code: int, flags: int) -> int:
    return _bits(lambda sign: chr(code) in _cases(sign, flags))


def _bits(is_in: Any) -> int:
    return sum(1 << at for at, sign in enumerate(ALPHABET) if is_in(sign))


@cache
def _category(pattern: str, flags: int) -> int:
    return _bits(re.compile(pattern, flags).fullmatch)


def split_in_several_ways(pattern: str, flags: int = 0) -> str:
    """Return how a pattern can read one text in several ways, nothing if it cannot."""
    parsed = _parser.parse(pattern, flags)
    positions = Positions(parsed.state.flags)
    positions.of(parsed)
    after: dict[int, list[int]] = {}
    for one, other in positions.follows:
        after.setdefault(one, []).append(other)
    reached = _reached(after, len(positions.letters))
    looping = [at for at, found in enumerate(reached) if found >> at & 1]
    if positions.is_empty_repeated:
        return "a repeat of what may be nothing"
    for (one, other), ways in positions.follows.items():
        if ways > 1 and reached[other] >> one & 1:
            return f"two repeats, one within the other, go on with {_sign(positions, other)}"
    for one in looping:
        for other in looping:
            if one != other and reached[one] >> other & 1 and _meets(positions, after, reached, one, other):
                return f"{_sign(positions, one)} of one repeat is {_sign(positions, other)} of another"
    return ""


def _reached(after: dict[int, list[int]], length: int) -> list[int]:
    """Return, for each position, as bits, what can be reached from it in one step or more."""
    reached = [0] * length
    changed = True
    while changed:
        before = list(reached)
        for at in reversed(range(length)):  # most steps lead on
            for each in after.get(at, ()):
                reached[at] |= 1 << each | reached[each]
        changed = reached != before
    return reached


def _meets(positions: Positions, after: Mapping[int, list[int]], reached: Sequence[int], one: int, other: int) -> bool:
    """Tell whether one text leads from the first back to itself, from it to the other, and from that back to itself."""
    letters = positions.letters
    to_one = {at: [each for each in found if each == one or reached[each] >> one & 1] for at, found in after.items()}
    to_other = {
        at: [each for each in found if each == other or reached[each] >> other & 1] for at, found in after.items()
    }
    start, goal = (one, one, other), (one, other, other)
    seen, left = {start}, [start]
    while left:
        a, b, c = left.pop()
        for next_a in to_one.get(a, ()):
            for next_b in to_other.get(b, ()):
                both = letters[next_a] & letters[next_b]
                for next_c in to_other.get(c, ()) if both else ():
                    where = (next_a, next_b, next_c)
                    if both & letters[next_c] and where not in seen:
                        if where == goal:
                            return True
                        seen.add(where)
                        left.append(where)
    return False


def _sign(positions: Positions, at: int) -> str:
    return repr("".join(sign for bit, sign in enumerate(ALPHABET) if positions.letters[at] >> bit & 1)[:8])
