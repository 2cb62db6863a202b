"""`/roll Longsword` by somebody who is in a fight offers its targets, and one press does it (effects 5)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.table.room import Room
from rules.core.encounter import Encounter
from tests.wire import GUILD, Sent, Wire, wired

SHEET = "HP 30, AC 14, INITIATIVE +2, Longsword: attack +5, damage 1d8+3 slashing"
GOBLIN = "HP 300"
OPEN = " options:npc_pools=exact"  # so that no button is offered on a natural 1


async def begun(wire: Wire, armor: str, options: str = OPEN, more: str = "") -> Room:
    """Let Ana's Anna be on, against two goblins."""
    await wire.type("Gwen", f"/init start name:Cellar{options}")
    await wire.type("Ana", f"/character add name:Anna sheet:{SHEET}{more}")
    await wire.type("Ana", "/join character:Anna")
    await wire.type("Gwen", f"/init add name:Goblin count:2 sheet:{GOBLIN}{armor}")
    await wire.type("Gwen", "/gm set target:Anna pool:initiative value:40")
    await wire.type("Gwen", "/init next")
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def hits(sent: list[Sent]) -> dict[str, str]:
    """Return the buttons with a roll's possible targets."""
    shown = {str(each["label"]): str(each["custom_id"]) for one in sent for each in one.components}
    return {label: press for label, press in shown.items() if "Goblin" in label}


async def rolled(wire: Wire) -> dict[str, str]:
    """Return the target of a roll of Anna's that is no natural 1."""
    for _ in range(20):
        if offered := hits(await wire.type("Ana", "/roll dice:Longsword + 20")):
            return offered
    raise AssertionError("it never hit")


def state_of(room: Room) -> Encounter:
    assert room.encounter is not None
    return room.encounter


def lost(room: Room) -> list[int]:
    return [300 - state_of(room).combatant(f"Goblin {number}").pools["HP"].now for number in (1, 2)]


async def test_a_press_does_the_damage_of_the_attack_that_was_rolled(tmp_path: Path) -> None:
    """Rule: CL-11."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1")
        offered = await rolled(wire)
        assert len(offered) == 2
        await wire.press("Ana", next(press for label, press in offered.items() if "Goblin 2" in label), private=False)
        assert lost(room)[0] == 0
        assert lost(room)[1] >= 4


async def test_a_roll_is_one_attack_alone(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1")
        offered = await rolled(wire)
        for press in offered.values():
            await wire.press("Ana", press, private=False)
        assert min(lost(room)) == 0
        assert max(lost(room)) >= 4


async def test_two_presses_at_once_on_one_roll_strike_once(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1", more=", ATTACKS 2")
        offered = await rolled(wire)
        async with room.lock:  # both are in the house before either is decided
            presses = [asyncio.create_task(wire.press("Ana", each, private=False)) for each in offered.values()]
            await asyncio.sleep(0.2)
        await asyncio.gather(*presses)
        assert min(lost(room)) == 0
        assert max(lost(room)) >= 4


async def test_an_undo_takes_back_what_the_press_did(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1")
        offered = await rolled(wire)
        await wire.press("Ana", next(iter(offered.values())), private=False)
        await wire.type("Gwen", "/encounter undo")
        assert lost(room) == [0, 0]


async def test_nobody_else_strikes_with_somebodys_roll(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1")
        offered = await rolled(wire)
        await wire.press("Bo", next(iter(offered.values())), private=False)
        assert lost(room) == [0, 0]


@pytest.mark.parametrize(("options", "known"), [("", False), (OPEN, True)])
async def test_a_number_that_players_may_not_read_leaves_everybody_on_offer(
    tmp_path: Path, options: str, known: bool
) -> None:
    """Rule: G-08."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 90", options)
        for _ in range(20):  # a natural 20 hits
            offered = hits(await wire.type("Ana", "/roll dice:Longsword dis"))
            if not known or not offered:
                break
        assert len(offered) == (0 if known else 2)
        assert lost(room) == [0, 0]


@pytest.mark.parametrize("text", ["1d20+5", "2x Longsword", "Longsword > 12"])
async def test_other_rolls_offer_nobody(tmp_path: Path, text: str) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await begun(wire, ", AC 1")
        assert hits(await wire.type("Ana", f"/roll dice:{text}")) == {}


async def test_a_roll_out_of_turn_offers_nobody(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await begun(wire, ", AC 1")
        await wire.type("Ana", "/init next")
        assert hits(await wire.type("Ana", "/roll dice:Longsword")) == {}


async def test_the_same_roll_with_advantage_offers_them_again(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, ", AC 1")
        sent = await wire.type("Ana", "/roll dice:Longsword + 20")
        again = next(str(each["custom_id"]) for one in sent for each in one.components if each["label"] == "Advantage")
        offered: dict[str, str] = {}
        while not offered:  # two natural 1s miss
            offered = hits(await wire.press("Ana", again, private=False))
        await wire.press("Ana", next(iter(offered.values())), private=False)
        (strike,) = state_of(room).blows[0].strikes
        assert strike.check is not None
        assert len(strike.check.faces) == 2
        assert strike.check.natural == max(strike.check.faces)
