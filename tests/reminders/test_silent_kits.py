"""Silence at the tables of kits: each of the library, and each way of handing out turns that it does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.registry import system_of
from rules.kits.library import library
from tests.reminders.silence import PEOPLE, PLAYERS, Silence, SilentTable, gathering, seated
from tests.rules.kit.tables import KitGame
from tests.rules.table import Game

ROUNDS = 2
ENDLESS = "spotlight"  # nobody ends its round but the GM, and nobody is nudged in it
MORE = """
sheet = { PLACE = 1 }
pool = { HP = { start = 30, out = true }, GUARD = { start = 1, refill = "round" } }
check = { luck = { roll = "1d6", against = "4" } }
[action]
poke = { ends = true, target = "foe", do = ["target loses 1 HP"] }
[reaction]
parry = { to = "targeted", cost = "1 GUARD", do = ["it is harder by 1"] }
"""
PAIR = "Cai, Dee"
WAYS = {  # an order and its phases, and who shares a turn in it
    "together": ('order = { key = "{PLACE}", ties = ["together"] }', ""),
    "reverse": ('order = { key = "1d20" }\nphase = [{ name = "on" }, { name = "back", reverse = true }]', ""),
    "again": ('order = { key = "1d6+20", anew = "round", again = -10, hold = false }', ""),
    "gate": ('order = { key = "1d20" }\nphase = [{ name = "quick", gate = "luck" }, { name = "all" }]', ""),
    "a group in a list": ('order = { key = "1d20" }', PAIR),
    "a group in slots": ('order = { type = "slots", key = "1d20" }', PAIR),
    "a group in alternate": ('order = { type = "alternate", first = "GM" }', PAIR),
    "a group in a bag": ('order = { type = "bag", end_tokens = 0 }', PAIR),
    "a group on a clock": ('order = { type = "clock", key = "1d2", round = 3 }', PAIR),
}
KITS = sorted(set(library()) - {ENDLESS})


def game_of(kit: str) -> Game:
    if kit not in WAYS:
        return gathering(kit)
    order, group = WAYS[kit]
    return seated(KitGame(f'kit = 1\nid = "own"\n{order}\n{MORE}', people=PEOPLE), group)


async def silent(kit: str, folder: Path, *names: str, fights: bool) -> Silence:
    async with SilentTable(game_of(kit), names, fights=fights).open(folder / "silence.sqlite3") as table:
        return await table.play(ROUNDS)


def holds(found: Silence, *names: str) -> None:
    """A round is one deadline for each, one ping for their turn, and at most one more for what an attack asks them.

    A claim calls all who may make it, until their turn is over.
    """
    for number in found.states:
        assert found.deadlines[number] <= len(names), (number, found.deadlines)
        for name in names:
            assert found.asked[(number, name)] <= 1, (number, name)
            most = most_turn_pings(found, number)
            assert found.pings[(number, name)] - found.asked[(number, name)] <= most, (number, name)


def most_turn_pings(found: Silence, number: int) -> int:
    state = found.states[number]
    return len(PLAYERS) if system_of(state).present(state).is_claimed else 1


@pytest.mark.parametrize("kit", [*WAYS, *KITS])
async def test_the_silent_one_costs_a_round_of_a_kit_one_deadline_and_loses_nothing(kit: str, tmp_path: Path) -> None:
    found = await silent(kit, tmp_path, "Cai", fights=False)
    holds(found, "Cai")
    first = found.states[1].combatant("Cai")
    for number, state in found.states.items():
        cai = state.combatant("Cai")
        assert found.deadlines[number] == 1, number
        assert 1 <= found.pings[(number, "Cai")] <= most_turn_pings(found, number), number
        assert (cai.pools, cai.abilities, cai.conditions) == (first.pools, first.abilities, first.conditions), number


@pytest.mark.parametrize("kit", [*WAYS, *KITS])
async def test_attacked_the_silent_cost_a_round_of_a_kit_one_deadline_each(kit: str, tmp_path: Path) -> None:
    holds(await silent(kit, tmp_path, *PLAYERS, fights=True), *PLAYERS)
