"""Refusals of dice, with the text that was probably meant."""

from __future__ import annotations

from rules.errors import Illegal, Malformed, Refusal

GENERAL = ("For example", "Words go", "Did you mean", "Roll fewer", "Split it")  # needless beside a text to roll
THE_END = "the end"  # what is read if nothing comes any more
MOST_SHOWN = 500  # characters of a text that is offered


class RefusedDice(Refusal):
    """Dice that are not rolled. `nearest` is a text that can be; `typed` the whole text, if it is known.

    `others` are what may have been meant as well: offered beside the nearest.
    """

    nearest: str | None = None
    others: tuple[str, ...] = ()
    typed: str = ""
    offered: tuple[str, ...] = ()  # what the reader itself knows to have been meant

    _advice: str | None = None

    def within(self, before: str, behind: str) -> None:
        """Offer what was meant as part of a longer text."""
        if self.nearest is not None and (before or behind):
            self.mean(f"{before}{self.nearest}{behind}", tuple(f"{before}{other}{behind}" for other in self.others))

    def mean(self, text: str, others: tuple[str, ...] = ()) -> None:
        """Offer a text that can be rolled, instead of one that was offered before."""
        self.nearest, self.others = text, others
        if self._advice is None:
            self._advice = "" if self.instead is None or self.instead.startswith(GENERAL) else f"{self.instead} "
        advice = self._advice
        meant = " or ".join(
            other if len(other) <= MOST_SHOWN else f"{other[:MOST_SHOWN]} …" for other in (text, *others)
        )
        self.instead = f"{advice}Did you mean {meant}?"


class UnreadableDice(RefusedDice, Malformed):
    """A slip in an expression: `position` counts characters from 1."""

    def __init__(
        self,
        position: int,
        got: str,
        expected: str,
        *,
        instead: str | None = None,
        marked: str = "",
    ) -> None:
        said = f"I came to {THE_END} of the dice" if got == THE_END else f"I can't read {got}"
        place = f"at character {position}" + (f": {marked}" if marked else "")
        super().__init__(f"{said} {place}. I expected {expected}.", instead=instead or "For example: 2d20kh1 + 5.")
        self.position = position
        self.got = got
        self.expected = expected


class BeyondLimit(RefusedDice, Illegal):
    """Dice that can be read, and are too many, too large, too long, or without an end."""


class RefusedInSheet(RefusedDice, Malformed):
    """Dice of a sheet or an ability that cannot be taken, with whose they are."""


def beyond_largest() -> BeyondLimit:
    """Say that a number is larger than dice are counted to."""
    return BeyondLimit("Numbers in a dice expression can be 10¹⁵ at most.")
