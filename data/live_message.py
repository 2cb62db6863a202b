"""A channel's live message, and what earlier ones became. Functions of a connection; `Store` runs them."""

from __future__ import annotations

from collections.abc import Sequence

from data.connection import Connection
from data.rows import PostedPrompt, RecordRow


def note_prompt(connection: Connection, posted: PostedPrompt) -> None:
    at = posted.prompt
    connection.execute(
        "UPDATE channel SET"
        " prompt_lead = CASE WHEN coalesce(prompt_message, '') = coalesce(?2, '') AND prompt_posted = ?1"
        " THEN prompt_lead END, prompt_posted = ?1,"
        " prompt_message = ?2, prompt_first = ?3, prompt_told = ?4, prompt_called = ?5 WHERE channel = ?6",
        (at.posted, at.message, at.first, at.told, at.called, posted.channel),
    )
    connection.executemany(
        "INSERT INTO record (channel, first, told, message) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (channel, first) DO UPDATE SET told = excluded.told, message = excluded.message",
        [(record.channel, record.first, record.told, record.message) for record in posted.records],
    )


def records(connection: Connection, channel: str, seqs: Sequence[int]) -> tuple[RecordRow, ...]:
    """Return the records that tell one of these rows, oldest first."""
    rows = connection.execute(
        "SELECT message, first, told FROM record WHERE channel = ? AND told >= ? AND first <= ? ORDER BY first",
        (channel, min(seqs), max(seqs)),
    )
    return tuple(RecordRow(channel, *row) for row in rows if any(row[1] <= seq <= row[2] for seq in seqs))
