"""A channel's live message, and what earlier ones became. Functions of a connection; `Store` runs them."""

from __future__ import annotations

from collections.abc import Sequence

from data.connection import Connection, ServedShards, among
from data.rows import PostedPrompt, RecordRow


def note_prompt(connection: Connection, posted: PostedPrompt) -> None:
    at = posted.prompt
    connection.execute(
        "UPDATE channel SET"
        " prompt_lead = CASE WHEN coalesce(prompt_message, '') = coalesce(:message, '') AND prompt_posted = :posted"
        " THEN prompt_lead END, prompt_posted = :posted, prompt_message = :message, prompt_first = :first,"
        " prompt_told = :told, prompt_called = :called WHERE channel = :channel",
        {
            "posted": at.posted,
            "message": at.message,
            "first": at.first,
            "told": at.told,
            "called": at.called,
            "channel": posted.channel,
        },
    )
    connection.executemany(
        "INSERT INTO record (channel, first, told, message, owed) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (channel, first) DO UPDATE SET told = excluded.told, message = excluded.message,"
        " owed = record.owed + excluded.owed",
        [(record.channel, record.first, record.told, record.message, record.owed) for record in posted.records],
    )


def owe_records(connection: Connection, channel: str, seqs: Sequence[int]) -> None:
    """Note that the records which tell one of these rows are to show it as undone, or done again."""
    for seq in seqs:
        connection.execute(
            "UPDATE record SET owed = owed + 1 WHERE channel = ? AND first <= ? AND told >= ?", (channel, seq, seq)
        )


def owe_opening(connection: Connection, channel: str, encounter: str) -> None:
    """Note that the message which opened an encounter is to show whether people may still join there."""
    connection.execute(
        "UPDATE record SET owed = owed + 1 WHERE channel = :channel AND first ="
        " (SELECT min(seq) FROM log WHERE encounter = :encounter AND channel = :channel)",
        {"channel": channel, "encounter": encounter},
    )


def owed_records(connection: Connection, channel: str) -> tuple[RecordRow, ...]:
    """Return the records that do not show yet what was undone, oldest first."""
    rows = connection.execute(
        "SELECT message, first, told, owed FROM record WHERE channel = ? AND owed <> 0 ORDER BY first", (channel,)
    )
    return tuple(RecordRow(channel, *row) for row in rows)


def record_of(connection: Connection, channel: str, message: str) -> RecordRow | None:
    """Return what a message that was once live tells; None if it never was."""
    row = connection.execute(
        "SELECT message, first, told, owed FROM record WHERE channel = ? AND message = ?", (channel, message)
    ).fetchone()
    return None if row is None else RecordRow(channel, *row)


def record_shown(connection: Connection, record: RecordRow) -> None:
    """Note that a record shows all that it owed when it was read; if more came since, it is to be shown again.

    What came since is not counted: a second run, after an answer that was lost, would take it off.
    """
    connection.execute(
        "UPDATE record SET owed = 0 WHERE channel = ? AND first = ? AND owed = ?",
        (record.channel, record.first, record.owed),
    )


def struck_channels(connection: Connection, served: ServedShards | None) -> tuple[str, ...]:
    """Return the channels with records that do not show yet what was undone."""
    ours, values = among(served)
    rows = connection.execute(
        "SELECT channel FROM channel WHERE channel IN (SELECT channel FROM record WHERE owed <> 0)"  # noqa: S608 - only ? is put in
        f"{ours} ORDER BY channel",
        values,
    )
    return tuple(channel for (channel,) in rows)
