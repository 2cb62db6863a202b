"""Somebody who leaves after their turn and joins again in the same round has no second one, in every system."""

from __future__ import annotations

import random

import pytest

from rules.core.registry import system_of
from tests.reminders.silence import PLAYERS, bring_in, table_of
from tests.rules.table import Game, command_for

SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics")
_MOST = 200


def _go_on(game: Game, rng: random.Random, often: float = 0.5) -> None:
    """Let one the table waits for do something."""
    state, rules = game.state, system_of(game.state)
    who = rules.waits_for(state)[0]
    timeout_action = rules.timeout_action(state, who) if rng.random() < often else None
    command = timeout_action or command_for(rng.choice(rules.offers(state, who)), rng, state)
    given = command.model_dump(exclude_defaults=True)
    game.do(who if who in PLAYERS else game.gm, given.pop("action"), **{**given, "character": who})


def _one_is_done(system: str) -> tuple[Game, str]:
    """Play until a player has had their turn, and others have not."""
    game = table_of(system)
    rules, rng = system_of(game.state), random.Random(system)
    for _ in range(_MOST):
        state = game.state
        done = [name for name in PLAYERS if rules.is_done(state, name) and not rules.is_out(state, name)]
        left = [name for name in PLAYERS if not rules.is_done(state, name)]
        if done and left and not state.questions and done[0] not in rules.turn(state):
            return game, done[0]
        _go_on(game, rng)
    raise AssertionError("nobody was done")


@pytest.mark.parametrize("verb", ["gm remove", "remove"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_somebody_who_leaves_after_their_turn_and_joins_again_has_no_second_in_the_round(
    system: str, verb: str
) -> None:
    game, who = _one_is_done(system)
    rules, round_ = system_of(game.state), game.state.round
    game.do(game.gm if verb == "gm remove" else who, verb, target=who)
    bring_in(game, who, owner=who)
    if game.state.round != round_:
        return
    assert rules.is_done(game.state, who), f"{who} has another turn"
    assert who not in rules.waits_for(game.state)
    assert f"{who} has already had this round's turn." in game.lines(game.gm)


@pytest.mark.parametrize("system", SYSTEMS)
def test_somebody_who_left_after_their_turn_has_one_in_the_next_round(system: str) -> None:
    game, who = _one_is_done(system)
    rules, round_ = system_of(game.state), game.state.round
    part = rules.part_of_round(game.state)
    game.do(who, "remove", target=who)
    bring_in(game, who, owner=who)
    rng = random.Random(1)
    for _ in range(_MOST):
        if game.state.round == round_ + 1 and who in rules.waits_for(game.state):
            return
        assert game.state.round <= round_ + 1, f"{who} had no turn in the next round"
        assert rules.part_of_round(game.state) != part or who not in rules.turn(game.state)
        _go_on(game, rng, often=1)
    raise AssertionError("the round does not end")
