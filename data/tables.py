"""Reading tables, encounters and logs, and clearing away what has ended. Functions of a connection."""

from __future__ import annotations

import json
from typing import Any

from data.boards import whole
from data.connection import Connection, ServedShards, among
from data.deltas import pack, unpack
from data.rows import EncounterRow, Load, LogRow, OutboxMessage, PromptRow, TableRow
from data.seeds import seed_row
from data.steps import LOG_COLUMNS, log_row, remove_encounter
from data.waits import drop_waits, remind_row, waits_of

_ENCOUNTER = "id, channel, guild, system, name, status, gms, waiting"
_OF_ENCOUNTER = ", ".join(f"encounter.{column}" for column in _ENCOUNTER.split(", "))
_PROMPT = (
    "prompt_wanted, prompt_posted, prompt_message, prompt_first, prompt_told, prompt_calls, prompt_called, prompt_last"
)
_OF_PROMPT = ", ".join(f"channel.{column}" for column in _PROMPT.split(", "))
WHOLE_LOG = 1 << 62
PURGED = json.dumps({"purged": True})


def load_table(connection: Connection, channel: str) -> TableRow | None:
    row = connection.execute(
        "SELECT channel.guild, encounter.id, encounter.system,"  # noqa: S608 - our own column names
        f" cards.document, encounter.document, channel.last_seq, {_OF_PROMPT},"
        " EXISTS (SELECT 1 FROM outbox WHERE outbox.channel = :channel),"
        " seed.from_seq, seed.seed, seed.revealed, seed.announced"
        " FROM channel LEFT JOIN encounter ON encounter.id = channel.focus"
        " LEFT JOIN cards ON cards.channel = channel.channel"
        " LEFT JOIN seed ON seed.channel = channel.channel"
        " AND seed.from_seq = (SELECT max(from_seq) FROM seed WHERE seed.channel = :channel)"
        " WHERE channel.channel = :channel",
        {"channel": channel},
    ).fetchone()
    if row is None:
        return None
    guild, focus, system, cards, document, last_seq, *rest = row
    (*prompt, owes, from_seq, secret, revealed, announced) = rest
    return TableRow(
        channel=channel,
        guild=guild,
        focus=focus,
        system=system,
        cards=cards,
        encounter=None if document is None else whole(connection, document),
        next_seq=last_seq + 1,
        seed=None if from_seq is None else seed_row((channel, from_seq, secret, revealed, announced)),
        prompt=PromptRow(*prompt),
        remind=remind_row(connection, channel),
        waits=waits_of(connection, channel),
        owes=bool(owes),
    )


# Encounters


def load_encounter(connection: Connection, encounter: str) -> tuple[EncounterRow, bytes] | None:
    row = connection.execute(
        f"SELECT {_ENCOUNTER}, document FROM encounter WHERE id = ?",  # noqa: S608 - our own column names
        (encounter,),
    ).fetchone()
    return None if row is None else (encounter_row(row[:-1]), whole(connection, row[-1]))


def encounters(
    connection: Connection,
    *,
    channel: str | None = None,
    guild: str | None = None,
    statuses: tuple[str, ...] = (),
) -> tuple[EncounterRow, ...]:
    """Return the encounters that fit all that is given, oldest first."""
    conditions: list[str] = []
    given: list[str] = []
    if channel is not None:
        conditions.append("channel = ?")
        given.append(channel)
    if guild is not None:
        conditions.append("guild = ?")
        given.append(guild)
    if statuses:
        conditions.append(f"status IN ({', '.join('?' * len(statuses))})")
        given.extend(statuses)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = connection.execute(
        f"SELECT {_ENCOUNTER} FROM encounter{where} ORDER BY number",  # noqa: S608 - our own conditions
        given,
    )
    return tuple(encounter_row(row) for row in rows)


def paused(connection: Connection, channel: str) -> tuple[tuple[EncounterRow, bytes], ...]:
    rows = connection.execute(
        f"SELECT {_ENCOUNTER}, document FROM encounter"  # noqa: S608 - our own column names
        " WHERE channel = ? AND status = 'paused' ORDER BY number",
        (channel,),
    )
    return tuple((encounter_row(row[:-1]), whole(connection, row[-1])) for row in rows)


