"""A whole character in one form: from `/join` or `/character template` to the fight, with what was mistyped kept."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from rules.core.registry import systems
from rules.core.sheets.character_text import character_text, parse_character_text
from rules.errors import Malformed
from tests.wire import PEOPLE, Sent, Wire, wired

RHEA = """STAMINA 10, WILLPOWER 4
SPECIALTIES: Arm + Courage + Eyes + Run
- Sword: kind weapon; specialty Arm; damage 1d6
Battle Cry: type Support; rebound 1; damage 2; text All of ours cheer.
Pack: kind bag"""


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


def pressable(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components if "label" in each}


def prefilled(form: Sent) -> dict[str, str]:
    assert form.form
    return {each["custom_id"]: each.get("value", "") for each in form.components}


async def names_in(wire: Wire) -> dict[str, str | None]:
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    return {each.name: each.owner for each in room.encounter.combatants}


async def test_a_player_without_a_character_makes_one_and_is_in_with_three_commands_and_presses(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:adventurers")
    refused = await wire.type("Ana", "/join")
    assert "/character add" in refused[0].content
    (form,) = await wire.press("Ana", pressable(refused)["Make a character"])
    assert prefilled(form)["name"] == "Ana"
    done = await wire.submit("Ana", form.data["custom_id"], {"name": "Rhea", "lines": RHEA})
    assert await names_in(wire) == {"Rhea": PEOPLE["Ana"]}
    private = next(each for each in done if each.reader is not None)
    assert "Rhea is saved." in private.content
    assert "STAMINA 10/10" in private.content
    assert "You are in." in private.content
    shown = await wire.type("Ana", "/character show name:Rhea")
    assert "Battle Cry" in str([each.data for each in shown])


async def test_the_template_is_a_form_with_the_systems_example(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:adventurers")
    given = await wire.type("Ana", "/character template system:adventurers")
    assert given[0].files
    (form,) = await wire.press("Ana", pressable(given)["Fill it in here"])
    saved = await wire.submit("Ana", form.data["custom_id"], prefilled(form))
    assert await names_in(wire) == {}
    await wire.press("Ana", pressable(saved)["Join as Ana"])
    assert await names_in(wire) == {"Ana": PEOPLE["Ana"]}


async def test_what_was_mistyped_is_in_the_form_again(wire: Wire) -> None:
    given = await wire.type("Ana", "/character template system:tactics")
    (form,) = await wire.press("Ana", pressable(given)["Fill it in here"])
    typed = {"name": "Kell", "lines": "INT 1, AGI 2\nSword: kind power; phase battle; damage 1d6+\nTIER many"}
    refused = await wire.submit("Ana", form.data["custom_id"], typed)
    assert "Kell" in refused[0].content
    (again,) = await wire.press("Ana", pressable(refused)["Change"])
    assert prefilled(again) == typed
    (stolen,) = await wire.press("Bo", pressable(refused)["Change"])
    assert not stolen.form
    assert "Kell" not in str([each.data for each in await wire.type("Ana", "/character list")])


async def test_the_same_template_twice_is_two_characters_and_pasted_json_is_read_too(wire: Wire) -> None:
    for name in ("Ana", "Ana 2"):
        given = await wire.type("Ana", "/character template system:classic")
        file = given[0].files[0].data
        assert json.loads(file)["name"] == name
        wire.uploads["https://files/1"] = file
        await wire.send("Ana", "character import", {}, files={"file": ("a.json", file)})
    (form,) = await wire.press("Ana", pressable(given)["Fill it in here"])
    assert prefilled(form)["name"] == "Ana 3"
    pasted = await wire.submit("Ana", form.data["custom_id"], {"name": "Ana 3", "lines": file.decode()})
    assert "Ana 3 is saved." in pasted[0].content


@pytest.mark.parametrize("system", sorted(systems()))
def test_the_example_of_every_system_reads_as_its_template(system: str) -> None:
    table = systems()[system].sheet
    template = table.template()
    read = parse_character_text(character_text(table), table)
    fields, abilities = read.fields, read.abilities
    sheet, examples = template["sheet"], template["abilities"]
    assert isinstance(sheet, dict)
    assert isinstance(examples, list)
    assert {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()} == {
        key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in sheet.items()
    }
    assert [each.model_dump(exclude={"written", "source", "sheet"}) for each in abilities] == examples


def test_a_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(Malformed, match=r"12 monkeys is not a sheet entry"):
        parse_character_text("HP 20\n12 monkeys", systems()["classic"].sheet)
