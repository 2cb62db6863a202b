"""Who channels wait for, and when something is due. Functions of a connection; `Store` runs them in a transaction.

What is due is found by its index: nothing is loaded at start, however many waits are stored.
"""

from __future__ import annotations

from data.connection import Connection, ServedShards, among, home_of, marks
from data.deltas import pack
from data.live_message import note_prompt
from data.rows import OutboxMessage, PostedPrompt, RemindRow, WaitChanges, WaitRow

MOST_DUE = 500  # channels that one look of the scheduler takes up
_COLUMNS = "channel, id, encounter, kind, key, who, place, armed, ended, since, due, sent, number, interaction, plan"
_PUT = (
    f"INSERT INTO wait ({_COLUMNS}, home) VALUES ({', '.join('?' * 15)},"  # noqa: S608 - our own column names
    " coalesce((SELECT home FROM channel WHERE channel = ?), 0)) ON CONFLICT (channel, id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in (*_COLUMNS.split(", ")[2:], "home"))
)


def change_waits(connection: Connection, channel: str, changes: WaitChanges) -> None:
    """Put and drop waits of a channel, and count the armings."""
    if changes.dropped:
        connection.executemany(
            "DELETE FROM wait WHERE channel = ? AND id = ?", [(channel, number) for number in changes.dropped]
        )
    connection.executemany(
        _PUT,
        [
            (
                row.channel, row.id, row.encounter, row.kind, row.key, row.who, row.place, row.armed, row.ended,
                row.since, row.due, row.sent, row.number, row.interaction, row.plan, row.channel,
            )
            for row in changes.put
        ],
    )  # fmt: skip
    connection.execute("UPDATE channel SET armings = ? WHERE channel = ?", (changes.armings, channel))


def waits_of(connection: Connection, channel: str) -> tuple[WaitRow, ...]:
    """Return a channel's waits, the open ones and those that undo or redo may open again."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM wait WHERE channel = ? ORDER BY id",  # noqa: S608 - our own column names
        (channel,),
    )
    return tuple(WaitRow(*row) for row in rows)


def remind_row(connection: Connection, channel: str) -> RemindRow:
    row = connection.execute(
        "SELECT remind, nudge, armings, prompt_round, prompt_lead FROM channel WHERE channel = ?", (channel,)
    ).fetchone()
    return RemindRow() if row is None else RemindRow(*row)


def next_due(connection: Connection, served: ServedShards | None) -> float | None:
    """Return when the next thing is due, of the channels and people that are served here."""
    ours, values = among(served)
    direct, direct_values = among(served, "0")
    row = connection.execute(
        f"SELECT min(due) FROM (SELECT * FROM (SELECT due FROM wait WHERE place = 0 AND due IS NOT NULL{ours}"  # noqa: S608 - marks alone
        " ORDER BY due LIMIT 1) AS next_wait UNION ALL SELECT * FROM (SELECT digest_due FROM channel"
        f" WHERE digest_due IS NOT NULL{ours} ORDER BY digest_due LIMIT 1) AS next_digest UNION ALL SELECT * FROM"
        f" (SELECT digest_due FROM person WHERE digest_due IS NOT NULL{direct} ORDER BY digest_due LIMIT 1)"
        " AS next_own) AS next",
        (*values, *values, *direct_values),
    ).fetchone()
    return None if row is None or row[0] is None else float(row[0])


def due_channels(connection: Connection, served: ServedShards | None, now: float) -> tuple[str, ...]:
    """Return channels in which a wait is due, the longest overdue first."""
    ours, values = among(served)
    rows = connection.execute(
        "SELECT channel FROM wait"  # noqa: S608 - marks alone
        f" WHERE place = 0 AND due IS NOT NULL AND due <= ?{ours} ORDER BY due, channel LIMIT ?",
        (now, *values, MOST_DUE),
    )
    return tuple(dict.fromkeys(channel for (channel,) in rows))


def due_digests(connection: Connection, served: ServedShards | None, now: float) -> tuple[str, ...]:
    ours, values = among(served)
    rows = connection.execute(
        "SELECT channel FROM channel WHERE digest_due IS NOT NULL"  # noqa: S608 - marks alone
        f" AND digest_due <= ?{ours} ORDER BY digest_due, channel LIMIT ?",
        (now, *values, MOST_DUE),
    )
    return tuple(channel for (channel,) in rows)


def due_people(connection: Connection, served: ServedShards | None, now: float) -> tuple[str, ...]:
    """Return people whose own digest is due; the process that serves direct messages sends it."""
    ours, values = among(served, "0")
    rows = connection.execute(
        'SELECT "user" FROM person WHERE digest_due IS NOT NULL'  # noqa: S608 - marks alone
        f' AND digest_due <= ?{ours} ORDER BY digest_due, "user" LIMIT ?',
        (now, *values, MOST_DUE),
    )
    return tuple(user for (user,) in rows)


def claim(connection: Connection, channel: str, changes: WaitChanges, nudge: str | None) -> None:
    """Note together what was nudged and the nudge that is to be sent."""
    change_waits(connection, channel, changes)
    connection.execute("UPDATE channel SET nudge = ? WHERE channel = ?", (nudge, channel))


def nudged(
    connection: Connection,
    channel: str,
    posted: PostedPrompt | None,
    lead: str | None,
    left: str | None,
    changes: WaitChanges | None,
) -> None:
    """Note that a nudge is out: its message is the live one now. None: it was dropped, or went by direct message.

    `left` is what was claimed meanwhile and is still to be sent.
    """
    connection.execute("UPDATE channel SET nudge = ? WHERE channel = ?", (left, channel))
    if posted is not None:
        note_prompt(connection, posted)
        connection.execute("UPDATE channel SET prompt_lead = ? WHERE channel = ?", (lead, channel))
    if changes is not None:
        change_waits(connection, channel, changes)


def claimed_nudges(connection: Connection, served: ServedShards | None) -> tuple[str, ...]:
    """Return the channels with a nudge that was claimed and not noted as sent."""
    ours, values = among(served)
    rows = connection.execute(f"SELECT channel FROM channel WHERE nudge IS NOT NULL{ours} ORDER BY channel", values)  # noqa: S608 - marks alone
    return tuple(channel for (channel,) in rows)


def set_remind(
    connection: Connection, channel: str, guild: str, settings: str | None, digest_due: float | None
) -> None:
    """Keep a channel's reminders; a digest begins with what happens from now on."""
    connection.execute(
        "INSERT INTO channel (channel, guild, home) VALUES (?, ?, ?) ON CONFLICT (channel) DO NOTHING",
        (channel, guild, home_of(guild)),
    )
    connection.execute(
        "UPDATE channel SET remind = ?, digest_due = ?,"
        " digest_seq = CASE WHEN digest_due IS NULL THEN last_seq ELSE digest_seq END WHERE channel = ?",
        (settings, digest_due, channel),
    )


