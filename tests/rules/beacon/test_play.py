"""Random play: offers agree with decisions, undo leads back, nothing hangs, with a board and without."""

from __future__ import annotations

import random

import pytest

from tests.rules.beacon.rounds import ANSWERS
from tests.rules.beacon.scene import BOW, CANNON, DAGGER, FIREBALL, PARRY, QUICK, SPEAR, TAUNT, add
from tests.rules.table import Game, play_randomly

OPTIONS = ("", "first=npc", "surge=partial", "surge=restricted, surge_level=2", "npc_pools=words")


def table(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game("beacon", OPTIONS[seed % len(OPTIONS)])
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR, FIREBALL, TAUNT, *ANSWERS[:4]))
    add(game, "Pip", owner="Bo", abilities=(DAGGER, FIREBALL, QUICK, PARRY, CANNON, ANSWERS[6]), SIZE=2)
    add(game, "Ogre", abilities=(SPEAR, CANNON), INITIATIVE=5, TURNS=2, REACTIONS="Counterattack + Opportunity Attack")
    add(
        game,
        "Imp",
        abilities=(BOW, FIREBALL, PARRY, *ANSWERS[3:]),
        INITIATIVE=rng.randint(1, 8),
        REACTIONS="Interpose",
        FOCUS=3,
    )
    if seed % 2:
        game.do("Gwen", "board size", size="9x7")
        game.do("Gwen", "board terrain", cells="D2:D4", kind="blocked")
        for name, cell in (("Rhea", "B2"), ("Pip", "B5"), ("Ogre", "E3"), ("Imp", "G5")):
            game.do("Gwen", "board place", target=name, cells=cell)
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("seed", range(6))
def test_offers_agree_with_decisions_through_whole_encounters(seed: int) -> None:
    game = table(seed)
    play_randomly(game, seed=seed, steps=45)
    assert game.state.round >= 1
