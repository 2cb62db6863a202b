"""The one door to a text with dice: the grammar first, then what people type, else a refusal with what would work."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from rules.dice.grammar import UnreadableDice, read_grammar, require_length, require_within
from rules.dice.nearest import nearest_text, other_edges
from rules.dice.refused import BeyondLimit, RefusedDice
from rules.dice.tree import Expression
from rules.dice.typed import Numbers, read_typed
from rules.dice.within import Reader, text_within
from rules.errors import Malformed

MOST_KEPT = 256  # expressions read lately
MOST_ROLLS = 20  # of one command

_COUNT_OF_DICE = re.compile(r"\s*\d+#\d*d[\d%]", re.IGNORECASE | re.ASCII)  # 6#4d6: six rolls, no comment
_A_ROLL = re.compile(r"\s*(?:[-+({/!]|\d|d[\d%f]|\.\d)", re.IGNORECASE)


def parse_expression(text: str, numbers: Numbers | Callable[[], Numbers] | None = None) -> Expression:
    """Read one roll; names in it are looked up in `numbers`, which are asked for only where they may be needed.

    Raises: UnreadableDice where it cannot be read, Illegal where it breaks a limit.
    """
    return _within(text, numbers, several=False)


def _within(text: str, numbers: Numbers | Callable[[], Numbers] | None, *, several: bool) -> Expression:
    try:
        return _parsed(text, numbers, several=several)
    except BeyondLimit as beyond:
        offer_within(beyond, text, lambda nearer: (_parsed(nearer, numbers),))
        raise


def _parsed(text: str, numbers: Numbers | Callable[[], Numbers] | None, *, several: bool = False) -> Expression:
    """Read one roll; `several` may be offered in its place."""
    require_length(text)
    found = in_grammar(text)
    if found is not None:
        return found
    if numbers is None:
        return _typed(text, several=several)
    return _read_typed(text, numbers() if callable(numbers) else numbers, several=several)


def parse_rolls(text: str, numbers: Numbers | None = None) -> tuple[Expression, ...]:
    """Read the rolls of one command, parted by semicolons. Raises: as `parse_expression`."""
    texts = part_rolls(text, numbers)
    read: list[Expression] = []
    for at, one in enumerate(texts):
        try:
            read.append(_within(one, numbers, several=True))
        except RefusedDice as slip:
            slip.typed = text
            if len(texts) > 1 and isinstance(slip, BeyondLimit):
                offer_within(slip, text, lambda nearer: _all_parsed(nearer, numbers))
            elif len(texts) > 1 and slip.nearest is not None:
                among = ["; ".join([*texts[:at], each, *texts[at + 1 :]]) for each in (slip.nearest, *slip.others)]
                slip.mean(among[0], tuple(among[1:]))
            raise
    return tuple(read)


def _all_parsed(text: str, numbers: Numbers | None) -> tuple[Expression, ...]:
    return tuple(_parsed(one, numbers) for one in part_rolls(text, numbers))


def require_together(rolls: Sequence[Expression], text: str, times: int = 1) -> None:
    """Refuse the rolls of a command that break its limit together. Raises: BeyondLimit with what would work."""
    try:
        require_within(rolls, times)
    except BeyondLimit as beyond:
        offer_within(beyond, text, lambda nearer: _all_parsed(nearer, None), times)
        raise


def offer_within(beyond: BeyondLimit, text: str, read: Reader, times: int = 1) -> None:
    """Offer the nearest text within the limits."""
    beyond.typed = text
    if (nearest := text_within(text, read, times)) is not None:
        beyond.mean(nearest)


def part_rolls(text: str, numbers: Numbers | None = None) -> tuple[str, ...]:
    """Part a text at its semicolons, save those in notes and in a comment before no roll. Raises: Refusal."""
    if ";" not in text:
        return (text,)
    require_length(text)
    parts = [""]
    for piece in text.split(";"):
        before = parts[-1]
        inside = before.count("[") > before.count("]") or ("#" in before and not _begins_roll(piece, numbers))
        if before and inside:
            parts[-1] = f"{before};{piece}"
        else:
            parts.append(piece)
    found = tuple(part.strip() for part in parts if part.strip())
    if len(found) > MOST_ROLLS:
        raise Malformed(f"One command makes {MOST_ROLLS} different rolls at most, and here are {len(found)}.")
    return found or (text,)


def _begins_roll(text: str, numbers: Numbers | None) -> bool:
    folded = text.strip().casefold()
    return _A_ROLL.match(text) is not None or any(folded.startswith(name.casefold()) for name in numbers or ())


@lru_cache(maxsize=MOST_KEPT)
def in_grammar(text: str) -> Expression | None:
    """Return what a text of the grammar itself says, None where it is none."""
    try:
        return None if "#" in text and _COUNT_OF_DICE.match(text) else read_grammar(text)
    except UnreadableDice:
        return None


@lru_cache(maxsize=MOST_KEPT)
def _typed(text: str, *, several: bool) -> Expression:
    return _read_typed(text, None, several=several)


def _read_typed(text: str, numbers: Numbers | None, *, several: bool) -> Expression:
    try:
        return read_typed(text, numbers)
    except UnreadableDice as slip:
        slip.typed = text
        if (nearest := nearest_text(text, slip, numbers or {}, several=several)) is not None:
            slip.mean(nearest, other_edges(text, numbers or {}))
        raise


def plus(dice: str, modifier: int) -> str:
    """Return dice with a modifier, in its place before what is said of them.

    >>> plus("2d6", 3), plus("2d6 fire", -1), plus("1d20", 0)
    ('2d6 + 3', '2d6 - 1 # fire', '1d20')
    """
    if modifier == 0:
        return dice
    read = parse_expression(dice)
    root = f"({read.root})" if read.compares else str(read.root)
    repeats = f"{read.repeats}x " if read.repeats > 1 else ""
    comment = f" # {read.comment}" if read.comment else ""
    return f"{repeats}{root} {'+' if modifier > 0 else '-'} {abs(modifier)}{comment}"
