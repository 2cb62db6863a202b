"""Who delays is not asked after each turn, unless they want to be or say after whose turn (play 6, TA-14)."""

from __future__ import annotations

from bot.render.prompt_buttons import whole_button
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.view import view_of
from rules.core.views.whole import public_actions, whole_actions
from tests.rules.table import GM_OF_ALL, Game
from tests.rules.tactics.scene import add, skip_all, two_d6

MOST_ON_A_PHONE = 45  # characters of a label


def battle() -> Game:
    """In battle Rhea (Ana) has the turn, then come Pip (Bo), Ogre and Wolf."""
    game = Game("tactics")
    add(game, "Rhea", owner="Ana")
    add(game, "Pip", owner="Bo")
    add(game, "Ogre")
    add(game, "Wolf")
    game.do("Gwen", "encounter begin", dice=two_d6(6, 6, 5, 5, 4, 4, 3, 3))
    skip_all(game)
    assert game.waits_for() == ("Rhea",)
    return game


def test_after_somebodys_turn_it_is_theirs_by_itself() -> None:
    """Prove TA-14."""
    game = battle()
    game.do("Ana", "delay", note="after Ogre")
    game.do("Bo", "pass")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "pass", character="Ogre")
    assert game.waits_for() == ("Rhea",)
    assert "Rhea acts now, after Ogre." in game.lines("Bo")
    game.do("Ana", "defend")
    assert game.waits_for() == ("Wolf",)


def test_after_somebody_who_has_acted_is_no_choice() -> None:
    game = battle()
    game.do("Ana", "pass")
    refusal = game.refused("Bo", "delay", note="after Rhea")
    assert "after Ogre" in str(refusal)


def test_one_who_wants_to_be_asked_is_asked_after_each_turn_and_nobody_else() -> None:
    game = battle()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "delay")
    game.do("Gwen", "pass", character="Ogre")
    assert game.waits_for() == ("Rhea",)
    assert game.state.question_to("Rhea").choices == ("act-now", "wait-on")
    game.do("Ana", "wait-on")
    assert game.waits_for() == ("Wolf",)
    assert "act-now" in game.legal("Pip")  # the way in that nobody asks for
    game.do("Gwen", "pass", character="Wolf")
    assert game.waits_for() == ("Rhea",)  # nobody else is left: it is taken now


def test_one_who_is_asked_takes_the_turn_at_once_and_the_others_are_asked_no_more() -> None:
    game = battle()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "delay", note="ask")
    game.do("Gwen", "pass", character="Ogre")
    assert game.waits_for() == ("Rhea", "Pip")
    game.do("Bo", "act-now")
    assert game.waits_for() == ("Pip",)
    assert game.state.question_to("Rhea") is None
    game.do("Bo", "pass")
    assert game.waits_for() == ("Rhea",)
    assert game.state.question_to("Rhea") is not None


def test_a_deadline_and_a_new_round_wait_on_and_forget_it() -> None:
    game = battle()
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "pass")
    default_answer = system_of(game.state).timeout_action(game.state, "Rhea")
    assert default_answer == Command(action="wait-on", character="Rhea")
    game.decided(default_answer, GM_OF_ALL)
    game.do("Gwen", "gm next-phase")
    assert (game.state.alert, game.state.until, game.state.asking) == ((), {}, ())


def test_the_button_of_a_delay_is_one_and_says_no_more() -> None:
    game = battle()
    found = [whole for whole in public_actions(game.table, "Rhea") if whole.offer.action == "delay"]
    assert [(whole.label, whole.is_whole) for whole in found] == [("Delay", True)]


def test_a_disengagement_names_its_price_in_the_menu_and_as_much_as_a_phone_shows_on_its_button() -> None:
    """Prove TA-16."""
    game = battle()
    view = view_of(game.table, Seat())
    assert view is not None
    (whole,) = [whole for whole in public_actions(game.table, "Rhea") if whole.offer.action == "disengage"]
    label = whole_button(view, whole, 1)["label"]
    short = label.partition(" · ")[2]
    assert short
    assert whole.price.startswith(short)
    assert len(label) < MOST_ON_A_PHONE
    assert str(game.state.round + 1) in whole.price
    assert whole.price in whole.notes


def test_ones_own_menu_has_one_entry_for_a_delay_which_asks_until_when() -> None:
    game = battle()
    menu = whole_actions(game.table, "Rhea", game.seat("Ana"))
    (delay,) = [each for each in menu if each.offer.action == "delay"]
    assert not delay.is_whole
    assert delay.offer.params[0].choices == ("ask", "after Pip", "after Ogre", "after Wolf")
