"""Putting the last blow right: what it did is taken back exactly, and done again as it should be. The dice stay."""

from __future__ import annotations

from typing import Any

from rules.core import refusals
from rules.core.blow import Blow, Degree, Rolled, Strike
from rules.core.blows.flow import go_on, settled
from rules.core.blows.opened import last_blow, rules_of
from rules.core.command import Command
from rules.core.conditions import end_condition
from rules.core.registry import system_of
from rules.core.seen.pools import readers_of_pool
from rules.core.several import several
from rules.core.step import Step
from rules.core.typed.input import whole_number
from rules.errors import Illegal, Malformed

EDGE, TARGET_NUMBER, DEGREE, AMOUNT = "edge", "AC", "degree", "amount"
WHAT = (EDGE, TARGET_NUMBER, DEGREE, AMOUNT)
_EDGES = {"none": 0, "off": 0, "no": 0, "advantage": 1, "disadvantage": -1}
_DEGREES: tuple[Degree, ...] = ("miss", "hit", "critical")


def correct(step: Step[Any], command: Command) -> None:
    """Change the last blow. Args: what (edge, AC, degree, amount), value; target, if it had several."""
    blow = last_blow(step.state)
    if blow is None or all(not each.degree for each in blow.strikes):
        raise Illegal("No blow has been settled here yet.", rule="G-01", instead="Use /gm damage and /gm heal instead.")
    what = next((each for each in WHAT if each.casefold() == (command.text("what") or "").casefold()), None)
    if what is None:
        raise Malformed("Say what to correct.", instead=f"Possible: {', '.join(WHAT)}.")
    value = (command.text("value") or "").casefold()
    targets = tuple(each.target for each in blow.strikes)
    named = targets if command.target is None else several(step.state, command.target, targets, "target of the blow")
    changed = [_corrected(step, blow, each, what, value) for each in blow.strikes if each.target in named]
    step.tell("The GM corrects {ability}: {what} {value}.", ability=blow.ability.name, what=what, value=value or "none")
    for strike in blow.strikes:
        if strike.target in named:
            _take_back(step, strike)
    again = {each.target: settled(blow.deed, each, each.degree) for each in changed}
    after = blow.evolve(
        is_open=True,
        ends_turn=blow.ends_turn and blow.is_open,
        strikes=tuple(again.get(each.target, each) for each in blow.strikes),
    )
    step.change(blows=(after, *(other for other in step.state.blows if other.number != blow.number)))
    go_on(step)


def _corrected(step: Step[Any], blow: Blow, strike: Strike, what: str, value: str) -> Strike:
    """Return a strike with another edge, number or degree, and nothing done yet. Raises: Refusal."""
    again = strike.evolve(changes=(), puts=(), left=())
    if what == AMOUNT:
        if not value.isdecimal():
            raise refusals.negative_amount("/gm correct what:amount value:7")
        return again.evolve(amount=whole_number(value, "amount"))
    if what == DEGREE:
        if value not in _DEGREES:
            raise Malformed("A degree is a hit, a miss or a critical.", instead=f"Possible: {', '.join(_DEGREES)}.")
        return again.evolve(degree=value)
    if strike.check is None:
        raise Illegal(
            f"Nothing was rolled against {strike.target}.", instead="Say it with /gm correct what:degree value:hit."
        )
    if what == TARGET_NUMBER:
        return _compared(step, blow, again.evolve(against=whole_number(value, TARGET_NUMBER)))
    if (value or "none") not in _EDGES:
        raise Malformed("That is not an edge.", instead="Possible: none, advantage, disadvantage.")
    return _compared(step, blow, again.evolve(check=_with_edge(step, blow, strike.check, _EDGES[value or "none"])))


def _with_edge(step: Step[Any], blow: Blow, check: Rolled, edge: int) -> Rolled:
    """Return the same dice with another edge; one more falls only if there was one alone."""
    faces = check.faces
    if edge and len(faces) == 1:
        faces = (*faces, rules_of(step).another_die(step, blow))
    return check.evolve(faces=faces, edge=edge)


def _compared(step: Step[Any], blow: Blow, strike: Strike) -> Strike:
    if strike.check is None or strike.against is None:
        raise Illegal(
            f"I do not know the number of {strike.target}.", instead="Say it with /gm correct what:AC value:13."
        )
    degree = rules_of(step).degree(step, blow.deed, strike.check, strike.against)
    return strike.evolve(degree=degree)


def _take_back(step: Step[Any], strike: Strike) -> None:
    """Take back exactly what a strike did, the last thing first."""
    system = system_of(step.state)
    for change in reversed(strike.changes):
        combatant = step.state.find(change.who)
        if combatant is None or change.pool not in combatant.pools:
            continue
        before, after = step.set_pool(change.who, change.pool, combatant.pools[change.pool].now - change.by)
        step.tell(
            "{who}: {change} (taken back).",
            who=change.who,
            change=step.pool_fact(change.who, change.pool, before, after),
            seen_by=readers_of_pool(step.state, change.who, change.pool),
        )
        if before != after:
            system.pool_changed(step, change.who, change.pool, before, after)
    for put in reversed(strike.puts):
        combatant = step.state.find(put.who)
        held = () if combatant is None else combatant.conditions
        for condition in held:
            if condition.name == put.name:
                end_condition(step, put.who, condition, "is taken back")
