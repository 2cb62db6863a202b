"""A large board is in a document as its map's digest and what has changed since (maps 9)."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from data.check import check
from rules.core.encounter import Encounter
from tests.features.maps.boards import board_of
from tests.wire import Sent, Wire, wired


def _cave() -> str:
    rng = random.Random(3)
    rows = [["#" if rng.random() < 0.4 else "." for _ in range(50)] for _ in range(49)]
    rows[4][3:6] = [".", "+", "."]
    return "\n".join("".join(row) for row in rows)


def _rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def _button(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


async def _laid(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:classic name:Deep")
    await wire.type("Ana", "/init join result:9")
    (form,) = await wire.type("Gwen", "/map new")
    shown = await wire.submit("Gwen", str(form.data["custom_id"]), {"name": "Cave", "text": _cave()})
    await wire.press("Gwen", _button(shown[-1], "Take it"))


async def test_a_large_map_is_kept_once_and_documents_hold_what_has_changed_since(tmp_path: Path) -> None:
    path = tmp_path / "referee.sqlite3"
    async with wired(path) as wire:
        await _laid(wire)
        (first,) = _rows(path, "SELECT map FROM encounter")
        assert first[0] is not None
        await wire.type("Gwen", "/map save name:Cave")
        assert _rows(path, "SELECT digest FROM saved_map WHERE folded = 'cave'") == [first]  # the very same row
        for number in range(12):
            await wire.type(
                "Gwen", f"/board terrain cells:{chr(66 + number)}{number + 3} kind:difficult text:Mud {number}"
            )
        await wire.type("Gwen", "/board door at:E5")
        (row,) = _rows(path, "SELECT document, map FROM encounter")
        board = re.search(rb'"board":\{[^}]*\}', bytes(row[0]))
        assert board is not None
        assert len(board[0]) < 4096
        assert row[1] == first[0]
        assert max(len(each[0]) for each in _rows(path, "SELECT forth FROM undo ORDER BY log DESC LIMIT 5")) < 400
        answer = await wire.type("Gwen", "/encounter undo steps:13")
        assert answer
        await wire.type("Gwen", "/encounter redo steps:13")
        held = board_of(wire)
        assert held.doors == {"E5": "open"}
    async with wired(path) as wire:  # read anew
        await wire.type("Gwen", "/board door at:E5 do:close")
        assert board_of(wire) == held.evolve(doors={"E5": "closed"})
    assert await check(path) == ()


async def test_a_map_that_an_encounter_names_stays_and_one_that_nothing_names_goes(tmp_path: Path) -> None:
    path = tmp_path / "referee.sqlite3"
    async with wired(path) as wire:
        await _laid(wire)
        (named,) = _rows(path, "SELECT map FROM encounter")
        await wire.type("Gwen", "/map save name:Cave")
        await wire.type("Gwen", "/map delete name:Cave")
        (form,) = await wire.type("Gwen", "/map new")
        shown = await wire.submit("Gwen", str(form.data["custom_id"]), {"name": "Hut", "text": "..."})
        await wire.press("Gwen", _button(shown[-1], "Cancel"))
        await wire.store.drop_pictures(frozenset())
        assert named in _rows(path, "SELECT digest FROM map")
        await wire.type("Gwen", "/board clear")
        assert _rows(path, "SELECT map FROM encounter") == [(None,)]
        await wire.store.drop_pictures(frozenset())
        assert named not in _rows(path, "SELECT digest FROM map")
        await wire.type("Gwen", "/encounter undo")
        assert _rows(path, "SELECT map FROM encounter") == [named]
    assert await check(path) == ()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM map WHERE digest = ?", named)
    faults = await check(path)
    assert any("is not there" in line for line in faults), faults


def _state(wire: Wire) -> Encounter:
    room = wire.tables.loaded("901")
    assert room is not None
    assert room.table.active is not None
    return room.table.active
