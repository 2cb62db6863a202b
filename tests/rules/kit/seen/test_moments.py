"""Each moment of `[when]` happens when it does and not before, and forms of sentences that no other file plays."""

from __future__ import annotations

import pytest

from tests.rules.kit.reacting import table
from tests.rules.kit.reading import QUICK
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

HEAD = """order = { type = "sides", first = "Players" }
[pool]
HP = { start = 9, out = true }
LUCK = { start = 2, most = 3 }
HEAT = { of = "table", most = 2 }
COUNT = { of = "table", shown = "number" }
[action]
rest = {}
fall = { target = "foe", do = ["target HP becomes 0"] }
spend = { do = ["self loses 1 LUCK"] }
gain = { do = ["self gains 1 LUCK"] }
warm = { do = ["table gains 1 HEAT"] }
bleed = { do = ["self loses 1 HP"] }
"""
# the moment: what brings it about, after something that does not
MOMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "turn-end": (("Ayla rest",), ("Ayla end",)),
    "round-end": (("Ayla end", "Bran end"), ("Ogre end",)),
    "round-start": (("Ayla end", "Bran end"), ("Ogre end",)),
    "side-out": (("Ayla rest",), ("Ayla fall",)),
    "LUCK-zero": (("Ayla spend",), ("Ayla spend",)),
    "LUCK-full": (("Ayla spend",), ("Ayla gain", "Ayla gain")),
    "LUCK-loss": (("Ayla gain",), ("Ayla spend",)),
    "HP-loss": (("Ayla spend",), ("Ayla bleed",)),
    "HEAT-full": (("Ayla warm",), ("Ayla warm",)),
}


def count(game: Game) -> int:
    return int(game.state.table_pools["COUNT"].now)


def do(game: Game, lines: tuple[str, ...]) -> None:
    for line in lines:
        who, action = line.split()
        game.do("Gwen", action, character=who, target="Ogre" if action == "fall" else None)


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_said_of_a_moment_happens_then_and_not_before(moment: str) -> None:
    before, then = MOMENTS[moment]
    game = begun(KitGame(f'{QUICK}when = {{ {moment} = ["table gains 1 COUNT"] }}\n{HEAD}'), "Ogre")
    do(game, before)
    earlier = count(game)
    assert earlier == (1 if moment == "round-start" else 0)
    do(game, then)
    assert count(game) == earlier + 1


def test_each_of_several_sides_is_out_as_its_last_one_falls_and_again_if_it_comes_back() -> None:
    text = f'{QUICK}sides = ["Players", "GM", "Wild"]\nwhen = {{ side-out = ["table gains 1 COUNT"] }}\n{HEAD}'
    game = begun(KitGame(text), "Ogre")
    game.do("Gwen", "gm add", name="Bear", side="Wild")
    do(game, ("Ayla fall",))
    assert "GM: nobody is left." in game.lines()
    assert (count(game), game.state.over) == (1, None)
    do(game, ("Ayla rest",))
    assert count(game) == 1, "it is told once"
    for now in ("5", "0"):
        game.do("Gwen", "gm set", target="Ogre", pool="HP", value=now)
    assert (count(game), game.state.over) == (2, None)
    game.do("Gwen", "gm set", target="Bear", pool="HP", value="0")
    assert "GM: nobody is left." not in game.lines()
    assert (count(game), game.state.over) == (3, "Nobody of GM, Wild is left.")


@pytest.mark.parametrize("moment", ["fight-start", "round-start"])
def test_a_fight_and_its_first_round_start_as_it_begins(moment: str) -> None:
    game = begun(KitGame(f'{QUICK}when = {{ {moment} = ["everyone loses 1 LUCK"] }}\n{HEAD}'), "Ogre")
    assert {each.pools["LUCK"].now for each in game.state.combatants} == {1}
    do(game, ("Ayla end", "Bran end", "Ogre end"))
    assert game.state.combatant("Ayla").pools["LUCK"].now == (1 if moment == "fight-start" else 0)


@pytest.mark.parametrize(
    ("who", "prone"), [("foes", {"Ogre"}), ("allies", {"Bran"}), ("everyone", {"Ayla", "Bran", "Ogre"})]
)
def test_a_condition_comes_to_all_who_are_meant(who: str, prone: set[str]) -> None:
    kit = KitGame(f'{QUICK}{HEAD}wave = {{ do = ["{who} is prone"] }}\n[condition]\nprone = {{}}\n')
    game = begun(kit, "Ogre")
    game.do("Ana", "wave")
    assert {each.name for each in game.state.combatants if each.has("Prone")} == prone


def test_turns_that_are_gained_or_lost_are_those_of_the_round() -> None:
    head = HEAD.replace('"sides", first', '"alternate", first')
    more = 'target = "{}", do = ["target {} 1 TURNS"]'.format
    game = begun(
        KitGame(f"{QUICK}{head}hurry = {{ {more('other', 'gains')} }}\nslow = {{ {more('foe', 'loses')} }}\n"), "Ogre"
    )
    game.do("Ana", "hurry", target="Bran")
    game.do("Ana", "slow", target="Ogre")
    had = []
    while game.state.round == 1:
        had.append(game.waits_for()[0])
        game.do("Gwen", "end", character=had[-1])
    assert had == ["Ayla", "Bran", "Bran"]


def test_one_who_is_moved_goes_where_the_mover_says() -> None:
    game = begun(KitGame(f'{QUICK}{HEAD}shove = {{ target = "foe", do = ["target moves 2"] }}\n'), "Ogre")
    game.do("Ana", "shove", target="Ogre")
    assert "Ogre moves up to 2." in game.lines()
    game.do("Gwen", "board size", size="8x8")
    for who, cell in (("Ayla", "A1"), ("Ogre", "B1")):
        game.do("Gwen", "board place", target=who, cells=cell)
    game.do("Ana", "shove", target="Ogre", to="D1")
    assert game.state.combatant("Ogre").cell == "D1"
    assert game.refused("Ana", "shove", target="Ogre", to="H1").rule == "KI-05"


def test_an_answer_to_what_befalls_a_foe_makes_it_easier() -> None:
    game = table('[reaction]\nhelp = { to = "failed", for = "foe", do = ["it is easier by 2"] }\n')
    game.do("Ana", "strike", target="Ogre", dice=[(20, 9)])
    assert game.waits_for() == ("Bran",)
    game.do("Bo", "help")
    assert "easier by 2, success" in game.said()
    assert game.state.combatant("Ogre").pools["HP"].now == 6


def test_coming_near_is_answered_and_being_near_already_is_not() -> None:
    game = table('[reaction]\nlash = { to = "moved-near", for = "foe", do = ["source loses 2 HP"] }\n')
    game.do("Gwen", "board size", size="8x8")
    for who, cell in (("Ayla", "A1"), ("Ogre", "A2"), ("Bran", "D2")):
        game.do("Gwen", "board place", target=who, cells=cell)
    game.do("Ana", "walk", to="B1")
    assert not game.state.questions, "she was near before"
    game.do("Bo", "walk", to="B2")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "lash", character="Ogre")
    assert game.state.combatant("Bran").pools["HP"].now == 8
