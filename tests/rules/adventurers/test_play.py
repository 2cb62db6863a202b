"""Random play: what is offered is accepted, what is not is refused, undo leads back."""

from __future__ import annotations

import random

import pytest

from tests.rules.adventurers.scene import add
from tests.rules.adventurers.things import THINGS
from tests.rules.table import Game, play_randomly

OPTIONS = ("", "rebound=stamina", "death_tie=dead, difficulty=3", "npc_pools=hidden, critical=10, fumble=4")


def table(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game("adventurers", OPTIONS[seed % len(OPTIONS)])
    add(game, "Rhea", owner="Ana", abilities=THINGS, STAMINA=6)
    add(game, "Pip", owner="Bo", abilities=THINGS[:3], WILLPOWER=2, GAPS=["1-2", "2-3"])
    add(game, "Ogre", abilities=THINGS, KIND="boss", LEVEL=rng.choice((1, 3)), WILLPOWER=5, STAMINA=8)
    add(game, "Goblin", STAMINA=5, abilities=THINGS[:2])
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("seed", range(8))
def test_offers_agree_with_decisions_through_whole_encounters(seed: int) -> None:
    game = table(seed)
    play_randomly(game, seed=seed, steps=45)
    assert game.state.round > 1 or game.state.over
