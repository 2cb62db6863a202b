"""Random play: what is offered is accepted, what is not is refused, undo leads back, with a board and without."""

from __future__ import annotations

import random

import pytest

from rules.core.space.board import BLOCKED
from rules.core.space.cells import covered, parse_cell
from tests.rules.table import Game, play_randomly
from tests.rules.tactics.scene import ability, add

OPTIONS = (
    "",
    "initiative=once",
    "threat=all",
    "shift=2, run=3, disengage=0",
    "npc_pools=words, charge=2",
    "gather=10m",
)
POWERS = (
    ability("Spear", damage="1d4", range="2"),
    ability("Net", effect="Slowed", save="ends", range="4"),
    ability("Hex", effect="Cursed", save="sustains", lasts="3"),
    ability("Dash", phase="movement", distance="SPD+1", provokes="no"),
    ability("Draught", kind="item", heal="1d6", uses="2"),
)


def table(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game("tactics", OPTIONS[seed % len(OPTIONS)])
    add(game, "Rhea", owner="Ana", abilities=POWERS[:3])
    add(game, "Pip", owner="Bo", abilities=POWERS[2:], TIER=2)
    add(game, "Ogre", abilities=POWERS, HP=12, SPD=3)
    add(game, "Goblin", SPD=rng.choice((0, 6)), HP=5)
    if seed % 3:
        game.do("Gwen", "board size", size="9x7")
        game.do("Gwen", "board terrain", cells="D2:D4", kind="blocked")
        game.do("Gwen", "board terrain", cells="E5:G6", kind="difficult")
        game.do("Gwen", "board place", target="Ogre", cells="F2", size="2")
        for name, cell in (("Rhea", "B2"), ("Pip", "B5")):
            game.do("Gwen", "board place", target=name, cells=cell)
        if seed % 2:
            game.do("Gwen", "board place", target="Goblin", cells="H6")
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("seed", range(8))
def test_offers_agree_with_decisions_through_whole_encounters(seed: int) -> None:
    game = table(seed)
    play_randomly(game, seed=seed, steps=40)
    assert game.state.round > 1


@pytest.mark.parametrize("seed", range(4))
def test_nobody_ever_stands_in_a_wall_or_off_the_board(seed: int) -> None:
    game = table(seed * 3 + 1)
    for part in range(4):
        play_randomly(game, seed=seed * 10 + part, steps=8)
        for combatant in game.state.combatants:
            if combatant.cell is not None:
                at = parse_cell(combatant.cell)
                assert game.state.board.holds(at, combatant.size)
                assert all(game.state.board.kind(each) != BLOCKED for each in covered(at, combatant.size))
