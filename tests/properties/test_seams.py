"""Rulings at every seam of random play: after each the table waits for somebody who is there and can act."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.core.registry import system_of, systems
from rules.errors import Refusal
from tests.reminders.silence import table_of
from tests.rules.table import Game, command_for, hangs

RULINGS = ("owner", "side", "skip", "damage", "heal", "remove", "sit-out", "rename", "order")


def play(game: Game, rng: random.Random, steps: int) -> None:
    """Let those who are waited for do something legal, a few times."""
    for _ in range(steps):
        state = game.state
        if state.status != "running" or state.over is not None:
            return
        system = system_of(state)
        legal = {who: system.offers(state, who) for who in system.actors(state)}
        able = [who for who in (system.waits_for(state) or system.actors(state)) if legal[who]]
        if not able:
            return
        who = rng.choice(able)
        command = command_for(rng.choice(legal[who]), rng, state)
        found = state.find(who)
        owner = None if found is None else found.owner
        by = next((name for name, user in game.users.items() if user == owner), game.gm)
        given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
        game.do(by, command.action, **given)


def rule(game: Game, rng: random.Random, number: int) -> str:
    """Do one ruling with somebody; what is refused changes nothing. Returns what it was."""
    names = game.state.names
    who, what = rng.choice(names), rng.choice(RULINGS)
    given: dict[str, Any] = {"target": who}
    verb = what if what == "sit-out" else f"gm {what}"
    if what == "owner":
        verb, given = "gm set", {"target": who, "pool": "owner", "value": rng.choice(("gm", "Ana", "Bo"))}
    elif what == "side":
        other = rng.choice(names)
        verb, given = "gm set", {"target": who, "pool": "side", "value": game.state.combatant(other).side}
    elif what in ("damage", "heal"):
        given["amount"] = rng.choice(("3", "99"))
    elif what == "rename":
        given["to"] = f"Nova {number}"
    elif what == "remove" and len(names) < 4:
        return "nothing"
    elif what == "order":
        action = rng.choice(system_of(game.state).actions.all)
        verb, given = action.id, {"character": who, "when": rng.choice(("my-turn", "if-asked", "this-round"))}
    try:
        game.do(game.gm, verb, **given)
    except Refusal:
        return f"{what} of {who}, refused"
    return f"{what} of {who}"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("system", sorted(systems()))
def test_after_any_ruling_at_any_seam_the_table_goes_on(system: str, seed: int) -> None:
    game, rng = table_of(system), random.Random(f"{system} {seed}")
    for number in range(14):
        play(game, rng, rng.randint(1, 4))
        done = rule(game, rng, number)
        state = game.state
        assert hangs(game) is None, f"{number}: after {done}, {hangs(game)}"
        if state.status != "running" or state.over is not None or not state.names:
            return
        waiting = game.waits_for()
        assert waiting, f"{number}: after {done} nobody is waited for"
        out = [who for who in waiting if who in state.names and system_of(state).is_out(state, who)]
        assert not out, f"{number}: after {done} the table waits for {out}, who are out"
