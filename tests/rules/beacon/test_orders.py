"""Orders in advance in a system of phases: they belong to the phase that is planned, or plan it. BE-02, play.md 5."""

from __future__ import annotations

from typing import Any

from rules.core.verbs.standing_orders import offers_on_turn
from tests.rules.beacon.test_phases import scene
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
