"""An encounter whose kit this program cannot read: it shows, exports, ends, takes a mended file, and never crashes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.core.registry import system_of
from tests.features.kit.kits import seated
from tests.wire import GUILD, Wire, wired

QUICK = 'kit = 1\nid = "mine"\ntitle = "Our own"\n[order]\nkey = "1d20+{DEX}"\n[sheet]\nDEX = 0\n'
BROKEN = {"file": {"kit": 1, "id": "mine", "ordr": 1}, "source": QUICK, "digest": "0" * 64}
LINES = (
    "/help topic:kit",
    "/rules search:KI-01",
    "/encounter list",
    "/encounter show",
    "/encounter options",
    "/encounter export",
    "/encounter log",
    "/init list",
    "/turn",
    "/join",
    "/gm add name:Rat",
    "/act action:end",
    "/gm damage target:Ayla amount:1",
    "/character template system:mine",
    "/character template system:kit",
    "/character add name:Rhea system:mine sheet:DEX 3",
    "/character add name:Rhea sheet:DEX 3",
    "/encounter begin",
)


async def broken(wire: Wire) -> None:
    await wire.send("Gwen", "encounter start", {}, files={"file": ("mine.toml", QUICK.encode())})
    await wire.type("Gwen", "/gm add name:Ayla")
    room = await wire.tables.room_of("901", GUILD)
    assert room.encounter is not None
    room.table = room.table.evolve(encounter=room.encounter.evolve(tables=BROKEN))


@pytest.mark.parametrize("line", LINES)
async def test_nothing_that_is_typed_there_goes_wrong(line: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await broken(wire)
        said = json.dumps([each.data for each in await wire.type("Gwen", line)])
        assert said != "[]"
        assert "Something went wrong" not in said


async def test_what_it_cannot_do_is_refused_with_the_mistake_and_what_mends_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await broken(wire)
        for who, line in (("Gwen", "/encounter begin"), ("Ana", "/join")):
            said = json.dumps([each.data for each in await wire.type(who, line)])
            assert "ordr is not a key here. Did you mean order?" in said
        assert "Hand in a corrected one" in said


async def test_the_gm_s_hand_goes_on_there(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await broken(wire)
        for line in (
            "/gm add name:Rat",
            "/gm set target:Rat pool:HP value:9",
            "/gm damage target:Rat amount:2",
            "/gm set target:Rat pool:side value:Players",
            "/gm rename target:Rat to:Ratty",
            "/gm remove target:Ayla",
        ):
            await wire.type("Gwen", line)
            assert wire.refused is None, line
        room = await wire.tables.room_of("901", GUILD)
        assert room.table.active is not None
        (rat,) = room.table.active.combatants
        assert (rat.name, rat.side, rat.pools["HP"].now) == ("Ratty", "Players", 7)
        await wire.send("Gwen", "encounter options", {}, files={"file": ("mine.toml", QUICK.encode())})
        await wire.type("Gwen", "/encounter begin")
        assert wire.refused is None


OF_THE_ORDER = (  # these ask the kit whose turn it is
    ("Gwen", "/gm turn target:Ayla"),
    ("Gwen", "/gm next-phase"),
    ("Gwen", "/gm order names:Bran, Ayla, Ogre 1, Ogre 2"),
    ("Gwen", "/gm set target:Ayla pool:initiative value:9"),
    ("Gwen", "/init next"),
    ("Ana", "/act action:end"),
    ("Ana", "/act action:attack target:Ogre 1"),
    ("Ana", "/act action:attack target:Ogre 1 when:my-turn"),
)
OF_THE_HAND = (
    "/gm skip target:Ayla",
    "/gm set target:Ayla pool:HP value:3",
    "/gm heal target:Ayla amount:1",
    "/gm set target:table pool:FEAR value:3",
    "/gm add name:Zed",
    "/condition add target:Zed name:prone",
    "/gm note target:Zed text:burns",
    "/gm away target:Bran",
    "/encounter undo",
    "/encounter pause",
    "/encounter resume",
    "/encounter end",
)


def said(wire: Wire) -> str:
    """Return what was refused last."""
    return wire.refused or ""


async def test_in_the_midst_of_a_fight_what_asks_the_order_is_refused_with_the_mistake_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "high-first")
        assert room.encounter is not None
        room.table = room.table.evolve(encounter=room.encounter.evolve(tables=BROKEN))
        for who, line in OF_THE_ORDER:
            wire.refused = None
            await wire.type(who, line)
            assert "ordr is not a key here. Did you mean order? Hand in a corrected one" in said(wire), line
        for line in OF_THE_HAND:
            wire.refused = None
            await wire.type("Gwen", line)
            assert said(wire) == "", line


@pytest.mark.parametrize("command", ["encounter options", "act", "help", "character template"])
async def test_nothing_that_is_completed_there_goes_wrong(
    command: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    option = {"encounter options": "set", "act": "action", "help": "topic", "character template": "system"}[command]
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await broken(wire)
        await wire.complete("Gwen", command, option, {option: ""})
        assert "autocompletion" not in caplog.text


async def test_a_mended_file_is_taken_and_the_fight_goes_on(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await broken(wire)
        await wire.send("Gwen", "encounter options", {}, files={"file": ("mine.toml", QUICK.encode())})
        await wire.type("Gwen", "/encounter begin")
        room = await wire.tables.room_of("901", GUILD)
        assert room.table.active is not None
        assert room.table.active.status == "running"
        assert system_of(room.table.active).title == "Our own"
