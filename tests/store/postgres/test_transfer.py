"""From SQLite to PostgreSQL and back, with games under way."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from data.backup import backup
from data.check import check
from data.restoring.restore import restore
from data.rows import PersonRow
from rules.core.encounter import Encounter
from rules.core.registry import systems
from rules.errors import StoreFailure
from tests.postgres import Server
from tests.store.fights import a_fight
from tests.store.old_versions import VERSIONS, database, play
from tests.store.steps import KeptGame, commit, everything, opened
from tests.wire import wired

TODAY = date(2026, 3, 1)


def of_both(found: dict[str, list[tuple[object, ...]]]) -> dict[str, set[tuple[object, ...]]]:
    """Return rows as both engines have them: texts that may be compressed as bytes."""
    return {
        name: {tuple(value.encode() if isinstance(value, str) else value for value in row) for row in rows}
        for name, rows in found.items()
        if not name.startswith("sqlite_")
    }


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
async def test_games_under_way_go_on_in_postgres_and_back_in_a_file(
    version: Path, tmp_path: Path, postgres: Server
) -> None:
    old = database(version, tmp_path)
    before = old.read_bytes()
    with postgres.database(empty=True) as url:
        await restore(old, url, TODAY)
        assert old.read_bytes() == before
        assert await check(url) == ()
        async with wired(url) as wire:
            store, tables = wire.store, wire.tables
            for system in sorted(systems()):
                channel = next(row.channel for row in await store.encounters() if row.system == system)
                state = (await tables.room_of(channel, None)).encounter
                assert isinstance(state, Encounter)
                assert await play(tables, channel, state.gms[0]) > 0
        assert await check(url) == ()
        target = tmp_path / "back.sqlite3"
        await backup(url, target)
        there = of_both(everything(url))
        here = of_both(everything(target))
        assert sum(len(rows) for rows in here.values()) > 100
        for name, rows in here.items():
            assert rows == there[name], name
    assert await check(target) == ()
    async with opened(target) as store:
        await store.commit(commit(1, channel="new"))


async def test_only_an_empty_database_is_filled(tmp_path: Path, postgres_place: SecretStr) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        await store.commit(commit(1))
    async with opened(postgres_place) as store:
        await store.set_meta("a", "1")
    before = everything(postgres_place)
    with pytest.raises(StoreFailure, match="is not empty"):
        await restore(path, postgres_place, TODAY)
    assert everything(postgres_place) == before


async def test_what_is_no_database_fills_nothing(tmp_path: Path, postgres: Server) -> None:
    none, other = tmp_path / "none.sqlite3", tmp_path / "other.sqlite3"
    other.write_bytes(b"no database at all " * 200)
    with postgres.database(empty=True) as url:
        for path in (none, other):
            with pytest.raises(StoreFailure):
                await restore(path, url, TODAY)
        with psycopg.connect(url.get_secret_value()) as session:
            assert session.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


DAMAGES = {
    "UPDATE encounter SET status = 'paused'": "another id, status or GM",
    "DELETE FROM log WHERE seq = 4": "log rows from 1 to",
    "UPDATE undo SET back = decode(repeat('00', 20), 'hex') WHERE key <> 'cards'": "cannot be undone",
    "UPDATE person SET settings = 'x'": "settings of 1 do not load",
    "INSERT INTO migration (number) VALUES (777)": "schema 777 instead of",
}


@pytest.mark.parametrize(("damage", "fault"), DAMAGES.items(), ids=[damage[:30] for damage in DAMAGES])
async def test_check_finds_the_same_faults_in_postgres(postgres_place: SecretStr, damage: str, fault: str) -> None:
    async with opened(postgres_place) as store:
        await KeptGame(store, a_fight()).keep()
        await store.save_person(PersonRow("1", "{}"))
    assert await check(postgres_place) == ()
    with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as session:
        session.execute(damage.encode())
    assert fault in "\n".join(await check(postgres_place))
