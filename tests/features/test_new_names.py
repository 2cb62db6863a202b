"""What a name may be, and by what it is found, wherever somebody gives or types one (design 3.2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from data.shelf_names import own_shelf
from tests.wire import Sent, Wire, wired

UNSEEN = {
    "hangul filler": "\u3164",
    "braille blank": "\u2800",
    "grapheme joiner": "A\u034fna",
    "joiner outside emoji": "A\u200dna",
    "selector outside emoji": "A\ufe0fna",
    "five marks": "a\u0301\u0302\u0303\u0304\u0305\u0306na",
    "punctuation alone": "???",
    "tag letters": "Ana\U000e0041",
    "a mention": "@Ana",
    "a channel": "#ana",
    "a command": "/ana",
}
RESERVED = ("GM", "all", "Self", "target", "table", "everyone", "soulweaver", "improvised", "Players")


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


async def do(wire: Wire, who: str, path: str, **options: Any) -> list[Sent]:
    return await wire.send(who, path, options)


async def names_in(wire: Wire) -> list[str]:
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    return [each.name for each in room.encounter.cast]


def pressable(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components}


@pytest.mark.parametrize("name", [*UNSEEN.values(), *RESERVED])
async def test_a_name_that_nobody_sees_or_that_commands_have_is_refused_for_the_one_who_gives_it(
    wire: Wire, name: str
) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "init add", name=name, count=1)
    await do(wire, "Ana", "init join", name=name)
    assert await names_in(wire) == []
    await do(wire, "Gwen", "init add", name="Ogre")
    await do(wire, "Gwen", "gm rename", target="Ogre", to=name)
    assert await names_in(wire) == ["Ogre"]


@pytest.mark.parametrize("name", list(UNSEEN.values()))
async def test_what_nobody_sees_is_no_name_of_what_is_saved(wire: Wire, name: str) -> None:
    await do(wire, "Ana", "character add", name=name, sheet="HP 3")
    await do(wire, "Ana", "macro save", name=name, dice="1d6")
    await do(wire, "Gwen", "encounter start", system="classic", name=name)
    assert not await wire.store.characters("900", wire.people["Ana"])
    assert not await wire.store.macros(wire.people["Ana"])
    assert (await wire.tables.room_of("901", "900")).encounter is None


@pytest.mark.parametrize("name", ["Ana 👩‍🚀", "❤️ Bo", "1️⃣", "کتاب‌خانه", "क्‍ष", "Đặng", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Rob", "Zoë"])
async def test_joiners_selectors_and_marks_stay_with_their_letters(wire: Wire, name: str) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "init add", name=name)
    (added,) = await names_in(wire)
    assert added == name


@pytest.mark.parametrize(
    ("there", "typed"),
    [("O'Neil", "O’Neil"), ("Jean–Luc", "jean-luc"), ("Ana Lee", "Ana\u00a0Lee"), ("Bob", "Bo\u200bb"), ("❤️", "❤")],
)
async def test_a_name_is_found_and_taken_however_it_is_typed(wire: Wire, there: str, typed: str) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "init add", name=there, hp="9")
    await do(wire, "Gwen", "gm damage", target=typed, amount="2")
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert room.encounter.cast[0].pools["HP"].now == 7
    await do(wire, "Gwen", "init add", name="Ogre")
    await do(wire, "Gwen", "gm rename", target="Ogre", to=typed)
    assert (await names_in(wire))[1] == "Ogre"
    offered = await wire.complete("Gwen", "gm damage", "target", {"target": typed})
    assert there in [each.value for each in offered]


async def test_saved_characters_macros_and_conditions_are_found_by_any_apostrophe(wire: Wire) -> None:
    await do(wire, "Ana", "character add", name="O'Neil", sheet="HP 9")
    await do(wire, "Ana", "character edit", name="O’Neil", sheet="HP 8")
    await do(wire, "Ana", "character add", name="O’Neil", sheet="HP 1")
    (saved,) = await wire.store.characters("900", wire.people["Ana"])
    assert '"HP":8' in saved.document.replace(" ", "")
    await do(wire, "Ana", "macro save", name="Hunter's Bow", dice="1d8")
    await do(wire, "Ana", "macro save", name="Hunter’s Bow", dice="1d6")
    assert "d6" in str([each.data for each in await do(wire, "Ana", "roll", dice="Hunter’s Bow + 1")])
    assert [macro.dice for macro in await wire.store.macros(wire.people["Ana"])] == ["1d6"]
    await wire.type("Gwen", "/init start")
    await do(wire, "Ana", "join", character="o’neil")
    assert await names_in(wire) == ["O'Neil"]
    await do(wire, "Gwen", "condition add", target="O’Neil", name="Hunter's Mark")
    await do(wire, "Gwen", "condition add", target="O’Neil", name="Hunter’s Mark")
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert len(room.encounter.cast[0].conditions) == 1
    await do(wire, "Gwen", "condition remove", target="O’Neil", name="hunter’s mark")
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert not room.encounter.cast[0].conditions


async def test_a_name_of_another_script_is_asked_about_once_and_kept_or_changed(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Ana", "init join", name="Ana")
    asked = await do(wire, "Bo", "init join", name="\u0410na")
    assert await names_in(wire) == ["Ana"]
    assert set(pressable(asked)) == {"Keep", "Change"}
    (form,) = await wire.press("Bo", pressable(asked)["Change"])
    assert form.form
    await wire.submit("Bo", form.data["custom_id"], {"name": "Anya"})
    assert await names_in(wire) == ["Ana", "Anya"]
    asked = await do(wire, "Gwen", "gm rename", target="Anya", to="\u0410na")
    await wire.press("Gwen", pressable(asked)["Keep"])
    assert await names_in(wire) == ["Ana", "\u0410na"]


async def test_what_is_saved_under_a_name_of_another_script_is_asked_about_too(wire: Wire) -> None:
    for path, given in (("character add", {"sheet": "HP 3"}), ("macro save", {"dice": "1d6"})):
        await do(wire, "Ana", path, name="Bow", **given)
        asked = await do(wire, "Ana", path, name="B\u043ew", **given)
        assert set(pressable(asked)) == {"Keep", "Change"}
        await wire.press("Ana", pressable(asked)["Keep"])
    assert [row.name for row in await wire.store.characters("900", wire.people["Ana"])] == ["Bow", "B\u043ew"]
    assert [row.name for row in await wire.store.macros(wire.people["Ana"])] == ["Bow", "B\u043ew"]


async def asked_about(wire: Wire, who: str, path: str, **options: Any) -> dict[str, str]:
    """Give a name that looks like one that is there, and return the two answers."""
    answers = pressable(await do(wire, who, path, **options))
    assert set(answers) == {"Keep", "Change"}, path
    return answers


async def test_a_group_is_asked_about_too(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "init add", name="Rat", group="Bone")
    asked = await asked_about(wire, "Gwen", "init add", name="Ogre", group="B\u043ene")
    await wire.press("Gwen", asked["Keep"])
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert [each.group for each in room.encounter.cast] == ["Bone", "B\u043ene"]


async def test_a_side_and_a_condition_are_asked_about_too(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "init add", name="Ogre", side="Bone")
    asked = await asked_about(wire, "Gwen", "init add", name="Rat", side="B\u043ene")
    (form,) = await wire.press("Gwen", asked["Change"])
    await wire.submit("Gwen", form.data["custom_id"], {"name": "bone"})
    asked = await asked_about(wire, "Gwen", "gm set", target="Rat", pool="side", value="B\u043ene")
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    assert [each.side for each in room.encounter.cast] == ["Bone", "Bone"]
    await wire.press("Gwen", asked["Keep"])
    assert room.encounter.combatant("Rat").side == "B\u043ene"
    asked = await asked_about(wire, "Gwen", "condition add", target="Rat", name="Pr\u043ene")
    await wire.press("Gwen", asked["Keep"])
    assert [each.name for each in room.encounter.combatant("Rat").conditions] == ["Pr\u043ene"]


async def test_maps_and_casts_are_asked_about_too(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    await do(wire, "Gwen", "board size", size="3x3")
    await do(wire, "Gwen", "map save", name="Hole")
    await wire.press("Gwen", (await asked_about(wire, "Gwen", "map save", name="H\u043ele"))["Keep"])
    asked = await asked_about(wire, "Gwen", "map copy", name="Hole", to="Hol\u0435")
    (form,) = await wire.press("Gwen", asked["Change"])
    await wire.submit("Gwen", form.data["custom_id"], {"name": "Cave"})
    await wire.press("Gwen", (await asked_about(wire, "Gwen", "map rename", name="Cave", to="Hol\u0435"))["Keep"])
    shelf = own_shelf(wire.people["Gwen"])
    assert {row.name for row in await wire.store.maps(shelf)} == {"Hole", "H\u043ele", "Hol\u0435"}
    (form,) = await do(wire, "Gwen", "encounter cast")
    await wire.submit("Gwen", form.data["custom_id"], {"lines": "Rat HP 3", "name": "Bones"})
    sent = await wire.submit("Gwen", form.data["custom_id"], {"lines": "Ogre HP 3", "name": "B\u043enes"})
    await wire.press("Gwen", pressable(sent)["Keep"])
    kept = wire.tables.people.get(wire.people["Gwen"]).casts["900"]
    assert kept == {"Bones": "Rat HP 3", "B\u043enes": "Ogre HP 3"}


async def test_a_map_that_was_typed_is_asked_about_as_it_is_taken(wire: Wire) -> None:
    for name in ("Hole", "H\u043ele"):
        (form,) = await do(wire, "Gwen", "map new")
        read = await wire.submit("Gwen", form.data["custom_id"], {"name": name, "text": "..\n.."})
        sent = await wire.press("Gwen", pressable(read)["Save it"])
    await wire.press("Gwen", pressable(sent)["Keep"])
    shelf = own_shelf(wire.people["Gwen"])
    assert {row.name for row in await wire.store.maps(shelf) if row.folded} == {"Hole", "H\u043ele"}


async def test_a_display_name_is_cleaned_and_one_that_commands_have_is_numbered(wire: Wire) -> None:
    await wire.type("Gwen", "/init start")
    for number, shown in enumerate(("GM", "@everyone", "\u3164", "Players", "A\u200dna", "#1; \u202eBo"), 1):
        wire.people[shown] = f"2000000000000000{number:02}"
        await do(wire, shown, "init join")
    assert await names_in(wire) == ["GM 2", "everyone 2", "Player", "Players 2", "Ana", "1 Bo"]
