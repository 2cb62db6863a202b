"""Stones on a board."""

from __future__ import annotations

from tests.rules.stones.scene import BOLT, add, table
from tests.rules.table import Game


def field(**cells: str) -> Game:
    """Ayla (active) and Ash of side A against Borr, on a board of 7 by 5."""
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(BOLT,))
    add(game, "Ash", owner="Ana", side="A")
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "board size", size="7x5")
    for name, cell in cells.items():
        game.do("Gwen", "board place", target=name, cells=cell)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    return game
