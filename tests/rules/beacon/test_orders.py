"""Orders in advance in a system of phases: they belong to the phase that is planned, or plan it. BE-02, play 5."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.commands.standing_orders import due_order, offers_on_turn, wholes_on_turn
from tests.rules.beacon.rounds import scene
from tests.rules.board.boards import draw
from tests.rules.table import Game


def order(game: Game, by: str, action: str, **given: Any) -> None:
    game.do(by, action, when="my-turn", **given)


def test_be_02_an_order_is_offered_for_the_phase_that_is_planned() -> None:
    game = scene()
    game.do("Ana", "plan", note="brawl")
    offered = {offer.action for offer in offers_on_turn(game.table, "Rhea", game.seat("Ana"))}
    assert "fight" in offered
    assert "defend" not in offered


def test_be_02_a_creature_is_offered_its_phase_with_any_action() -> None:
    game = scene()
    offered = {offer.action for offer in offers_on_turn(game.table, "Ogre", game.seat("Gwen"))}
    assert {"fight", "hide"} <= offered


def test_be_02_an_order_names_its_phase_and_the_table_does_not_wait_before() -> None:
    game = scene()
    order(game, "Ana", "fight", using="Spear", target="Ogre")
    assert game.state.plans == {"Rhea": "brawl"}
    assert game.waits_for() == ("Pip",)


def test_be_02_what_several_phases_could_take_leaves_the_plan_alone() -> None:
    game = scene()
    order(game, "Ana", "ready", using="minor:Quick Word", note="somebody speaks")
    assert game.state.plans == {}


def test_be_02_an_order_says_its_phase_and_is_tried_there() -> None:
    game = scene()
    order(game, "Ana", "fight", using="Spear", target="Ogre")
    assert game.lines("Ana") == ["When it is Rhea's turn in BRAWL: fight Ogre with Spear.", "Rhea will act in BRAWL."]
    assert [(each.probed, each.phase) for each in game.state.orders] == [(True, "brawl")]


def test_be_02_an_order_that_the_planned_phase_cannot_take_says_so_to_its_owner_alone() -> None:
    game = scene()
    game.do("Ana", "plan", note="brawl")
    order(game, "Ana", "volley", using="Bow", target="Ogre")
    told = [line for line in game.lines("Ana") if "waits" in line]
    assert "BE-01 volley belongs to SKIRMISH; this is BRAWL." in told[0]
    assert game.lines("Bo") == []
    game.do("Bo", "plan", note="delay")
    assert (game.state.phase, game.waits_for()) == ("brawl", ("Rhea",))
    assert not any("waits" in line for line in game.lines("Ana")), "it has been said"


def test_be_02_one_who_plans_another_phase_reads_what_becomes_of_their_order() -> None:
    game = scene()
    order(game, "Ana", "fight", using="Spear", target="Ogre")
    game.do("Ana", "plan", note="skirmish")
    told = [line for line in game.lines("Ana") if "waits" in line]
    assert told[0].startswith("Rhea's order waits: fight Ogre with Spear. BE-01 fight belongs to BRAWL")
    assert not any("order" in line for line in game.lines("Bo"))
    game.do("Ana", "plan", note="brawl")
    game.do("Bo", "plan", note="delay")
    due = due_order(game.table)
    assert due is not None, "the plan leads to it again"
    assert due.command.action == "fight"


# A second order is offered for the turn as the first leaves it (play 5)


def far() -> Game:
    """Pip is to fight in BRAWL, five cells away from the Ogre."""
    game = scene()
    game.do("Gwen", "board size", size="20x5")
    game.do("Gwen", "board place", target="Rhea, Pip, Ogre", cells="A5, A1, F1")
    game.do("Bo", "plan", note="brawl")
    return game


def turn_to_come(game: Game, reader: str = "Bo") -> list[str]:
    """Return what a menu offers for Pip's turn."""
    return [each.label for each in wholes_on_turn(game.table, "Pip", game.seat(reader))]


FIGHT = "Fight Ogre with Spear"


def test_play_5_a_second_order_starts_from_the_end_of_the_first() -> None:
    game = far()
    assert FIGHT not in turn_to_come(game)
    order(game, "Bo", "move", to="D1")
    assert FIGHT in turn_to_come(game)
    assert FIGHT in turn_to_come(game, "Gwen"), "a GM who plays no side reads the order"
    assert FIGHT not in turn_to_come(game, "Ana"), "nobody else does"
    order(game, "Bo", "fight", target="Ogre", using="Spear")
    game.do("Bo", "order drop", order=game.state.orders[0].number)
    assert FIGHT not in turn_to_come(game)


def test_play_5_what_rolls_or_ends_the_turn_is_not_foreseen() -> None:
    game = far()
    game.do("Gwen", "board place", target="Pip", cells="E1")
    order(game, "Bo", "fight", target="Ogre", using="Spear")
    before = turn_to_come(game)
    assert FIGHT in before
    order(game, "Bo", "end")
    assert turn_to_come(game) == before


@pytest.mark.parametrize("hides", ["nothing", "a wall", "somebody"])
def test_play_5_a_menu_after_an_order_tells_nothing_of_what_lies_hidden_on_the_way(hides: str) -> None:
    game, plain = far(), far()
    if hides == "a wall":
        draw(game, "C1", to="C2", shape="rect", kind="blocked", hidden=True)
    if hides == "somebody":
        game.do("Gwen", "gm add", name="Spy", sheet="HP 9, GRIT 1, INITIATIVE 5", hidden=True)
        game.do("Gwen", "board place", target="Spy", cells="C1")
    for each in (game, plain):
        order(each, "Bo", "move", to="D1")
    assert turn_to_come(game) == turn_to_come(plain)
    assert FIGHT in turn_to_come(game)
