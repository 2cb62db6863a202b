"""A fight by a server's own kit goes from SQLite to PostgreSQL under way: its kit, its state, what undo takes back.

A secret plan that waits there stays its owner's, and is carried out in the other engine as it was made.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from data.check import check
from data.restoring.restore import restore
from rules.core.registry import system_of
from rules.kits.document import digest_of
from rules.kits.library import library
from rules.systems.kit.state import KitState
from tests.features.kit.kits import given, save
from tests.postgres import Server
from tests.wire import GUILD, Wire, wired

OURS = (
    library()["hidden-plans"]
    .source.replace('id = "hidden-plans"', 'id = "ours"')
    .replace("Everybody makes", "Our own: everybody makes")
)
BEFORE = (
    ("Gwen", "/encounter start system:ours"),
    ("Ana", "/init join name:Ayla"),
    ("Bo", "/init join name:Bran"),
    ("Gwen", "/gm add name:Ogre"),
    ("Gwen", "/encounter begin"),
    ("Gwen", "/gm set target:table pool:TENSION value:4"),
    ("Ana", "/act action:lunge target:Ogre amount:2"),
    ("Gwen", "/condition add target:Bran name:Exposed"),
)

TODAY = date(2026, 3, 1)


async def state_of(wire: Wire) -> KitState:
    state = (await wire.tables.room_of("901", GUILD)).table.active
    assert isinstance(state, KitState)
    return state


async def test_a_fight_by_a_saved_kit_goes_on_in_postgres_with_its_plans_and_its_steps(
    tmp_path: Path, postgres: Server
) -> None:
    path = tmp_path / "referee.sqlite3"
    states: list[KitState] = []
    async with wired(path) as wire:
        assert "Saved for this server" in await save(wire, "Ana", OURS)
        for who, line in BEFORE:
            await wire.type(who, line)
            assert wire.refused is None, line
            await wire.settle()
            if line != BEFORE[0][1]:
                states.append(await state_of(wire))
        await wire.type("Ana", "/kit delete name:ours")
        await save(wire, "Ana", OURS.replace("EDGE = { start = 3", "EDGE = { start = 5"))  # a later one of that name
    with postgres.database(empty=True) as url:
        await restore(path, url, TODAY)
        assert await check(url) == ()
        async with wired(url) as wire:
            there = await state_of(wire)
            assert there == states[-1]
            assert [each.action for each in there.plans["Ayla"]] == ["lunge"]
            assert (
                given(await wire.type("Bo", "/kit get name:ours"))
                == OURS.replace("EDGE = { start = 3", "EDGE = { start = 5").encode()
            )
            exported = json.loads(given(await wire.type("Bo", "/encounter export")))
            assert exported["kit"]["digest"] == digest_of(exported["kit"]["file"])
            assert "unge" not in json.dumps([exported["log"][1:], exported["combatants"]])  # the first row has the file
            for before in reversed(states[1:-1]):  # each step that the other engine wrote is taken back in this one
                await wire.type("Gwen", "/encounter undo")
                await wire.settle()
                assert await state_of(wire) == before
            await wire.type("Gwen", f"/encounter redo steps:{len(states) - 2}")
            await wire.settle()
            assert await state_of(wire) == states[-1]
            assert system_of(states[-1]).title == "Hidden plans"
            for who, line in (("Bo", "/act action:guard"), ("Gwen", "/act action:guard character:Ogre")):
                await wire.type(who, line)
                await wire.settle()
            after = await state_of(wire)
            assert after.round == 2
            assert after.plans == {}
            assert after.combatant("Ayla").pools["EDGE"].now == 1
        assert await check(url) == ()
