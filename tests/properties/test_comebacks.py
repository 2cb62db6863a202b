"""Whoever leaves and comes back has of the round what they had had: no turn more, none less, in every system.

Each field of a system's state that names people either comes back with them or stands in `ANEW` with its reason, so
that a field which somebody adds to a state and forgets fails here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.encounter import Encounter
from rules.core.registry import system_of
from tests.reminders.silence import PLAYERS, bring_in, table_of
from tests.rules.table import Game, command_for

STEPS = 40
PLACE = "who joins gets a place in the order by a roll, a card or a result of their own (CL-04, SW-03)"
LEFT = "leaving gives it up: what they held ready, planned, or were asked"
OVER = "leaving ends it"
CALLED = "leaving gives up that the turn was theirs; it comes to them again, or they have had it"
GM = "a word of the GM on who was there"
ANEW: Mapping[str, Mapping[str, str]] = {
    "adventurers": {"cooperations": LEFT, "given": CALLED, "packs": "they come with what they have now"},
    "beacon": {"channels": LEFT, "readied": LEFT, "slip": OVER, "turn": OVER, "stack": OVER},
    "classic": {
        **dict.fromkeys(("initiative", "order", "dealt"), PLACE),
        **dict.fromkeys(("readied", "until", "asking", "ripe"), LEFT),
        **dict.fromkeys(("current", "interrupted"), CALLED),
    },
    "soulweaver": {
        **dict.fromkeys(("zeal", "priority", "late"), PLACE),
        **dict.fromkeys(("prepared", "long", "until", "asking", "coming"), LEFT),
        **dict.fromkeys(("conflict", "calm", "due"), "who joins is asked about Conflict anew (SW-07)"),
        **dict.fromkeys(("stack", "pause", "owed"), OVER),
        "current": CALLED,
        "after": "the turn before theirs was the last then",
        "awareness": GM,
    },
    "stones": {"fused": "what lies beside a character goes with it (ST-08)", "active": OVER},
    "tactics": {
        **dict.fromkeys(("initiative",), PLACE),
        **dict.fromkeys(("delayed", "ripe", "alert", "asking", "until"), LEFT),
        **dict.fromkeys(("movement", "short", "slip", "open_attack"), OVER),
        "current": CALLED,
        "fixed": GM,
    },
    "kit": {
        **dict.fromkeys(("begun", "started", "current", "named", "token", "gm_turns"), CALLED),
        **dict.fromkeys(("under_way", "basis"), OVER),
        **dict.fromkeys(("plans", "plan_queue", "plan_dropped"), LEFT),
        "order_by_hand": GM,
    },
}
KITS = ("token-bag", "tick-clock", "fast-slow", "high-first", "card-ladder", "open-slots", "zipper", "side-phases")
SYSTEMS = (*(name for name in ANEW if name != "kit"), *KITS)


def _held(value: Any, who: str) -> Any:
    """Return what a field says of somebody; None where it does not."""
    if isinstance(value, Mapping):
        return value.get(who)
    return value.index(who) if isinstance(value, tuple) and who in value else None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_comes_back_in_the_round_has_of_it_what_they_had(system: str, seed: int) -> None:
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
    """Let one for whom the table waits do something."""
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
    if after.over is not None or rules.part_of_round(before) != rules.part_of_round(after):
        return
    anew = {*Encounter.model_fields, *ANEW[before.system]}
    if {*rules.turn(before)} - {who} != {*rules.turn(after)} - {who}:
        anew |= {field for field, scope in rules.comes_back.items() if scope == "turn"}
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
