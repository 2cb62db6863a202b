"""Is a database sound? It is opened for reading only, so that it may be in use, and looked at as of one moment."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from data import schema
from data.boards import whole
from data.connection import Connection
from data.database import is_truncated, open_to_read, snapshot
from data.deltas import WrongDocumentError
from data.marking import marks
from data.rows import LIVE
from data.steps import WITH_DELTAS, stored_document, walk
from data.tables import PURGED
from rules.core.cards import Cards
from rules.core.registry import load_encounter
from rules.errors import StoreFailure
from rules.kits.compiler import compile_kit
from rules.kits.document import read_kept
from rules.kits.mistakes import MistakenKit

_FAULTS_OF_SQLITE = 20  # one broken page can make thousands
_SEED_BYTES = 32
_LOOKS, _LOOK_SECONDS = 4, 0.1


async def check(place: Path | SecretStr) -> tuple[str, ...]:
    """Return a line for each fault of a database, a file or PostgreSQL; none when it is sound."""
    if isinstance(place, Path):
        return await asyncio.to_thread(_check_file, place)
    return await asyncio.to_thread(_check_postgres, place)


def _check_postgres(url: SecretStr) -> tuple[str, ...]:
    import psycopg  # noqa: PLC0415 - loading it takes time that a file need not wait for

    from data.postgres import schema as postgres_schema  # noqa: PLC0415 - it loads psycopg
    from data.postgres.bridge import Bridge  # noqa: PLC0415 - it loads psycopg
    from data.postgres.engine import place_of  # noqa: PLC0415 - it loads psycopg
    from data.postgres.link import connect, words_of  # noqa: PLC0415 - it loads psycopg

    try:
        place = place_of(url)
        with connect(url) as session:
            outline = tuple(_faults_of_version(postgres_schema.version(session)))
            if outline:
                return outline
            bridge = Bridge(session)
            bridge.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            bridge.execute("SET LOCAL statement_timeout = 0")
            bridge.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            faults = _faults_of_rows(bridge)
            bridge.execute("ROLLBACK")
            bridge.settle()
            return faults
    except StoreFailure as failure:
        return (str(failure),)
    except psycopg.Error as error:
        return (f"PostgreSQL at {place} cannot be read: {words_of(error)}.",)


def _check_file(path: Path) -> tuple[str, ...]:
    if not path.exists():
        return (f"There is no database at {path}.",)
    if _stays_foreign(path):
        return (str(marks.foreign(path)),)
    try:
        with closing(open_to_read(path)) as connection:
            faults = [] if not is_truncated(path) else [f"{path} is shorter than it says."]
            return (*faults, *snapshot(connection, lambda _: _faults(connection)))
    except sqlite3.Error as error:
        return (f"{path} cannot be read as a database: {error}.",)


def _stays_foreign(path: Path) -> bool:
    """Look again: a referee that runs may be in the middle of a checkpoint."""
    for _ in range(_LOOKS):
        if not marks.is_foreign(path):
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def damages(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return what is wrong with the file as a whole, so that nothing in it can be relied on."""
    return tuple(_faults_of_sqlite(connection)) or tuple(_faults_of_schema(connection))


def _faults(connection: sqlite3.Connection) -> tuple[str, ...]:
    damaged = damages(connection)
    if damaged:  # what is read from broken pages says nothing
        return damaged
    return (*_faults_of_belonging(connection), *_faults_of_rows(connection))


def _faults_of_rows(connection: Connection) -> tuple[str, ...]:
    """Return what is wrong with what is in the tables, in either engine."""
    return (
        *_faults_of_encounters(connection),
        *_faults_of_people(connection),
        *_faults_of_maps(connection),
        *_faults_of_kits(connection),
        *(fault for row in _channels(connection) for fault in _faults_of_channel(connection, *row)),
    )


def _channels(connection: Connection) -> list[tuple[str, str | None, int]]:
    return connection.execute("SELECT channel, focus, last_seq FROM channel ORDER BY channel").fetchall()


def _faults_of_maps(connection: Connection) -> Iterator[str]:
    """Look whether each map is kept under the SHA-256 of what it holds, and each that is named is there."""
    for digest, document in connection.execute("SELECT digest, document FROM map ORDER BY digest").fetchall():
        if hashlib.sha256(str(document).encode()).hexdigest() != digest:
            yield f"map {digest[:12]}: holds something else than it says"
    missing = connection.execute(
        "SELECT saved_map.shelf, saved_map.name FROM saved_map"
        " LEFT JOIN map ON map.digest = saved_map.digest WHERE map.digest IS NULL ORDER BY 1, 2"
    )
    for shelf, name in missing.fetchall():
        yield f"map {name} of {shelf}: is not there"


def _faults_of_kits(connection: Connection) -> Iterator[str]:
    """Look whether each kit of a server is still read, and is the one that it is kept as."""
    for guild, kit, file in connection.execute("SELECT guild, id, file FROM kit ORDER BY guild, id").fetchall():
        try:
            compiled = compile_kit(read_kept(str(file)).content)
        except MistakenKit as mistaken:
            yield f"kit {kit} of server {guild}: {mistaken.mistakes[0]}"
            continue
        if compiled.id != kit:
            yield f"kit {kit} of server {guild}: is the file of {compiled.id}"


# The file


def _faults_of_sqlite(connection: sqlite3.Connection) -> Iterator[str]:
    for (fault,) in connection.execute(f"PRAGMA integrity_check({_FAULTS_OF_SQLITE})"):
        if fault != "ok":
            yield f"integrity: {fault}"


