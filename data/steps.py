"""What one step writes, and what takes it back. Functions of a connection; `Store` runs them in a transaction."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.boards import stored_form, whole
from data.carried import carry, take_back
from data.connection import Connection, home_of, marks
from data.deltas import WrongDocumentError, apply_delta, both_ways, pack, unpack
from data.live_message import note_prompt, owe_opening, owe_records
from data.rows import (
    DROPPED,
    LIVE,
    UNDONE,
    Commit,
    DocumentChange,
    EncounterRow,
    LogRow,
    LogWrite,
    PostedPrompt,
    RepeatedInteraction,
    UndoStep,
    WrongSeq,
)
from data.seeds import announce_seed, put_seed, reveal_seed
from data.waits import change_waits
from rules.errors import BrokenInvariant

LOG = logging.getLogger(__name__)

CARDS = "cards"
ENCOUNTER = "encounter:"
GMS = "gm"
BARRIERS = ("reveal", "move")
WITH_DELTAS = ("step", "move")
WITH_DOCUMENTS = (*WITH_DELTAS, "undo", "redo")
ENTRY = ("channel", "guild", "home", "system", "name", "status", "gms", "waiting", "map")
LOG_COLUMNS = "channel, seq, at, kind, by, interaction, encounter, command, dice, lines, marks, secret, ruling, state"


def write_commit(connection: Connection, commit: Commit, posted: PostedPrompt | None = None) -> None:
    """Write a step, and the prompt before it if that is not noted yet. Raises: RepeatedInteraction, BrokenInvariant."""
    if not remember(connection, commit.interaction, commit.answer, commit.at):
        raise RepeatedInteraction(answered(connection, commit.interaction) or "")
    if posted is not None:
        note_prompt(connection, posted)
    _write_channel(connection, commit)
    for beside in commit.beside:
        _write_channel(connection, beside)


# Interactions


def remember(connection: Connection, interaction: str, answer: str, at: float) -> bool:
    """Keep an answer; False if the interaction has one, which stays."""
    written = connection.execute(
        "INSERT INTO interaction (id, answer, at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (interaction, pack(answer), at),
    )
    return written.rowcount > 0


def forget_interactions(connection: Connection, before: float, at_most: int) -> bool:
    """Forget the oldest answers, as far as they are older than `before`; True if there may be more."""
    deleted = connection.execute(
        "DELETE FROM interaction WHERE at < ? AND number IN (SELECT number FROM interaction ORDER BY number LIMIT ?)",
        (before, at_most),
    )
    return deleted.rowcount == at_most


def answered(connection: Connection, interaction: str) -> str | None:
    """Return what an interaction was answered, within the last day."""
    row = connection.execute("SELECT answer FROM interaction WHERE id = ?", (interaction,)).fetchone()
    return None if row is None else unpack(row[0])


# One channel's part of a step


def _write_channel(connection: Connection, commit: Commit) -> None:
    channel = commit.channel
    kind = None if commit.log is None else commit.log.kind
    number = 0
    if commit.documents and kind not in WITH_DOCUMENTS:
        raise BrokenInvariant(f"a document of channel {channel} would change in a row of kind {kind!r}")
    if commit.log is not None:
        number = _write_log(connection, commit.log, commit.documents)
    _write_documents(connection, commit)
    _go_on(connection, commit)
    if commit.undone or commit.redone:
        _undo_and_redo(connection, commit)
    if commit.opening is not None:
        owe_opening(connection, channel, commit.opening)
    carry(connection, number, commit.characters)
    if commit.drops_redo:
        drop_undone(connection, channel)
    for message in commit.outbox:
        connection.execute(
            "INSERT INTO outbox (nonce, channel, payload, home) VALUES (?, ?, ?, ?)",
            (message.nonce, message.channel, pack(message.payload), home_of(commit.guild)),
        )
    if commit.waits is not None:
        change_waits(connection, channel, commit.waits)
    if commit.remind is not None:
        connection.execute(
            "UPDATE channel SET remind = ? WHERE channel = ? AND remind IS NULL", (commit.remind, channel)
        )
    if commit.reveal_seed_from is not None:
        reveal_seed(connection, channel, commit.reveal_seed_from)
    if commit.new_seed is not None:
        put_seed(connection, commit.new_seed)
    if commit.announced_seed_from is not None:
        announce_seed(connection, channel, commit.announced_seed_from)


def _go_on(connection: Connection, commit: Commit) -> None:
    """Bring the channel's own row to the step's position. Raises: WrongSeq."""
    log = commit.log
    seq = None if log is None else log.seq
    barrier = seq if log is not None and log.kind in BARRIERS else 0
    values = {
        "channel": commit.channel,
        "guild": commit.guild,
        "home": home_of(commit.guild),
        "focus": commit.focus,
        "seq": seq,
        "barrier": barrier,
        "wanted": commit.prompt_version,
        "calls": seq if commit.calls else None,
        "first": seq if commit.begins_story else None,
        "told": seq if commit.is_told else None,
    }
    changed = connection.execute(
        "UPDATE channel SET guild = :guild, home = :home, focus = (SELECT id FROM encounter WHERE id = :focus),"
        " last_seq = coalesce(CAST(:seq AS BIGINT), last_seq),"
        " barrier = CASE WHEN barrier < :barrier THEN :barrier ELSE barrier END,"
        " prompt_wanted = coalesce(CAST(:wanted AS BIGINT), prompt_wanted),"
        " prompt_calls = coalesce(CAST(:calls AS BIGINT), prompt_calls),"
        " prompt_last = coalesce(CAST(:told AS BIGINT), prompt_last),"
        " prompt_first = coalesce(CAST(:first AS BIGINT), prompt_first),"
        " prompt_told = coalesce(CAST(:first AS BIGINT) - 1, prompt_told)"
        " WHERE channel = :channel AND (CAST(:seq AS BIGINT) IS NULL OR last_seq = CAST(:seq AS BIGINT) - 1)",
        values,
    )
    if changed.rowcount:
        return
    made = connection.execute(  # the channel's first
        "INSERT INTO channel"
        " (guild, focus, last_seq, barrier, prompt_wanted, channel,"
        " prompt_calls, prompt_first, prompt_told, prompt_last, home)"
        " SELECT CAST(:guild AS TEXT), (SELECT id FROM encounter WHERE id = :focus), coalesce(CAST(:seq AS BIGINT), 0),"
        " CAST(:barrier AS BIGINT), coalesce(CAST(:wanted AS BIGINT), 0), CAST(:channel AS TEXT),"
        " coalesce(CAST(:calls AS BIGINT), 0), coalesce(CAST(:first AS BIGINT), 1),"
        " coalesce(CAST(:first AS BIGINT) - 1, 0), coalesce(CAST(:told AS BIGINT), 0), CAST(:home AS BIGINT)"
        " WHERE coalesce(CAST(:seq AS BIGINT), 1) = 1 ON CONFLICT (channel) DO NOTHING",
        values,
    )
    if not made.rowcount:
        raise WrongSeq(seq, commit.channel)


def _write_log(connection: Connection, row: LogWrite, documents: tuple[DocumentChange, ...]) -> int:
    written = connection.execute(
        "INSERT INTO log (channel, seq, kind, at, by, interaction, encounter, focus_before, secret, ruling, command,"
        " dice, lines, marks) VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT focus FROM channel WHERE channel = ?),"
        " ?, ?, ?, ?, ?, ?) ON CONFLICT (channel, seq) DO NOTHING RETURNING id",
        (
            row.channel,
            row.seq,
            row.kind,
            row.at,
            row.by,
            row.interaction,
            row.encounter,
            row.channel,
            int(row.secret),
            int(row.ruling),
            row.command,
            pack(row.dice),
            pack(row.lines),
            row.marks,
        ),
    ).fetchone()
    if written is None:
        raise WrongSeq(row.seq, row.channel)
    number = int(written[0])
    if row.kind in WITH_DELTAS:
        for change in documents:
            connection.execute(
                "INSERT INTO undo (log, key, back, forth) VALUES (?, ?, ?, ?)",
                (number, change.key, *both_ways(change.before, change.after)),
            )
    return number


def _write_documents(connection: Connection, commit: Commit) -> None:
    documents = {change.key: change.after for change in commit.documents}
    if CARDS in documents:
        put_cards(connection, commit.channel, documents.pop(CARDS))
    if commit.encounter is not None:
        _put_encounter(connection, commit.encounter, documents.pop(ENCOUNTER + commit.encounter.id, None), commit.at)
    for key, document in documents.items():
        if not key.startswith(ENCOUNTER):
            raise BrokenInvariant(f"no document is called {key!r}")
        identity = key.removeprefix(ENCOUNTER)
        if document is None:
            remove_encounter(connection, identity)
            continue
        known = connection.execute("SELECT map FROM encounter WHERE id = ?", (identity,)).fetchone()
        if known is None:
            raise BrokenInvariant(f"encounter {identity} has a document and no row")
        connection.execute(
            "UPDATE encounter SET document = ?, map = ?, changed_at = ? WHERE id = ?",
            (*stored_form(connection, document, known[0]), commit.at, identity),
        )
    if commit.removed_encounter is not None:
        remove_encounter(connection, commit.removed_encounter)


def put_cards(connection: Connection, channel: str, document: bytes | None) -> None:
    if document is None:
        connection.execute("DELETE FROM cards WHERE channel = ?", (channel,))
    else:
        connection.execute(
            "INSERT INTO cards (channel, document) VALUES (?, ?)"
            " ON CONFLICT (channel) DO UPDATE SET document = excluded.document",
            (channel, document),
        )


def _put_encounter(connection: Connection, row: EncounterRow, document: bytes | None, at: float) -> None:
    """Write an encounter's row: of one that is there what differs alone, so that the indexes of the rest stay."""
    stored = connection.execute(f"SELECT {', '.join(ENTRY)} FROM encounter WHERE id = ?", (row.id,)).fetchone()  # noqa: S608 - our own column names
    if stored is None and document is None:
        return  # it has ended and was purged, while a table in memory still shows it
    base = None if stored is None else stored[-1]
    written: dict[str, Any] = {"changed_at": at}
    if document is not None:
        written["document"], base = stored_form(connection, document, base)
    gms, waiting = json.dumps(row.gms), json.dumps(row.waiting)
    entry = (row.channel, row.guild, home_of(row.guild), row.system, row.name, row.status, gms, waiting, base)
    if stored is None:
        written.update(zip(ENTRY, entry, strict=True), id=row.id)
        connection.execute(
            f"INSERT INTO encounter ({', '.join(written)}) VALUES ({marks(written)})",  # noqa: S608 - our own column names
            tuple(written.values()),
        )
    else:
        written.update((name, value) for name, value, old in zip(ENTRY, entry, stored, strict=True) if value != old)
        connection.execute(
            f"UPDATE encounter SET {', '.join([f'{name} = ?' for name in written])} WHERE id = ?",  # noqa: S608 - our own column names
            (*written.values(), row.id),
        )
    if stored is None or stored[6:8] != (gms, waiting):
        users = set(row.waiting) - {GMS} | (set(row.gms) if GMS in row.waiting else set())
        connection.execute("DELETE FROM encounter_waiting WHERE encounter = ?", (row.id,))
        connection.executemany(
            'INSERT INTO encounter_waiting ("user", encounter) VALUES (?, ?)',
            [(user, row.id) for user in sorted(users)],
        )


