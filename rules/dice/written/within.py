"""The nearest text within the limits, for one that goes beyond: offered along with the refusal (design 7)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from rules.dice.grammar import MOST_CHARACTERS, MOST_SIDES, require_within
from rules.dice.tree import LARGEST, MOST_DICE, Expression
from rules.errors import Refusal

Reader = Callable[[str], tuple[Expression, ...]]

_DICE = re.compile(r"(?<![\w.])(\d+)(?=d(?:\d|%|f))", re.IGNORECASE | re.ASCII)
_SIDES = re.compile(r"(?<![a-z])d(\d+)", re.IGNORECASE | re.ASCII)
_REPEATS = re.compile(r"^\s*(\d+)(?=\s*(?:[x×#]|times))|(?<=[x×])\s*(\d+)\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d{16,}(?![d\d])")
_WORD_OR_SIGN = re.compile(r"\s*[-+]|(?<=\w)\s+(?=[^\W\d])")
_MOST_CUTS = 8  # of a long text that are tried
_MORE = range(2, MOST_DICE + 1)  # than one die
_NO_FACE = 10  # the die that shows a 0


def text_within(text: str, read: Reader, times: int = 1) -> str | None:
    """Return the nearest text that can be rolled so often, None if nothing comes near."""

    def is_within(candidate: str) -> bool:
        with suppress(Refusal):
            rolls = read(candidate)
            require_within(rolls, times)
            # Room for each to explode once, so that what is offered works for all but the luckiest.
            return sum(roll.dice_count + roll.exploding for roll in rolls) * times <= MOST_DICE
        return False

    for candidate in _nearer(text, is_within):
        cut = " ".join(candidate.split()).strip(" ;")
        if cut and cut != text and is_within(cut):
            return cut
    return None


def _nearer(text: str, is_within: Callable[[str], bool]) -> Iterator[str]:
    text = text[: 2 * MOST_CHARACTERS]  # what is offered is no longer than half of that
    bounded = _NUMBER.sub(str(LARGEST // 10), _capped(_DICE, text, MOST_DICE))
    bounded = _SIDES.sub(lambda match: f"d{_at_most(match[1], MOST_SIDES) or _NO_FACE}", bounded)
    bounded = re.sub(r"^\s*0+(?=\s*[x×])", "1", _capped(_REPEATS, bounded, MOST_DICE))
    yield bounded
    for pattern in (_REPEATS, _DICE):
        if pattern.search(bounded):
            capped = partial(_capped, pattern, bounded)
            yield capped(1 + bisect_left(_MORE, x=True, key=lambda most: not is_within(capped(most))))
    yield re.sub(r"(?<=\d)rr(?=[<>=hl]*\d)", "ro", bounded)
    yield re.sub(r"[()\[\]{}]", "", bounded)
    if len(text) > MOST_CHARACTERS:
        body = bounded.partition("#")[0]
        yield body
        yield re.sub(r"\[[^\]]*\]", "", body)
        for cut in list(_WORD_OR_SIGN.finditer(body[: MOST_CHARACTERS - 1]))[: -_MOST_CUTS - 1 : -1]:
            yield body[: cut.start()]


def _capped(pattern: re.Pattern[str], text: str, cap: int) -> str:
    """Write no number that the pattern finds larger than that."""
    return pattern.sub(lambda match: str(_at_most(match[match.lastindex or 1], cap)), text)


def _at_most(digits: str, cap: int) -> int:
    """Return a number, or the cap if it is larger; Python reads no number of thousands of digits."""
    some = digits.lstrip("0")
    return cap if len(some) > len(str(cap)) else min(int(some or "0"), cap)
