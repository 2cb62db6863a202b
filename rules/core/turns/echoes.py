"""Places in the order whose owner has no turns any more, which go on counting while something hangs on them.

A condition that hangs on its source's turns ends when it would have ended with them, although the source has fallen or
has left. If the order is rolled again a place of one who has left stays at its old result.

Rule: CL-06.
"""

from __future__ import annotations

from typing import Any

from rules.core.conditions import tick_source
from rules.core.encounter import Encounter
from rules.core.hiding import own_part, with_hidden
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Echo, Hidden, PlaceOfTurn


def left_behind(state: Encounter, who: str) -> Echo | None:
    """Return the place of somebody who leaves now; None if nothing hangs on it."""
    if state.status != "running" or who not in _sources(state):
        return None
    combatant = state.combatant(who).evolve(conditions=(), abilities=(), notes=())
    echo = _echo_of(state, who) or _begun(state, state, who)
    return echo.evolve(left=Hidden(combatant=combatant, own=own_part(system_of(state), state, who)))


def note(step: Step[Any], before: Encounter | None) -> None:
    """Keep the places of those who have just lost their turns; `before` tells what they have had of this round."""
    active = step.table.active
    if active is None or active.status != "running":
        return
    system = system_of(active)
    for who in _sources(active):
        if active.find(who) is None or _echo_of(active, who) is not None or system.has_turns(active, who):
            continue
        known = before if before is not None and before.round == active.round and before.find(who) else active
        _put(step, _begun(active, known, who))


def settle(step: Step[Any]) -> None:
    """Count what hangs on the places that have come, or that were missed as a round ended."""
    note(step, None)
    active = step.table.active
    if active is None or active.status != "running":
        return
    for echo in active.echoes:
        state = step.state
        if _drop_idle(step, echo):
            continue
        if echo.round != state.round:
            _count(step, echo, PlaceOfTurn.OVER)
            _put(step, echo.evolve(round=state.round, come=PlaceOfTurn.AHEAD))
        for held in step.state.echoes:
            if held.name == echo.name:
                _count(step, held, _come(step.state, held))
        _drop_idle(step, echo)


def _drop_idle(step: Step[Any], echo: Echo) -> bool:
    """Forget a place on which nothing hangs any more, or whose owner has turns again; tell whether."""
    state = step.state
    found = state.find(echo.name)
    has_turns = found is not None and (echo.left is not None or system_of(state).has_turns(state, echo.name))
    is_idle = has_turns or echo.name not in _sources(state)
    if is_idle:
        step.change(echoes=_others(state, echo))
    return is_idle


def _put(step: Step[Any], echo: Echo) -> None:
    """Keep a place, with what it has counted in this round."""
    step.change(echoes=(*_others(step.state, echo), echo))


def _others(state: Encounter, echo: Echo) -> tuple[Echo, ...]:
    return tuple(each for each in state.echoes if each.name != echo.name)


def _count(step: Step[Any], echo: Echo, come: PlaceOfTurn) -> None:
    if come <= echo.come:
        return
    _put(step, echo.evolve(come=come))
    if echo.come is PlaceOfTurn.AHEAD:
        tick_source(step, echo.name, "source-start")
    if come is PlaceOfTurn.OVER:
        tick_source(step, echo.name, "source-end")


def _come(state: Encounter, echo: Echo) -> PlaceOfTurn:
    whole = state if echo.left is None else with_hidden(state, echo.left)
    come = system_of(state).place_of_turn(whole, echo.name)
    is_past = echo.come is PlaceOfTurn.BEGUN and come is PlaceOfTurn.AHEAD  # it was lost in the turn itself
    return PlaceOfTurn.OVER if is_past else come


def _begun(state: Encounter, known: Encounter, who: str) -> Echo:
    return Echo(name=who, round=state.round, come=system_of(known).place_of_turn(known, who))


def _echo_of(state: Encounter, who: str) -> Echo | None:
    return next((echo for echo in state.echoes if echo.name == who), None)


def _sources(state: Encounter) -> tuple[str, ...]:
    """Return those on whose turns a condition hangs."""
    system = system_of(state)
    return tuple(
        dict.fromkeys(
            condition.source
            for combatant in state.cast
            for condition in combatant.conditions
            if condition.source is not None
            and (condition.ticks or "").startswith("source")
            and system.hangs_on_turns(condition)
        )
    )
