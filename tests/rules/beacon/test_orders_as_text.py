"""An action as text is read and written in one place, and what was stored as text is still read (BE-18, BE-19)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import load_encounter
from rules.core.verbs.standing_orders import due_order
from rules.systems.beacon.orders import Order, parse_order, text_of
from rules.systems.beacon.state import Ready
from tests.rules.beacon.rounds import finish, to_phase
from tests.rules.beacon.scene import BOW, SPEAR, add
from tests.rules.table import Game


@pytest.mark.parametrize(
    "text",
    [
        "volley:Bow",
        "fight",
        "shove:prone",
        "search:learn",
        "rush:free",
        "refresh:hp, reload",
        "full-attack:volley:Bow, shove:prone",
        "full-attack:Slow Blow",
        "minor:Quick Step",
    ],
)
def test_what_is_written_is_read_as_the_same(text: str) -> None:
    assert text_of(parse_order(text)) == text


def test_what_was_stored_as_one_text_is_read() -> None:
    def stored(**order: Any) -> Order:
        return Ready.model_validate({"trigger": "", "order": order, "since": 0}).order

    full = stored(action="full-attack", choice="volley:Bow, shove:prone", targets=["Ogre"])
    assert full == parse_order("full-attack:volley:Bow, shove:prone").evolve(targets=("Ogre",))
    assert stored(action="refresh", choice="hp, reload") == parse_order("refresh:hp, reload")
    slow = stored(action="full-attack", choice="Slow Blow")
    assert slow.halves == (Order(action="ability", ability="Slow Blow"),)
    assert stored(**slow.model_dump(mode="json")) == slow


def test_a_game_whose_readied_action_was_stored_as_text_goes_on() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, BOW))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "full attack")
    game.do("Ana", "ready", using="full-attack:fight:Spear, volley:Bow", note="the Ogre comes near")
    finish(game, "Rhea")
    document = game.state.model_dump(mode="json", exclude_defaults=True)
    held = document["readied"]["Rhea"]["order"]
    del held["halves"]
    held["choice"] = "fight:Spear, volley:Bow"
    game.table = game.table.evolve(encounter=load_encounter(document))
    game.do("Gwen", "begin", character="Ogre")
    game.do("Gwen", "move", character="Ogre", amount=1)
    game.do("Ana", "react", using="ready", target="Ogre", dice=[(20, 2), (20, 3)])
    assert game.lines("Bo")[1:3] == ["Rhea: Fight against Ogre with Spear.", "Rhea: Volley against Ogre with Bow."]


def test_an_order_in_advance_keeps_what_was_typed_and_is_due_in_its_phase() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, BOW))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "full-attack", using="Fight: spear , volley:Bow", target="Ogre", when="my-turn")
    document = game.state.model_dump(mode="json", exclude_defaults=True)
    assert document["orders"][0]["command"]["using"] == "Fight: spear , volley:Bow"
    game.table = game.table.evolve(encounter=load_encounter(document))
    due = due_order(game.table)
    assert due is not None
    game.refused("Ana", "full-attack", rule="BE-18", using="fight:Spear, fight:Spear", target="Ogre")
    game.do("Ana", "full-attack", using=due.command.using, target="Ogre", dice=[(20, 2), (20, 3)])
    assert [line for line in game.lines("Bo") if line.endswith("with Bow.")] == ["Rhea: Volley against Ogre with Bow."]
