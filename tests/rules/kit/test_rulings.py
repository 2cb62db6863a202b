"""What a GM does in the midst of each of the eight ways: the table goes on (kits 5 and 14)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from tests.rules.kit.tables import seated
from tests.rules.kit.ways import WAYS, kit
from tests.rules.table import Game

WHOSE_TURN = "whose turn it is"
RULINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gm turn", {"target": "Bran"}),
    ("gm skip", {"target": WHOSE_TURN}),
    ("gm next-phase", {}),
    ("gm order", {"names": "Ogre, Bran, Ayla"}),
    ("gm set", {"target": "Bran", "pool": "initiative", "value": "7"}),
    ("gm set", {"target": "Ogre", "pool": "HP", "value": "0"}),
    ("gm set", {"target": WHOSE_TURN, "pool": "HP", "value": "0"}),
    ("gm set", {"target": "Bran", "pool": "group", "value": "g"}),
    ("gm set", {"target": "Bran", "pool": "side", "value": "GM"}),
    ("gm remove", {"target": WHOSE_TURN}),
    ("gm rename", {"target": WHOSE_TURN, "to": "Renard"}),
    ("gm add", {"name": "Imp"}),
)


@pytest.mark.parametrize("way", WAYS)
def test_in_each_way_a_ruling_in_the_midst_of_a_turn_lets_the_table_go_on(way: str) -> None:
    for ruling, given in RULINGS:
        game = seated(kit(WAYS[way]), "Ogre", "Rat")
        game.do("Gwen", "encounter begin")
        first = game.waits_for()[0]
        meant: dict[str, Any] = {key: first if value == WHOSE_TURN else value for key, value in given.items()}
        game.do("Gwen", ruling, **meant)
        for _ in range(8):
            assert game.state.over or game.waits_for(), f"{ruling} {given}"
            if game.state.over:
                break
            act_first(game)


def act_first(game: Game) -> None:
    """Let the one who is waited for first poke a foe, else end the turn."""
    who = game.waits_for()[0]
    offers = {each.action: each for each in system_of(game.state).offers(game.state, who)}
    offer = offers.get("poke") or offers["end"]
    given: dict[str, Any] = {param.name: (param.choices or ("",))[0] for param in offer.params}
    game.do("Gwen", offer.action, character=who, **given)


def test_a_phase_is_headed_as_the_kit_writes_it() -> None:
    game = seated(Game("fast-slow"), "Ogre")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm next-phase")
    assert game.state.phase == "fast, gm"
    assert system_of(game.state).headline(game.state) == "round 1, Fast, GM"
