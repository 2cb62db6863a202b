"""`/gm turn` says which turn it gives; `extra:True` gives one besides, which takes nothing from anybody's own."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from tests.reminders.silence import table_of

SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics", "high-first", "zipper")
WHO = {"stones": "Cai"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_extra_turn_takes_nothing_from_ones_own(system: str) -> None:
    game = table_of(system)
    rules, who = system_of(game.state), WHO.get(system, "Ogre")
    done = rules.is_done(game.state, who)
    assert not done
    game.do("Gwen", "gm turn", target=who, extra=True)
    assert who in game.waits_for()
    if "end" in game.legal(who):
        game.do("Gwen", "end", character=who)
    else:
        game.do("Gwen", "gm skip", target=who)
    assert rules.is_done(game.state, who) is False, "the extra turn was counted as theirs"


def test_the_plain_command_says_which_turn_it_gives() -> None:
    game = table_of("classic")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "next", character="Ogre")
    assert system_of(game.state).is_done(game.state, "Ogre"), "it was the turn of this round"
    first = game.decisions[-2].lines[0].facts["which"]
    game.do("Gwen", "gm turn", target="Ogre")
    second = game.decisions[-1].lines[0].facts["which"]
    game.do("Gwen", "gm turn", target="Ogre", extra=True)
    assert len({str(first), str(second), str(game.decisions[-1].lines[0].facts["which"])}) == 3


def test_one_who_had_the_turn_goes_on_after_an_extra_one_and_nothing_ticks() -> None:
    game = table_of("classic")
    (now,) = game.waits_for()
    game.do("Gwen", "condition add", target="Wolf", name="Burn", duration="3", ticks="bearer-start")
    game.do("Gwen", "gm turn", target="Wolf", extra=True)
    assert game.waits_for() == ("Wolf",)
    game.do("Gwen", "next", character="Wolf")
    assert game.waits_for() == (now,)
    assert game.state.combatant("Wolf").conditions[0].left == 3
    if now != "Wolf":
        assert not system_of(game.state).is_done(game.state, "Wolf")


def test_an_extra_turn_of_whose_turn_it_is_leaves_them_their_own() -> None:
    game = table_of("classic")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "gm turn", target="Ogre", extra=True)
    game.do("Gwen", "next", character="Ogre")
    assert not system_of(game.state).is_done(game.state, "Ogre")
