"""Random play: offers agree with decisions, undo leads back, and no stone is ever lost or doubled."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.dice.decks import stones_deck
from tests.rules.stones.scene import BOLT, BOOTS, MEND, SEARING, SHOVE, SKIN, add, everything
from tests.rules.table import Game, play_randomly

OPTIONS = ("", "eliminated=pass", "side_order=gm, first=A", "elements=Fire+Earth+Wind+Light, stones=3/2/1/0/1")
ALL = (SEARING, BOLT, SKIN, BOOTS, MEND, SHOVE)


def table(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game("stones", OPTIONS[seed % len(OPTIONS)], people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Ayla", owner="Ana", side="A", abilities=ALL, HP=9)
    add(game, "Ash", owner="Ana", side="A", abilities=ALL[2:], HP=3, TYPE="Spirit")
    add(game, "Borr", owner="Bo", side="B", abilities=ALL, HP=12, HAND=seed % 3)
    add(game, "Cyd", owner="Cai", side="A" if seed % 2 else "B", abilities=ALL[:3], HP=4, CRT=100)
    if seed % 3 == 0:
        add(game, "Dummy", side="B", KIND="object", HP=5)
    if seed % 4 == 1:
        add(game, "Ogre", side="B", abilities=ALL, HP=6)
    if seed % 5:
        game.do("Gwen", "board size", size="6x5")
        game.do("Gwen", "board terrain", cells="C2:C3", kind="blocked")
        for number, name in enumerate(game.state.names):
            game.do(
                "Gwen", "board place", target=name, cells=f"{'ABDEFF'[number]}{1 if number == 5 else rng.randint(2, 5)}"
            )
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("seed", range(7))
def test_offers_agree_with_decisions_and_every_stone_is_in_one_place(seed: int) -> None:
    game = table(seed)
    deck = Counter(game.state.definition)
    for part in range(12):
        play_randomly(game, seed=seed * 100 + part, steps=8)
        assert everything(game.state) == deck
    assert game.state.round > 1 or game.state.over


def test_st_01_the_whole_deck_has_147_stones() -> None:
    game = table(0)
    assert Counter(game.state.definition) == Counter(stones_deck())
    assert sum(everything(game.state).values()) == 147