def _faults_of_schema(connection: sqlite3.Connection) -> Iterator[str]:
    old = tuple(_faults_of_version(schema.version(connection)))
    if old:
        yield from old
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        schema.migrate(fresh)
        expected, present = _outline(fresh), _outline(connection)
    for name in sorted(expected.keys() | present.keys()):
        if expected.get(name) != present.get(name):
            yield f"schema: {name} is {'missing' if name not in present else 'not as it should be'}"


def _faults_of_version(stored: int) -> Iterator[str]:
    newest = schema.newest()
    if stored != newest:
        remedy = "update the program" if stored > newest else "start the program once"
        yield f"schema {stored} instead of {newest}: {remedy}"


def _outline(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    return dict(rows.fetchall())


# What is in it


def _faults_of_belonging(connection: sqlite3.Connection) -> Iterator[str]:
    lost = Counter((table, parent) for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"))
    for (table, parent), count in lost.items():
        yield f"table {table}: {count} rows belong to something that is not in {parent}"


def _faults_of_encounters(connection: Connection) -> Iterator[str]:
    for identity, status, gms, waiting, document in connection.execute(
        "SELECT id, status, gms, waiting, document FROM encounter ORDER BY number"
    ):
        try:
            state = load_encounter(json.loads(whole(connection, document)))
            listed = tuple(json.loads(gms))
            json.loads(waiting)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what was looked for
            yield f"encounter {identity} does not load: {_one_line(error)}"
            continue
        if (state.id, state.status, state.gms) != (identity, status, listed):
            yield f"encounter {identity} is listed with another id, status or GM than it has"
    for channel, document in connection.execute("SELECT channel, document FROM cards ORDER BY channel"):
        try:
            Cards.model_validate_json(document)
        except Exception as error:  # noqa: BLE001 - whatever does not load is a fault to tell
            yield f"channel {channel}: its cards do not load: {_one_line(error)}"


def _faults_of_people(connection: Connection) -> Iterator[str]:
    for owner, name, document in connection.execute("SELECT owner, name, document FROM character ORDER BY number"):
        if not _is_json(document):
            yield f"character {name} of {owner} does not load"
    for user, settings in connection.execute('SELECT "user", settings FROM person ORDER BY "user"'):
        if not _is_json(settings):
            yield f"the settings of {user} do not load"
    for channel, from_seq in connection.execute(
        "SELECT channel, from_seq FROM seed WHERE length(seed) <> ?", (_SEED_BYTES,)
    ):
        yield f"channel {channel}: its seed from seq {from_seq} has not {_SEED_BYTES} bytes"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _faults_of_channel(connection: Connection, channel: str, focus: str | None, last_seq: int) -> Iterator[str]:
    count, least, most = connection.execute(
        "SELECT count(*), min(seq), max(seq) FROM log WHERE channel = ?", (channel,)
    ).fetchone()
    if count and (count, least, most) != (last_seq, 1, last_seq):
        yield f"channel {channel}: {count} log rows from {least} to {most} instead of {last_seq} from 1"
    elif not count and last_seq:
        yield f"channel {channel}: no log row instead of {last_seq}"
    if focus is not None and not connection.execute("SELECT 1 FROM encounter WHERE id = ?", (focus,)).fetchone():
        yield f"channel {channel}: its encounter {focus} is missing"
    try:
        yield from _faults_of_replay(connection, channel)
    except Exception as error:  # noqa: BLE001 - whatever stops the replay is a fault to tell
        yield f"channel {channel}: its log does not replay: {_one_line(error)}"


# The log: back to its beginning, and forward again


def _faults_of_replay(connection: Connection, channel: str) -> Iterator[str]:
    """Take the channel's live steps back to their beginning, then do them again and compare.

    A table that moved, and what was purged, are as far back as it goes.
    """
    documents: dict[str, bytes | None] = {}
    numbers: list[int] = []
    whole = True
    for number, seq, kind, command in connection.execute(
        "SELECT id, seq, kind, command FROM log WHERE channel = ? AND kind IN (?, ?) AND state = ? ORDER BY seq DESC",
        (channel, *WITH_DELTAS, LIVE),
    ):
        if command == PURGED or kind == "move":
            whole = False
            break
        try:
            documents.update(walk(connection, channel, number, documents, forth=False))
        except WrongDocumentError as error:
            yield f"channel {channel}: seq {seq} cannot be undone: {error}"
            return
        numbers.insert(0, number)
    if whole and any(document is not None for document in documents.values()):
        yield f"channel {channel}: something is left when all is undone"
        return
    yield from _replay(connection, channel, numbers, documents)


def _replay(
    connection: Connection, channel: str, numbers: Sequence[int], documents: dict[str, bytes | None]
) -> Iterator[str]:
    for number in numbers:
        try:
            documents.update(walk(connection, channel, number, documents, forth=True))
        except WrongDocumentError as error:
            (seq,) = connection.execute("SELECT seq FROM log WHERE id = ?", (number,)).fetchone()
            yield f"channel {channel}: seq {seq} does not replay: {error}"
            return
    for key, document in documents.items():
        if document != stored_document(connection, channel, key):
            yield f"channel {channel}: {key.replace(':', ' ')} is not what its log leads to"


def _one_line(error: Exception) -> str:
    words: list[Any] = str(error).split()
    return f"{type(error).__name__}: {' '.join(words)}"[:300]
