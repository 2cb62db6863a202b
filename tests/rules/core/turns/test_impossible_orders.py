"""An order that can never be legal at its moment is refused when given; one whose time has passed blocks nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.action import Action
from rules.core.command import Command
from rules.core.commands.order_book import NUMBER
from rules.core.commands.standing_orders import ORDERED, due_order
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.reminders.silence import PLAYERS, table_of
from tests.rules.table import Game
from tests.rules.tactics.scene import trio

SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics", "high-first", "tick-clock", "zipper")
ROUNDS = 4


@pytest.mark.parametrize(("system", "action"), [("classic", "use-ready"), ("classic", "back"), ("tactics", "act-now")])
def test_what_is_never_done_in_ones_own_turn_is_no_order_for_it(system: str, action: str) -> None:
    game = table_of(system)
    game.refused("Dee", action, when="my-turn")
    assert game.state.orders == ()


def test_ta_07_seizing_is_no_order_for_ones_turn() -> None:
    game = trio()
    game.refused("Bo", "seize", when="my-turn")
    game.do("Bo", "skip", when="my-turn")
    assert [order.command.action for order in game.state.orders] == ["skip"]


def test_an_impossible_head_takes_nothing_behind_it_away() -> None:
    game = trio()
    game.do("Bo", "attack", target="Rhea", using="Nothing of the kind", when="my-turn")
    game.do("Bo", "skip", when="my-turn")
    game.do("Ana", "skip")
    kept = [order.command.action for order in game.state.orders]
    assert "skip" in kept, "what was to come after something impossible is gone"


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_order_for_ones_turn_outlives_the_turns_it_is_for(system: str) -> None:
    """Each action that may be ordered is done or cancelled within so many rounds: none waits for ever."""
    rules = system_of(table_of(system).state)
    for action in rules.actions.all:
        game = table_of(system)
        if _ordered(game, action):
            first = game.state.orders
            for _ in range(200):
                if game.state.round > ROUNDS or game.state.over is not None or not game.state.orders:
                    break
                _goes_on(game)
            assert game.state.orders == (), f"{first[0].command} never fires: {game.state.phase}"


def _ordered(game: Game, action: Action[Any]) -> bool:
    given: dict[str, Any] = {"target": "Ana"} if "target" in action.takes else {}
    if "note" in action.takes:
        given["note"] = "something"
    try:
        game.do("Dee", action.id, when="my-turn", **given)
    except (Refusal, AssertionError):
        return False
    return bool(game.state.orders)


def _goes_on(game: Game) -> None:
    """Let the one who is waited for do the least; an order that is due is done as the service does it."""
    due = due_order(game.table)
    if due is not None:
        mark = {ORDERED: True, NUMBER: due.number}
        try:
            game.decided(due.command.evolve(args={**due.command.args, **mark}), game.seat("Dee"))
        except Refusal:
            game.decided(Command(action="order drop", character=due.who, args=mark))
        return
    state, rules = game.state, system_of(game.state)
    who = rules.waits_for(state)[0]
    command = rules.timeout_action(state, who)
    if command is None:
        game.do("Gwen", "gm skip", target=who)
        return
    given = command.model_dump(exclude_defaults=True)
    game.do(who if who in PLAYERS else "Gwen", given.pop("action"), **{**given, "character": who})
