"""What is typed in the place of an action: a power's name does it, anything else is told what is possible now."""

from __future__ import annotations

from rules.errors import Refusal
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, duel, skip_all, two_d6


def with_sword() -> Game:
    sword = ability("Sword", damage="4")
    return duel(rhea={"abilities": (sword,)}, ogre={"abilities": (sword,)})


def test_a_mistyped_action_is_told_the_nearest_and_what_is_possible_now() -> None:
    game = with_sword()
    refusal = str(game.refused("Ana", "mvoe"))
    assert "Did you mean move?" in refusal
    assert "Possible now: move, skip." in refusal
    assert "attack" not in refusal


def test_what_advice_there_is_for_what_is_no_action_here_stays() -> None:
    game = Game("classic")
    game.do("Ana", "join")
    game.do("Gwen", "gm add", name="Ogre")
    game.do("Gwen", "encounter begin")
    assert "/act damage" in str(game.refused("Ana", "attack"))


def test_the_name_of_a_power_does_what_it_is_for() -> None:
    game = with_sword()
    game.do("Ana", "walk", amount=2)
    assert "Rhea, Walk: 2 of 5 squares." in game.said()
    skip_all(game)
    game.do("Gwen", "sword", target="Rhea", dice=two_d6(6, 6))
    assert "Ogre attacks Rhea with Sword" in game.said()


def test_a_power_of_somebody_else_is_no_action_of_ones_own() -> None:
    game = duel(ogre={"abilities": (ability("Gaze", damage="4", range="any"),)})
    skip_all(game)
    refusal: Refusal = game.refused("Ana", "gaze", target="Ogre")
    assert "Gaze" not in str(refusal)


def test_what_a_button_says_may_be_typed_as_the_action() -> None:
    game = Game("classic")
    game.do("Ana", "join", name="Lia", result=9)
    game.do("Bo", "join", name="Tor", result=5)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "End turn")
    game.do("Bo", "end-turn")
    assert game.state.round == 2
