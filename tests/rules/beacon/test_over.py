"""After the last foe has fallen nobody is asked any more, and no timer plays on (issue of absence; BE-26)."""

from __future__ import annotations

import pytest

from bot.waiting.waits import wanted
from tests.rules.beacon.scene import BOW, QUICK, SPEAR, add
from tests.rules.table import Game


def outcome(game: Game) -> str | None:
    over: str | None = game.state.over
    return over


def skirmish() -> Game:
    """Rhea, in the turn in which the only Ogre falls; Pip has not acted."""
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(BOW, QUICK))
    add(game, "Pip", owner="Bo", abilities=(SPEAR,))
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=5, HP=3)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm next-phase")  # nobody waits for CHANNEL
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 18), (6, 5)])
    return game


def test_be_26_with_the_last_foe_the_fight_is_over_in_the_middle_of_a_turn() -> None:
    game = skirmish()
    assert outcome(game) == "Nobody of NPCs is left."
    assert "The fight is over: nobody of NPCs is left." in game.lines("Bo")
    assert [line for line in game.lines("Gwen") if "/encounter end" in line] != []
    assert [line for line in game.lines("Bo") if "/encounter end" in line] == []
    assert game.waits_for() == ()
    assert wanted(game.state) == ()


def test_be_26_the_gm_is_told_once_and_nobody_acts() -> None:
    game = skirmish()
    refusal = game.refused("Bo", "plan", note="brawl")
    assert "The fight is over" in str(refusal)
    game.do("Gwen", "gm note", target="Rhea", text="well done")
    assert not any("The fight is over" in line for line in game.lines("Gwen"))


def test_be_26_the_turn_goes_on_if_a_foe_stands_up_again() -> None:
    game = skirmish()
    game.do("Gwen", "gm heal", target="Ogre", amount="4")
    assert "The fight goes on." in game.lines("Bo")
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "minor", using="Quick Word", target="Ogre")


def test_be_26_the_gm_may_go_on_without_a_foe_and_a_new_one_ends_that() -> None:
    game = skirmish()
    game.do("Gwen", "gm next-phase")
    assert outcome(game) is None
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "end", note="no")
    assert game.waits_for() == ("Pip",)
    add(game, "Imp", INITIATIVE=8, HP=1)
    game.do("Gwen", "gm damage", target="Imp", amount="5")
    assert outcome(game) == "Nobody of NPCs is left."


@pytest.mark.parametrize("who", ["Rhea", "Pip"])
def test_be_26_a_beacon_without_health_is_not_out_until_the_gm_says_so(who: str) -> None:
    game = skirmish()
    game.do("Gwen", "gm heal", target="Ogre", amount="4")
    game.do("Gwen", "gm damage", target="Rhea, Pip", amount="99")
    assert outcome(game) is None
    game.do("Gwen", "condition add", target="Rhea, Pip", name="Out")
    assert outcome(game) == "Nobody of Beacons is left."
    game.do("Gwen", "condition remove", target=who, name="Out")
    assert outcome(game) is None