def remove_encounter(connection: Connection, encounter: str) -> None:
    connection.execute("DELETE FROM encounter WHERE id = ?", (encounter,))


# Undo and redo


def _undo_and_redo(connection: Connection, commit: Commit) -> None:
    channel = commit.channel
    _mark(connection, channel, commit.undone, LIVE, UNDONE)
    _mark(connection, channel, commit.redone, UNDONE, LIVE)
    owe_records(connection, channel, (*commit.undone, *commit.redone))
    take_back(connection, channel, sorted(commit.undone, reverse=True), redo=False)
    take_back(connection, channel, sorted(commit.redone), redo=True)


def _mark(connection: Connection, channel: str, seqs: Iterable[int], old: int, new: int) -> None:
    for seq in seqs:
        changed = connection.execute(
            "UPDATE log SET state = ? WHERE channel = ? AND seq = ? AND state = ? AND kind = 'step'",
            (new, channel, seq, old),
        )
        if not changed.rowcount:
            raise BrokenInvariant(f"log row {seq} of channel {channel} is no step that could be marked so")


def drop_undone(connection: Connection, channel: str) -> None:
    if connection.execute("SELECT 1 FROM log WHERE channel = ? AND state = 1 LIMIT 1", (channel,)).fetchone() is None:
        return
    connection.execute("DELETE FROM undo WHERE log IN (SELECT id FROM log WHERE channel = ? AND state = 1)", (channel,))
    connection.execute("UPDATE log SET state = ? WHERE channel = ? AND state = 1", (DROPPED, channel))


