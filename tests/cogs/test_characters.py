"""Saved characters, against the real store."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.features.characters import MOST_CHARACTERS, Characters, at_rest
from bot.render.payload import Reply
from bot.table.carry_home import carried, is_lasting
from data.rows import RepeatedInteraction
from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.sheet import Character, parse_character_json
from rules.core.values import Combatant, Condition, Pool
from rules.core.views.understanding import combatant_of
from rules.errors import Ambiguous, Illegal, Malformed, Refusal
from tests.cogs.table import Client, caller
from tests.wire import PEOPLE

CLASSIC = systems()["classic"]


def words(reply: Reply) -> str:
    """Return a private answer as one text; it must be private."""
    assert reply.public is None
    assert reply.private is not None
    return reply.private.content + "".join(str(embed) for embed in reply.private.embeds)


async def saved(client: Client, who: str, name: str) -> Character:
    document = await client.characters.document(caller(who), name)
    return Character.model_validate(document)


async def test_a_character_is_saved_and_shown_to_its_owner_privately(client: Client) -> None:
    feature = client.characters
    assert "Ayla is saved" in words(await feature.add(caller("Ana"), "Ayla", "hp 20, AC: 14, GAPS 1-2 + 3-4", None))
    shown = words(await feature.show(caller("Ana"), "ay"))
    assert "HP **20**" in shown
    assert "1-2 + 3-4" in shown
    assert "Ayla" in words(await feature.list(caller("Ana")))


async def test_characters_belong_to_a_person_and_a_server(client: Client) -> None:
    feature = client.characters
    await feature.add(caller("Ana"), "Ayla", "HP 20", None)
    for other in (caller("Bo"), caller("Ana", guild="555")):
        with pytest.raises(Illegal, match="no character"):
            await feature.show(other, "Ayla")
    await feature.add(caller("Bo"), "Ayla", "HP 5", None)
    assert (await saved(client, "Ana", "Ayla")).fields == {"HP": 20}


async def test_a_name_that_is_taken_is_refused_whatever_its_case(client: Client) -> None:
    await client.characters.add(caller("Ana"), "Ayla", "HP 20", None)
    with pytest.raises(Illegal, match="already have a character called Ayla"):
        await client.characters.add(caller("Ana"), "AYLA", "HP 1", None)
    assert (await saved(client, "Ana", "Ayla")).fields == {"HP": 20}


@pytest.mark.parametrize(
    ("name", "sheet", "system"),
    [
        ("", "HP 20", None),
        ("x" * 33, "HP 20", None),
        ("a,b", "HP 20", None),
        ("Ay\u202ela", "HP 20", None),
        ("Ayla", "HP", None),
        ("Ayla", "20 heads", None),
        ("Ayla", "HP 99999999999", None),
        ("Ayla", "HP " + "9" * 500, None),
        ("Ayla", ", ".join(f"K{n} 1" for n in range(101)), None),
        ("Ayla", "HP 20", "chess"),
    ],
)
async def test_what_cannot_be_read_is_refused_and_nothing_is_kept(
    client: Client, name: str, sheet: str, system: str | None
) -> None:
    with pytest.raises(Refusal) as refused:
        await client.characters.add(caller("Ana"), name, sheet, system)
    assert len(str(refused.value)) < 300
    assert await client.store.characters("900", PEOPLE["Ana"]) == ()


async def test_editing_merges_keys_and_a_dash_takes_one_away(client: Client) -> None:
    await client.characters.add(caller("Ana"), "Ayla", "HP 20, AC 14, SPD 5", None)
    await client.characters.edit(caller("Ana"), "Ayla", "ac 15, SPD -, STR 3")
    assert (await saved(client, "Ana", "Ayla")).fields == {"HP": 20, "AC": 15, "STR": 3}


async def test_two_edits_at_once_both_hold(client: Client) -> None:
    await client.characters.add(caller("Ana"), "Ayla", "HP 20", None)
    edits = (client.characters.edit(caller("Ana"), "Ayla", f"K{number} {number}") for number in range(8))
    await asyncio.gather(*edits)
    assert len((await saved(client, "Ana", "Ayla")).fields) == 9


async def test_an_event_that_arrives_twice_changes_nothing_twice(client: Client) -> None:
    once = caller("Ana")
    await client.characters.add(once, "Ayla", "HP 20", None)
    with pytest.raises(RepeatedInteraction) as repeated:
        await client.characters.add(once, "Ayla", "HP 20", None)
    assert "Ayla is saved" in repeated.value.answer


async def test_an_ability_is_added_and_replaced_by_its_name(client: Client) -> None:
    feature = client.characters
    await feature.add(caller("Ana"), "Ayla", "HP 20", None)
    assert "added" in words(
        await feature.ability(caller("Ana"), "Ayla", "Bow", "kind weapon; damage 1d6; text far; wide")
    )
    assert "changed" in words(await feature.ability(caller("Ana"), "Ayla", "bow", "kind weapon; damage 1d8"))
    (bow,) = (await saved(client, "Ana", "Ayla")).abilities
    assert (bow.kind, bow.fields) == ("weapon", {"damage": "1d8"})


async def test_resting_fills_pools_and_takes_conditions_off(client: Client) -> None:
    await client.characters.import_file(
        caller("Ana"),
        json.dumps({"name": "Ayla", "sheet": {"HP": "3/20", "AC": 14}, "conditions": [{"name": "Poisoned"}]}).encode(),
    )
    await client.characters.rest(caller("Ana"), "Ayla")
    rested = await saved(client, "Ana", "Ayla")
    assert (rested.fields, rested.conditions) == ({"HP": 20, "AC": 14}, ())
    with pytest.raises(Illegal, match="full strength"):
        await client.characters.rest(caller("Ana"), "Ayla")


async def test_a_template_is_taken_back_by_import(client: Client) -> None:
    for system in systems():
        reply = await client.characters.template(caller("Ana"), system)
        assert reply.private is not None
        (file,) = reply.private.files
        filled = {**json.loads(file.data), "name": f"Ayla {system}"}
        await client.characters.import_file(caller("Ana"), json.dumps(filled).encode())
        kept = await saved(client, "Ana", f"Ayla {system}")
        assert kept.system == system
        assert set(kept.fields) == set(filled["sheet"])
        assert "still needs" not in words(await client.characters.edit(caller("Ana"), kept.name, "NOTE x"))


async def test_importing_again_replaces(client: Client) -> None:
    for points in (10, 12):
        data = json.dumps({"name": "Ayla", "sheet": {"HP": points}}).encode()
        reply = await client.characters.import_file(caller("Ana"), data)
    assert "instead of the one you had" in words(reply)
    assert (await saved(client, "Ana", "Ayla")).fields == {"HP": 12}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no character"),
        (b'{"name": "A", "hp": 3}', "hp"),
        (b'{"name": "A", "abilities": [{"name": "B", "cost": 3}]}', r"abilities\[0\].cost"),
        (b'{"name": "A", "system": "chess"}', "chess"),
        (json.dumps({"name": "A", "sheet": {f"K{n}": n for n in range(1000)}}).encode(), "100 keys"),
        (b" " * 300_000, "KB"),
    ],
)
async def test_a_bad_file_is_refused_with_what_is_wrong(client: Client, data: bytes, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        await client.characters.import_file(caller("Ana"), data)
    assert await client.store.characters("900", PEOPLE["Ana"]) == ()


async def test_a_person_keeps_fifty_characters_in_a_server(client: Client) -> None:
    for number in range(MOST_CHARACTERS):
        await client.characters.add(caller("Ana"), f"Hero {number}", "HP 1", None)
    with pytest.raises(Illegal, match="50 are allowed"):
        await client.characters.add(caller("Ana"), "One more", "HP 1", None)
    await client.characters.edit(caller("Ana"), "Hero 3", "HP 2")
    await client.characters.delete(caller("Ana"), "Hero 4")
    await client.characters.add(caller("Ana"), "One more", "HP 1", None)


async def test_names_for_typing_follow_what_is_saved(client: Client) -> None:
    feature = client.characters
    assert await feature.names("900", PEOPLE["Ana"]) == ()
    await feature.add(caller("Ana"), "Ayla", "HP 1", None)
    assert await feature.names("900", PEOPLE["Ana"]) == ("Ayla",)
    await feature.delete(caller("Ana"), "Ayla")
    assert await feature.names("900", PEOPLE["Ana"]) == ()


async def test_editing_somebody_who_is_in_a_fight_says_how_to_bring_it_in(client: Client) -> None:
    feature = client.characters
    await client.do("Gwen", "encounter start", system="classic", id="77")
    await feature.add(caller("Ana"), "Ayla", "HP 20", "classic")
    assert "in the encounter" not in words(await feature.edit(caller("Ana"), "Ayla", "HP 15/22"))
    await client.do("Ana", "join", document=await feature.document(caller("Ana"), "Ayla"))
    said = words(await feature.edit(caller("Ana"), "Ayla", "HP 12/22"))
    assert "Ayla is in the encounter here" in said
    assert "/init remove target:Ayla" in said


async def test_joining_without_a_name_takes_the_only_character_that_is_not_in(client: Client) -> None:
    feature = client.characters
    await client.do("Gwen", "encounter start", system="classic", id="77")
    room = await client.tables.room_of("901", "900")
    assert await feature.only_document(caller("Ana"), room.table.active) is None
    await feature.add(caller("Ana"), "Ayla", "HP 20", "classic")
    first: Any = await feature.only_document(caller("Ana"), room.table.active)
    assert first["name"] == "Ayla"
    await feature.add(caller("Ana"), "Bree", "HP 20", None)
    with pytest.raises(Ambiguous, match="several") as several:
        await feature.only_document(caller("Ana"), room.table.active)
    assert several.value.candidates == ("Ayla", "Bree")
    await client.do("Ana", "join", document=first)
    second: Any = await feature.only_document(caller("Ana"), room.table.active)
    assert second["name"] == "Bree"


async def test_a_file_brings_somebody_in_under_another_name(client: Client) -> None:
    data = json.dumps({"name": "Ogre", "sheet": {"HP": 30}}).encode()
    document: Any = client.characters.file_document(caller("Gwen"), data, "Grub")
    assert (document["name"], document["fields"]) == ("Grub", {"HP": 30})


def test_an_encounter_gives_back_pools_and_what_lasts() -> None:
    character = Character(name="Ayla", owner="1", fields={"HP": 20, "AC": 14})
    combatant = Combatant(
        name="Ayla",
        owner="1",
        fields={"HP": 20, "AC": 14},
        pools={"HP": Pool(now=12, top=20), "TEMP": Pool(now=5)},
        conditions=(
            Condition(name="Cursed", source="Hag"),
            Condition(name="Burn", left=2, ticks="bearer-start"),
            Condition(name="Charmed", save="2d6>=7", ticks="bearer-end"),
            Condition(name="Hasted", source="Ayla", concentration=True),
        ),
    )
    after = carried(character, combatant, CLASSIC)
    assert after.fields == {"HP": "12/20", "AC": 14}
    assert [held.name for held in after.conditions] == ["Cursed"]
    assert at_rest(after) == character


def test_what_is_used_in_a_day_is_used_up_in_the_next_fight_till_a_rest() -> None:
    breath = parse_ability("Breath", "3/Day; 2d6 fire damage")
    howl = parse_ability("Howl", "once a fight; 1d6 damage")
    character = Character(name="Ayla", owner="1", abilities=(breath, howl))
    after = carried(character, combatant_of(CLASSIC, character).evolve(used={"Breath": 3, "Howl": 1}), CLASSIC)
    assert combatant_of(CLASSIC, after).used == {"Breath": 3}
    assert at_rest(after) == character


def test_full_pools_come_back_as_they_were() -> None:
    character = Character(name="Ayla", owner="1", fields={"HP": "3/20"})
    combatant = Combatant(name="Ayla", fields={"HP": "3/20"}, pools={"HP": Pool(now=20, top=20)})
    assert carried(character, combatant, CLASSIC).fields == {"HP": 20}


def test_a_carried_character_can_be_read_again() -> None:
    character = Character(name="Ayla", owner="1", fields={"HP": 20})
    combatant = Combatant(
        name="Ayla", fields={"HP": 20}, pools={"HP": Pool(now=0, top=20)}, conditions=(Condition(name="Dead"),)
    )
    after = carried(character, combatant, CLASSIC)
    assert Character.model_validate_json(after.model_dump_json(exclude_defaults=True)) == after
    assert CLASSIC.sheet.pools(combatant.evolve(fields=after.fields)) == {"HP": Pool(now=0, top=20)}


def test_what_counts_down_does_not_last() -> None:
    assert is_lasting(Condition(name="Cursed"))
    assert not is_lasting(Condition(name="Burn", left=1, ticks="round-end"))


def test_the_owner_of_an_imported_character_is_who_imports_it() -> None:
    with pytest.raises(Malformed):
        parse_character_json(b'{"name": "A", "owner": "1"}', owner="2")


async def test_nobody_owns_a_timers_character(client: Client) -> None:
    feature: Characters = client.characters
    with pytest.raises(Malformed):
        await feature.list(replace(caller("Ana"), user=None))
