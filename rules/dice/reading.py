"""The one door to a text with dice: the grammar first, then what people type, else a refusal with what would work."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache

from rules.dice.forms import ENCLOSED, EXACT, SUSPECT
from rules.dice.grammar import read_grammar, require_length, require_within
from rules.dice.meanings import SeveralMeanings, unambiguous
from rules.dice.nearest import nearest_texts
from rules.dice.refused import BeyondLimit, RefusedDice, UnreadableDice
from rules.dice.signs import usual_separators
from rules.dice.tree import Expression
from rules.dice.typed import read_typed
from rules.dice.written.pieces import Dialect, Numbers
from rules.dice.written.within import Reader, text_within
from rules.errors import Malformed, Refusal

MOST_KEPT = 256  # expressions read lately
MOST_ROLLS = 20  # of one command

Names = Numbers | Callable[[], Numbers]

_A_ROLL = re.compile(r"\s*(?:[-+({/!]|\d|d[\d%f]|\.\d)", re.IGNORECASE)


def parse_expression(text: str, numbers: Names | None = None, dialect: Dialect | None = None) -> Expression:
    """Read one roll as somebody types it; names in it are looked up in `numbers`, asked for only if they are needed.

    `dialect` says what forms mean to them that are read in several ways.

    Raises: UnreadableDice if it cannot be read, SeveralMeanings, Illegal if it breaks a limit.
    """
    (read,) = _within(text, lambda typed: (_read(typed, numbers or {}, dialect or {}, several=False),))
    return read


def parse_rolls(text: str, numbers: Numbers | None = None, dialect: Dialect | None = None) -> tuple[Expression, ...]:
    """Read the rolls of one command, separated by semicolons. Raises: as `parse_expression`."""
    return _within(text, lambda typed: _read_all(typed, numbers or {}, dialect or {}))


def one_roll(text: str, numbers: Names | None = None) -> Expression:
    """Read dice if one number is wanted. Raises: as `parse_expression`, Malformed if the text makes several."""
    read = parse_expression(text, numbers)
    if read.repeats != 1:
        raise Malformed(
            f"Only one roll fits here, and {text.strip()[:40]} makes {read.repeats}.",
            instead=f"{str(read.root)[:40]} is one; add several with +.",
        )
    return read


def as_meant(text: str, dialect: Dialect, numbers: Numbers | None = None) -> str:
    """Write dice as their author means them, if popular tools make different rolls of them; all else stays.

    >>> as_meant("4d6k3 fire", {"keep": "highest"}), as_meant("4d6k3 + STR", {"keep": "highest"})
    ('4d6kh3 fire', '4d6k3 + STR')
    """
    with suppress(Refusal):
        try:
            if evident(text) is None:
                read_typed(text, numbers)
        except SeveralMeanings:
            read = read_typed(text, numbers, dialect)
            comment = f" {read.comment}" if read.comment else ""
            return unambiguous(read) if "#" in text else f"{unambiguous(read.bare)}{comment}"
    return text


def stored_expression(text: str) -> Expression:
    """Read a roll that was read before, as it was written down then."""
    return in_grammar(text) or read_typed(text, {}, EXACT)


def _read_all(text: str, numbers: Numbers, dialect: Dialect) -> tuple[Expression, ...]:
    texts = part_rolls(text, numbers)
    read: list[Expression] = []
    for one in texts:
        try:
            read.append(_read(one, numbers, dialect, several=True))
        except RefusedDice as slip:
            slip.typed = text
            slip.within("; ".join([*texts[: len(read)], ""]), "; ".join(["", *texts[len(read) + 1 :]]))
            raise
    return tuple(read)


def _read(text: str, numbers: Names, dialect: Dialect, *, several: bool) -> Expression:
    """Read one roll; `several` may be offered in its place."""
    require_length(text)
    if (expression := evident(text)) is not None:
        return expression
    known = numbers() if callable(numbers) else numbers
    try:
        return read_typed(text, known, dialect)
    except UnreadableDice as slip:
        slip.typed = text
        if nearest := nearest_texts(text, slip, known, dialect, several=several):
            slip.mean(nearest[0], nearest[1:])
        raise


def require_together(rolls: Sequence[Expression], text: str, times: int = 1) -> None:
    """Refuse the rolls of a command that break its limit together. Raises: BeyondLimit with what would work."""

    def together(typed: str) -> tuple[Expression, ...]:
        read = tuple(rolls if typed == text else map(stored_expression, part_rolls(typed)))
        require_within(read, times)
        return read

    _within(text, together, times)


def _within(text: str, read: Reader, times: int = 1) -> tuple[Expression, ...]:
    """Read a text; offer the nearest within the limits if it goes beyond."""
    try:
        return read(text)
    except BeyondLimit as beyond:
        beyond.typed = text
        if (nearest := text_within(text, read, times)) is not None:
            beyond.mean(nearest)
        raise


def part_rolls(text: str, numbers: Numbers | None = None) -> tuple[str, ...]:
    """Part a text at its semicolons, save those in notes and in a comment before no roll. Raises: Refusal."""
    if enclosed := ENCLOSED.fullmatch(text):
        text = enclosed[1]
    text = usual_separators(text) if "[" not in text and "#" not in text else text
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
        raise Malformed(f"One command can make {MOST_ROLLS} different rolls; here are {len(found)}.")
    return found or (text,)


def _begins_roll(text: str, numbers: Numbers | None) -> bool:
    folded = text.strip().casefold()
    return _A_ROLL.match(text) is not None or any(folded.startswith(name.casefold()) for name in numbers or ())


@lru_cache(maxsize=MOST_KEPT)
def in_grammar(text: str) -> Expression | None:
    """Return what a text of the grammar itself says, None if it is none."""
    try:
        return read_grammar(text)
    except UnreadableDice:
        return None


def evident(text: str) -> Expression | None:
    """Return what a text says that the grammar reads, and that nobody reads otherwise; None if it is none."""
    return None if SUSPECT.search(text.strip()) else in_grammar(text)


def plus(dice: str, modifier: int) -> str:
    """Return dice with a modifier, in its place before what is said of them.

    >>> plus("2d6", 3), plus("2d6 fire", -1), plus("1d20", 0)
    ('2d6 + 3', '2d6 - 1 # fire', '1d20')
    """
    if modifier == 0:
        return dice
    read = stored_expression(dice)
    root = f"({read.root})" if read.compares else str(read.root)
    repeats = f"{read.repeats}x " if read.repeats > 1 else ""
    comment = f" # {read.comment}" if read.comment else ""
    sum_of_it = f"{repeats}{root} {'+' if modifier > 0 else '-'} {abs(modifier)}{comment}"
    return unambiguous(stored_expression(sum_of_it))
