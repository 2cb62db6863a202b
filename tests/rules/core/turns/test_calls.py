"""A decision calls whose it is when it becomes theirs, and when it does again: in every system the same (play 8)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.calls import called_by, passed_to
from bot.waiting.people import People
from tests.reminders.silence import table_of
from tests.rules.adventurers.scene import hit, trio
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

_NO_STORE: Any = None
NOBODY = People(_NO_STORE, lambda: 0.0)
TOGETHER = """kit = 1
id = "together"
order = { key = "1", ties = ["together"] }
pool = { HP = { start = 9, out = true }, GUARD = { start = 1, refill = "round" } }
action = { poke = { target = "foe", do = ["target loses 1 HP"] } }
reaction = { parry = { to = "targeted", cost = "1 GUARD", do = ["it is harder by 1"] } }
"""


def calls(game: Game, by: str, action: str, **given: Any) -> tuple[str, ...]:
    """Return those a step of somebody's calls."""
    before = game.state
    game.do(by, action, **given)
    return called_by(before, game.state, NOBODY, "2", game.users[by])


def test_whose_turn_rested_beside_a_question_of_anothers_action_is_not_called_again() -> None:
    game = begun(KitGame(TOGETHER), "Ogre")
    assert calls(game, "Ana", "poke", target="Ogre") == ("Ogre",)
    assert calls(game, "Gwen", "decline", character="Ogre") == ("Ayla",), "who asked has heard, and goes on"
    assert calls(game, "Bo", "poke", character="Bran", target="Ogre") == ("Ogre",)
    assert calls(game, "Gwen", "parry", character="Ogre") == ("Bran",), "Ayla has acted, and nothing asked since"


def test_ad_06_whose_turn_rested_beside_a_hit_is_not_called_again() -> None:
    game = trio()
    before = game.state
    hit(game, "Rhea", "Ogre")
    assert called_by(before, game.state, NOBODY, "2", game.users["Ana"]) == ("Ogre",)
    assert calls(game, "Gwen", "take", character="Ogre") == ()
    assert game.waits_for() == ("Pip",)


def test_ad_06_a_turn_that_rested_beside_a_hit_calls_whoever_has_been_given_the_character_since() -> None:
    game = trio()
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "gm set", target="Pip", pool="owner", value="Ana")
    assert calls(game, "Gwen", "take", character="Ogre") == ("Pip",)


@pytest.mark.parametrize("system", ["stones", "zipper", "open-slots"])
def test_a_claim_calls_all_who_may_and_never_is_the_call_to_ones_own_turn(system: str) -> None:
    """Those left of a side, after another one has claimed before them, are called to the turn that is theirs."""
    game = table_of(system)
    called: dict[int, tuple[str, ...]] = {}
    while game.state.round == 1:
        who = game.waits_for()[0]
        before, by = game.state, who if who in game.users else "Gwen"
        game.do(by, "begin" if "begin" in game.legal(who) else "end", character=who)
        waiting = {game.state.find(name).owner or game.users["Gwen"] for name in game.waits_for()}
        found = called_by(before, game.state, NOBODY, "2", game.users[by])
        if passed_to(before, game.state, NOBODY, "2", game.users[by]):
            assert not set(game.waits_for()) & {who}
            assert {game.state.find(name).owner or game.users["Gwen"] for name in found} == waiting
        called[game.number] = found
    if system == "stones":
        assert [found for found in called.values() if found] == [("Cai", "Dee"), ("Bo",), ("Dee",), ("Ana",)]


def test_a_claim_that_becomes_one_persons_by_another_hand_calls_them() -> None:
    game = table_of("stones")
    assert calls(game, "Gwen", "begin", character="Bo") == ("Bo",)


@pytest.mark.parametrize("system", ["classic", "tactics", "soulweaver", "stones"])
def test_a_turn_that_was_given_elsewhere_calls_its_owner_when_it_comes_back(system: str) -> None:
    game = table_of(system)
    if system == "stones":
        game.do("Ana", "begin", character="Ana")
    first = game.waits_for()[0]
    other = next(name for name in ("Bo", "Cai", "Dee") if name != first)
    assert calls(game, "Gwen", "gm turn", target=other) == (other,)
    if first not in game.waits_for():
        assert first in calls(game, "Gwen", "gm turn", target=first) if first in game.users else True


def test_resume_calls_the_one_who_has_the_turn() -> None:
    game = Game()
    game.do("Ana", "join", result=20)
    game.do("Gwen", "gm add", name="Ogre", result=5)
    game.do("Gwen", "encounter begin")
    assert calls(game, "Gwen", "encounter pause") == ()
    assert calls(game, "Gwen", "encounter resume") == ("Ana",)


def test_be_02_a_side_is_called_once_for_its_phase_and_a_gm_for_each_creatures_turn() -> None:
    game = table_of("beacon")
    for name in ("Ana", "Bo", "Cai"):
        game.do(name, "plan", note="skirmish")
    assert set(calls(game, "Dee", "plan", note="skirmish")) == {"Ana", "Bo", "Cai"}
    game.do("Ana", "begin")
    assert calls(game, "Ana", "end") == ("Ogre", "Wolf")
    before = game.state
    assert calls(game, "Gwen", "end", character="Ogre") == ()
    assert game.waits_for() == ("Bo", "Cai", "Dee")
    assert passed_to(before, game.state, NOBODY, "2", game.users["Gwen"]), "a message of its own names them"
    game.do("Bo", "begin")
    assert calls(game, "Bo", "end") == ("Wolf",), "the next creature is another decision of the GM's"


def test_an_undo_calls_whose_turn_it_is_again() -> None:
    game = Game()
    for name, result in (("Ana", 20), ("Bo", 10)):
        game.do(name, "join", result=result)
    game.do("Gwen", "encounter begin")
    first = game.state
    game.do("Gwen", "gm skip", target="Ana")
    assert called_by(game.state, first, NOBODY, "2", game.users["Gwen"], goes_back=True) == ("Ana",)
