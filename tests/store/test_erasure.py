"""Who has their data deleted is in no file any more, save in the seats of encounters that are open."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.check import check
from data.deltas import apply_delta, unpack
from data.store import Store
from rules.core.command import Command
from rules.dice.verify import verify_export
from tests.files import json_file
from tests.store.old_versions import VERSIONS, caller, database
from tests.store.steps import opened
from tests.wire import wired


def people_of(path: Path) -> dict[str, str]:
    """Return the ids and names of all who sit somewhere."""
    found: dict[str, str] = {}
    with closing(sqlite3.connect(path)) as connection:
        for (document,) in connection.execute("SELECT document FROM encounter"):
            found |= json.loads(document).get("people", {})
    return found


def places_of(path: Path, text: str) -> set[str]:
    """Return a text's place: `table.column`, and for what belongs to an open encounter `open …` before it."""
    found: set[str] = set()
    with closing(sqlite3.connect(path)) as connection:
        is_open = {
            identity
            for (identity,) in connection.execute("SELECT id FROM encounter WHERE status <> 'ended'").fetchall()
        }
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name of our own schema
            columns = [each[0] for each in cursor.description]
            for row in cursor.fetchall():
                held = dict(zip(columns, row, strict=True))
                identity = held["id"] if table == "encounter" else held.get("encounter")
                for column, value in held.items():
                    if table == "log" and column in ("dice", "lines"):
                        value = unpack(value)  # noqa: PLW2901 - as it is read
                    if text in (value.decode(errors="replace") if isinstance(value, bytes) else str(value)):
                        found.add(f"{'open ' if identity in is_open else ''}{table}.{column}")
        found |= {f"undo of {key}" for key, document in _earlier(connection) if text.encode() in document and
                  key.removeprefix("encounter:") not in is_open}  # fmt: skip
    return found


def waits_naming(path: Path, name: str) -> list[tuple[str, str]]:
    """Return the waits that have a name as a whole word: Borr is not Bo."""
    with closing(sqlite3.connect(path)) as connection:
        waits: list[tuple[str, str]] = connection.execute("SELECT key, who FROM wait").fetchall()
    return [wait for wait in waits if re.search(rf"\b{re.escape(name)}\b", " ".join(wait))]


def _earlier(connection: sqlite3.Connection) -> list[tuple[str, bytes]]:
    """Return every earlier form of the documents that can be undone to."""
    documents: dict[tuple[str, str], bytes | None] = {
        ("", f"encounter:{identity}"): document
        for identity, document in connection.execute("SELECT id, document FROM encounter")
    }
    for channel, document in connection.execute("SELECT channel, document FROM cards"):
        documents[channel, "cards"] = document
    found = []
    for channel, key, delta in connection.execute(
        "SELECT l.channel, u.key, u.back FROM undo u JOIN log l ON l.id = u.log WHERE l.state = 0 ORDER BY l.id DESC"
    ):
        place = (channel if key == "cards" else "", key)
        documents[place] = before = apply_delta(delta, documents.get(place))
        if before is not None:
            found.append((key, before))
    return found


async def erase_everywhere(store: Store, user: str, name: str) -> None:
    await store.delete_person(user)
    last = await store.last_log_number()
    for channel in await store.channels_of(user):
        await store.erase(channel, user, (name,), last)
    await store.erase_answers(user, (name,))


SEATS = {
    "open encounter.document", "open encounter.gms", "open encounter.waiting", "open encounter_waiting.user",
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_each_person_who_had_their_data_deleted_is_called_deleted(version: Path, tmp_path: Path) -> None:
    path = database(version, tmp_path)
    people = people_of(path)
    assert len(people) > 2
    async with opened(path) as store:
        for user, name in people.items():
            await erase_everywhere(store, user, name)
            assert await check(path) == (), name
    for user in people:
        left = places_of(path, user)
        with_cards = {"cards.document", "undo of cards"}  # a hand of an open encounter's channel
        assert left - SEATS - with_cards == set()
    for name in people.values():
        assert "encounter.document" not in places_of(path, f'"{name}"')


@pytest.mark.prove
@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_an_ended_encounter_is_proven_and_undone_after_a_deletion(version: Path, tmp_path: Path) -> None:
    path = database(version, tmp_path)
    people = people_of(path)
    async with wired(path) as wire:
        store, tables = wire.store, wire.tables
        for row in sorted(await store.encounters(), key=lambda row: row.status != "running"):
            if row.status != "ended":
                room = await tables.room_of(row.channel, None)
                if room.encounter is not None and room.encounter.id != row.id:
                    await tables.perform(
                        caller(row.channel, row.gms[0]), Command(action="encounter resume", args={"name": row.name})
                    )
                await tables.perform(caller(row.channel, row.gms[0]), Command(action="encounter end"))
        for row in await store.encounters():
            tables.forget(row.channel)
        for user, name in people.items():
            await erase_everywhere(store, user, name)
        assert await check(path) == ()
        for user, name in people.items():
            assert places_of(path, user) == set()
            assert places_of(path, f'"{name}"') == set()
            assert not waits_naming(path, name)
        for row in await store.encounters():
            moderator = caller(row.channel, "1", moderator=True)
            found = verify_export(json_file(await wire.fairness.export(moderator)))
            assert found.is_sound, found.faults
        stones = next(row for row in await store.encounters() if row.system == "stones")
        await wire.referee.timeline.undo(caller(stones.channel, "1", moderator=True), 5)
        await wire.referee.timeline.redo(caller(stones.channel, "1", moderator=True), 5)
    assert await check(path) == ()
