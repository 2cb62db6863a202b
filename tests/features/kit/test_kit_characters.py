"""Characters for kits (kits 12): templates, forms and saved sheets by a kit's id, and who is meant by `/join`.

A kit's id is known in its encounter, in the server that keeps it, and everywhere if the program ships it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

NEEDY = """kit = 1
id = "needy"
title = "The needy kit"
[order]
key = "1d20+{DEX}"
[sheet]
DEX = "needed"
LUCK = 2
[pool]
HP = { start = 10, out = true }
"""


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


async def start(wire: Wire, text: str = NEEDY) -> None:
    await wire.send("Gwen", "encounter start", {}, files={"file": ("mine.toml", text.encode())})


async def save(wire: Wire, text: str = NEEDY) -> None:
    await wire.send("Gwen", "kit save", {}, files={"file": ("mine.toml", text.encode())})


def words(sent: list[Sent]) -> str:
    return " ".join(json.dumps(each.data, ensure_ascii=False) for each in sent)


def pressable(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components if "label" in each}


def prefilled(form: Sent) -> dict[str, str]:
    assert form.form
    return {each["custom_id"]: each.get("value", "") for each in form.components}


def template(sent: list[Sent]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sent[-1].files[0].data)
    return found


async def cast(wire: Wire) -> dict[str, str | None]:
    active = (await wire.tables.room_of("901", GUILD)).table.active
    assert active is not None
    return {each.name: each.owner for each in active.combatants}


async def test_without_a_character_that_a_kit_needs_you_are_told_what_is_missing_and_given_its_form(
    wire: Wire,
) -> None:
    await start(wire)
    refused = await wire.type("Ana", "/join")
    assert "Ana lacks DEX for The needy kit." in refused[0].content
    assert "/character add name:Ana system:needy sheet:DEX 3" in refused[0].content
    (form,) = await wire.press("Ana", pressable(refused)["Make a character"])
    assert prefilled(form)["lines"] == "HP 10, DEX 3, LUCK 2"
    done = await wire.submit("Ana", form.data["custom_id"], {"name": "Rhea", "lines": "DEX 4"})
    assert await cast(wire) == {"Rhea": PEOPLE["Ana"]}
    assert "You are in." in words(done)


async def test_what_the_refusal_of_join_says_to_type_is_what_brings_one_in(wire: Wire) -> None:
    await start(wire)
    await wire.type("Ana", "/join")
    await wire.type("Ana", "/character add name:Ana system:needy sheet:DEX 3")
    await wire.type("Ana", "/join")
    assert await cast(wire) == {"Ana": PEOPLE["Ana"]}


async def test_a_form_keeps_what_was_mistyped_for_a_kit_too(wire: Wire) -> None:
    await start(wire)
    (form,) = await wire.press("Ana", pressable(await wire.type("Ana", "/join"))["Make a character"])
    typed = {"name": "Rhea", "lines": "LUCK 2"}
    refused = await wire.submit("Ana", form.data["custom_id"], typed)
    assert "Rhea lacks DEX" in words(refused)
    typed = {"name": "Rhea", "lines": "12 monkeys"}
    refused = await wire.submit("Ana", form.data["custom_id"], typed)
    (again,) = await wire.press("Ana", pressable(refused)["Change"])
    assert prefilled(again) == typed


async def test_a_kit_of_the_library_has_a_template_that_is_saved_and_joins(wire: Wire) -> None:
    given = await wire.type("Ana", "/character template system:fast-slow")
    file = template(given)
    assert file["system"] == "fast-slow"
    assert file["sheet"] == {"HEALTH": 12, "ATK": 1, "DEF": 10, "DMG": "1d6"}
    assert given[-1].files[0].name == "fast-slow-character.json"
    saved = await wire.send("Ana", "character import", {}, files={"file": ("a.json", given[-1].files[0].data)})
    assert "HEALTH 12/12" in words(saved)
    assert "(fast-slow)" in words(await wire.type("Ana", "/character show name:Ana"))
    assert "(fast-slow)" in words(await wire.type("Ana", "/character list"))
    await wire.type("Gwen", "/encounter start system:fast-slow")
    await wire.type("Ana", "/join")
    assert await cast(wire) == {"Ana": PEOPLE["Ana"]}


async def test_a_kit_of_the_server_has_a_template_and_looks_at_sheets_until_it_is_deleted(wire: Wire) -> None:
    await save(wire)
    file = template(await wire.type("Ana", "/character template system:needy"))
    assert (file["system"], file["sheet"]) == ("needy", {"HP": 10, "DEX": 3, "LUCK": 2})
    added = words(await wire.type("Ana", "/character add name:Rhea system:needy sheet:LUCK 1"))
    assert "DEX" in added
    assert "dice such as 2d6" in words(await wire.type("Ana", "/character edit name:Rhea sheet:DEX many"))
    await wire.type("Gwen", "/kit delete name:needy")
    changed = words(await wire.type("Ana", "/character edit name:Rhea sheet:DEX 5"))
    assert "The kit needy is not on this server" in changed
    assert "DEX **5**" in words(await wire.type("Ana", "/character show name:Rhea"))


async def test_the_kit_in_play_is_known_though_nobody_saved_it_and_before_one_of_its_id(wire: Wire) -> None:
    await save(wire, NEEDY.replace("LUCK = 2", "NERVE = 7"))
    await start(wire)
    assert template(await wire.type("Ana", "/character template system:needy"))["sheet"] == {
        "HP": 10,
        "DEX": 3,
        "LUCK": 2,
    }
    other = await wire.type("Ana", "/character template system:needy", channel="902")
    assert template(other)["sheet"] == {"HP": 10, "DEX": 3, "NERVE": 7}


async def test_an_unsaved_kit_is_unknown_in_another_channel_and_the_nearest_is_named(wire: Wire) -> None:
    await start(wire)
    assert "No system is called needy" in words(
        await wire.type("Ana", "/character template system:needy", channel="902")
    )
    for line in ("/character template system:fast-slwo", "/character add name:A sheet:HP 3 system:fast-slwo"):
        assert "Try: fast-slow, " in words(await wire.type("Ana", line))
    assert template(await wire.type("Ana", "/character template system:fast"))["system"] == "fast-slow"


async def test_only_characters_of_this_kit_are_meant_by_join(wire: Wire) -> None:
    await save(wire)
    await wire.type("Ana", "/character add name:Rhea system:needy sheet:DEX 1")
    await wire.type("Ana", "/character add name:Fast system:fast-slow sheet:ATK 1")
    await wire.type("Ana", "/character add name:Old system:classic sheet:HP 1")
    await wire.type("Gwen", "/encounter start system:needy")
    await wire.type("Ana", "/join")
    assert await cast(wire) == {"Rhea": PEOPLE["Ana"]}
    await wire.type("Bo", "/character add name:Any sheet:DEX 2")
    await wire.type("Bo", "/character add name:Due system:needy sheet:DEX 2")
    await wire.type("Bo", "/join")
    assert wire.refused is not None
    assert "Add character: and one of Any, Due" in wire.refused


async def test_the_template_s_form_of_a_kit_is_saved_and_offers_to_join(wire: Wire) -> None:
    await save(wire)
    await wire.type("Gwen", "/encounter start system:needy")
    given = await wire.type("Ana", "/character template system:needy")
    (form,) = await wire.press("Ana", pressable(given)["Fill it in here"])
    assert form.data["title"] == "A character: The needy kit"
    saved = await wire.submit("Ana", form.data["custom_id"], prefilled(form))
    await wire.press("Ana", pressable(saved)["Join as Ana"])
    assert await cast(wire) == {"Ana": PEOPLE["Ana"]}


async def test_a_form_of_a_kit_that_is_gone_says_so(wire: Wire) -> None:
    await save(wire)
    given = await wire.type("Ana", "/character template system:needy")
    await wire.type("Gwen", "/kit delete name:needy")
    await wire.press("Ana", pressable(given)["Fill it in here"])
    assert wire.refused is not None
    assert "needy" in wire.refused
    assert "/character template" in wire.refused


async def test_a_kit_with_long_dice_has_a_form_that_discord_takes_and_a_file_with_all_of_it(wire: Wire) -> None:
    dice = "+".join(["1d6"] * 99)
    keys = "".join(f'KEY{number} = "{dice}"\n' for number in range(30))
    await save(wire, f'kit = 1\nid = "a-kit-with-a-long-id-42"\ntitle = "{"T" * 40}"\n[sheet]\n{keys}')
    given = await wire.type("Ana", "/character template system:a-kit")
    assert len(template(given)["sheet"]) >= 30
    (form,) = await wire.press("Ana", pressable(given)["Fill it in here"])
    assert "KEY0 " in prefilled(form)["lines"]
    name = "N" * 32
    saved = await wire.submit("Ana", form.data["custom_id"], {"name": name, "lines": prefilled(form)["lines"]})
    assert "is saved" in words(saved)
    assert "(a-kit-with-a-long-id-42)" in words(await wire.type("Ana", f"/character show name:{name}"))
    await wire.send("Ana", "character import", {}, files={"file": ("a.json", given[-1].files[0].data)})
    assert "(a-kit-with-a-long-id-42)" in words(await wire.type("Ana", "/character show name:Ana"))


async def test_system_is_completed_with_the_kit_in_play_the_server_s_and_the_library_s(wire: Wire) -> None:
    await save(wire, NEEDY.replace('"needy"', '"newer"').replace("The needy kit", "Newer"))
    await start(wire)
    for command in ("character template", "character add"):
        offered = await wire.complete("Ana", command, "system", {"system": "ne"})
        assert [each.name for each in offered][:2] == [
            "needy: The needy kit (kit played here)",
            "newer: Newer (kit of this server)",
        ]
        offered = await wire.complete("Ana", command, "system", {"system": "fast"})
        assert [each.value for each in offered] == ["fast-slow"]


async def test_the_options_of_a_kit_that_is_about_to_start_are_completed_as_a_system_s_are(wire: Wire) -> None:
    await save(wire)
    for kit in ("fast-slow", "needy"):
        offered = await wire.complete("Gwen", "encounter start", "options", {"system": kit, "options": "plain"})
        assert [each.value for each in offered] == ["plain=on", "plain=off"]
    assert await wire.complete("Gwen", "encounter start", "options", {"system": "chess", "options": "plain"}) == []


async def test_the_list_of_encounters_says_the_title_of_each_kit(wire: Wire) -> None:
    await start(wire)
    await wire.type("Gwen", "/encounter pause")
    await wire.type("Gwen", "/encounter start system:fast-slow name:Bridge")
    await wire.type("Gwen", "/encounter end")
    await wire.type("Gwen", "/encounter start system:zipper name:Tower")
    await wire.type("Gwen", "/encounter start system:classic name:Hall", channel="902")
    here = words(await wire.type("Gwen", "/encounter list"))
    assert "(The needy kit): paused" in here
    assert "**Bridge** (Fast and slow): ended" in here
    assert "**Tower** (Zipper): gathering" in here
    assert "(kit)" not in here
    server = words(await wire.type("Gwen", "/encounter list server:True"))
    assert "(The needy kit): paused" in server
    assert "**Hall** (" in server
    assert "(kit)" not in server
