"""Databases of earlier versions, with games under way: they open, are sound, and play goes on."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.check import check
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import systems
from rules.core.seen.lines import load_lines
from rules.core.sheets.sheet import Character
from rules.dice.source import load_records
from rules.dice.verify import verify_export
from tests.files import json_file
from tests.store.old_versions import VERSIONS, caller, database, play
from tests.wire import wired


async def channels(store: Store, path: Path) -> tuple[str, ...]:
    with closing(sqlite3.connect(path)) as connection:
        return tuple(channel for (channel,) in connection.execute("SELECT channel FROM channel"))


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_a_database_of_an_earlier_version_loads_whole(version: Path, tmp_path: Path) -> None:
    path = database(version, tmp_path)
    async with wired(path) as wire:
        store, tables = wire.store, wire.tables
        statuses, owners = set(), set()
        for channel in await channels(store, path):
            room = await tables.room_of(channel, None)
            for row in await store.log(channel):
                assert isinstance(json.loads(row.command), dict)
                load_lines(row.lines)
                load_records(row.dice)
            for encounter in await store.encounters(channel=channel):
                statuses.add(encounter.status)
            asker = caller(channel, None if room.encounter is None else room.encounter.gms[0])
            found = verify_export(json_file(await wire.fairness.export(asker)))
            assert found.is_sound, found.faults
            if room.encounter is not None:
                found = verify_export(json_file(await wire.exports.encounter(asker)))
                assert found.is_sound, found.faults
            for character in await store.characters(room.guild):
                Character.model_validate_json(character.document)
                owners.add(character.owner)
        assert statuses == {"running", "paused", "ended"}
        assert len(owners) > 2
    assert await check(path) == ()


@pytest.mark.parametrize("system", sorted(systems()))
@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_play_goes_on_in_a_database_of_an_earlier_version(version: Path, system: str, tmp_path: Path) -> None:
    path = database(version, tmp_path)
    async with wired(path) as wire:
        store, tables = wire.store, wire.tables
        channel = next(row.channel for row in await store.encounters() if row.system == system)
        room = await tables.room_of(channel, None)
        state = room.encounter
        assert isinstance(state, Encounter)
        gm = state.gms[0]
        assert state.hidden
        assert state.orders
        played = await play(tables, channel, gm)
        assert played > 3
        await wire.referee.timeline.undo(caller(channel, gm), played + 5)  # some of them taken by the earlier version
        await wire.referee.timeline.redo(caller(channel, gm), played + 5)
        await tables.perform(caller(channel, gm), Command(action="gm reveal", target="Lurker"))
        await tables.perform(caller(channel, gm), Command(action="encounter end"))
        await wire.fairness.reveal(caller(channel, gm))
        found = verify_export(json_file(await wire.fairness.export(caller(channel, gm))))
        assert found.is_sound, found.faults
    assert await check(path) == ()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_a_paused_encounter_of_an_earlier_version_resumes(version: Path, tmp_path: Path) -> None:
    path = database(version, tmp_path)
    async with wired(path) as wire:
        store, tables = wire.store, wire.tables
        (paused,) = (row for row in await store.encounters() if row.status == "paused")
        (gm,) = paused.gms
        await wire.referee.timeline.redo(caller(paused.channel, gm), 1)
        await tables.perform(caller(paused.channel, gm), Command(action="encounter pause"))
        resume = Command(action="encounter resume", args={"name": paused.name})
        done = await tables.perform(caller(paused.channel, gm), resume)
        assert done.room.encounter is not None
        assert done.room.encounter.id == paused.id
        await play(tables, paused.channel, gm)
        hands = done.room.table.cards.hands
        assert sorted(len(held) for held in hands.values()) == [2, 5]
    assert await check(path) == ()
