"""What one event asks is asked of all at once, and what has no decision in it of nobody: from outside, at a table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.e2e.days import table, wait
from tests.e2e.loopback import Shown
from tests.e2e.referee import export, prompts, quiet, refereed, told
from tests.e2e.systems.cave import CLUB, KNIFE, SWORD, Cave, character

STORM = {"name": "Storm", "fields": {"type": "Attack", "specialty": "Arm", "damage": "3", "targets": "all"}}
ROPE = {"name": "Rope", "kind": "item", "fields": {"effect": "climb"}}
HALE: dict[str, Any] = {"STAMINA": 10, "WILLPOWER": 4, "SPECIALTIES": ["Arm"]}
FRAIL: dict[str, Any] = {**HALE, "STAMINA": 2}
FOE: dict[str, Any] = {"STAMINA": 20, "WILLPOWER": 2, "SPECIALTIES": ["Arm"]}


async def cave(
    world: Any, client: Any, *, late: bool, rhea: dict[str, Any] = HALE, options: str = "checks=asked"
) -> Cave:
    """Rhea (with a sword and a rope), Pip and Tam against an Ogre; all early or all late in the first round."""
    place = Cave(world, client)
    await place.gwen.slash(f"/encounter start system:adventurers options:physical_dice=on, {options}")
    await character(place.ana, "Rhea", rhea, SWORD, ROPE)
    await character(place.bo, "Pip", HALE, KNIFE)
    await character(place.cai, "Tam", HALE)
    await character(place.gwen, "Ogre", FOE, CLUB, STORM)
    for seat in (place.ana, place.bo, place.cai):
        await seat.slash("/join")
    await place.gwen.slash("/gm add name:Ogre")
    await place.gwen.slash("/encounter begin")
    if options == "checks=asked":
        await place.gwen.slash("/gm choose what:specialty value:Arm")
        for seat in (place.ana, place.bo, place.cai):
            await place.act(seat, f"initiative faces:{'1,2' if late else '3,4'}")
    await quiet(world, client)
    return place


def public(shown: Iterable[Shown]) -> list[Shown]:
    return [each for each in shown if not each.ephemeral]


async def test_an_area_attack_on_three_is_one_message_that_asks_all_three(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        place = await cave(world, client, late=True)
        before = len(public(place.gwen.sees()))
        await place.act(place.gwen, "attack target:Rhea, Pip, Tam using:Storm faces:6,4")
        prompt = await place.prompt()
        assert sorted(prompt.pings) == ["Ana", "Bo", "Cai"]
        assert await place.asked() == [("Rhea", "hit"), ("Pip", "hit"), ("Tam", "hit")]
        for seat, name in ((place.cai, "Tam"), (place.ana, "Rhea"), (place.bo, "Pip")):
            assert (await place.now())["combatants"]["Tam"]["pools"]["STAMINA"] == [10, 10], "sealed till its place"
            await place.press(seat, f"Take it ({name})")
        now = await place.now()
        assert [now["combatants"][who]["pools"]["STAMINA"][0] for who in ("Rhea", "Pip", "Tam")] == [7, 7, 7]
        await quiet(world, client)
        after = public(place.gwen.sees())[before:]
        assert len(after) == 2, "the one that asks all, and the one that brings step D"
        assert world.faults() == []


async def test_a_death_check_that_cannot_fail_is_rolled_for_whoever_is_silent(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        place = await cave(world, client, late=True, rhea=FRAIL)
        await place.gwen.slash("/remind turns after:1h times:1 then:skip")
        await place.act(place.gwen, "attack target:Rhea using:Club faces:6,4")
        assert await place.asked() == [("Rhea", "hit")]
        await quiet(world, client)
        for _ in range(2):
            await wait(world, client, clock, 1.01)
        now = await place.now()
        assert now["waiting"] == []
        rhea = now["combatants"]["Rhea"]
        assert (len(rhea["facts"]["damaged"]), rhea["conditions"]) == (1, [])
        assert world.faults() == []


async def test_taking_what_an_ally_carries_asks_nobody(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        place = await cave(world, client, late=False)
        await place.act(place.bo, "exchange target:Rhea using:Rope note:take")
        now = await place.now()
        assert now["waiting"] == []
        assert now["turn"] == ["Rhea", "Tam"]
        state = client.tables.rooms()[0].encounter
        assert state is not None
        assert [each.name for each in state.combatant("Pip").abilities] == ["Knife", "Rope"]
        assert state.combatant("Rhea").ability("Rope") is None
        assert world.faults() == []


async def test_the_check_of_a_round_is_rolled_by_the_referee_and_stops_nobody(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        place = await cave(world, client, late=False, options="checks=rolled")
        for number in (1, 2):
            now = await place.now()
            assert (now["round"], now["phase"] == "initiative") == (number, False)
            assert sum("Initiative check" in each.buttons for each in place.gwen.sees()) == 0
            for _ in range(8):
                now = await place.now()
                if now["round"] > number:
                    break
                await place.gwen.slash(f"/gm skip target:{now['turn'][0]}")
        assert (await place.now())["phase"] != "initiative"
        assert told(place.gwen).count("Advance") + told(place.gwen).count("Late") >= 6
        assert world.faults() == []


async def test_four_goblins_that_one_step_provokes_are_one_ping_and_one_press(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/encounter start system:tactics name:The ring")
        sheet = "INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 40, SPD 5"
        await ana.slash(f"/character add name:Rhea sheet:{sheet} system:tactics")
        await ana.slash("/join")
        await gwen.slash("/gm add name:Goblin count:4 sheet:INT 0, AGI 0, ATK 1, DEF 8, TIER 1, HP 8, SPD 4")
        await gwen.slash("/board size size:10x8")
        await gwen.slash("/board place target:Rhea, Goblin 1, Goblin 2, Goblin 3, Goblin 4 cells:D4, C4, E4, D3, D5")
        await gwen.slash("/encounter begin")
        if (await export(gwen))["turn"] != ["Rhea"]:
            await ana.slash("/act action:seize")
        before = len(public(gwen.sees()))
        await ana.slash("/act action:move using:Walk to:B6")
        await quiet(world, client)
        assert [each["who"] for each in (await export(gwen))["waiting"]] == [f"Goblin {at}" for at in (1, 2, 3, 4)]
        (prompt,) = prompts(gwen)
        assert prompt.pings == ("Gwen",)
        assert {"Opportunity attack (all)", "Let go (all)"} <= set(prompt.buttons)
        await gwen.press(prompt, "Let go (all)")
        await quiet(world, client)
        content = await export(gwen)
        assert (content["waiting"], content["combatants"]["Rhea"]["position"]) == ([], "B6")
        assert sum("Gwen" in each.pings for each in public(gwen.sees())[before:]) <= 1
        assert world.faults() == []
