"""Stat blocks as they are pasted, from every door: one line that is not read never costs the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from rules.core.values import Combatant
from tests.wire import Sent, Wire, wired

GOBBLER = """Mire Gobbler
Small humanoid, neutral evil
Armor Class 14 (hide, shield)
Hit Points 9 (2d6 + 2)
Speed 30 ft.
STR DEX CON INT WIS CHA
8 (-1) 14 (+2) 12 (+1) 10 (+0) 9 (-1) 6 (-2)
Challenge 1/4 (50 XP)
what is this line
Slip Away. The gobbler can take the Hide action as a bonus action.
Actions
Hooked Blade. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage."""
SENTINEL = """Tomb Sentinel
Creature 4
Perception +10; darkvision
AC 21; Fort +8, Ref +10, Will +11
HP 55
Melee ◆ longsword +14 (versatile P), Damage 1d8+8 slashing"""
WALKER = "Bone Walker: AC 13, HD 2+1, Att 1 club 1d4, MV 12, ML 12"
OTHER_WAY = "AC 6, HD 1, Att 1 spear 1d6, MV 9, ML 7"


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        await opened.type("Gwen", "/init start")
        yield opened


def buttons(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components if "label" in each}


def told(sent: list[Sent]) -> str:
    return "\n".join(each.content for each in sent if each.reader is not None)


async def cast_of(wire: Wire) -> dict[str, Combatant]:
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    return {each.name: each for each in room.encounter.cast}


async def test_several_blocks_come_in_from_one_paste_with_the_lines_between_them(wire: Wire) -> None:
    opened = await wire.type("Gwen", "/encounter cast")
    text = "\n".join((f"3 {GOBBLER}", "2 Rat HP 3", SENTINEL, WALKER, "Boss HP 30 hidden"))
    read = await wire.submit("Gwen", opened[0].data["custom_id"], {"lines": text, "name": ""})
    assert "what is this line" in told(read)
    await wire.press("Gwen", buttons(read)["Add all 8"])
    cast = await cast_of(wire)
    assert set(cast) == {
        "Mire Gobbler 1", "Mire Gobbler 2", "Mire Gobbler 3", "Rat 1", "Rat 2", "Tomb Sentinel", "Bone Walker", "Boss",
    }  # fmt: skip
    gobbler = cast["Mire Gobbler 3"]
    assert (gobbler.pools["HP"].now, gobbler.number("AC"), gobbler.number("INITIATIVE")) == (9, 14, 2)
    assert [each.name for each in gobbler.abilities] == ["Slip Away", "Hooked Blade"]
    assert gobbler.abilities[0].source == "The gobbler can take the Hide action as a bonus action."
    assert gobbler.abilities[1].field("damage") == "1d6+2 slashing"
    assert cast["Tomb Sentinel"].abilities[0].field("hit") == "+14"
    assert 3 <= cast["Bone Walker"].pools["HP"].now <= 17
    assert cast["Boss"].hidden


@pytest.mark.parametrize("command", ["/gm add", "/init add"])
async def test_a_block_is_a_sheet_with_and_without_its_line_breaks(wire: Wire, command: str) -> None:
    flat = " ".join(GOBBLER.replace("what is this line\n", "").split())
    sent = await wire.type("Gwen", f"{command} name:Gob count:2 sheet:{flat}")
    cast = await cast_of(wire)
    assert [each.pools["HP"].now for each in cast.values()] == [9, 9]
    assert cast["Gob 1"].abilities[1].field("hit") == "+4"
    assert "hp:2d6+2" in told(sent)
    assert "**Hooked Blade**. I do: an attack with +4" in told(sent)


async def test_health_that_a_block_gives_as_hit_dice_is_rolled_for_each(wire: Wire) -> None:
    await wire.type("Gwen", f"/gm add name:Bones count:2 sheet:{WALKER.partition(': ')[2]}")
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert all(3 <= each.pools["HP"].now <= 17 for each in room.encounter.cast)


async def test_health_with_dice_beside_it_is_rolled_for_each_at_a_press(wire: Wire) -> None:
    opened = await wire.type("Gwen", "/encounter cast")
    read = await wire.submit("Gwen", opened[0].data["custom_id"], {"lines": f"5 {GOBBLER}", "name": ""})
    again = await wire.press("Gwen", buttons(read)["Roll HP for each"])
    assert "Roll HP for each" not in buttons(again)
    await wire.press("Gwen", buttons(again)["Add all 5"])
    cast = await cast_of(wire)
    assert all(4 <= each.pools["HP"].now <= 14 for each in cast.values())
    assert len({each.pools["HP"].now for each in cast.values()}) > 1


async def test_an_armor_class_that_can_count_both_ways_is_asked_once(wire: Wire) -> None:
    asked = await wire.type("Gwen", f"/gm add name:Orc count:2 sheet:{OTHER_WAY}")
    assert await cast_of(wire) == {}
    await wire.press("Gwen", next(press for label, press in buttons(asked).items() if label == "descending"))
    assert [each.number("AC") for each in (await cast_of(wire)).values()] == [13, 13]
    opened = await wire.type("Gwen", "/encounter cast")
    asked = await wire.submit("Gwen", opened[0].data["custom_id"], {"lines": f"Brute: {OTHER_WAY}", "name": ""})
    read = await wire.press("Gwen", next(press for label, press in buttons(asked).items() if label == "Ascending"))
    await wire.press("Gwen", buttons(read)["Add it"])
    assert (await cast_of(wire))["Brute"].number("AC") == 6


async def test_a_character_is_made_from_a_block_and_joins_with_it(wire: Wire) -> None:
    flat = " ".join(SENTINEL.split())
    saved = await wire.type("Ana", f"/character add name:Guard system:classic sheet:{flat}")
    assert "**Longsword**. I do: an attack with +14" in told(saved)
    await wire.type("Ana", "/init join character:Guard")
    guard = (await cast_of(wire))["Guard"]
    assert (guard.pools["HP"].top, guard.number("FORT")) == (55, 8)
    asked = await wire.type("Ana", f"/character add name:Orc system:classic sheet:{OTHER_WAY}")
    saved = await wire.press("Ana", next(press for label, press in buttons(asked).items() if label == "Descending"))
    assert "AC 13" in told(saved)


async def test_a_form_takes_a_block_and_plain_attack_lines(wire: Wire) -> None:
    for name, text in (
        ("Guard", SENTINEL),
        ("Ann", "HP 12 (2d8+3)\nAC 13\nLongsword +5 1d8+3\nTorch: kind item; light 4"),
    ):
        opened = await wire.type("Ana", "/character template system:classic")
        form = await wire.press("Ana", buttons(opened)["Fill it in here"])
        await wire.submit("Ana", form[0].data["custom_id"], {"name": name, "lines": text})
        await wire.type("Ana", f"/init join character:{name}")
    cast = await cast_of(wire)
    assert cast["Guard"].abilities[0].field("damage") == "1d8+8 slashing"
    assert {each.name: each.field("hit") for each in cast["Ann"].abilities} == {"Longsword": "+5", "Torch": ""}
    assert cast["Ann"].pools["HP"].now == 12


async def test_plain_attack_lines_may_be_between_the_keys_of_a_sheet(wire: Wire) -> None:
    sent = await wire.type("Gwen", "/init add name:Guard sheet:HP 12, AC 13, Longsword +5 1d8+3, ???")
    guard = (await cast_of(wire))["Guard"]
    assert (guard.pools["HP"].now, guard.abilities[0].field("damage")) == (12, "1d8+3")
    assert "???" in told(sent)


async def _character(wire: Wire, name: str) -> Combatant:
    await wire.type("Ana", f"/init join character:{name}")
    return (await cast_of(wire))[name]


@pytest.mark.parametrize("text", [GOBBLER, SENTINEL, "HP 9, AC 14, Hooked Blade +4 1d6+2 slashing"])
async def test_an_edit_takes_a_block_and_keeps_what_it_does_not_say(wire: Wire, text: str) -> None:
    await wire.type("Ana", "/character add name:Mog system:classic sheet:HP 3, LUCK 2")
    await wire.type("Ana", "/character ability name:Mog ability:Kick fields:hit +1; damage 1d4")
    await wire.type("Ana", f"/character edit name:Mog sheet:{' '.join(text.split())}")
    mog = await _character(wire, "Mog")
    assert (mog.number("LUCK"), mog.pools["HP"].now) == (2, 55 if text == SENTINEL else 9)
    assert mog.ability("Kick") is not None
    assert any(each.field("hit") in ("+4", "+14") for each in mog.abilities)


async def test_an_edit_asks_which_way_an_armor_class_counts(wire: Wire) -> None:
    await wire.type("Ana", "/character add name:Mog system:classic sheet:HP 3, AC 11")
    asked = await wire.type("Ana", f"/character edit name:Mog sheet:{OTHER_WAY}")
    await wire.press("Ana", next(press for label, press in buttons(asked).items() if label == "Descending"))
    assert (await _character(wire, "Mog")).number("AC") == 13


@pytest.mark.parametrize(
    "words",
    [
        "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.",
        "Melee ◆ blade +4 (agile), Damage 1d6+2 slashing",
        "+4 1d6+2 slashing",
        "hit +4; damage 1d6+2 slashing",
    ],
)
async def test_an_ability_is_typed_as_a_stat_block_tells_it(wire: Wire, words: str) -> None:
    await wire.type("Ana", "/character add name:Mog system:classic sheet:HP 9, INITIATIVE 30")
    await wire.type("Ana", f"/character ability name:Mog ability:Blade fields:{words}")
    mog = await _character(wire, "Mog")
    assert [(each.name, each.field("hit"), each.field("damage")) for each in mog.abilities] == [
        ("Blade", "+4", "1d6+2 slashing")
    ]
