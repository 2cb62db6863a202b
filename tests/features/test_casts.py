"""A cast from somebody's notes: a form, what was understood, one yes; and the next evening its name alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.wire import GUILD, Sent, Wire, wired

CAST = "3 Goblin HP 7 AC 13 +2\nBoss HP 30\nAssassin HP 2d8+9 +4 hidden"


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


def pressable(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components}


async def paste(wire: Wire, text: str, name: str = "") -> list[Sent]:
    opened = await wire.type("Gwen", "/encounter cast")
    assert opened[0].form
    return await wire.submit("Gwen", opened[0].data["custom_id"], {"lines": text, "name": name})


async def names_in(wire: Wire) -> list[str]:
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    return [each.name for each in room.encounter.cast]


async def test_a_cast_is_read_back_in_private_and_comes_in_with_one_yes(wire: Wire) -> None:
    started = await wire.type("Gwen", "/init start")
    (form,) = await wire.press("Gwen", pressable(started)["Paste a cast"])
    assert form.form
    told = await wire.submit("Gwen", form.data["custom_id"], {"lines": CAST, "name": ""})
    assert [each.reader is None for each in told] == [False]
    assert "**3 × Goblin**: HP 7, AC 13, initiative +2" in told[0].content
    assert "hidden until" in told[0].content
    assert await names_in(wire) == []
    done = await wire.press("Gwen", pressable(told)["Add all 5"])
    assert await names_in(wire) == ["Goblin 1", "Goblin 2", "Goblin 3", "Boss", "Assassin"]
    assert all("Assassin" not in str(each.data) for each in done if each.reader is None)
    again = await wire.press("Gwen", pressable(told)["Add all 5"])
    assert len(await names_in(wire)) == 5  # the yes was for the table as it was
    assert "Understood, 5" in again[0].content


async def test_a_saved_cast_comes_back_by_its_name_in_another_encounter(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    await paste(wire, "2 Rat HP 3", "Cellar")
    await wire.type("Gwen", "/encounter end")
    await wire.type("Gwen", "/init start")
    assert [each.value for each in await wire.complete("Gwen", "encounter cast", "name", {})] == ["Cellar"]
    assert await wire.complete("Ana", "encounter cast", "name", {}) == []
    told = await wire.type("Gwen", "/encounter cast name:cell")
    await wire.press("Gwen", pressable(told)["Add all 2"])
    assert await names_in(wire) == ["Rat 1", "Rat 2"]


async def test_somebody_who_has_added_a_cast_may_veil_its_numbers_by_a_press(wire: Wire) -> None:
    await wire.type("Gwen", "/init start options:npc_pools=exact")
    told = await paste(wire, "2 Rat HP 3")
    added = await wire.press("Gwen", pressable(told)["Add all 2"])
    await wire.press("Gwen", pressable(added)["Players read words, not numbers"])
    room = await wire.tables.room_of("901", GUILD)
    assert room.encounter is not None
    assert room.encounter.options["npc_pools"] == "words"


async def test_what_cannot_be_read_says_its_line_and_keeps_the_text(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    refused = await paste(wire, "Boss HP 30\n3 Goblin HP 7 loot")
    assert "Line 2" in refused[0].content
    (form,) = await wire.press("Gwen", pressable(refused)["Change"])
    assert form.components[0]["value"] == "Boss HP 30\n3 Goblin HP 7 loot"


async def test_a_line_that_is_not_read_costs_none_of_the_others(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    told = await paste(wire, "Boss HP 30\n3 Goblin HP 7 loot\n2 Rat HP 3")
    assert "Line 2" in told[0].content
    await wire.press("Gwen", pressable(told)["Add all 3"])
    assert await names_in(wire) == ["Boss", "Rat 1", "Rat 2"]


async def test_what_a_system_lacks_is_said_before_anybody_comes_in(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:tactics")
    told = await paste(wire, "Ogre HP 24 ATK 3")
    assert "still needs" in told[0].content
    assert list(pressable(told)) == ["Change"]


async def test_a_cast_is_the_gms_alone(wire: Wire) -> None:
    refused = await wire.type("Gwen", "/encounter cast")
    assert "/init start" in refused[0].content
    started = await wire.type("Gwen", "/init start")
    for sent in (
        await wire.type("Ana", "/encounter cast"),
        await wire.press("Ana", pressable(started)["Paste a cast"]),
    ):
        assert "GM" in sent[0].content
