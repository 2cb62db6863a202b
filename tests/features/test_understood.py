"""What the bot says it understood of a sheet, through the real commands, to the one who typed it alone (design 2.9)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.wire import Sent, Wire, wired

STONES = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


def private(sent: list[Sent]) -> str:
    """Return what the person alone reads."""
    return "\n".join(each.content for each in sent if each.reader is not None)


def public(sent: list[Sent]) -> str:
    return "\n".join(json.dumps(each.data) for each in sent if each.reader is None)


async def start(wire: Wire, system: str) -> None:
    await wire.type("Gwen", f"/encounter start system:{system}")


async def test_a_mistyped_key_is_kept_and_the_right_word_named(wire: Wire) -> None:
    said = private(await wire.type("Ana", "/character add name:Ayla system:classic sheet:HP 20, INIT 4, NOTE tall"))
    assert "HP 20/20" in said
    assert "INIT (did you mean INITIATIVE?)" in said
    assert "I kept these as facts that no rule reads: NOTE." in said
    assert "INIT **4**" in str((await wire.type("Ana", "/character show name:Ayla"))[0].data)
    assert "did you mean INITIATIVE" in private(await wire.type("Ana", "/character edit name:Ayla sheet:BONUS 3"))


async def test_a_sheet_without_a_system_is_read_as_the_channel_plays(wire: Wire) -> None:
    await start(wire, "tactics")
    sheet = "HP 20, ATK 1, DEF 8, SPD 5, INT 1, AGI 2, TIER 1, Bow: range 8, damage 1d6+2, Axe: damage 2d6, range 1"
    said = private(await wire.type("Ana", f"/character add name:Ayla sheet:{sheet}"))
    assert "Not ready" not in said
    assert "range 8; damage 1d6+2" not in said
    assert "8; 1d6+2" in said


@pytest.mark.parametrize("system", ["adventurers", "classic", "soulweaver"])
async def test_how_far_somebody_walks_is_read(wire: Wire, system: str) -> None:
    said = private(await wire.type("Ana", f"/character add name:Ayla system:{system} sheet:SPEED 4, MOVE 3, NOTE tall"))
    assert "I kept these as facts that no rule reads: NOTE." in said


async def test_a_missing_value_is_named_with_what_to_type(wire: Wire) -> None:
    said = private(await wire.type("Ana", "/character add name:Ayla system:stones sheet:HP 20, ATK 6, CRT 20"))
    assert "it still needs ARM, MOV, RNG and TYPE: `ARM 2, MOV 4, RNG 1, TYPE Physical`" in said
    whole = private(await wire.type("Ana", "/character edit name:Ayla sheet:ARM 2, MOV 4, RNG 1, TYPE Spirit"))
    assert "still needs" not in whole
    assert "ATK 6" in whole


@pytest.mark.parametrize(
    ("system", "sheet", "rule"),
    [
        ("stones", "HP 20, CRT banana", "ST-11"),
        ("tactics", "TIER 7", "TA-12"),
        ("adventurers", "KIND wizard", "AD-21"),
        ("beacon", "INITIATIVE 9", "BE-03"),
    ],
)
async def test_a_value_that_would_fail_at_joining_is_not_saved(wire: Wire, system: str, sheet: str, rule: str) -> None:
    said = private(await wire.type("Ana", f"/character add name:Ayla system:{system} sheet:{sheet}"))
    assert f"**{rule}** Ayla" in said
    assert "no character" in private(await wire.type("Ana", "/character show name:Ayla"))


async def test_an_ability_is_held_to_the_same_table(wire: Wire) -> None:
    await wire.type("Ana", f"/character add name:Ayla system:stones sheet:{STONES}")
    typed = "/character ability name:Ayla ability:Bolt fields:card offensive; element Wind"
    assert "**ST-12** Ayla, Bolt: cost is missing" in private(await wire.type("Ana", typed))
    assert "costs 1" in private(await wire.type("Ana", f"{typed}; cost 1; text [Standard Attack]"))
    commas = "/character ability name:Ayla ability:Blow fields:card offensive, cost 2"
    assert "Separate them with semicolons: card offensive; cost 2" in private(await wire.type("Ana", commas))
    await wire.type("Ana", "/character add name:Pip system:adventurers sheet:STAMINA 9, WILLPOWER 4")
    cry = "/character ability name:Pip ability:Cry fields:"
    assert "Did you mean Support?" in private(await wire.type("Ana", f"{cry}type Suport; damage 1"))
    assert "Cry: damge (did you mean damage?)" in private(await wire.type("Ana", f"{cry}type Support; damge 1"))


async def test_what_only_a_table_can_say_is_saved_with_a_word(wire: Wire) -> None:
    sheet = "STAMINA 9, WILLPOWER 4, SPECIALTIES Am"
    said = private(await wire.type("Ana", f"/character add name:Pip system:adventurers sheet:{sheet}"))
    assert "Pip is saved" in said
    assert "Not ready to play yet" in said
    assert "AD-01" in said
    assert "Am is not on the grid" in said


async def test_joining_says_what_was_understood_to_the_player_alone(wire: Wire) -> None:
    await start(wire, "adventurers")
    await wire.type("Ana", "/character add name:Pip system:adventurers sheet:STAMINA 9, WILLPOWER 4, SPECIALITIES Arm")
    joined = await wire.type("Ana", "/join")
    assert "STAMINA 9/9 and WILLPOWER 4/4" in private(joined)
    assert "SPECIALITIES (did you mean SPECIALTIES?)" in private(joined)
    assert "No attack" in private(joined)
    assert "Understood" not in public(joined)


async def test_adding_says_to_the_gm_what_an_enemy_can_do(wire: Wire) -> None:
    await start(wire, "adventurers")
    added = await wire.type("Gwen", "/gm add name:Ogre sheet:STAMINA 12, KIND enemy count:2")
    assert "STAMINA 12/12" in private(added)
    assert "No attack" in private(added)
    assert "Understood" not in public(added)


async def test_a_sheet_without_a_system_is_read_by_the_encounter_of_the_channel(wire: Wire) -> None:
    assert "`system:`" in private(await wire.type("Ana", "/character add name:Ayla sheet:HP 20, SPED 3"))
    await start(wire, "tactics")
    said = private(await wire.type("Ana", "/character edit name:Ayla sheet:AGI 2"))
    assert "SPED (did you mean SPD?)" in said
    assert "it still needs INT, ATK" in said


@pytest.mark.parametrize(
    ("system", "sheet", "field"),
    [
        ("adventurers", "STAMINA 9, WILLPOWER 4", "type Support; damage 3"),
        ("beacon", "HP 9, GRIT 1", "activation VOLLEY; range 6; damage 3"),
        ("soulweaver", "ZEAL 2, MINOR 1", "kind trick"),
        ("stones", STONES, "card offensive; element Wind; cost 1; text [Standard Attack]"),
        ("tactics", "INT 1, AGI 2", "range 6; damage 3"),
    ],
)
async def test_g_09_somebody_who_saves_an_ability_reads_which_of_its_fields_nothing_reads(
    wire: Wire, system: str, sheet: str, field: str
) -> None:
    await wire.type("Ana", f"/character add name:Ayla system:{system} sheet:{sheet}")
    plain = private(await wire.type("Ana", f"/character ability name:Ayla ability:Bolt fields:{field}"))
    odd = private(await wire.type("Ana", f"/character ability name:Ayla ability:Blow fields:wobble 3; {field}"))
    assert "wobble 3" in odd
    assert "Bolt: " not in plain, "a field that is read is not named as unread"


async def test_the_longest_sheet_is_answered_within_a_message(wire: Wire) -> None:
    abilities = [
        {
            "name": f"Ability number {n} of many",
            "fields": {"card": "offensive", "cost": "0", "daamge": "1", f"odd{n}": "x"},
        }
        for n in range(60)
    ]
    sheet = {**{f"KEY{n}": "x" * 30 for n in range(90)}, "HP": "0/9", "ATK": 3}
    kit = json.dumps({"name": "Ayla", "system": "stones", "sheet": sheet, "abilities": abilities}).encode()
    sent = await wire.send("Ana", "character import", {"file": "kit.json"}, files={"file": ("kit.json", kit)})
    said = private(sent)
    assert "it still needs ARM" in said
    assert "HP is at 0" in said
    assert "more" in said
    assert len(sent[0].content) <= 2000
