"""Numbers and notes as people type them, with one sentence for each fault."""

from __future__ import annotations

from rules.core.command import Command
from rules.dice.signs import usual_signs
from rules.errors import Malformed

MOST = 10**6  # further than any number of a game
MOST_WORDS = 200


def folded(text: str) -> str:
    """Return a text in one line, with one space for any white space: what is read must not pay for it.

    >>> folded("  burst 2   at E5 ")
    'burst 2 at E5'
    """
    return " ".join(text.split())


def whole_number(text: str, what: str) -> int:
    """Read a whole number of a reasonable size. Raises: Malformed.

    >>> whole_number("15", "initiative")
    15
    """
    try:
        number = int(usual_signs(text))
    except ValueError:
        raise Malformed(f"{text[:40]} is not a {what}.", instead="Write a whole number, such as 15.") from None
    return bounded(number, what)


def bounded(number: int, what: str) -> int:
    """Return a number of a reasonable size. Raises: Malformed."""
    if abs(number) > MOST:
        raise Malformed(f"That {what} is too large.", instead=f"Use {MOST} at most.")
    return number


def whole_result(command: Command) -> int | None:
    """Return the total that was typed for a roll, if a fraction would part nothing. Raises: Malformed."""
    result = command.decimal("result")
    if result is None:
        return None
    if not float(result).is_integer():
        raise Malformed(
            f"{result} can't break a tie here.", instead="Type a whole number; the GM breaks ties with /gm order."
        )
    return bounded(int(result), "result")


def count_to(count: int, most: int) -> int:
    """Return how many of something, from one up. Raises: Malformed."""
    if not 1 <= count <= most:
        raise Malformed(f"count can be 1 to {most}.")
    return count


def in_one_line(text: str | None, most: int = MOST_WORDS) -> str:
    """Return what was typed in one line, empty if nothing was. Raises: Malformed if it is too long."""
    words = folded(text or "")
    if len(words) > most:
        raise Malformed(f"That has {len(words)} characters; {most} are allowed.", instead="Shorten it.")
    return words
