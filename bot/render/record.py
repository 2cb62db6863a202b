"""What a channel's live message tells, row by row of the log, and the record that it becomes.

A row reads the same on the live message, in its record and after a restart: it is written from the log alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.render.marks import RULING
from bot.render.payload import Payload, fit
from bot.render.steps import struck
from bot.render.words import escape, joined, newest
from rules.core.seen.lines import Line

MOST_TOLD = 1500  # characters; beyond them a new message begins
ONLY_PASSED_ON = "The game goes on below."


@dataclass(frozen=True)
class StoryRow:
    """A row of the log that the channel's live message tells. `ruling_by` names the GM where it was a ruling.

    `opens` is the id of the encounter that it opened.
    """

    seq: int
    lines: tuple[Line, ...]
    ruling_by: str | None = None
    is_undone: bool = False
    opens: str | None = None

    @cached_property
    def text(self) -> str:
        """The row for everybody, struck through where it was undone; empty where the channel reads nothing."""
        if self.is_undone:
            return struck(self.lines)
        text = joined(self.lines, limit=MOST_TOLD)
        if not text or self.ruling_by is None or text.startswith(RULING):
            return text
        by = escape(self.ruling_by)
        return f"{RULING} {text}" if text.startswith(f"{by} ") else f"{RULING} {by}: {text}"


def story_length(rows: Sequence[StoryRow]) -> int:
    """Return how many characters these rows take together."""
    return sum(len(row.text) + 1 for row in rows if row.text)


def story_of(rows: Sequence[StoryRow], limit: int = MOST_TOLD) -> str:
    """Return the rows as one text, the newest kept where not all fit."""
    texts = [row.text for row in rows if row.text]
    return newest(texts, limit, rest="earlier (/encounter log)")


def record_of(rows: Sequence[StoryRow]) -> Payload:
    """Return what a live message becomes when another one follows: what it told, and no more."""
    return fit(Payload(content=story_of(rows) or ONLY_PASSED_ON))
