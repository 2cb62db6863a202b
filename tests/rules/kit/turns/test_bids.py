"""A phase whose key is what was bid in an earlier phase of the round: each round goes by its own bids (kits 5)."""

from __future__ import annotations

import pytest

from rules.systems.kit.state import KitState
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

# In each of these all bid in the first phase, and the lowest bid acts first in the second.
ORDERS = {
    "its own key": (
        'order = { anew = "round" }\nphase = [ { name = "bidding", actions = ["bid"] }, '
        '{ name = "acting", key = "{BID}", best = "low", actions = ["rest"] } ]'
    ),
    "the order's key": (
        'order = { key = "{BID}", best = "low", anew = "round" }\nphase = [ '
        '{ name = "bidding", type = "open", turns = 1, actions = ["bid"] }, { name = "acting", actions = ["rest"] } ]'
    ),
}
KIT = """kit = 1
id = "bidding"
{order}
pool = {{ BID = {{ start = 0, most = 30, refill = "round" }}, HP = {{ start = 10, out = true }} }}
[action]
bid = {{ amount = "1-20", do = ["self gains {{amount}} BID"], ends = true }}
rest = {{ ends = true }}
"""


def acted(game: Game, **bids: int) -> list[str]:
    """Let everybody bid, and return in which order they then act."""
    people, number = {"Ayla": "Ana", "Bran": "Bo"}, game.state.round
    found: list[str] = []
    while game.state.round == number:
        state, who = game.state, game.waits_for()[0]
        assert isinstance(state, KitState)
        if state.phase_number == 0:
            game.do(people[who], "bid", character=who, amount=bids[who])
        else:
            found.append(who)
            game.do(people[who], "rest", character=who)
    return found


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_each_round_goes_by_the_bids_of_that_round(order: str) -> None:
    game = begun(KitGame(KIT.format(order=order)))
    assert acted(game, Ayla=3, Bran=8) == ["Ayla", "Bran"]
    assert acted(game, Ayla=9, Bran=2) == ["Bran", "Ayla"]