def waiting_for(connection: Connection, user: str) -> tuple[EncounterRow, ...]:
    """Return the encounters that wait for a person, as a player or as a GM."""
    rows = connection.execute(
        f"SELECT {_OF_ENCOUNTER} FROM encounter_waiting"  # noqa: S608 - our own column names
        " JOIN encounter ON encounter.id = encounter_waiting.encounter"
        ' WHERE encounter_waiting."user" = ? ORDER BY encounter.number',
        (user,),
    )
    return tuple(encounter_row(row) for row in rows)


def running_with(connection: Connection, user: str) -> tuple[EncounterRow, ...]:
    """Return the running encounters whose state names a person."""
    rows = connection.execute(
        f"SELECT {_ENCOUNTER} FROM encounter"  # noqa: S608 - our own column names
        " WHERE status = 'running' AND instr(document, ?) > 0 ORDER BY number",
        (f'"{user}"'.encode(),),
    )
    return tuple(encounter_row(row) for row in rows)


def channels_with_orders(connection: Connection, served: ServedShards | None) -> tuple[str, ...]:
    """Return the channels whose running encounter holds orders in advance, or sealed answers.

    Documents leave out what is empty.
    """
    ours, values = among(served)
    rows = connection.execute(
        "SELECT DISTINCT channel FROM encounter"  # noqa: S608 - only ? is put in
        f" WHERE status = 'running' AND (instr(document, ?) > 0 OR instr(document, ?) > 0){ours} ORDER BY channel",
        (b'"orders":[', b'"sealed":{', *values),
    )
    return tuple(channel for (channel,) in rows)


def encounter_row(row: tuple[Any, ...]) -> EncounterRow:
    identity, channel, guild, system, name, status, gms, waiting = row
    return EncounterRow(
        id=identity,
        channel=channel,
        guild=guild,
        system=system,
        name=name,
        status=status,
        gms=tuple(json.loads(gms)),
        waiting=tuple(json.loads(waiting)),
    )


# The log


def log(
    connection: Connection,
    channel: str,
    *,
    encounter: str | None = None,
    after: int = 0,
    limit: int = WHOLE_LOG,
    newest_first: bool = False,
    numbers: tuple[int, int] | None = None,
) -> tuple[LogRow, ...]:
    """Return rows with a seq above `after`, and with a number above the first of `numbers`, up to the second."""
    rows = connection.execute(
        f"SELECT {LOG_COLUMNS} FROM log WHERE channel = ? AND seq > ?"  # noqa: S608 - our own column names
        + ("" if encounter is None else " AND encounter = ?")
        + ("" if numbers is None else " AND id > ? AND id <= ?")
        + f" ORDER BY seq {'DESC' if newest_first else 'ASC'} LIMIT ?",
        (channel, after, *(() if encounter is None else (encounter,)), *(numbers or ()), limit),
    )
    return tuple(log_row(row) for row in rows)


def one_log_row(connection: Connection, channel: str, seq: int) -> LogRow | None:
    row = connection.execute(
        f"SELECT {LOG_COLUMNS} FROM log WHERE channel = ? AND seq = ?",  # noqa: S608 - our own column names
        (channel, seq),
    ).fetchone()
    return None if row is None else log_row(row)


def newest_log_rows(connection: Connection, served: ServedShards | None, at_most: int) -> tuple[LogRow, ...]:
    ours, values = among(served)
    there = f"channel IN (SELECT channel FROM channel WHERE 1 = 1{ours})" if ours else "1 = 1"  # noqa: S608 - only ? is put in
    rows = connection.execute(
        f"SELECT {LOG_COLUMNS} FROM log WHERE {there} ORDER BY id DESC LIMIT ?",  # noqa: S608 - our own column names
        (*values, at_most),
    )
    return tuple(log_row(row) for row in rows)


# What is to be sent


def unsent_prompts(connection: Connection, served: ServedShards | None) -> tuple[tuple[str, PromptRow], ...]:
    ours, values = among(served)
    rows = connection.execute(
        f"SELECT channel, {_PROMPT} FROM channel"  # noqa: S608 - our own column names
        f" WHERE (prompt_wanted <> prompt_posted OR prompt_last > prompt_told){ours} ORDER BY channel",
        values,
    )
    return tuple((channel, PromptRow(*prompt)) for channel, *prompt in rows)


