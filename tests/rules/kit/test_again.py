"""`again`: what is left of one's number says how often one acts in a round (kits 4)."""

from __future__ import annotations

import pytest

from tests.rules.kit.reading import QUICK, mistakes
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

PASSES = """kit = 1
id = "passes"
order = { key = "{PLACE}", again = -10 }
sheet = { PLACE = 0 }
pool = { HP = { start = 9, out = true } }
when = { HP-loss = ["self loses 4 KEY"] }
[action]
hit = { target = "foe", ends = true, do = ["target loses 1 HP"] }
rest = { ends = true }
"""


def turns_of_a_round(game: Game) -> list[str]:
    """Let all rest until the round is over; return whose turns they were."""
    number, who = game.state.round, []
    while game.state.round == number:
        who.append(game.waits_for()[0])
        game.do("Gwen", "rest", character=who[-1])
    return who


def test_a_number_that_is_kept_counts_whole_again_in_each_round() -> None:
    game = begun(KitGame(PASSES), "Ogre", PLACE=15)
    first = turns_of_a_round(game)
    assert sorted(first) == ["Ayla", "Ayla", "Bran", "Bran", "Ogre"]
    assert sorted(turns_of_a_round(game)) == sorted(first)
    assert sorted(turns_of_a_round(game)) == sorted(first)


def test_what_a_sentence_took_off_a_kept_number_stays_off() -> None:
    game = begun(KitGame(PASSES), "Ogre", PLACE=13)
    while game.waits_for() != ("Ogre",):
        game.do("Gwen", "rest", character=game.waits_for()[0])
    game.do("Gwen", "hit", character="Ogre", target="Ayla")
    assert game.state.round == 2
    assert turns_of_a_round(game).count("Ayla") == 1, "13 less 4 is one turn"


def test_a_number_that_the_gm_sets_is_the_one_that_is_kept() -> None:
    game = begun(KitGame(PASSES), "Ogre", PLACE=15)
    first = game.waits_for()[0]
    game.do("Gwen", "rest", character=first)
    game.do("Gwen", "gm set", target=first, pool="initiative", value="35")
    turns_of_a_round(game)
    assert turns_of_a_round(game).count(first) == 4


@pytest.mark.parametrize(
    "where", ['order = { anew = "turn", again = -5 }', '[order]\nagain = -5\n[[phase]]\nname = "a"\nanew = "turn"']
)
def test_a_number_rolled_anew_after_each_turn_leaves_nothing_to_count(where: str) -> None:
    said = mistakes(QUICK + where)
    assert said == ['order.again: again counts down a number that anew = "turn" would roll again; use once or round.']
