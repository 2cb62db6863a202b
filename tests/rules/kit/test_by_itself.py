"""What nobody does holds no table up, and a number is a number wherever a sheet says dice (kits 3, 5 and 10)."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.view import legal_for, view_of
from rules.dice.source import Die
from tests.rules.kit.reading import mistake
from tests.rules.kit.tables import KitGame, begun, seated
from tests.rules.table import Game

HEAD = 'kit = 1\nid = "a-b"\n'
POOLS = "[pool]\nHP = { start = 9, out = true }\n"
POKE = '[action]\npoke = { ends = true, target = "foe", do = ["target loses 1 HP"] }\n'
TOO_MUCH = "everyone loses 999d6 LUCK"
ALONE = {
    "a round that opens": f'[when]\nround-start = ["{TOO_MUCH}"]\n',
    "a turn that starts": f'[when]\nturn-start = ["{TOO_MUCH}"]\n',
    "a turn that ends": f'[when]\nturn-end = ["{TOO_MUCH}"]\n',
    "a round that ends": f'[when]\nround-end = ["{TOO_MUCH}"]\n',
    "a loss": f'[when]\nHP-loss = ["{TOO_MUCH}"]\n',
}


def kit(more: str, pools: str = "LUCK = { start = 5 }\n") -> KitGame:
    return KitGame(f"{HEAD}{more}{POOLS}{pools}{POKE}")


def a_round(game: Game) -> Game:
    """Let everybody poke somebody until the second round has begun."""
    for _ in range(9):
        if game.state.round > 1:
            break
        who = game.waits_for()[0]
        game.do("Gwen", "poke", character=who, target="Ogre" if who != "Ogre" else "Ayla")
    assert game.state.round == 2
    return game


@pytest.mark.parametrize("moment", ALONE)
def test_what_happens_by_itself_and_is_too_much_is_left_to_the_gm_and_the_table_goes_on(moment: str) -> None:
    game = begun(KitGame(f"{HEAD}{POOLS}LUCK = {{ start = 5 }}\n{POKE}{ALONE[moment]}"), "Ogre")
    lines = [*game.lines(), *a_round(game).lines()]
    told = f"That is more than I carry out by myself, so the GM decides it: {TOO_MUCH}."
    assert told in lines or told in game.said()
    assert game.waits_for()


def test_a_condition_and_a_save_and_a_gate_that_are_too_much_are_left_to_the_gm_too() -> None:
    more = f"""phase = [ {{ name = "one", gate = "wide" }} ]
