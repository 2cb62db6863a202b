"""Keywords that need people reach the GM: asked beside the game, and done with a press if the referee can."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.commands.absence import SIT_OUT
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.stones.scene import SKIN, ability, add, give, held, table
from tests.rules.table import Game


def used(text: str, *, board: bool = False, condition: str = "") -> Game:
    """Ayla uses an ability with that text on Borr, who has Stone Skin fused and may bear a condition."""
    game = table("first=A")
    blow = ability("Blow", text, card="offensive", cost="0", range="any")
    add(game, "Ayla", owner="Ana", side="A", abilities=(blow,))
    add(game, "Borr", owner="Bo", side="B", abilities=(SKIN,))
    if board:
        game.do("Gwen", "board size", size="8x8")
        game.do("Gwen", "board place", target="Ayla, Borr", cells="A1, D4")
    game.do("Gwen", "encounter begin")
    if condition:
        game.do("Gwen", "condition add", target="Borr", name=condition)
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Blow", target="Borr")
    return game


def test_what_the_rules_leave_to_people_asks_the_gm_and_holds_up_nobody() -> None:
    """Prove ST-14."""
    game = used("[Draw]")
    assert game.state.question_to("the GM").choices == ("carry-out", "by-hand")
    assert "the GM" in game.waits_for()
    assert "Ayla" in game.waits_for()
    game.do("Ana", "end")
    game.refused("Ana", "by-hand", rule="ST-14")
    game.do("Gwen", "by-hand")
    assert "the GM" not in game.waits_for()
    assert "Done by hand: Draw by Ayla on Borr." in game.lines("Bo")


def test_what_only_people_can_do_is_a_line_of_the_to_do() -> None:
    game = used("[Reroll] anything")
    assert game.state.question_to("the GM") is None
    assert [(each.text, each.targets) for each in game.state.todo] == [("[Reroll] anything", ("Borr",))]


def test_what_chance_has_not_let_happen_is_not_asked() -> None:
    """Prove ST-13."""
    assert used("[On 1-1] adds [Reroll]. The wind turns").state.todo[-1].text == "The wind turns"
    assert len(used("[On 1-1] adds [Reroll]. The wind turns").state.todo) == 1
    assert len(used("[On 1-100] adds [Reroll]. The wind turns").state.todo) == 2


def test_a_draw_is_carried_out_with_one_press() -> None:
    game = used("[Draw 2]")
    before = len(held(game, "Ana"))
    game.do("Gwen", "carry-out")
    assert len(held(game, "Ana")) == before + 2


def test_a_push_is_carried_out_with_the_cell_that_the_gm_chooses() -> None:
    game = used("[Push 2]", board=True)
    (offer,) = (each for each in system_of(game.state).offers(game.state, "the GM") if each.action == "carry-out")
    assert "F4" in (offer.params[0].choices or ())
    assert "G4" not in (offer.params[0].choices or ())
    game.do("Gwen", "carry-out", to="F4")
    assert game.state.combatant("Borr").cell == "F4"


def test_without_a_board_a_push_is_for_people_alone() -> None:
    game = used("[Push 2]")
    assert [each.text for each in game.state.todo] == ["[Push 2]"]


def test_a_condition_that_is_to_go_goes_and_a_fused_ability_is_broken() -> None:
    game = used("[Remove Burn]", condition="Burn")
    game.do("Gwen", "carry-out")
    assert not game.state.combatant("Borr").has("Burn")
    breaking = used("[Break]")
    assert [each.text for each in breaking.state.todo] == ["[Break]"]  # nothing is fused


def test_the_gm_says_which_of_two_conditions_of_one_name_is_to_go() -> None:
    game = used("[Remove Burn]", condition="Burn")
    game.do("Gwen", "condition add", target="Borr", name="Burn", source="Ayla")
    game.refused("Gwen", "carry-out")
    game.do("Gwen", "carry-out", using="Burn (from Ayla)")
    assert [held.source for held in game.state.combatant("Borr").conditions] == [None]


def test_the_only_fused_ability_is_broken_with_one_press() -> None:
    game = table("first=B")
    blow = ability("Blow", "[Break]", card="offensive", cost="0")
    add(game, "Ayla", owner="Ana", side="A", abilities=(blow,))
    add(game, "Borr", owner="Bo", side="B", abilities=(SKIN,))
    game.do("Gwen", "encounter begin")
    game.do("Bo", "begin")
    game.do("Bo", "activate")
    give(game, "Bo", "Earth 2")
    game.do("Bo", "fuse", using="Stone Skin", cards="Earth 2")
    game.do("Bo", "end")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Blow", target="Borr")
    game.do("Gwen", "carry-out")
    assert game.state.fused == {}
    assert "Earth 2" in game.state.discards


def test_a_timer_lets_what_was_left_to_people_be() -> None:
    game = used("[Draw]")
    game.decided(Command(action=SIT_OUT, target="the GM"), Seat(gm=True))
    assert game.state.question_to("the GM") is None


def test_what_was_about_somebody_who_has_left_asks_nobody() -> None:
    game = used("[Draw]")
    add(game, "Cyd", side="B")
    game.do("Gwen", "gm remove", target="Borr")
    assert game.state.question_to("the GM") is None
