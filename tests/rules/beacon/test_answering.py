"""Reactions of a sheet that change the attack they answer: less damage, a bane, another target, a blow in return.

Rule: BE-20, BE-24.
"""

from __future__ import annotations

import pytest

from rules.core.sheets.abilities import parse_ability
from tests.rules.beacon.rounds import begin_brawl, pools
from tests.rules.beacon.scene import BOW, SPEAR, add
from tests.rules.table import Game

LESS = (
    "REACTION (1/ROUND), 1 MP. Trigger: {} hit by a melee attack. Effect: Reduce the damage by 1d3+1 and shift 1 space."
)


def struck(source: str, dice: list[tuple[int, int]], *, by: str = "fight") -> Game:
    """The Ogre strikes at Rhea, and Pip is beside her; both have an answer and no FOCUS."""
    game = Game("beacon")
    art = parse_ability("Art", source).model_dump()
    for name, owner in (("Rhea", "Ana"), ("Pip", "Bo")):
        add(game, name, owner=owner, abilities=(SPEAR, art), FOCUS=0)
    add(game, "Ogre", abilities=(SPEAR, BOW), INITIATIVE=5)
    begin_brawl(game, "12x12", {"Rhea": "C3", "Pip": "C4", "Ogre": "E3"}, "Ana", "Bo")
    using = "Spear" if by == "fight" else "Bow"
    game.do("Gwen", by, character="Ogre", using=using, target="Rhea", dice=dice)
    return game


def test_be_20_a_reaction_lessens_damage_before_it_is_rolled() -> None:
    """Rule: BE-20, BE-26. 6 + 2 of the spear, less 2 + 1, less ARMOR 1."""
    game = struck(LESS.format("You are"), [(20, 12)])
    assert game.waits_for() == ("Rhea",)
    assert pools(game, "Rhea")["HP"] == 20
    game.do("Ana", "react", using="Art", dice=[(6, 6), (3, 2)])
    assert (pools(game, "Rhea")["HP"], pools(game, "Rhea")["MP"]) == (16, 3)
    assert game.state.free_moves["Rhea"].left == 1
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert pools(game, "Rhea")["HP"] == 20


def test_be_20_who_lets_it_pass_takes_it_whole_and_is_not_asked_again() -> None:
    """Rule: BE-20, BE-24."""
    game = struck(LESS.format("You are"), [(20, 12)])
    game.do("Ana", "decline", dice=[(6, 6)])
    assert pools(game, "Rhea")["HP"] == 13
    assert game.waits_for() == ("Ogre",)


@pytest.mark.parametrize(("by", "face"), [("fight", 2), ("volley", 12)])
def test_be_20_a_miss_or_another_kind_of_attack_asks_nobody(by: str, face: int) -> None:
    """Rule: BE-20."""
    game = struck(LESS.format("You are"), [(20, face), *([(6, 3)] if by == "volley" else [])], by=by)
    assert game.waits_for() == ("Ogre",)


def test_be_20_an_ally_may_lessen_it_for_another() -> None:
    """Rule: BE-20."""
    game = struck(LESS.format("An adjacent ally is"), [(20, 12)])
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "react", using="Art", dice=[(6, 6), (3, 3)])
    assert (pools(game, "Rhea")["HP"], pools(game, "Pip")["MP"]) == (17, 3)


def test_be_10_a_bane_is_put_on_the_attack_before_its_roll() -> None:
    """Rule: BE-10, BE-20. 9 + 2 reach DODGE 10 no more with a bane of 2."""
    game = struck("REACTION. Trigger: You are targeted by an attack. Effect: The attack is made with +1 BANE.", [])
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "react", using="Art", dice=[(20, 9), (6, 2)])
    assert pools(game, "Rhea")["HP"] == 20
    assert "Art" in next(line for line in game.lines("Bo") if "Banes" in line)


def test_be_20_a_reaction_takes_the_attack_upon_who_has_it() -> None:
    """Rule: BE-20."""
    game = struck("REACTION. Trigger: An ally within 3 is targeted. Effect: You become the target instead.", [])
    game.do("Bo", "react", using="Art", dice=[(20, 12), (6, 6)])
    assert [pools(game, who)["HP"] for who in ("Rhea", "Pip")] == [20, 13]


def test_be_20_a_reaction_strikes_back_with_a_weapon_that_reaches() -> None:
    """Rule: BE-20. After the attack; a weapon is named if there are several."""
    game = struck("REACTION, 1 MP. Trigger: You are hit. Effect: You FIGHT against that character.", [(20, 12), (6, 6)])
    game.do("Ana", "react", using="Art", dice=[(20, 15), (6, 3)])
    assert (pools(game, "Ogre")["HP"], pools(game, "Rhea")["MP"]) == (16, 3)
    assert game.waits_for() == ("Ogre",)
