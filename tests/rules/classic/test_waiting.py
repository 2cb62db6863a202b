"""Who delays is not asked after each turn, unless they want to be or say after whose turn (play 6, CL-05)."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.views.whole import public_actions, whole_actions
from tests.rules.table import GM_OF_ALL, Game


def fight(options: str = "") -> Game:
    """Ana has the turn, then come Bo, Ogre and Wolf."""
    game = Game("classic", options)
    for name, result in (("Ana", 20), ("Bo", 15)):
        game.do(name, "join", result=result)
    for name, result in (("Ogre", 10), ("Wolf", 5)):
        game.do("Gwen", "gm add", name=name, result=result)
    game.do("Gwen", "encounter begin")
    return game


def test_cl_05_one_who_wants_to_be_asked_is_asked_after_each_turn_and_nobody_else() -> None:
    game = fight()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "delay")
    game.do("Gwen", "next", character="Ogre")
    assert game.waits_for() == ("Ana",)
    assert game.state.question_to("Ana").choices == ("back", "wait-on")
    game.do("Ana", "wait-on")
    assert game.waits_for() == ("Wolf",)
    assert "back" in game.legal("Bo")  # the way in that nobody asks for
    game.do("Gwen", "next", character="Wolf")
    assert game.waits_for() == ("Ana",)  # a last time before their own place comes round again
    game.do("Ana", "wait-on")
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))
    game.do("Ana", "next")
    assert game.waits_for() == ("Bo",)  # a delay is over with it, and its asking


def test_cl_05_one_who_is_asked_takes_the_turn_at_once_and_the_others_after_it() -> None:
    game = fight()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "delay", note="ask")
    game.do("Gwen", "next", character="Ogre")
    assert game.waits_for() == ("Ana", "Bo")
    game.do("Bo", "back")
    assert game.waits_for() == ("Bo",)
    assert game.state.question_to("Ana") is None
    game.do("Bo", "next")
    assert game.state.question_to("Ana") is not None
    game.do("Ana", "back")
    game.do("Ana", "next")
    assert game.waits_for() == ("Wolf",)


def test_cl_10_a_joker_acts_while_somebody_is_asked_and_then_they_are_asked_again() -> None:
    game = fight("rolled=cards")
    first, second, joker, last = game.state.order
    held = dict(game.state.dealt)
    game.table = game.table.evolve(encounter=game.state.evolve(dealt={**held, joker: "X1"}))
    owner = {"Ana": "Ana", "Bo": "Bo"}
    game.do(owner.get(first, "Gwen"), "delay", note="ask", character=first)
    game.do(owner.get(second, "Gwen"), "next", character=second)
    assert game.waits_for() == (first,)
    game.do(owner.get(joker, "Gwen"), "interrupt", character=joker)
    assert game.waits_for() == (joker,)
    game.do(owner.get(joker, "Gwen"), "next", character=joker)
    assert game.waits_for() == (first,)
    game.do(owner.get(first, "Gwen"), "wait-on", character=first)
    assert game.waits_for() == (last,)


def test_cl_05_a_deadline_waits_on_and_the_gm_may_give_the_turn_meanwhile() -> None:
    game = fight()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "next")
    assert system_of(game.state).timeout_action(game.state, "Ana") == Command(action="wait-on", character="Ana")
    game.do("Gwen", "gm turn", target="Wolf")
    assert game.state.questions == ()
    game.do("Gwen", "next", character="Wolf")
    game.decided(Command(action="wait-on", character="Ana"), GM_OF_ALL)
    assert game.waits_for() == ("Ogre",)


def test_ones_own_menu_has_one_entry_for_a_delay_which_asks_until_when() -> None:
    game = fight()
    menu = whole_actions(game.table, "Ana", game.seat("Ana"))
    (delay,) = [each for each in menu if each.offer.action == "delay"]
    assert not delay.is_whole
    assert delay.offer.params[0].choices == ("ask", "after Bo", "after Ogre", "after Wolf")
    found = [whole for whole in public_actions(game.table, "Ana") if whole.offer.action == "delay"]
    assert [(whole.label, whole.is_whole) for whole in found] == [("Delay", True)]


def test_in_popcorn_the_next_one_is_named_and_nobody_is_asked() -> None:
    game = fight("by=popcorn")
    assert "Leave out note" in str(game.refused("Ana", "delay", target="Bo", note="ask", rule="CL-09"))


def test_cl_05_somebody_who_comes_back_before_the_next_turn_is_used_has_the_turn_at_once() -> None:
    game = fight()
    game.do("Ana", "delay")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)
    game.do("Ana", "back")
    assert game.waits_for() == ("Ana",)
    game.do("Ana", "next")
    assert game.waits_for() == ("Ogre",), "nobody loses a turn by it"
    game.do("Gwen", "next", character="Ogre")
    assert "Ana" not in game.waits_for()


def test_cl_05_nobody_is_interrupted_who_has_used_their_turn() -> None:
    game = fight()
    game.do("Ana", "delay")
    game.do("Bo", "next")
    game.do("Gwen", "ready", character="Ogre", note="if Ana moves: bite")
    game.do("Ana", "back")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "next", character="Ogre")
    assert game.waits_for() == ("Ana",)