check = {{ wide = {{ roll = "999d6" }} }}
condition = {{ cursed = {{ do = ["{TOO_MUCH}"], save = "999d6 >= 3000", ticks = "bearer-end" }} }}
"""
    game = begun(kit(more), "Ogre")
    for name in game.state.names:
        game.do("Gwen", "condition add", target=name, name="Cursed", duration="none")
    a_round(game)


def test_a_place_that_takes_too_many_dice_is_0() -> None:
    game = begun(
        kit('order = { key = "{MANY}d6", anew = "round" }\nsheet = { MANY = 100 }\n'), *(f"O{n}" for n in range(9))
    )
    places = [system_of(game.state).row(game.state, name, Seat()).standing for name in game.state.names]
    assert places[-1] == "0"
    assert places[0] != "0"
    assert len([each for each in game.decisions[-1].dice.records if isinstance(each, Die)]) <= 1000
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[pool]\nHP = { start = 3, most = "2d6" }',
            "pool.HP.most: 2d6 has dice, but this has to be a number.",
        ),
        (
            '[pool]\nACT = { start = "1d3", refill = "turn" }',
            "pool.ACT.start: 1d3 has dice, but this has to be a number.",
        ),
        ('[order]\nturns = "1d2"', "order.turns: 1d2 has dice, but this has to be a number."),
        (
            '[order]\ntype = "bag"\ntokens = "{MANY}"\n[sheet]\nMANY = "1d2"',
            "order.tokens: {MANY} has dice, but this has to be a number.",
        ),
        (
            '[order]\ntype = "alternate"\nkeep = "1 turn"\n[pool]\nHP = {}',
            "order.keep: turn is not a pool of this kit. Pools here: HP.",
        ),
        (
            '[sheet]\nDMG = "1d6"\n[action.hit]\nneeds = ["DMG >= 3"]',
            "sheet.DMG: DMG is compared in this kit, so it has to be a whole number, not dice.",
        ),
    ],
)
def test_dice_in_place_of_a_number_are_a_mistake_of_the_file(text: str, expected: str) -> None:
    assert mistake(text) == expected


def test_a_sheet_takes_no_dice_if_the_kit_needs_a_number() -> None:
    game = seated(KitGame(f'{HEAD}order = {{ turns = "{{SPOTS}}" }}\nsheet = {{ SPOTS = 1 }}\n{POOLS}{POKE}'))
    refused = game.refused("Gwen", "gm set", target="Ayla", pool="SPOTS", value="1d4")
    assert refused.reason == "Ayla: SPOTS has to be a whole number."


def test_a_sheet_may_give_dice_for_a_kits_number_and_they_fall() -> None:
    strike = '[action]\nstrike = { target = "foe", check = "hit", success = ["target loses {DMG} HP"] }\n'
    check = '[check]\nhit = { roll = "1d20", against = "{target.AC}" }\n'
    game = seated(
        KitGame(
            f'{HEAD}order = {{ key = "{{QUICK}}" }}\nsheet = {{ DMG = 3, AC = 10, QUICK = 1 }}\n{POOLS}{check}{strike}'
        ),
        "Ogre",
    )
    for who, key, value in (("Ayla", "QUICK", "5"), ("Ayla", "DMG", "1d6"), ("Ogre", "AC", "1d6+8")):
        game.do("Gwen", "gm set", target=who, pool=key, value=value)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 14), (6, 6), (6, 5)])
    assert game.state.combatant("Ogre").pools["HP"].now == 4


def test_a_division_by_zero_is_0_and_stops_no_table() -> None:
    game = begun(KitGame(f'{HEAD}order = {{ turns = "4/{{SLOW}}" }}\nsheet = {{ SLOW = 2 }}\n{POOLS}{POKE}'), "Ogre")
    last = system_of(game.state).turn_order(game.state)[-1]
    game.do("Gwen", "gm set", target=last, pool="SLOW", value="0")
    assert view_of(game.table, game.seat("Bo")) is not None
    assert legal_for(game.table, last, game.seat("Gwen")) == ()
    game.do("Gwen", "poke", character=game.waits_for()[0], target="Ogre" if game.waits_for()[0] != "Ogre" else "Ayla")
    game.do("Gwen", "end", character=game.waits_for()[0])
    assert last not in game.waits_for()


def test_pools_that_fill_with_the_round_and_those_of_the_table_may_start_with_dice() -> None:
    pools = 'RAISES = { start = "2d6", refill = "round" }\nDOOM = { of = "table", start = "1d4", refill = "round" }\n'
    game = begun(kit("", pools), "Ogre")
    assert 2 <= game.state.combatant("Ayla").pools["RAISES"].now <= 12
    assert 1 <= game.state.table_pools["DOOM"].now <= 4
    a_round(game)


def test_the_speed_of_a_plan_may_be_dice_by_which_the_order_goes() -> None:
    text = f"""{HEAD}order = {{ key = "{{speed}}", best = "low" }}
phase = [ {{ name = "say", plan = "open" }} ]
{POOLS}[action]
stab = {{ speed = "1d4", target = "foe", do = ["target loses 1 HP"] }}
cast = {{ speed = "1d10", target = "foe", do = ["target loses 2 HP"] }}
"""
    game = begun(KitGame(text), "Ogre")
    game.do("Ana", "cast", target="Ogre")
    game.do("Bo", "stab", target="Ogre")
    game.do("Gwen", "stab", character="Ogre", target="Ayla", dice=[(10, 2), (4, 4), (4, 1)])
    done = [line for line in game.lines() if " → " in line and ":" in line and "plans" not in line and "HP" not in line]
    assert [line.split(":")[0] for line in done] == ["Ogre", "Ayla", "Bran"]


def test_somebody_who_cannot_pay_for_a_turn_of_a_phase_is_not_waited_for_there() -> None:
    game = begun(Game("pay-first"), "Ogre")
    assert (game.state.phase, game.waits_for()) == ("before", ("Ayla", "Bran"))
    game.do("Gwen", "gm set", target="Ayla", pool="REACT", value="0")
    assert game.waits_for() == ("Bran",)
    refused = game.refused("Ana", "attack", target="Ogre")
    assert (refused.rule, refused.reason) == ("PF-01", "Ayla has 0 REACT, and a turn in before costs 1.")
    game.do("Bo", "wait")
    assert game.waits_for() == ("Ogre",)


def test_somebody_who_cannot_pay_from_a_pool_that_nobody_sees_is_refused_and_may_pass() -> None:
    pools = 'GRIT = { start = 0, shown = "no" }\n'
    phase = 'phase = [ { name = "early", optional = true, pay = "1 GRIT", type = "sides", first = "Players" } ]\n'
    game = begun(kit(phase, pools), "Ogre")
    assert "Ayla" in game.waits_for()
    assert "poke" not in game.legal("Ayla")
    assert game.refused("Ana", "poke", target="Ogre").rule == "KI-03"
    game.do("Ana", "pass")
