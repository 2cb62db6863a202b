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
from bot.render.words import and_more, escape, markdown, newest
from rules.core.seen.lines import Line

MOST_TOLD = 1500  # characters; beyond them a new message begins
_BY_GM = "The GM "  # how a ruling's own words may begin; the channel reads which GM it was
_MOST_JOINED = 74  # characters, two lines of a phone; what comes next begins a line, so a prompt can leave this one out
_ROUND = "Round {"  # how the words of a new round begin, which has a line of its own
ONLY_PASSED_ON = "The game goes on below."


@dataclass(frozen=True)
class StoryRow:
    """A row of the log that the channel's live message tells. `ruling_by` names the GM if it was a ruling.

    `opens` is the id of the encounter that it opened.
    """

    seq: int
    lines: tuple[Line, ...]
    ruling_by: str | None = None
    is_undone: bool = False
    opens: str | None = None

    @cached_property
    def _told(self) -> list[tuple[Line, str]]:
        """The lines that the channel reads, with their texts: those for the log alone if there are no others."""
        public = [(line, text) for line in self.lines if (text := markdown(line))]
        return [(line, text) for line, text in public if line.shown != "log"] or public

    @property
    def has_details(self) -> bool:
        """Tell whether the log has more of it for everybody."""
        return len(self._told) < sum(line.seen_by is None for line in self.lines)

    @property
    def goes_on(self) -> bool:
        """Tell whether the next row continues its last line."""
        return not self.is_undone and bool(self._told) and self._told[-1][0].shown == "with-next"

    @property
    def begins_line(self) -> bool:
        """Tell whether it is on a line of its own, whatever is before it."""
        return self.is_undone or not self._told or self._told[0][0].words.startswith(_ROUND)

    @cached_property
    def text(self) -> str:
        """The row for everybody, struck through if it was undone; empty if the channel reads nothing."""
        if self.is_undone:
            return struck(self.lines)
        text = and_more(_flowing(self._told), MOST_TOLD, what="lines in /encounter log")
        if not text or self.ruling_by is None or text.startswith(RULING):
            return text
        by = escape(self.ruling_by)
        if text.startswith(_BY_GM):
            text = f"{by} {text.removeprefix(_BY_GM)}"
        return f"{RULING} {text}" if text.startswith(f"{by} ") else f"{RULING} {by}: {text}"


def _flowing(told: Sequence[tuple[Line, str]]) -> list[str]:
    """Return the texts of lines, those on one that go on with the next."""
    texts: list[str] = []
    goes_on = False
    for line, text in told:
        if goes_on and not line.words.startswith(_ROUND):
            texts[-1] += f" {text}"
        else:
            texts.append(text)
        goes_on = line.shown == "with-next"
    return texts


def story_length(rows: Sequence[StoryRow]) -> int:
    """Return how many characters these rows take together."""
    return sum(len(row.text) + 1 for row in rows if row.text)


def story_of(rows: Sequence[StoryRow], limit: int = MOST_TOLD) -> str:
    """Return the rows as one text, the newest kept if not all fit."""
    texts: list[str] = []
    before: StoryRow | None = None
    for row in rows:
        if not row.text:
            continue
        if before is not None and before.goes_on and not row.begins_line and len(texts[-1]) <= _MOST_JOINED:
            texts[-1] += f" {row.text}"
        else:
            texts.append(row.text)
        before = row
    return newest(texts, limit, rest="earlier (/encounter log)")


def record_of(rows: Sequence[StoryRow]) -> Payload:
    """Return what a live message becomes when another one follows: what it told, and no more."""
    return fit(Payload(content=story_of(rows) or ONLY_PASSED_ON))
