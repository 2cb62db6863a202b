"""Advantage and disadvantage that abilities give: they count in the dice, and for one attack or a time. Rule: CL-11."""

from __future__ import annotations

import pytest

from rules.core.views.whole import public_actions
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game

SWORD = ("Sword", "+5 to hit; 1d8 damage")


def table(text: str) -> Game:
    game = fight("", Ana=20, Bo=10, Ogre=5)
    arm(game, "Ana", ("Flare", text), SWORD)
    for who in ("Bo", "Ogre"):
        arm(game, who, SWORD)
    for who in game.state.names:
        game.do("Gwen", "gm set", target=who, pool="AC", value="15", dice=[])
    return game


def held(game: Game, who: str) -> int:
    return len(game.state.combatant(who).conditions)


def test_only_the_next_attack_on_the_target_has_advantage_no_matter_who_makes_it() -> None:
    game = table("The next attack against the target has advantage")
    game.do("Ana", "use", using="Flare", target="Ogre", dice=[])
    game.do("Ana", "next", dice=[])
    game.do("Bo", "attack", target="Ogre", using="Sword", dice=[(20, 3), (20, 4)])
    assert held(game, "Ogre") == 0
    game.do("Bo", "attack", target="Ogre", using="Sword", dice=[(20, 3)])


def test_disadvantage_holds_for_every_attack_until_its_time_is_over() -> None:
    game = table("The target has disadvantage on attack rolls until the end of its next turn")
    game.do("Ana", "use", using="Flare", target="Ogre", dice=[])
    game.do("Ana", "next", dice=[])
    game.do("Bo", "next", dice=[])
    for _ in range(2):
        game.do("Gwen", "attack", target="Bo", using="Sword", dice=[(20, 3), (20, 19)])
    game.do("Gwen", "next", dice=[])
    assert held(game, "Ogre") == 0


def test_an_attack_that_is_rolled_again_keeps_the_edge_that_was_for_it() -> None:
    game = table("You have advantage on your next attack")
    arm(game, "Ana", ("Flare", "You have advantage on your next attack"), SWORD, ("Lucky", "reroll a missed attack"))
    game.do("Ana", "use", using="Flare", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 3), (20, 4)])
    game.do("Ana", "react", using="Lucky", dice=[(20, 2), (20, 16), (8, 4)])
    assert held(game, "Ana") == 0


@pytest.mark.parametrize("more", ["", "disadvantage"])
def test_an_edge_that_somebody_names_cancels_one_that_an_ability_gives(more: str) -> None:
    game = table("You have advantage on your next attack")
    game.do("Ana", "use", using="Flare", dice=[])
    dice = [(20, 3)] if more else [(20, 3), (20, 4)]
    game.do("Ana", "attack", target="Ogre", using="Sword", note=more, dice=dice)
    assert held(game, "Ana") == 0


def test_the_odds_on_a_button_are_those_with_the_edge() -> None:
    game = table("The next attack against the target has advantage")

    def odds() -> int:
        found = public_actions(game.table, "Ana")
        way = next(each for each in found if each.given.get("target") == "Bo" and each.given.get("note") == "end turn")
        return int(way.odds.split()[0])

    before = odds()
    game.do("Ana", "use", using="Flare", target="Bo", dice=[])
    assert odds() > before


def test_what_an_ability_always_gives_counts_and_is_named_where_it_counts() -> None:
    game = table("You have advantage on attack rolls against prone creatures.")
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 3)])
    assert "Flare" not in " ".join(game.lines())
    game.do("Gwen", "condition add", target="Ogre", name="Prone", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 3), (20, 4)])
    assert "(Flare)" in " ".join(game.lines("Bo"))
    assert "Flare" not in {way.given.get("using") for way in public_actions(game.table, "Ana")}


def test_a_bonus_holds_only_while_its_bearer_is_bloodied() -> None:
    game = table("While bloodied: +2 to damage and -1 to AC.")
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="20", dice=[])
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="20", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 10), (8, 5)])
    assert game.state.combatant("Ogre").pools["HP"].now == 15
    game.do("Gwen", "gm damage", target="Ana", amount="10", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 10), (8, 5)])
    assert game.state.combatant("Ogre").pools["HP"].now == 8
    for who in ("Ana", "Bo"):
        game.do(who, "next", dice=[])
    game.do("Gwen", "attack", target="Ana", using="Sword", dice=[(20, 9), (8, 1)])
    assert "(Flare)" in " ".join(game.lines("Bo"))


def test_the_passive_of_a_creature_of_the_gm_is_named_to_nobody_else() -> None:
    game = fight("npc_pools=hidden", Ana=20, Ogre=5)
    arm(game, "Ana", SWORD)
    arm(game, "Ogre", ("Hide", "You have a +2 bonus to AC"), SWORD)
    for who in game.state.names:
        game.do("Gwen", "gm set", target=who, pool="AC", value="15", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 11)])
    assert "(Hide)" in " ".join(game.lines("Gwen"))
    assert "Hide" not in " ".join(game.lines("Ana"))


def test_a_save_has_the_edge_that_is_for_what_it_keeps_off() -> None:
    game = table("You have advantage on saving throws against being charmed")
    game.do("Gwen", "gm set", target="Ana", pool="WIS", value="1", dice=[])
    for who in ("Ana", "Bo"):
        game.do(who, "next", dice=[])
    for text, dice in (("charmed", [(20, 3), (20, 15)]), ("frightened", [(20, 15)])):
        arm(game, "Ogre", ("Gaze", f"The target must succeed on a DC 12 WIS save or be {text}."))
        game.do("Gwen", "use", target="Ana", using="Gaze", dice=dice)
        assert ("(Flare)" in " ".join(game.lines("Bo"))) is (text == "charmed")