def digest_seq(connection: Connection, channel: str) -> int:
    """Return the last log row that a digest told of."""
    row = connection.execute("SELECT digest_seq FROM channel WHERE channel = ?", (channel,)).fetchone()
    return 0 if row is None else int(row[0])


def claim_digest(
    connection: Connection, channel: str, due: float | None, seq: int, message: OutboxMessage | None
) -> None:
    """Note together that a digest was made, when the next one comes, and what is to be sent."""
    connection.execute("UPDATE channel SET digest_due = ?, digest_seq = ? WHERE channel = ?", (due, seq, channel))
    if message is not None:
        owe(connection, message)


def owe(connection: Connection, message: OutboxMessage) -> None:
    """Keep a message to send."""
    connection.execute(
        "INSERT INTO outbox (nonce, channel, payload, home)"
        " VALUES (?, ?, ?, coalesce((SELECT home FROM channel WHERE channel = ?), 0))"
        " ON CONFLICT (nonce) DO NOTHING",
        (message.nonce, message.channel, pack(message.payload), message.channel),
    )


def prompt_round(connection: Connection, channel: str, number: int) -> None:
    """Note the last round that was announced to everybody."""
    connection.execute("UPDATE channel SET prompt_round = ? WHERE channel = ?", (number, channel))


def waiting_since(connection: Connection, channels: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return since when each encounter of these channels waits for each actor, as far as it is known."""
    moments: dict[str, dict[str, float]] = {}
    if not channels:
        return moments
    rows = connection.execute(
        "SELECT encounter, who, min(since) FROM wait WHERE place = 0 AND kind = 'turn'"  # noqa: S608 - marks alone
        f" AND channel IN ({marks(channels)}) GROUP BY encounter, who",
        channels,
    )
    for encounter, who, since in rows:
        moments.setdefault(encounter, {})[who] = since
    return moments


def drop_waits(connection: Connection, encounter: str) -> None:
    """Forget the waits of an encounter that is cleared away."""
    connection.execute(
        "DELETE FROM wait WHERE encounter = ? AND channel = (SELECT channel FROM encounter WHERE id = ?)",
        (encounter, encounter),
    )