def last_steps(connection: Connection, channel: str, count: int) -> tuple[UndoStep, ...]:
    """Return the newest live steps after the last barrier, newest first, each with the documents before it.

    Fewer if a document no longer leads back: then the table is kept, but its older past is out of reach.
    """
    rows = connection.execute(
        f"SELECT id, focus_before, {LOG_COLUMNS} FROM log"  # noqa: S608 - our own column names
        " WHERE channel = :channel AND kind = 'step' AND state = 0"
        " AND seq > coalesce((SELECT barrier FROM channel WHERE channel = :channel), 0)"
        " ORDER BY seq DESC LIMIT :count",
        {"channel": channel, "count": count},
    ).fetchall()
    return _walked(connection, channel, rows, forth=False)


def redoable(connection: Connection, channel: str, count: int) -> tuple[UndoStep, ...]:
    """Return the undone steps that nothing came after, oldest first, each with the documents after it.

    The focus after a step is what the next row found. There is one: the undo itself, if nothing else.
    """
    rows = connection.execute(
        "SELECT id, (SELECT next.focus_before FROM log next WHERE next.channel = :channel AND next.seq = log.seq + 1),"  # noqa: S608 - our own column names
        f" {LOG_COLUMNS} FROM log WHERE channel = :channel AND state = 1"
        " AND seq > coalesce((SELECT max(seq) FROM log WHERE channel = :channel AND kind = 'step' AND state = 0), 0)"
        " AND seq > coalesce((SELECT barrier FROM channel WHERE channel = :channel), 0) ORDER BY seq LIMIT :count",
        {"channel": channel, "count": count},
    ).fetchall()
    return _walked(connection, channel, rows, forth=True)


