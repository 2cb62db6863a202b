"""Advantage and disadvantage: the dice, the cancelling, the names, the chances. Rule: TA-01, TA-02, TA-03."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.dice.odds import distribution
from rules.systems.tactics.sources import edge_dice
from tests.rules.tactics.scene import drawn, duel, skip_all

GROWS = {1: 6, 2: 8, 3: 10, 4: 12, 5: 12, 9: 12}
SHRINKS = {1: 12, 2: 10, 3: 8, 4: 6, 5: 6, 9: 6}


@pytest.mark.parametrize(("sources", "sides"), GROWS.items())
def test_ta_01_the_die_of_advantage_grows_and_the_two_highest_are_kept(sources: int, sides: int) -> None:
    game = duel()
    skip_all(game)
    for number in range(sources):
        game.do("Gwen", "gm set", target="Ogre", pool=f"mark:advantage reason {number}", value="on")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 2), (6, 5), (sides, 4)])
    kept = [(die.sides, die.face, die.kept) for die in drawn(game)]
    assert kept == [(6, 2, False), (6, 5, True), (sides, 4, True)]
    assert "= 9 against DEF 9, hit." in game.said()
    assert all(f"reason {number}" in game.said() for number in range(sources))


@pytest.mark.parametrize(("sources", "sides"), SHRINKS.items())
def test_ta_02_the_die_of_disadvantage_shrinks_and_the_two_lowest_are_kept(sources: int, sides: int) -> None:
    game = duel()
    skip_all(game)
    for number in range(sources):
        game.do("Gwen", "gm set", target="Rhea", pool=f"mark:covered reason {number}", value="on")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 2), (6, 5), (sides, 4)])
    kept = [(die.sides, die.face, die.kept) for die in drawn(game)]
    assert kept == [(6, 2, True), (6, 5, False), (sides, 4, True)]
    assert "= 6 against DEF 9, miss." in game.said()
    assert all(f"reason {number}" in game.said() for number in range(sources))


def test_ta_03_sources_of_both_kinds_cancel_one_for_one_and_are_listed() -> None:
    game = duel(ogre={"TIER": 3})
    skip_all(game)
    game.do("Gwen", "gm set", target="Rhea", pool="mark:covered", value="behind a cart")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 1), (6, 1), (6, 1)])
    assert "Advantage: tier, tier. Disadvantage: behind a cart. Left: 1 of advantage." in game.said()
    game = duel(ogre={"TIER": 2})
    skip_all(game)
    game.do("Gwen", "gm set", target="Ogre", pool="mark:disadvantage", value="blinded")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 1), (6, 1)])
    assert "Left: none, they cancel." in game.said()


def counted(sides: int, *, highest: bool) -> dict[int, Fraction]:
    """Count every way of falling of two d6 and one more die by hand."""
    found: dict[int, Fraction] = {}
    for faces in product(range(1, 7), range(1, 7), range(1, sides + 1)):
        total = sum(sorted(faces, reverse=highest)[:2])
        found[total] = found.get(total, Fraction(0)) + Fraction(1, 36 * sides)
    return dict(sorted(found.items()))


@pytest.mark.parametrize("sources", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("highest", [True, False])
def test_ta_01_and_ta_02_the_exact_chances_are_those_that_odds_shows(sources: int, highest: bool) -> None:
    sides = GROWS.get(sources, 12) if highest else SHRINKS.get(sources, 6)
    odds = distribution(edge_dice(sources if highest else -sources))
    assert {total: Fraction(ways, odds.total_ways) for total, ways in odds.ways.items()} == counted(
        sides, highest=highest
    )
