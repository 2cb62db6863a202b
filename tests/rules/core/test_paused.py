"""What a paused encounter answers: that it is paused, and what goes on. Nobody is led to open a second one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Game


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("next", {}),
        ("join", {"name": "Cai"}),
        ("gm damage", {"target": "Goblin", "amount": "3"}),
        ("gm add", {"name": "Rat"}),
    ],
)
def test_a_command_at_a_paused_encounter_says_so_and_how_it_goes_on(action: str, given: dict[str, Any]) -> None:
    game = Game(options="")
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 7", result=10)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "encounter pause")
    refused = game.refused("Gwen", action, **given)
    assert "is paused, at Goblin's turn" in refused.reason
    assert refused.instead == "Go on with /encounter resume."


def test_an_ended_encounter_is_no_paused_one() -> None:
    game = Game()
    game.do("Gwen", "encounter end")
    assert "No encounter is open" in game.refused("Gwen", "next").reason


def test_a_pause_at_the_turn_of_two_names_both() -> None:
    game = Game(options="by=side")
    for who, result in (("Ana", 20), ("Bo", 10)):
        game.do(who, "join", result=result)
    game.do("Gwen", "gm set", target="Ana, Bo", pool="side", value="Heroes")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "encounter pause")
    assert " and Bo's turn" in str(game.refused("Ana", "next").reason)
