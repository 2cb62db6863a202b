"""What has no decision in it is done at once (option `auto`): a turn in which nothing is left but its end."""

from __future__ import annotations

from tests.rules.beacon.scene import QUICK, SPEAR, add
from tests.rules.carried_out import carried_out
from tests.rules.table import Game

LEFT = "There is nothing left to do."


def scene(options: str = "", *, turns: int = 1) -> Game:
    """An Ogre alone in BOLSTER, with nobody who could react, before Rhea, who plans BRAWL."""
    game = Game("beacon", f"first=npc, {options}".rstrip(", "))
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, QUICK))
    add(game, "Ogre", INITIATIVE=1, TURNS=turns)
    game.do("Gwen", "encounter begin")
    return game


def test_a_turn_in_which_nothing_is_left_ends() -> None:
    game = scene()
    game.do("Gwen", "defend", character="Ogre")
    assert game.state.turn is not None  # a movement is left
    game.do("Gwen", "move", amount=1, character="Ogre")
    assert game.state.turn is None
    assert LEFT in game.lines()
    assert game.waits_for() == ("Rhea",)


def test_with_auto_off_it_is_ended_by_hand() -> None:
    game = scene("auto=off")
    game.do("Gwen", "defend", character="Ogre")
    game.do("Gwen", "move", amount=1, character="Ogre")
    assert game.state.turn is not None
    assert game.legal("Ogre") == ("end",)


def test_one_who_could_name_a_surge_with_the_end_ends_it() -> None:
    game = scene()
    game.do("Gwen", "end", character="Ogre")
    game.do("Ana", "defend")
    game.do("Ana", "minor", using="Quick Word", target="Ogre", dice=[])
    game.do("Ana", "move", amount=1)
    assert game.state.turn is not None
    game.do("Ana", "end", note="brawl")
    assert game.state.surges == {"Rhea": "brawl"}


def test_an_end_that_was_ordered_is_not_left_over_for_the_next_turn() -> None:
    game = scene(turns=2)
    game.do("Gwen", "end", character="Ogre")
    for action, amount in (("defend", None), ("move", 1), ("end", None)):
        game.do("Gwen", action, character="Ogre", when="my-turn", amount=amount)
    game.do("Ana", "plan", note="brawl")
    assert carried_out(game) == ["defend", "move", "end"]
    assert game.state.orders == ()
    assert LEFT not in game.lines()