def pending_outbox(
    connection: Connection, served: ServedShards | None, channel: str | None = None
) -> tuple[OutboxMessage, ...]:
    """Return the messages that are still to be sent, oldest first."""
    columns = "SELECT nonce, channel, payload FROM outbox"
    if channel is None:
        ours, values = among(served)
        rows = connection.execute(f"{columns} WHERE 1 = 1{ours} ORDER BY number", values)
    else:
        rows = connection.execute(f"{columns} WHERE channel = ? ORDER BY number", (channel,))
    return tuple(OutboxMessage(nonce, place, unpack(payload)) for nonce, place, payload in rows)


def outbox_sent(connection: Connection, nonce: str, instead: str | None) -> None:
    if instead is None:
        connection.execute("DELETE FROM outbox WHERE nonce = ?", (nonce,))
    else:
        connection.execute("UPDATE outbox SET payload = ? WHERE nonce = ?", (pack(instead), nonce))


# Retention


def ended_before(connection: Connection, served: ServedShards | None, before: float) -> tuple[tuple[str, str], ...]:
    """Return encounters that ended before a moment, and their channels."""
    ours, values = among(served)
    rows = connection.execute(
        "SELECT id, channel FROM encounter"  # noqa: S608 - only ? is put in
        f" WHERE status = 'ended' AND changed_at < ?{ours} ORDER BY changed_at, number",
        (before, *values),
    )
    return tuple((encounter, channel) for encounter, channel in rows)


def purge_encounter(connection: Connection, encounter: str, before: float) -> bool:
    """Clear away an ended encounter: its state, what was said, what was commanded, the way back.

    Its log rows keep number, time, interaction and dice, so that the channel's other dice can still be checked.
    False if it is no longer ended, or has changed since.
    """
    row = connection.execute(
        "SELECT 1 FROM encounter WHERE id = ? AND status = 'ended' AND changed_at < ?", (encounter, before)
    ).fetchone()
    if row is None:
        return False
    last = connection.execute(
        "SELECT channel, max(seq) FROM log WHERE encounter = ? GROUP BY channel", (encounter,)
    ).fetchall()
    connection.executemany(
        "UPDATE channel SET barrier = CASE WHEN barrier < ? THEN ? ELSE barrier END WHERE channel = ?",
        [(seq, seq, channel) for channel, seq in last],
    )
    for table in ("undo", "carried"):
        connection.execute(
            f"DELETE FROM {table} WHERE log IN (SELECT id FROM log WHERE encounter = ?)",  # noqa: S608 - our own tables
            (encounter,),
        )
    connection.executemany(
        "DELETE FROM record WHERE told <= ? AND channel = ?", [(seq, channel) for channel, seq in last]
    )
    connection.execute(
        "UPDATE log SET command = ?, lines = ?, marks = '{}' WHERE encounter = ?", (PURGED, pack("[]"), encounter)
    )
    connection.execute(
        "UPDATE channel SET focus = NULL WHERE focus = ? AND channel = (SELECT channel FROM encounter WHERE id = ?)",
        (encounter, encounter),
    )
    drop_waits(connection, encounter)
    remove_encounter(connection, encounter)
    return True


# The program's own notes


def get_meta(connection: Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def find_metas(connection: Connection, prefix: str) -> dict[str, str]:
    """Return the notes whose keys begin so."""
    rows = connection.execute("SELECT key, value FROM meta WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))
    return dict(rows.fetchall())


def set_meta(connection: Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def delete_meta(connection: Connection, key: str) -> None:
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))


def load(connection: Connection, overdue_since: float) -> Load:
    """Count open encounters and overdue waits; a wait counts as overdue that was due before a moment (Unix seconds)."""
    by_status = dict(connection.execute("SELECT status, count(*) FROM encounter GROUP BY status"))
    (overdue,) = connection.execute(
        "SELECT count(*) FROM wait WHERE place = 0 AND due IS NOT NULL AND due <= ?", (overdue_since,)
    ).fetchone()
    return Load(
        gathering=by_status.get("gathering", 0),
        running=by_status.get("running", 0),
        paused=by_status.get("paused", 0),
        overdue=overdue,
    )
