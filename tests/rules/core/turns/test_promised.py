"""Somebody whose place has passed unseen has the next turn when they appear (play 7, 8)."""

from __future__ import annotations

import pytest

from rules.core.hiding import acting
from tests.rules.core.lurking import LURKER, go_on, table
from tests.rules.table import Game


def ambush() -> Game:
    """Begin round 1 by a player's press, with somebody hidden who would be the first."""
    game = Game()
    for name, result in (("Ana", 15), ("Bo", 10)):
        game.do(name, "join", result=result)
    game.do("Gwen", "gm add", name="Assassin", hidden=True, result=20)
    game.do("Gwen", "gm add", name="Ogre", result=5)
    game.do("Gwen", "encounter begin")
    return game


def test_somebody_who_appears_during_the_turn_after_their_place_has_the_next_one() -> None:
    game = ambush()
    assert game.waits_for() == ("Ana",)
    game.do("Gwen", "gm reveal", target="Assassin")
    assert game.waits_for() == ("Ana",), "the turn under way is not cut short"
    game.do("Ana", "next")
    assert game.waits_for() == ("Assassin",)
    game.do("Gwen", "next")
    assert game.waits_for() == ("Bo",)


def test_somebody_who_appears_after_the_turn_in_which_they_could_act_unseen_has_lost_nothing() -> None:
    game = ambush()
    game.do("Ana", "next")
    assert acting(game.state) == ()
    game.do("Gwen", "gm reveal", target="Assassin")
    game.do("Bo", "next")
    assert game.waits_for() == ("Assassin",)
    game.do("Gwen", "next")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Assassin",)), "and has one turn in each round"


@pytest.mark.parametrize("how", ["next", "gm skip"])
def test_one_who_acted_unseen_or_was_done_has_no_second_turn(how: str) -> None:
    game = ambush()
    if how == "next":
        game.do("Gwen", how, character="Assassin")
    else:
        game.do("Gwen", how, target="Assassin")
    game.do("Gwen", "gm reveal", target="Assassin")
    game.do("Ana", "next")
    assert game.waits_for() == ("Bo",)


@pytest.mark.parametrize("system", ["adventurers", "beacon", "classic", "soulweaver", "tactics"])
def test_in_every_system_the_one_who_has_not_acted_acts_once_they_appear(system: str) -> None:
    game = table(system)
    for _ in range(20):
        if LURKER in acting(game.state):
            break
        go_on(game)
    assert LURKER in acting(game.state)
    game.do("Gwen", "gm reveal", target=LURKER)
    for _ in range(4):
        if LURKER in game.waits_for():
            break
        go_on(game)
    assert LURKER in game.waits_for()
