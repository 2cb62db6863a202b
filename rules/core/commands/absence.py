"""Going on without somebody: the referee at a deadline, the GM, and what is done for the absent in every step."""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.commands import ahead
from rules.core.commands.acting import act
from rules.core.commands.naming import targets
from rules.core.commands.rights import Role
from rules.core.commands.spec import SEVERAL, CommandSpec, Given
from rules.core.commands.standing_orders import due_order
from rules.core.encounter import Absence, Encounter, Table
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.trial import tried
from rules.core.turns.absence import come_back, done_without, miss, sits_out, together
from rules.core.turns.questions import settle as settle_questions
from rules.core.values import Question, Seat
from rules.errors import Illegal

SIT_OUT = "sit-out"
UNANSWERED = "unanswered"  # a question's time ran out, and only what else is asked in this round goes on without them
_REFEREE = Seat(gm=True)
_MOST = 200  # far more than one round holds
_MOST_FOR_ONE = 12  # turn or question: more than any system needs


def sit_out(step: Step[Any], command: Command) -> None:
    """Go on without a person for the rest of the round, as the referee does at a deadline.

    Args: unanswered (only what they are asked). Raises: Illegal.
    """
    state: Encounter = step.state
    who = command.target or ""
    system = system_of(state)
    unanswered = command.flag(UNANSWERED)
    how = system.timeout_action if unanswered else system.rest_of_round
    first = how(state, who) if who in system.waits_for(state) else None
    if first is None:
        raise Illegal(f"I can do nothing for {who} now.", rule="G-01")
    for name in (who,) if unanswered else together(state, who):
        miss(step, name, state.round, unanswered=unanswered)
    question = state.question_to(who)
    if question is not None and not question.answered and question.window:
        act(step, first)  # under its seal, while others are asked


def away(step: Step[Any], command: Command) -> None:
    """Go on without somebody until they act, or wait for them again. Args: wait."""
    number = step.state.round
    for who in targets(step, command.target):
        held = step.state.absences.get(who) or Absence(round=number)
        after = held.evolve(away=not command.flag("wait"), asks=False)
        step.change(absences={**step.state.absences, who: after})
        if command.flag("wait"):
            step.tell("The table waits for {who} again.", who=who)
            continue
        step.tell("The table goes on without {who} until they act again.", who=who)
        miss(step, who, number)


def note_return(step: Step[Any]) -> None:
    """Note that the one who acts is back: a player with everybody they play, a GM with those they act for.

    A GM answers for all creatures of theirs again.
    """
    state: Encounter = step.state
    before = step.earlier.active
    if before is None or step.seat.user is None or before.id != state.id:
        return
    for name, absence in before.absences.items():
        combatant = state.find(name)
        is_theirs = combatant is not None and step.seat.owns(combatant)
        is_gms = absence.unanswered and step.seat.gm and (combatant is None or combatant.owner is None)
        if state.absences.get(name) == absence and (is_theirs or is_gms or name == step.actor):
            come_back(step, name)


def settle(step: Step[Any]) -> None:
    """Do for the absent what the table would wait for, until it waits for somebody who is there.

    A table of absent people alone ends this round and the next, and no more in one step.
    """
    state: Encounter = step.state
    if not state.absences:
        return
    last = state.round + 1
    done: dict[object, int] = {}
    for _ in range(_MOST):
        ahead.review(step)  # what they have said in advance counts first
        state = step.state
        found = _next(step.table) if state.status == "running" and state.over is None and state.round <= last else None
        if found is None:
            return
        who, command = found
        key = _owed(state, who)
        done[key] = done.get(key, 0) + 1
        if done[key] > _MOST_FOR_ONE:
            return
        _do(step, who, command)


def _next(table: Table) -> tuple[str, Command] | None:
    """Return what is done next for somebody who is absent, and for which actor."""
    state: Encounter = table.encounter
    system = system_of(state)
    asked = tuple(question for question in state.questions if not question.answered)
    for who in system.waits_for(state):
        if not state.answers_nothing(who) or _is_ordered(table, who) or _others_are_asked(state, who, asked):
            continue
        command = done_without(state, who)
        if command is not None and _is_accepted(table, command):
            return who, command
    return None


def _others_are_asked(state: Encounter, who: str, asked: tuple[Question, ...]) -> bool:
    """Tell whether somebody who is there has still to answer the same event: until then nothing tells who has."""
    question = state.question_to(who)
    if question is None or not question.window:
        return False
    return any(not sits_out(state, each.who) for each in asked if each.window == question.window)


def _is_ordered(table: Table, who: str) -> bool:
    """Tell whether an order that somebody gave before is carried out now."""
    state: Encounter = table.encounter
    own = tuple(order for order in state.orders if order.who == who)
    return bool(own) and due_order(table.evolve(encounter=state.evolve(orders=own))) is not None


def _owed(state: Encounter, who: str) -> object:
    question = state.question_to(who)
    if question is not None and not question.answered:
        return question.id
    return (state.round, state.phase, who, system_of(state).present(state).number(who))


def _is_accepted(table: Table, command: Command) -> bool:
    actions = system_of(table.encounter).actions
    scratch, refusal = tried(table, lambda scratch: actions.perform(scratch, command), _REFEREE)
    return refusal is None and scratch.table != table


def _do(step: Step[Any], who: str, command: Command) -> None:
    """Do one thing for somebody who is absent, in the referee's name; say so if nothing is sealed."""
    question = step.state.question_to(who)
    if question is None or not question.window:
        step.tell("{who} is not here this round: {what}.", who=who, what=command.action.replace("-", " "))
    seat, secret, step.seat = step.seat, step.secret, _REFEREE
    system_of(step.state).actions.perform(step, command)
    settle_questions(step)
    step.seat, step.secret = seat, secret  # an absent player seals nothing that somebody else has commanded


COMMAND_SPECS = (
    CommandSpec(SIT_OUT, sit_out, Role.GM),  # what a timer does; the GM types /gm skip
    CommandSpec(
        "gm away",
        away,
        Role.GM,
        "Go on without somebody until they act again",
        (SEVERAL, Given("wait", "Wait for them again", "flag")),
    ),
)
