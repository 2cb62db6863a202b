"""An action within another one is written as text, and what was typed is kept (BE-18)."""

from __future__ import annotations

from rules.core.registry import load_encounter
from rules.core.verbs.standing_orders import due_order
from tests.rules.beacon.scene import BOW, SPEAR, add
from tests.rules.table import Game


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
