"""Pictures under maps: kept once for an owner, within their room; what nothing names any more makes room."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bot.table.ground import Grounds
from data.check import check
from data.rows import MapRow
from data.store import Store

ROOM = 1000


def _row(digest: str, size: int) -> tuple[MapRow, str]:
    document = json.dumps({"picture": "A" * size, "of": digest})
    return MapRow("picture 7", digest, digest, "7", document), hashlib.sha256(document.encode()).hexdigest()


async def _save_map(store: Store, shelf: str, name: str, document: str) -> None:
    await store.save_map(MapRow(shelf, name, name, "7", document), hashlib.sha256(document.encode()).hexdigest())


async def test_the_oldest_ones_that_no_map_names_make_room_and_what_is_named_stays(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "referee.sqlite3")
    try:
        for digest in ("aaaa1", "bbbb2"):
            assert await store.save_picture(*_row(digest, 400), ROOM)
        await _save_map(store, "user 7", "inn", json.dumps({"picture": {"digest": "aaaa1"}}))
        assert await store.save_picture(*_row("cccc3", 400), ROOM)
        assert await store.picture("bbbb2") is None
        assert await store.picture("aaaa1") is not None
        await _save_map(store, "user 7", "mill", json.dumps({"picture": {"digest": "cccc3"}}))
        assert not await store.save_picture(*_row("dddd4", 400), ROOM)
        assert await store.save_picture(*_row("cccc3", 300), ROOM)
    finally:
        await store.close()
    assert await check(tmp_path / "referee.sqlite3") == ()


@pytest.mark.parametrize(("shelf", "stays"), [("server 9", True), ("user 7", False)])
async def test_a_picture_of_a_map_that_was_given_to_a_server_stays_without_its_owner(
    tmp_path: Path, shelf: str, stays: bool
) -> None:
    store = await Store.open(tmp_path / "referee.sqlite3")
    try:
        assert await store.save_picture(*_row("aaaa1", 400), ROOM)
        await _save_map(store, shelf, "inn", json.dumps({"picture": {"digest": "aaaa1"}}))
        await store.delete_person("7")
        assert (await store.picture("aaaa1") is not None) is stays
        assert await store.maps("picture 7") == ()
    finally:
        await store.close()


async def test_what_nothing_names_at_two_looks_a_day_apart_is_dropped_and_what_a_step_laid_stays(
    tmp_path: Path,
) -> None:
    store = await Store.open(tmp_path / "referee.sqlite3")
    grounds = Grounds(store)
    try:
        for digest in ("aaaa1", "bbbb2", "cccc3"):
            assert await store.save_picture(*_row(digest, 400), ROOM * 9)
        await _save_map(store, "user 7", "inn", json.dumps({"picture": {"digest": "aaaa1"}}))
        assert await grounds.sweep() == 0  # it may be taken yet
        await _save_map(store, "user 7", "mill", json.dumps({"picture": {"digest": "bbbb2"}}))
        assert await grounds.sweep() == 1
        assert await store.picture("cccc3") is None
        assert await store.picture("bbbb2") is not None
    finally:
        await store.close()
    assert await check(tmp_path / "referee.sqlite3") == ()


async def test_the_largest_pictures_of_a_shelf_are_named(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "referee.sqlite3")
    try:
        for digest, size in (("aaaa1", 400), ("bbbb2", 900)):
            assert await store.save_picture(*_row(digest, size), ROOM * 9)
            await _save_map(store, "server 9", f"map {digest}", json.dumps({"picture": {"digest": digest}}))
        assert [name for name, *_ in await store.pictures_under("server 9")] == ["map bbbb2", "map aaaa1"]
        refused = await Grounds(store).too_many("server 9")
        assert "The largest: map bbbb2" in (refused.instead or "")
    finally:
        await store.close()
