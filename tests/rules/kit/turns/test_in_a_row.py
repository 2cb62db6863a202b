"""The same actor's turns one behind the other: each is a turn of its own, in every way that can do so (kits 12).

What fills with a turn fills anew, what is done once a turn may be done again, a condition counts each of them, and the
prompt numbers them.
"""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

# In each of these Ayla has two turns in a row before anybody else has one.
ORDERS = {
    "bag": 'type = "bag", tokens = "{TURNS_OF}", end_tokens = 0',
    "clock": 'type = "clock", key = "{COUNT}", ticks = 1, round = 9',
    "clock down": 'type = "clock", count = "down", best = "high", key = "9-{COUNT}", ticks = 1',
    "slots": 'type = "slots", key = "{COUNT}", best = "low", ties = ["Players"]',
    "again": 'key = "30-{COUNT}", again = -1',
    "acts next": 'key = "30-{COUNT}"',
    "named": 'type = "named"',
}
KIT = """kit = 1
id = "in-a-row"
order = {{ {order} }}
sheet = {{ TURNS_OF = 1, COUNT = 8 }}
[pool]
HP = {{ start = 9, out = true }}
ACT = {{ start = 1, refill = "turn" }}
[action]
rest = {{ cost = "1 ACT" }}
aim = {{ once = "turn" }}
daze = {{ target = "anyone", do = ["target is dazed for 2 turns"] }}
again = {{ once = "round", do = ["self acts again", "self acts next"] }}
more = {{ once = "round", do = ["self acts again"] }}
[condition]
dazed = {{ ticks = "bearer-end" }}
"""


def begun(way: str) -> Game:
    game = seated(KitGame(KIT.format(order=ORDERS[way])), "Ogre")
    game.do("Gwen", "gm set", target="Ayla", pool="COUNT", value="1")
    game.do("Gwen", "gm set", target="Ayla", pool="TURNS_OF", value="3")
    if way == "bag":
        game.do("Gwen", "encounter begin", dice=[(5, 1)])
    else:
        game.do("Gwen", "encounter begin")
    return game


def next_turn(game: Game, way: str) -> None:
    """End Ayla's turn so that the next one is hers too."""
    if way == "acts next":
        game.do("Ana", "again")
    if way == "slots":
        game.do("Ana", "more")
    if way == "named":
        game.do("Ana", "end", target="Ayla")
    else:
        game.do("Ana", "end", dice=[(4, 1)] if way == "bag" else [])


@pytest.mark.parametrize("way", ORDERS)
def test_a_turn_behind_one_s_own_is_a_turn_of_its_own(way: str) -> None:
    game = begun(way)
    if way == "named":  # the last of a round names the first of the next
        for who in ("Bran", "Ogre"):
            game.do("Gwen", "gm turn", target=who)
            game.do("Bo" if who == "Bran" else "Gwen", "end", target="Ayla")
    assert "Ayla" in game.waits_for()
    game.do("Ana", "daze", target="Ayla")
    numbers = []
    for left in (2, 1):
        game.do("Ana", "aim")
        game.refused("Ana", "aim", rule="KI-10")
        game.do("Ana", "rest")
        if "rest" in game.legal("Ayla"):
            pytest.fail("an action a turn was taken twice")
        numbers.append(system_of(game.state).present(game.state).number("Ayla"))
        (held,) = game.state.combatant("Ayla").conditions
        assert held.left == left
        if left > 1:
            next_turn(game, way)
            if way == "slots":
                assert game.waits_for() == ("Ayla", "Bran"), "of the side's second place she takes one again"
            assert "Ayla" in game.waits_for()
    assert numbers == sorted(set(numbers)), "they are numbered"
    if way == "named":
        game.do("Ana", "end", target="Bran")
    else:
        game.do("Ana", "end", dice=[(3, 3)] if way == "bag" else [])
    assert not game.state.combatant("Ayla").conditions, "two turns were counted"
