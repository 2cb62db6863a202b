"""Random play: what is offered is accepted, what is not is refused, replay equals live."""

from __future__ import annotations

import random

import pytest

from tests.rules.adventurers.scene import BLESSING, CRY, SWORD, ability, add
from tests.rules.table import Game, play_randomly

OPTIONS = ("", "rebound=stamina", "death_tie=dead, difficulty=3", "npc_pools=hidden, critical=10, fumble=4")
THINGS = (
    SWORD,
    BLESSING,
    CRY,
    ability("Throw", type="Attack", specialty="Throw", damage="2d6", rebound="1", cell="B6"),
    ability("Storm", type="Attack", specialty="Courage", damage="1d4", targets="all", rebound="2", ailment="Dazed"),
    ability("Aid", type="Assist", heal="1d6", cure="any", rebound="1", willpower="1", cell="C6"),
    ability("Habit", type="Assist"),
    ability("Knife", "weapon", specialty="Hand", damage="1d4", bag="Pack"),
    ability("Tonic", "item", cure="any", uses="2"),
    ability("Bomb", "item", ailment="Bleeding", bag="Pack"),
    ability("Pack", "bag"),
)


def table(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game("adventurers", OPTIONS[seed % len(OPTIONS)])
    add(game, "Rhea", owner="Ana", abilities=THINGS, STAMINA=6)
    add(game, "Pip", owner="Bo", abilities=THINGS[:3], WILLPOWER=2, GAPS=["1-2", "2-3"])
    add(game, "Ogre", abilities=THINGS, KIND="boss", LEVEL=rng.choice((1, 3)), WILLPOWER=5, STAMINA=8)
    add(game, "Goblin", STAMINA=5, abilities=THINGS[:2])
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("seed", range(16))
def test_offers_agree_with_decisions_through_whole_encounters(seed: int) -> None:
    game = table(seed)
    play_randomly(game, seed=seed, steps=90)
    assert game.state.round > 1 or game.state.over