def _walked(
    connection: Connection, channel: str, rows: Iterable[Sequence[Any]], *, forth: bool
) -> tuple[UndoStep, ...]:
    documents: dict[str, bytes | None] = {}
    steps: list[UndoStep] = []
    for number, focus, *columns in rows:
        try:
            undone = walk(connection, channel, number, documents, forth=forth)
        except WrongDocumentError:
            LOG.exception("channel %s: step %s cannot be %s", channel, columns[1], "redone" if forth else "undone")
            break
        documents.update(undone)
        steps.append(UndoStep(row=log_row(columns), focus=focus, documents=undone))
    return tuple(steps)


def walk(
    connection: Connection, channel: str, number: int, documents: Mapping[str, bytes | None], *, forth: bool
) -> dict[str, bytes | None]:
    """Return the documents before the log row of that number, or `forth` after it. Raises: WrongDocumentError.

    `documents` holds those on its other side, as far as they are not the stored ones.
    """
    documents_then: dict[str, bytes | None] = {}
    for key, *both in connection.execute("SELECT key, back, forth FROM undo WHERE log = ?", (number,)).fetchall():
        here = documents[key] if key in documents else stored_document(connection, channel, key)
        documents_then[key] = apply_delta(both[forth], here)
    return documents_then


def stored_document(connection: Connection, channel: str, key: str) -> bytes | None:
    if key == CARDS:
        row = connection.execute("SELECT document FROM cards WHERE channel = ?", (channel,)).fetchone()
    else:
        row = connection.execute(
            "SELECT document FROM encounter WHERE id = ?", (key.removeprefix(ENCOUNTER),)
        ).fetchone()
    return None if row is None else whole(connection, row[0])


def log_row(columns: Sequence[Any]) -> LogRow:
    """Read a row of LOG_COLUMNS."""
    channel, seq, at, kind, by, interaction, encounter, command, dice, lines, marks, secret, ruling, state = columns
    return LogRow(
        channel=channel,
        seq=seq,
        at=at,
        kind=kind,
        by=by,
        interaction=interaction,
        encounter=encounter,
        command=command,
        dice=unpack(dice),
        lines=unpack(lines),
        secret=bool(secret),
        ruling=bool(ruling),
        state=state,
        marks=marks,
    )
