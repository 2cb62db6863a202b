"""A token is put in a cell that can hold it: in no wall, and nowhere outside the map."""

from __future__ import annotations

import pytest

from tests.rules.table import Game


@pytest.mark.parametrize("kind", ["blocked", "void"])
@pytest.mark.parametrize("action", ["board place", "gm move"])
def test_no_token_is_put_into_a_wall(kind: str, action: str) -> None:
    game = Game()
    game.do("Ana", "join")
    game.do("Gwen", "board size", size="6x6")
    game.do("Gwen", "board terrain", cells="C3", kind=kind)
    where = {"cells": "C3"} if action == "board place" else {"to": "C3"}
    refusal = game.refused("Gwen", action, target="Ana", rule="G-06", **where)
    assert "C2" in str(refusal)
    assert "C3" not in (refusal.instead or "")
    game.do("Gwen", "board place", target="Ana", cells="C2")
    if action == "board place":
        game.refused("Gwen", action, target="Ana", rule="G-06", cells="B2:C3")


def test_a_door_and_rough_ground_bear_a_token() -> None:
    game = Game()
    game.do("Ana", "join")
    game.do("Gwen", "board size", size="6x6")
    game.do("Gwen", "board terrain", cells="C3", kind="difficult")
    game.do("Gwen", "board place", target="Ana", cells="C3")
    assert game.state.combatant("Ana").cell == "C3"
