"""An attack's button has its chance to hit, if everybody may read both numbers. Rule: CL-11, G-08."""

from __future__ import annotations

import pytest

from rules.core.views.whole import public_actions, whole_actions
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game


def table(options: str = "", armor: str = "13") -> Game:
    game = fight(options, Ana=20, Ogre=5)
    arm(game, "Ana", ("Sword", "+5 to hit; on a hit 1d8 damage"))
    arm(game, "Ogre", ("Club", "+1 to hit; on a hit 1d8 damage"))
    game.do("Gwen", "gm set", target="Ogre", pool="AC", value=armor, dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="AC", value="12", dice=[])
    return game


def odds(game: Game, note: str = "end turn") -> str:
    found = public_actions(game.table, "Ana")
    return next(each.odds for each in found if each.offer.action == "attack" and each.given.get("note") == note)


@pytest.mark.parametrize(
    ("armor", "note", "percent"),
    [
        ("13", "end turn", "65"),
        ("13", "advantage", "88"),
        ("13", "disadvantage", "42"),
        ("90", "end turn", "5"),
        ("2", "end turn", "95"),
    ],
)
def test_the_odds_are_those_of_the_roll(armor: str, note: str, percent: str) -> None:
    assert odds(table(armor=armor), note).startswith(percent)


@pytest.mark.parametrize("options", ["npc_pools=words", "npc_pools=hidden"])
def test_a_number_that_players_may_not_read_gives_no_odds(options: str) -> None:
    game = table(options)
    assert odds(game) == ""
    game.do("Ana", "next", dice=[])
    own = whole_actions(game.table, "Ogre", game.seat("Gwen"))
    assert {each.odds for each in own if each.offer.action == "attack"} == {""}


def test_without_a_number_there_are_no_odds() -> None:
    game = fight(Ana=20, Ogre=5)
    arm(game, "Ana", ("Sword", "+5 to hit; on a hit 1d8 damage"))
    assert odds(game) == ""
