"""Turns that come next: of somebody whom players have just met, and who has not acted yet (play 8)."""

from __future__ import annotations

from typing import Any

from rules.core.encounter import Encounter
from rules.core.model import without_key
from rules.core.registry import system_of
from rules.core.step import GM_ONLY, Step
from rules.core.turns.trial import tried
from rules.core.typed.names import shown


def promise(step: Step[Any], who: str) -> None:
    """Give somebody the turn that comes after the one under way; where none is, it is theirs at once."""
    state: Encounter = step.state
    system = system_of(state)
    is_open = system.is_free(state) or system.is_claimed(state)
    during = () if is_open else system.turn(state)
    step.change(next_turns={**without_key(state.next_turns, who), who: during})
    if during:
        step.tell("{who} has not acted: the turn after that of {now} is theirs.", who=who, now=shown(during, 3))


def give(step: Step[Any]) -> None:
    """Let the turn begin that was promised, once the one that it follows is over."""
    active = step.table.active
    if active is None or active.status != "running" or active.over is not None:
        return
    for who, during in active.next_turns.items():
        state: Encounter = step.state
        system = system_of(state)
        turn = system.turn(state)
        if state.held_up() or set(during) & set(turn):
            continue
        step.change(next_turns=without_key(state.next_turns, who))
        if who not in turn and not system.is_out(state, who) and _is_given(step, who):
            system.rule_turn(step, who)
        return  # the next one follows this turn


def _is_given(step: Step[Any], who: str) -> bool:
    """Try a turn on a copy; where the rules have none for somebody, the GM is told."""
    _, refusal = tried(step.table, lambda scratch: system_of(scratch.state).rule_turn(scratch, who))
    if refusal is not None:
        step.tell("{who} cannot have the turn: {why}", who=who, why=str(refusal).replace("**", ""), seen_by=GM_ONLY)
    return refusal is None
