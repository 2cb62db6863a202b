"""One command is one step: it happens whole or not at all. Rule: G-05. (Undoing steps is proven in tests/store.)"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Game


def fight() -> Game:
    game = Game("classic")
    for number, name in enumerate(("Goblin", "Wolf"), 1):
        game.do("Gwen", "add", name=name, result=10 - number)
        game.do("Gwen", "gm set", target=name, pool="HP", value="9")
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("gm damage", {"target": "Goblin, Dragon", "amount": "3"}),
        ("gm damage", {"target": "Goblin, Wolf", "amount": "3d0"}),
        ("condition add", {"target": "Goblin, Dragon", "name": "Burn"}),
        ("gm remove", {"target": "Goblin, Dragon"}),
        ("gm add", {"name": "Orc", "sheet": "HP 9, HP", "count": 3}),
    ],
)
def test_g_05_a_command_that_is_wrong_at_its_end_has_done_nothing(action: str, given: dict[str, Any]) -> None:
    game = fight()
    game.refused("Gwen", action, **given)
    assert {each.name: each.pools["HP"].now for each in game.state.combatants} == {"Goblin": 9, "Wolf": 9}
    assert all(each.conditions == () for each in game.state.combatants)


def test_g_05_what_the_referee_does_by_itself_belongs_to_the_same_step() -> None:
    game = fight()
    game.do("Gwen", "condition add", target="Wolf", name="Dazed", duration="1", ticks="bearer-end")
    game.do("Gwen", "next")
    before = game.table
    assert (game.state.round, len(game.state.combatant("Wolf").conditions)) == (1, 1)
    ending = game.do("Gwen", "next")
    assert ending.table == game.table != before
    assert (game.state.round, game.state.combatant("Wolf").conditions) == (2, ())
