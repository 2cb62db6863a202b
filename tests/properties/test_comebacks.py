"""Somebody who leaves and comes back has of the round what they had had: no turn more, none less, in every system.

Each field of a system's state that names people comes back with them as long as it lasts, unless the state says
otherwise (`Encounter.comes_back`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.encounter import Encounter, returning
from rules.core.registry import system_of
from rules.core.scopes import FIGHT, PHASE, ROUND
from tests.reminders.silence import PLAYERS, bring_in, table_of
from tests.rules.table import Game, command_for

STEPS = 25
KITS = ("token-bag", "tick-clock", "fast-slow", "high-first", "card-ladder", "open-slots", "zipper", "side-phases")
SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics", *KITS)


def _held(value: Any, who: str) -> Any:
    """Return what a field says of somebody; None if it does not."""
    if isinstance(value, Mapping):
        return value.get(who)
    return value.index(who) if isinstance(value, tuple) and who in value else None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_one_who_comes_back_in_the_round_has_of_it_what_they_had(system: str, seed: int) -> None:
    game, rng = table_of(system), random.Random(f"{system} {seed}")
    for _ in range(STEPS):
        state, rules = game.state, system_of(game.state)
        if state.status != "running" or state.over is not None or not rules.waits_for(state):
            break
        for who in PLAYERS:
            if who in state.names and not rules.is_out(state, who):
                _leaves_and_comes_back(game, who)
        _goes_on(game, rng)


def _goes_on(game: Game, rng: random.Random) -> None:
    """Let one the table waits for do something."""
    state, rules = game.state, system_of(game.state)
    who = rng.choice(rules.waits_for(state))
    command = command_for(rng.choice(rules.offers(state, who)), rng, state)
    given = command.model_dump(exclude_defaults=True)
    game.do(who if who in PLAYERS else game.gm, given.pop("action"), **given)


def _leaves_and_comes_back(game: Game, who: str) -> None:
    """Try it on a copy, and hold what they have then against what they had."""
    table, done, before = game.table, len(game.decisions), game.state
    game.do(game.gm, "gm remove", target=who)
    is_running = game.state.status == "running" and game.state.over is None
    if is_running:
        bring_in(game, who, owner=who)
        _hold(before, game.state, who)
    game.table = table
    del game.decisions[done:]


def _has_turn(state: Encounter, field: str, who: str) -> bool:
    """Tell whether a field says that somebody's turn is under way, or interrupted: by leaving they have had it."""
    value = getattr(state, field, None)
    return value == who or (isinstance(value, tuple) and who in value)


def _hold(before: Encounter, after: Encounter, who: str) -> None:
    rules = system_of(before)
    if after.over is not None or (before.round, before.phase) != (after.round, after.phase):
        return
    anew = {*Encounter.model_fields, *(field for field, scope in before.comes_back.items() if scope is None)}
    if {*rules.turn(before)} - {who} != {*rules.turn(after)} - {who}:
        scopes = returning(type(before))
        anew |= {field for field, scope in scopes.items() if scope not in (FIGHT, ROUND, PHASE)}
    # A turn that was under way, or interrupted, is over.
    acted = who in rules.turn(before) or any(_has_turn(before, field, who) for field in ("current", "begun", "started"))
    own = [field for field in type(before).model_fields if field not in anew]
    had = {field: _held(getattr(before, field), who) for field in own}
    has = {field: _held(getattr(after, field), who) for field in own}
    lost = {field: (had[field], has[field]) for field in own if had[field] not in (None, has[field]) and not acted}
    assert lost == {}, f"{who} is back, and these are not as they were"
    assert rules.is_done(after, who) or not rules.is_done(before, who), f"{who} has a turn more"
    passed_by = before.system == "classic"  # CL-04: their new place may have passed
    assert rules.is_done(before, who) or acted or passed_by or not rules.is_done(after, who), f"{who} lost a turn"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_over_does_not_wait_for_the_one_who_left(system: str, seed: int) -> None:
    game, rng = table_of(system), random.Random(f"{system} {seed}")
    for step in range(2 * STEPS):
        before = game.state
        if before.status != "running" or before.over is not None or not system_of(before).waits_for(before):
            break
        there = [who for who in PLAYERS if who in before.names]
        if step >= STEPS // 4 and there and not before.leavers:
            game.do(game.gm, "gm remove", target=rng.choice(there))
            continue
        _goes_on(game, rng)
        _hold_what_is_over(before, game.state)


def _hold_what_is_over(before: Encounter, after: Encounter) -> None:
    """Of those who had left before, nothing may be kept that has ended with the round or the phase."""
    over = ROUND if before.round != after.round else PHASE if before.phase != after.phase else None
    if over is None:
        return
    scopes = returning(type(after))
    for who in before.leavers.keys() & after.leavers.keys():
        late = [field for field in after.leavers[who].had if scopes[field].ends_with(over)]
        assert late == [], f"{who} would find {late} from before"
