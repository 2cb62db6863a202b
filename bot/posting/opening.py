"""The message that opens an encounter: people may join there until its first round begins (play 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.render.components import SUCCESS, rows_of
from bot.render.marks import CLOCK
from bot.render.payload import Payload, fit
from bot.render.prompt_buttons import join_button
from bot.render.record import StoryRow, record_of
from bot.table.room import Room

_NUDGES = (
    f"{CLOCK} When the table waits for you, I nudge you after 24 hours in which you were awake. `/remind turns` "
    "changes that; `/remind off` stops it."
)


def opening_or_record(room: Room, rows: Sequence[StoryRow]) -> Payload:
    """Return the text of a message that tells these rows and is no longer live; an open opening has *Join*."""
    record = record_of(rows)
    if room.gathering is None or not any(row.opens == room.gathering and not row.is_undone for row in rows):
        return record
    words = record.content if room.remind.settings is not None else f"{record.content}\n{_NUDGES}"
    return fit(replace(record, content=words, components=rows_of([join_button(SUCCESS)])))
