"""The words of a step: a template and its facts, so that each reader gets what they may see.

Names stay facts until a renderer writes them, so that a name can neither ping nor break markdown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Literal

from rules.core.model import Frozen
from rules.core.values import THE_GM, Seat
from rules.errors import Unreadable

_SLOT = re.compile(r"\{(\w+)\}")
_MARKUP = re.compile(r"\*\*|__")
_STRUCK = re.compile(r"~~(.+?)~~")


class Dice(Frozen):
    """A roll's text with bold (kept) and struck (dropped) faces; `seen_by` None means everybody."""

    text: str
    veiled: str = "?"
    seen_by: tuple[str, ...] | None = None


class Veiled(Frozen):
    """Two readings of one fact: `full` for the GMs and those in `seen_by`, `public` for the rest."""

    full: str
    public: str
    seen_by: tuple[str, ...] = ("gm",)


Fact = str | int | Dice | Veiled
Shown = Literal["line", "with-next", "log"]


class Line(Frozen):
    """One line of a step. `seen_by` None: everybody; else user ids and the word `gm`.

    `good` is the outcome that the words say: it went well or badly; None if the line tells of none.
    `shown` says how the channel reads it: on a line of its own, on one with the next, or in the log alone (play 10).
    """

    words: str
    facts: Mapping[str, Fact] = {}
    seen_by: tuple[str, ...] | None = None
    good: bool | None = None
    shown: Shown = "line"


def load_lines(text: str) -> tuple[Line, ...]:
    """Read lines that the log keeps as JSON. Raises: Unreadable."""
    try:
        return tuple(Line.model_validate(entry) for entry in json.loads(text))
    except (ValueError, TypeError) as error:  # pydantic's is one of the first, and so is what is no JSON
        raise Unreadable from error


def may_see(seen_by: tuple[str, ...] | None, seat: Seat) -> bool:
    """Tell whether somebody belongs to those in `seen_by`."""
    return seen_by is None or (seat.gm and "gm" in seen_by) or (seat.user is not None and seat.user in seen_by)


def fact_text(fact: Fact, seat: Seat) -> str:
    """Return a fact as this seat may read it; dice keep their markup."""
    if isinstance(fact, Dice):
        return fact.text if may_see(fact.seen_by, seat) else fact.veiled
    if isinstance(fact, Veiled):
        return fact.full if may_see(fact.seen_by, seat) else fact.public
    return str(fact)


def filled(line: Line, seat: Seat, written: Callable[[Fact, str], str]) -> str | None:
    """Return a line with each fact as `written` gives what the seat reads of it; None if it may not see the line."""
    if not may_see(line.seen_by, seat):
        return None

    def fill(match: re.Match[str]) -> str:
        fact = line.facts.get(match[1])
        if fact is None:
            return match[0]
        text = fact_text(fact, seat)
        is_first = not match.start() and text.startswith(THE_GM)
        return written(fact, text[:1].upper() + text[1:] if is_first else text)

    return _SLOT.sub(fill, line.words)


def plain(line: Line, seat: Seat) -> str | None:
    """Return the line as plain text for the log and the export, None if the seat may not see it."""
    return filled(line, seat, _without_markup)


def _without_markup(fact: Fact, text: str) -> str:
    return _STRUCK.sub(r"(\1 dropped)", _MARKUP.sub("", text)) if isinstance(fact, Dice) else text
