"""What a store holds of a fight."""

from __future__ import annotations

from data.rows import (
    WaitRow,
)
from tests.rules.table import Game, play_randomly


def a_fight() -> Game:
    game = Game("classic", people=("Gwen", "Ana", "Bo"))
    game.do("Ana", "join")
    game.do("Bo", "join")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "deck new", kind="standard52")
    game.do("Ana", "hand draw", count=3)
    play_randomly(game, seed=3, steps=15)
    return game


def a_wait(channel: str, number: int, due: float | None) -> WaitRow:
    return WaitRow(channel, number, f"e{channel}", "turn", f"t{number}", "Ana", 0, 1, None, 5.0, due, 0, number, "5")
