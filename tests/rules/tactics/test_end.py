"""The End Phase: saving throws, and what lasts until the end of a round. Rule: TA-17, TA-18."""

from __future__ import annotations

import pytest

from rules.core.values import Ability
from rules.errors import Malformed
from rules.systems.tactics.abilities import read_effect
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, drawn, duel, skip_all, two_d6

AGAIN = two_d6(1, 1, 6, 6)


def held(game: Game, who: str) -> list[str]:
    return [condition.name for condition in game.state.combatant(who).conditions]


def to_end(game: Game) -> None:
    """Play up to Rhea's pass, which ends the round."""
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")


@pytest.mark.parametrize(("faces", "left"), [((3, 4), []), ((3, 3), ["Burning"]), ((6, 6), [])])
def test_ta_17_seven_or_more_ends_an_effect(faces: tuple[int, int], left: list[str]) -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Burning", save="2d6>=7")
    to_end(game)
    game.do("Ana", "pass", dice=[*two_d6(*faces), *AGAIN])
    assert held(game, "Rhea") == left
    assert f"Rhea, saving throw for Burning: 2d6 ({faces[0]}, {faces[1]}) = {sum(faces)} against 7" in game.said()


@pytest.mark.parametrize(("faces", "left"), [((3, 4), ["Wrath"]), ((3, 3), [])])
def test_ta_17_or_it_sustains_the_effect_if_the_effect_says_so(faces: tuple[int, int], left: list[str]) -> None:
    game = duel(ogre={"abilities": (ability("Rouse", effect="Wrath", save="sustains"),)})
    skip_all(game)
    game.do("Gwen", "attack", target="Rhea", using="Rouse", dice=two_d6(6, 6))
    game.do("Ana", "pass", dice=[*two_d6(*faces), *AGAIN])
    assert held(game, "Rhea") == left


def test_ta_17_one_roll_for_each_effect_before_the_next_initiative() -> None:
    game = duel()
    for who, name in (("Ogre", "Cold"), ("Rhea", "Burning"), ("Rhea", "Blind")):
        game.do("Gwen", "condition add", target=who, name=name, save="2d6>=7")
    to_end(game)
    game.do("Ana", "pass", dice=[*two_d6(1, 1), *two_d6(6, 6), *two_d6(2, 2), *AGAIN])
    purposes = [(die.who, die.purpose) for die in drawn(game)][::2]
    assert purposes == [
        ("Rhea", "save Burning"),
        ("Rhea", "save Blind"),
        ("Ogre", "save Cold"),
        ("Rhea", "initiative"),
        ("Ogre", "initiative"),
    ]
    assert (held(game, "Rhea"), held(game, "Ogre")) == (["Burning"], ["Cold"])


def test_ta_17_an_effect_without_a_save_is_not_rolled_for() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Marked")
    to_end(game)
    game.do("Ana", "pass", dice=AGAIN)
    assert held(game, "Rhea") == ["Marked"]


@pytest.mark.parametrize(
    ("lasts", "rounds"),
    [
        ("round", 1),
        ("next round", 2),
        ("3", 3),
        ("4 rounds", 4),
        ("2r", 2),
        ("for two rounds", 2),
        ("until the end of the next round", 2),
    ],
)
def test_ta_18_effects_of_a_power_end_with_the_round_or_with_the_next(lasts: str, rounds: int) -> None:
    game = duel(ogre={"abilities": (ability("Daze", effect="Dazed", lasts=lasts),)})
    skip_all(game)
    game.do("Gwen", "attack", target="Rhea", using="Daze", dice=two_d6(6, 6))
    for number in range(1, rounds + 1):
        assert held(game, "Rhea") == ["Dazed"], number
        game.do("Ana", "pass", dice=AGAIN)
        to_end(game)
    assert held(game, "Rhea") == []


def test_ta_18_conditions_of_the_gm_that_tick_at_the_end_of_the_round_end_here() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Dazed", duration="1", ticks="round-end")
    game.do("Gwen", "condition add", target="Ogre", name="Hexed", duration="2", ticks="round-end")
    to_end(game)
    game.do("Ana", "pass", dice=AGAIN)
    assert (held(game, "Rhea"), held(game, "Ogre")) == ([], ["Hexed"])


def test_ta_18_what_ticks_on_a_turn_ticks_on_the_battle_turn_once_a_round() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Dazed", duration="1", ticks="bearer-start")
    game.do("Gwen", "condition add", target="Ogre", name="Hexed", duration="1", ticks="source-end", source="Rhea")
    to_end(game)
    assert (held(game, "Rhea"), held(game, "Ogre")) == (["Dazed"], ["Hexed"])
    game.do("Ana", "defend", dice=AGAIN)
    assert (held(game, "Rhea"), held(game, "Ogre")) == (["Defending"], [])


def test_ta_18_rounds_count_for_those_without_a_turn_too() -> None:
    game = duel()
    add(game, "Goblin")
    game.do("Gwen", "condition add", target="Ogre", name="Hexed", duration="1")
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    skip_all(game)
    for who in ("Goblin", "Rhea"):
        game.do("Gwen", "pass", character=who)
    assert game.state.round == 2
    assert held(game, "Ogre") == []


@pytest.mark.parametrize("lasts", ["until the end of my next turn", "a year of rounds", "2 turns"])
def test_ta_18_a_duration_that_rounds_do_not_count_is_refused_when_it_is_read(lasts: str) -> None:
    with pytest.raises(Malformed):
        read_effect(Ability(name="Daze", fields={"effect": "Dazed", "lasts": lasts}))
