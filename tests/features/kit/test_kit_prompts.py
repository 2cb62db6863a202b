"""What a kit's prompt shows: labels of reactions, pools that are shared, and nothing of those that nobody sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.posting.prompt_payload import prompt_payload
from bot.render.payload import Payload
from bot.table.room import Room
from rules.core.registry import system_of
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

KIT = """kit = 1
id = "answers"
order = { key = "{DEX}", ties = ["Players"] }
sheet = { DEX = 0 }
[pool]
HP = { start = 9, out = true }
VEIL = { start = 4, shown = "no" }
FURY = { of = "side", start = 1, most = 3 }
SPITE = { of = "side", start = 4, shown = "no" }
FEAR = { of = "table", start = 2, most = 6 }
GLOOM = { of = "table", start = 4, shown = "no" }
[action.poke]
label = "Prod"
usual = 1
target = "foe"
do = ["target loses 1 HP", "table loses 1 GLOOM", "side loses 1 SPITE"]
[reaction]
duck = { label = "Roll aside", to = "targeted", do = ["it is stopped"] }
[words]
decline = "Stand still"
"""
UNSEEN = ("VEIL", "SPITE", "GLOOM")


async def begun(wire: Wire, kit: str = KIT) -> Room:
    await wire.send("Gwen", "encounter start", {"name": "X"}, files={"file": ("mine.toml", kit.encode())})
    for who, line in (("Ana", "/init join name:Ayla"), ("Gwen", "/gm add name:Ogre"), ("Gwen", "/encounter begin")):
        await wire.type(who, line)
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def prompt(wire: Wire, room: Room) -> Payload:
    found = prompt_payload(wire.tables.people, room, room.public_view(), room.story)
    assert found is not None
    return found


def labels(payload: Payload) -> list[str]:
    return [str(each["label"]) for each in _buttons(payload)]


def _buttons(payload: Payload) -> list[dict[str, Any]]:
    return [each for row in payload.components for each in row["components"]]


async def test_a_reaction_and_what_declines_it_have_the_kit_s_words_on_their_buttons(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire)
        assert "Prod Ogre" in labels(prompt(wire, room))
        await wire.type("Ana", "/act action:poke target:Ogre")
        await wire.settle()
        asked = prompt(wire, room)
        assert labels(asked)[:2] == ["React…", "Let it pass"]
        react = next(str(each["custom_id"]) for row in asked.components for each in row["components"])
        (shown,) = await wire.press("Gwen", react, private=False)
        found = {str(each["label"]): str(each["custom_id"]) for each in shown.components}
        assert {"Roll aside", "Let it pass"} <= found.keys()
        await wire.press("Gwen", found["Roll aside"])
        await wire.settle()
        state = room.table.active
        assert state is not None
        assert state.combatant("Ogre").pools["HP"].now == 9, "it was stopped"
        assert state.questions == ()


async def test_the_prompt_shows_the_pools_of_sides_and_table_with_their_values(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire)
        lines = prompt(wire, room).embeds[0]["description"].splitlines()
        assert lines[-3:] == ["Table: FEAR 2/6", "Players: FURY 1/3", "GM: FURY 1/3"]
        await wire.type("Gwen", "/gm set target:table pool:FEAR value:5")
        await wire.type("Gwen", "/gm set target:GM pool:FURY value:0")
        await wire.settle()
        lines = prompt(wire, room).embeds[0]["description"].splitlines()
        assert lines[-3:] == ["Table: FEAR 5/6", "Players: FURY 1/3", "GM: FURY 0/3"]


@pytest.mark.parametrize("pool", UNSEEN)
async def test_what_nobody_sees_leaves_the_bot_for_nobody_who_may_not_see_it(pool: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await begun(wire, KIT.replace(pool, "CANARY"))
        heard: list[Sent] = []
        wire.watch = heard.append
        target = {"VEIL": "Ogre", "SPITE": "GM", "GLOOM": "table"}[pool]
        for who, line in (
            ("Ana", "/act action:poke target:Ogre"),
            ("Gwen", "/act action:decline"),
            ("Gwen", f"/gm set target:{target} pool:CANARY value:2"),
            ("Gwen", "/encounter undo"),
            ("Gwen", "/encounter redo"),
        ):
            await wire.type(who, line)
            assert wire.refused is None, line
        for line in ("/turn", "/encounter show", "/encounter log", "/encounter log file:True", "/encounter export"):
            await wire.type("Cai", line)
        await wire.settle()
        told = [sent for sent in heard if sent.reader != PEOPLE["Gwen"]]
        assert len(told) > 5
        for sent in told:
            if sent.reader == PEOPLE["Ana"] and pool != "GLOOM":
                continue  # her own
            text = json.dumps(sent.data, ensure_ascii=False)
            for file in sent.files:
                exported = file.data.decode("utf-8", "replace")
                if file.name.endswith(".json"):
                    content = json.loads(exported)
                    content.pop("kit")  # the file is everybody's; what a pool is at is not
                    for row in content["log"]:
                        row["command"].get("args", row["command"]).pop("file", None)
                    exported = json.dumps(content)
                text += exported
            assert "CANARY" not in text, (sent.reader, text[max(0, text.index("CANARY") - 200) :][:400])


async def test_who_has_acted_may_end_the_turn_while_others_are_asked(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire)
        await wire.type("Ana", "/act action:poke target:Ogre")
        await wire.settle()
        (ends,) = [each for each in _buttons(prompt(wire, room)) if each["label"] == "Then end the turn (Ayla)"]
        await wire.press("Ana", str(ends["custom_id"]), private=False)
        await wire.type("Gwen", "/act action:decline")
        await wire.settle()
        assert room.encounter is not None
        assert system_of(room.encounter).turn(room.encounter) == ("Ogre",)


async def test_an_action_that_ends_the_turn_itself_leaves_no_end_to_order(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, KIT.replace("usual = 1", "usual = 1\nends = true"))
        await wire.type("Ana", "/act action:poke target:Ogre")
        await wire.settle()
        assert [each for each in labels(prompt(wire, room)) if each.startswith("Then end")] == []


async def test_what_an_action_costs_is_a_detail_of_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        kit = KIT.replace("usual = 1", 'usual = 1\ncost = "1 WILL"').replace("VEIL", "WILL = { start = 2 }\nVEIL", 1)
        room = await begun(wire, kit)
        await wire.type("Ana", "/act action:poke target:Ogre")
        await wire.settle()
        asked = prompt(wire, room)
        assert "WILL 2" not in asked.content
        assert "Details" in labels(asked)
