"""What a value of a sheet may be: a number in its bounds, points, one of some words, dice, a list (design 3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from rules.core.refusals import cannot_be
from rules.core.sheets.sheet import pool_from
from rules.core.typed.names import shown
from rules.core.typed.skeleton import same
from rules.core.values import SheetValue
from rules.dice.reading import one_roll
from rules.errors import Malformed

NONE = ("none", "off", "-")  # an empty list
_CLOSE = 0.7  # how alike a mistyped word and the right one are at least, as difflib counts


def nearest(word: str, known: tuple[str, ...]) -> str | None:
    """Return the word that was most probably meant: one that begins with it, else the most alike.

    >>> nearest("INIT", ("HP", "INITIATIVE")), nearest("damge", ("damage", "range")), nearest("X", ("HP",))
    ('INITIATIVE', 'damage', None)
    """
    folded = {each.casefold(): each for each in known}
    wanted = word.casefold()
    if wanted in folded:
        return folded[wanted]
    longer = [each for key, each in folded.items() if len(wanted) > 1 and key.startswith(wanted)]
    if len(longer) == 1:
        return longer[0]
    alike = get_close_matches(wanted, folded, n=1, cutoff=_CLOSE)
    return folded[alike[0]] if alike else None


def meant(word: str, known: tuple[str, ...]) -> str:
    """Return `Did you mean DAMAGE?`, or nothing if no known word is near."""
    near = nearest(word, known)
    return f"Did you mean {near}?" if near else ""


def value_text(value: SheetValue) -> str:
    return " + ".join(value) if isinstance(value, tuple) else str(value)


class Form(Protocol):
    """What a value may be. `words` say it in a help page; `read` refuses what it may not be.

    `read` returns the value as it is kept. Raises: Malformed, whose reason goes on from the key: `TIER` *goes from …*.
    """

    @property
    def words(self) -> str: ...

    def read(self, value: SheetValue) -> SheetValue: ...


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, within bounds if the rules set them."""

    least: int | None = None
    most: int | None = None

    @property
    def words(self) -> str:
        if self.least is None:
            return "a whole number" if self.most is None else f"a whole number up to {self.most}"
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"

    def read(self, value: SheetValue) -> SheetValue:
        if not isinstance(value, int):
            raise Malformed("has to be a whole number.")
        if (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise Malformed(self._bounds)
        return value

    @property
    def _bounds(self) -> str:
        if self.least is None:
            return f"can be {self.most} at most."
        return f"can't be less than {self.least}." if self.most is None else f"can be {self.least} to {self.most}."


@dataclass(frozen=True, slots=True)
class Points:
    """Points that go up and down: their maximum, or `now/maximum`."""

    words: str = "a number, or now/maximum"

    def read(self, value: SheetValue) -> SheetValue:
        if pool_from(value) is None:
            raise Malformed("has to be a whole number, or now/maximum.")
        if isinstance(value, int) and value < 0:
            raise Malformed("can't be less than 0.")
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words, whatever their case; `others` are read as well but not advised."""

    choices: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return ", ".join(self.choices)

    def read(self, value: SheetValue) -> SheetValue:
        text = value_text(value)
        for choice in (*self.choices, *self.others):
            if same(choice, text):
                return choice
        near = meant(text, self.choices)
        raise cannot_be(text, instead=f"{near} Possible: {shown(self.choices, 20)}.".strip())


YES_NO = OneOf(("yes", "no"), ("on", "true", "1", "off", "false", "0", "none", "never"))


@dataclass(frozen=True, slots=True)
class Rolls:
    """A number or dice."""

    words: str = "a number or dice"

    def read(self, value: SheetValue) -> SheetValue:
        if not isinstance(value, int):
            one_roll(value_text(value))
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """Any words."""

    words: str = "words"

    def read(self, value: SheetValue) -> SheetValue:
        return value


@dataclass(frozen=True, slots=True)
class ReadBy:
    """What the function of the rules reads that is going to read it in play. `reader` raises Malformed."""

    reader: Callable[[str], object]
    words: str

    def read(self, value: SheetValue) -> SheetValue:
        self.reader(value_text(value))
        return value


@dataclass(frozen=True, slots=True)
class EachBy:
    """A list with `+` between its parts, each read by a function of the rules; `none` is an empty list."""

    reader: Callable[[str], object]
    words: str

    def read(self, value: SheetValue) -> SheetValue:
        for part in value if isinstance(value, tuple) else (str(value),):
            if part.casefold() not in NONE:
                self.reader(part)
        return value


@dataclass(frozen=True, slots=True)
class Known:
    """Any words with `+` or a comma between them: what is nearly one that the rules know is refused as mistyped."""

    choices: tuple[str, ...]

    @property
    def words(self) -> str:
        return f"{', '.join(self.choices)} …"

    def read(self, value: SheetValue) -> SheetValue:
        for part in re.split(r"[+,]", value_text(value)):
            word = part.partition(":")[0].strip()  # a word may have a name after it: linked:Pair
            near = nearest(word, self.choices)
            if near is not None and not same(near, word):
                raise cannot_be(part.strip(), instead=f"Did you mean {near}?")
        return value
