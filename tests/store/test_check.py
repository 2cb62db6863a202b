import asyncio
import errno
import hashlib
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.backup import backup
from data.check import check
from data.rows import DocumentChange, MapRow
from data.store import Store
from rules.errors import StoreFailure
from tests.store.fights import a_fight
from tests.store.steps import KeptGame, add_seed, commit, encounter, opened

A_DATABASE: list[bytes] = []  # made by the first test that needs it


async def a_database(path: Path) -> None:
    if A_DATABASE:
        path.write_bytes(A_DATABASE[0])  # noqa: ASYNC240 - a small file
        return
    async with opened(path) as store:
        await add_seed(store, "c", 1, b"s" * 32)
        await KeptGame(store, a_fight()).keep()
    A_DATABASE.append(path.read_bytes())  # noqa: ASYNC240 - a small file


async def test_a_real_fight_is_sound_while_it_is_open_and_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        kept = KeptGame(store, a_fight())
        await kept.keep()
        assert await check(path) == ()
        kept.game.do("Gwen", "encounter end")
        await kept.keep()
        assert await check(path) == ()
    before = path.read_bytes()
    assert await check(path) == ()
    assert path.read_bytes() == before


async def test_a_fight_with_undone_steps_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        kept = KeptGame(store, a_fight())
        await kept.keep()
        steps = await store.last_steps("c", 3)
        documents = {key: before for each in steps for key, before in each.documents.items()}
        now = kept.documents
        restored = json.loads(documents["encounter:77"] or b"{}")
        await store.commit(
            commit(
                kept.seq + 1,
                kind="undo",
                documents=tuple(DocumentChange(key, now[key], before) for key, before in documents.items()),
                encounter=encounter("77", status=restored["status"], gms=tuple(restored["gms"])),
                focus="77",
                undone=tuple(each.row.seq for each in steps),
            )
        )
        assert await check(path) == ()


DAMAGES = {
    'UPDATE encounter SET document = \'{"system": "classic"}\'': "encounter 77 does not load",
    'UPDATE encounter SET document = \'{"system": "chess"}\'': "no system 'chess'",
    "UPDATE encounter SET status = 'paused'": "another id, status or GM",
    "DELETE FROM log WHERE seq = 4": "log rows from 1 to",
    "UPDATE undo SET forth = x'' WHERE log = 12": "not what its log leads to|does not replay",
    "UPDATE undo SET forth = zeroblob(20) WHERE log = 6": "seq 6 does not replay",
    "UPDATE undo SET back = zeroblob(20) WHERE log = 6": "seq 6 cannot be undone",
    "DELETE FROM undo WHERE log = 1": "something is left|does not replay|cannot be undone",
    "UPDATE cards SET document = '{\"pile\": 7}'": "cards do not load",
    "DELETE FROM encounter": "encounter 77 is missing",
    "UPDATE seed SET seed = x'00'": "has not 32 bytes",
    "INSERT INTO undo VALUES (999, 'cards', x'', x'')": "not in log",
    "DROP INDEX log_seq": "log_seq is missing",
    "PRAGMA user_version = 77": "schema 77 instead of",
    "INSERT INTO character VALUES (1, 'g', '1', 'ayla', 'Ayla', 'x')": "character Ayla of 1",
    "INSERT INTO person VALUES ('1', 'x', NULL)": "settings of 1",
}


@pytest.mark.parametrize(("damage", "fault"), DAMAGES.items(), ids=[damage[:40] for damage in DAMAGES])
async def test_each_damage_is_found(tmp_path: Path, damage: str, fault: str) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    connection.close()
    faults = await check(path)
    assert re.search(fault, "\n".join(faults)), faults
    assert all("\n" not in line for line in faults)


async def test_a_map_that_was_changed_by_hand_or_is_gone_is_found(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    document = '{"width": 3, "height": 3}'
    async with opened(path) as store:
        for name in ("Crypt", "Inn"):
            row = MapRow("user 1", name.casefold(), name, "1", document.replace("3", name[0].replace("C", "4")))
            await store.save_map(row, hashlib.sha256(row.document.encode()).hexdigest())
    assert await check(path) == ()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE map SET document = '{}' WHERE digest = (SELECT min(digest) FROM map)")
        connection.execute("DELETE FROM map WHERE digest = (SELECT max(digest) FROM map)")
    found = await check(path)
    assert [line for line in found if line.endswith("holds something else than it says")]
    assert [line for line in found if line.endswith("of user 1: is not there")]


async def test_broken_pages_missing_files_and_other_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    assert await check(path) == (f"There is no database at {path}.",)
    assert not path.exists()
    await a_database(path)
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xa5" * 8192 + content[16384:])
    assert "integrity" in "\n".join(await check(path)) or "cannot be read" in "\n".join(await check(path))
    path.write_bytes(content[: len(content) // 2])
    assert any("shorter" in line or "cannot be read" in line for line in await check(path))
    path.write_bytes(b"no database " * 900)
    assert "cannot be read as a database" in (await check(path))[0]


# Backup


async def test_a_backup_of_a_database_in_use_is_whole_and_sound(tmp_path: Path) -> None:
    path, target = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    async with opened(path) as store:
        await KeptGame(store, a_fight()).keep()
        stop = False

        async def keep_on() -> int:
            seq = 0
            while not stop:
                seq += 1
                await store.commit(commit(seq, channel="d"))
            return seq

        task = asyncio.create_task(keep_on())
        await asyncio.sleep(0.02)
        await backup(path, target)
        stop = True
        assert await task > 1
        count = len(await store.log("c"))
    assert await check(target) == ()
    assert {name for name in os.listdir(tmp_path) if name.startswith("copy")} == {"copy.sqlite3"}  # noqa: PTH208 - names are enough
    copied = await Store.open(target)
    assert len(await copied.log("c")) == count
    assert len(await copied.log("d")) >= 1
    await copied.close()


async def test_a_second_backup_replaces_the_first_at_once(tmp_path: Path) -> None:
    path, target = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    await a_database(path)
    await backup(path, target)
    async with opened(path) as store:
        await store.commit(commit(1, channel="d"))
    with target.open("rb") as held:  # somebody who reads the older copy meanwhile reads it whole
        before = held.read(100)
        await backup(path, target)
        held.seek(0)
        assert held.read(100) == before
    copied = await Store.open(target)
    assert len(await copied.log("d")) == 1
    await copied.close()


async def test_a_backup_that_breaks_off_leaves_the_older_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, target = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    await a_database(path)
    await backup(path, target)
    older = target.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFailure, match="No space left"):
        await backup(path, target)
    assert target.read_bytes() == older
    assert [name for name in os.listdir(tmp_path) if "unfinished" in name] == []  # noqa: PTH208 - names are enough


async def test_a_backup_overwrites_nothing_else_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path, target = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    with pytest.raises(StoreFailure, match="no database"):
        await backup(path, target)
    await a_database(path)
    target.write_text("precious")
    with pytest.raises(StoreFailure, match="is not a copy of a referee"):
        await backup(path, target)
    assert target.read_text() == "precious"
    with pytest.raises(StoreFailure, match="is the database itself"):
        await backup(path, path)
    with pytest.raises(StoreFailure, match="is a folder"):
        await backup(path, tmp_path)
    with pytest.raises(StoreFailure, match="cannot be written"):
        await backup(path, tmp_path / "nowhere" / "copy.sqlite3")
    path.write_bytes(b"no database " * 900)
    with pytest.raises(StoreFailure, match="could not be copied"):
        await backup(path, tmp_path / "other.sqlite3")
    assert not (tmp_path / "other.sqlite3").exists()
