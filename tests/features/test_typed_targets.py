"""The targets of a ruling, what it does to those it can, and which of two conditions of one name is meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from rules.core.encounter import Encounter
from rules.core.registry import every_system
from tests.wire import Sent, Wire, wired


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


async def do(wire: Wire, who: str, path: str, **options: Any) -> list[Sent]:
    return await wire.send(who, path, options)


async def state_of(wire: Wire) -> Encounter:
    encounter = (await wire.tables.room_of("901", "900")).encounter
    assert encounter is not None
    return encounter


async def fight(wire: Wire) -> None:
    await do(wire, "Gwen", "init start")
    await do(wire, "Gwen", "init add", name="Ann", result=20)
    await do(wire, "Gwen", "init add", name="Kobold", count=3, hp="9", result=5)


def words(sent: list[Sent]) -> str:
    return "\n".join(str(each.data) for each in sent)


async def test_damage_for_all_does_what_can_be_done_and_names_the_rest(wire: Wire) -> None:
    await fight(wire)
    told = await do(wire, "Gwen", "gm damage", target="all", amount="4")
    state = await state_of(wire)
    assert [state.combatant(f"Kobold {number}").pools["HP"].now for number in (1, 2, 3)] == [5, 5, 5]
    assert "Ann" in words([each for each in told if each.reader is not None])
    await do(wire, "Gwen", "gm damage", target="Ann", amount="4")
    assert "HP" not in (await state_of(wire)).combatant("Ann").pools


async def test_setting_more_than_the_maximum_says_what_became_of_the_rest(wire: Wire) -> None:
    await fight(wire)
    told = await do(wire, "Gwen", "gm set", target="Kobold 1", pool="HP", value="30")
    assert (await state_of(wire)).combatant("Kobold 1").pools["HP"].now == 9
    assert "30/30" in words(told)
    assert "21" in words(told)
    fits = await do(wire, "Gwen", "gm set", target="Kobold 1", pool="HP", value="8")
    assert "raises" not in words(fits)


async def test_temporary_points_are_a_pool_of_their_own_and_do_not_add_up(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Gwen", "gm damage", target="Kobold 1", amount="3")
    for amount in ("5", "4"):
        await do(wire, "Gwen", "gm heal", target="Kobold 1", amount=amount, type="temp")
    pools = (await state_of(wire)).combatant("Kobold 1").pools
    assert pools["HP"].now == 6
    assert pools["TEMP"].now == 5
    await do(wire, "Gwen", "gm damage", target="Kobold 1", amount="6")
    pools = (await state_of(wire)).combatant("Kobold 1").pools
    assert (pools["TEMP"].now, pools["HP"].now) == (0, 5)


async def test_skip_takes_a_star_and_a_list_as_its_siblings_do(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Gwen", "encounter begin")
    await do(wire, "Gwen", "gm skip", target="Ann, Kobold 1")
    assert (await state_of(wire)).round == 1
    await do(wire, "Gwen", "gm skip", target="Kobold*")
    assert (await state_of(wire)).round == 2
    await do(wire, "Gwen", "gm note", target="Kobold*", text="Hungry")
    assert all(each.notes for each in (await state_of(wire)).cast if each.name.startswith("Kobold"))


async def test_away_takes_a_star_a_list_and_all_as_its_siblings_do(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Gwen", "encounter begin")
    for named, away in (("Kobold*", 3), ("all", 4), ("Ann, Kobold 2", 2)):
        await do(wire, "Gwen", "gm away", target=named)
        gone = [who for who, held in (await state_of(wire)).absences.items() if held.away]
        assert len(gone) == away
        await do(wire, "Gwen", "gm away", target="all", wait=True)


async def test_skipping_a_hidden_one_beside_others_says_nothing_of_it_to_anybody_else(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Gwen", "gm add", name="Lurk", hidden=True, bonus=0)
    await do(wire, "Gwen", "encounter begin")
    heard: list[Sent] = []
    wire.watch = heard.append
    answers = await do(wire, "Gwen", "gm skip", target="Lurk, Ann")
    assert "Lurk" not in words([each for each in (*heard, *answers) if each.reader is None])
    log = words(await do(wire, "Ana", "encounter log"))
    assert "Ann" in log
    assert "Lurk" not in log


@pytest.mark.parametrize("system", ["classic", "adventurers", "beacon", "soulweaver", "stones", "tactics"])
async def test_two_conditions_of_one_name_are_asked_about_in_every_system(wire: Wire, system: str) -> None:
    await do(wire, "Gwen", "encounter start", system=system)
    for name in ("Ann", "Bea", "Cid"):
        await do(wire, "Gwen", "gm add", name=name, sheet=sheet_of(system))
    for source in ("Ann", "Bea"):
        await do(wire, "Gwen", "condition add", target="Cid", name="Restrained", source=source)

    async def sources() -> list[str | None]:
        return [each.source for each in (await state_of(wire)).combatant("Cid").conditions if each.name == "Restrained"]

    offered = await wire.complete("Gwen", "condition remove", "name", {"target": "Cid"})
    assert {"Restrained (from Ann)", "Restrained (from Bea)"} <= {each.value for each in offered}
    asked = await do(wire, "Gwen", "condition remove", target="Cid", name="restrained")
    assert await sources() == ["Ann", "Bea"]
    buttons = {each["label"]: each["custom_id"] for message in asked for each in message.components}
    await wire.press("Gwen", buttons["Restrained (from Bea)"])
    assert await sources() == ["Ann"]
    await do(wire, "Gwen", "condition add", target="Cid", name="Restrained", source="Bea")
    await do(wire, "Gwen", "condition remove", target="Cid", name="restrained", source="Ann")
    assert await sources() == ["Bea"]
    await do(wire, "Gwen", "condition remove", target="Cid", name="restrained")
    assert await sources() == []


async def test_somebody_who_does_not_know_a_source_is_not_told_of_it(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Ana", "init join")
    await do(wire, "Gwen", "gm add", name="Lurk", hidden=True)
    for source in ("Ann", "Lurk"):
        await do(wire, "Gwen", "condition add", target="Ana", name="Restrained", source=source)
    offered = await wire.complete("Ana", "condition remove", "name", {"target": "Ana"})
    assert "Lurk" not in str([each.value for each in offered])
    asked = await do(wire, "Ana", "condition remove", target="Ana", name="Restrained")
    assert "Lurk" not in words(asked)


async def test_the_prompt_names_the_sources_of_two_conditions_of_one_name(wire: Wire) -> None:
    await fight(wire)
    await do(wire, "Gwen", "condition add", target="Ann", name="Prone", source="Kobold 1")
    for number in (1, 2):
        await do(wire, "Gwen", "condition add", target="Kobold 3", name="Restrained", source=f"Kobold {number}")
    listed = words(await do(wire, "Gwen", "init list"))
    assert "Restrained (from Kobold 1)" in listed
    assert "Restrained (from Kobold 2)" in listed
    assert "Prone (from" not in listed


async def test_an_answer_says_every_value_that_a_rule_reads(wire: Wire) -> None:
    await do(wire, "Gwen", "init start")
    told = await do(wire, "Gwen", "gm add", name="Orc", sheet="HP 12, AC 14, HAIR red")
    assert "AC 14" in words([each for each in told if each.reader is not None])


def sheet_of(system: str) -> str:
    """Return a sheet that a system takes."""
    held: Any = every_system()[system].sheet.template()["sheet"]
    return ", ".join(f"{key} {' + '.join(value) if isinstance(value, list) else value}" for key, value in held.items())
