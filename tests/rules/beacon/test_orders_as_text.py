"""An action within another one is written as text, and what was typed is kept (BE-18)."""

from __future__ import annotations

import pytest

from rules.core.command import Command
from rules.core.commands.standing_orders import due_order
from rules.core.registry import load_encounter, system_of
from tests.rules.beacon.rounds import put, to_phase
from tests.rules.beacon.scene import BOW, CANNON, DAGGER, FIREBALL, QUICK, SPEAR, TAUNT, add
from tests.rules.table import Game


def late(*, on_board: bool) -> Game:
    """It is DELAY; Rhea has something for every action, and the Imp is HIDDEN."""
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR, DAGGER, CANNON, FIREBALL, TAUNT, QUICK))
    add(game, "Pip", owner="Bo")
    add(game, "Ogre", INITIATIVE=8)
    add(game, "Imp", INITIATIVE=8)
    if on_board:
        game.do("Gwen", "board size", size="12x12")
        game.do("Gwen", "board place", target="Rhea, Pip, Ogre, Imp", cells="C3, D3, C4, H9")
    game.do("Gwen", "encounter begin")
    put(game, "Imp", "HIDDEN", "Imp")
    put(game, "Pip", "MARKED", "Ogre")
    to_phase(game, "delay")
    return game


def whole(game: Game, command: Command) -> list[Command]:
    """Return a command with all that it takes, once for each target that is offered with it."""
    found = [command]
    while True:
        params = [system_of(game.state).actions.params_given(game.state, "Rhea", each) for each in found]
        left = [
            next((param for param in asked if param.required and getattr(each, param.name) is None), None)
            for each, asked in zip(found, params, strict=True)
        ]
        if not any(left):
            return found
        found = [
            each if param is None else each.evolve(**{param.name: value})
            for each, param in zip(found, left, strict=True)
            for value in ((None,) if param is None else param.choices or ("they come",))
        ]


@pytest.mark.parametrize("on_board", [True, False])
@pytest.mark.parametrize("action", ["delay", "ready"])
def test_be_06_be_19_whatever_delay_and_ready_offer_is_taken(action: str, on_board: bool) -> None:
    game = late(on_board=on_board)
    (offer,) = (each for each in system_of(game.state).offers(game.state, "Rhea") if each.action == action)
    (using,) = (param for param in offer.params if param.name == "using")
    heads = {text.partition(":")[0] for text in using.choices or ()}
    all_of_it = {"volley", "fight", "shove", "grapple", "defend", "hide", "mark", "search", "refresh", "rush"}
    assert all_of_it | {"ability", "full-attack", "channel" if action == "delay" else "minor"} == heads
    before = game.table
    for text in using.choices or ():
        for command in whole(game, Command(action=action, character="Rhea", using=text)):
            game.decided(command, game.seat("Ana"))
            game.table = before


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
