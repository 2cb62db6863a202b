"""The kit `two-dice` plays the worked example of the system that it is like, die for die."""

from __future__ import annotations

import pytest

from tests.rules.table import Game


def started(tier: int = 2) -> Game:
    game = Game("two-dice")
    stats = {"INT": 1, "AGI": 2, "DEF": 12}
    game.do("Ana", "join", document={"name": "Rhea", "owner": game.users["Ana"], "fields": stats})
    game.do("Gwen", "gm add", name="Ogre", sheet=f"TIER {tier}, ATK 3")
    game.do("Bo", "join", document={"name": "Pip", "owner": game.users["Bo"], "fields": {"INT": 2, "AGI": 2}})
    fall = [(6, 3), (6, 4), (6, 2), (6, 5), (6, 3), (6, 3), (20, 5), (20, 2)]  # the last two part Rhea and Pip
    game.do("Gwen", "encounter begin", dice=fall)
    return game


def order(game: Game) -> list[str]:
    """Let everybody have their turn with an action of the phase; return who had it."""
    had: list[str] = []
    while len(had) < 3:
        (who, *_) = game.waits_for()
        had.append(who)
        game.do("Gwen", "walk" if "walk" in game.legal(who) else "defend", character=who)
    return had


def test_without_a_seize_the_lowest_moves_first_and_the_highest_battles_first() -> None:
    game = started()
    assert order(game) == ["Ogre", "Pip", "Rhea"]
    assert order(game) == ["Rhea", "Pip", "Ogre"]


def test_somebody_who_seizes_moves_first_battles_last_and_is_attacked_with_two_edges() -> None:
    game = started()
    game.do("Ana", "seize")
    assert order(game) == ["Rhea", "Ogre", "Pip"]
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "defend")
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[(6, 2), (6, 5), (8, 7), (6, 4)])
    assert any("15 against 12" in line for line in game.lines())
    assert game.state.combatant("Rhea").pools["HP"].now == 6
    assert game.waits_for() == ("Rhea",)


def test_nobody_seizes_once_somebody_has_moved() -> None:
    game = started()
    game.do("Gwen", "walk", character="Ogre")
    assert game.refused("Ana", "seize").rule == "TD-02"


@pytest.mark.parametrize(("number", "sides"), [(1, 6), (2, 8), (3, 10), (4, 12), (6, 12)])
def test_so_many_edges_add_a_die_and_several_against_you_a_small_one(number: int, sides: int) -> None:
    game = started(tier=1 + number)
    for who in order(game):
        assert who
    game.do("Ana", "attack", target="Ogre", dice=[(6, 6), (6, 1), (18 - sides, 6)])
    assert any(" 7 against 9" in line for line in game.lines())
