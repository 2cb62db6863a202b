"""Questions that settle themselves: void ones, windows in which all have answered, and answers in their order.

An event that asks several opens one question for each, in one window: they are asked at the same time, and who lets it
pass stays listed until all have answered. If the answers count in an order, each is sealed until its place comes;
what is then no longer legal is dropped, and its giver asked again. Who lets it pass means: unless somebody reacts. When
somebody does, all who come later are asked again, whether or not they have answered, so that nobody learns who had.
"""

from __future__ import annotations

from typing import Any

from rules.core.action import QUESTION
from rules.core.command import Command, command_words
from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of
from rules.core.step import Step, sealed_readers
from rules.core.trial import tried
from rules.core.values import Question, Seat
from rules.errors import BrokenInvariant, Refusal

_MOST = 1000  # far more than one step can close


def settle(step: Step[Any]) -> None:
    """Close what is over and let the system go on, until nothing changes any more."""
    system = system_of(step.state)
    _close(step)
    _go_on(step)
    for _ in range(_MOST):
        if not _close(step):
            return
        _go_on(step)
    raise BrokenInvariant(f"{system.id} asks over and over what nobody can answer")


def _go_on(step: Step[Any]) -> None:
    if step.state.status == "running":
        system_of(step.state).settle(step)


def _close(step: Step[Any]) -> bool:
    """Close what nobody can answer any more and what all have answered; tell whether there was any."""
    system = system_of(step.state)
    void = tuple(each for each in step.state.questions if _is_void(step, each))
    for question in void:
        _drop_sealed(step, question, "That is over.")
    step.close(*void)
    for question in void:
        system.kind_of(question).unanswered(step, question)
    _ask_again(step)
    _drop_illegal(step)
    let_pass = tuple(each for each in step.state.questions if _is_let_pass(step.state, each))
    for window in dict.fromkeys(each.window for each in let_pass):
        _close_window(step, tuple(each for each in let_pass if each.window == window))
    return bool(void or let_pass)


def _is_let_pass(state: Encounter, question: Question) -> bool:
    """Tell whether everybody that an event asks has let it pass; somebody who is asked alone waits for nobody."""
    if question.window:
        return not state.is_open(question.window)
    return question.answered and question.sealed is None


def _is_void(step: Step[Any], question: Question) -> bool:
    system = system_of(step.state)
    out = step.state.find(question.who) is not None and system.is_out(step.state, question.who)
    return out or system.kind_of(question).is_void(step.state, question)


def _close_window(step: Step[Any], passed: tuple[Question, ...]) -> None:
    """Say who let an event pass, now that all have answered."""
    system, state = system_of(step.state), step.state
    step.close(*passed)
    visible = [question.who for question in passed if question.who not in state.hidden_names]
    asked = [question for question in passed if question.who in visible]
    if idle := [question.who for question in asked if system.kind_of(question).is_reaction(state, question)]:
        verb = "does" if len(idle) == 1 else "do"
        step.tell(f"{{who}} {verb} not react.", who=", ".join(idle))
    for by in dict.fromkeys(
        question.decided_by for question in passed if question.decided_by and question.who in visible
    ):
        theirs = ", ".join(question.who for question in passed if question.decided_by == by and question.who in visible)
        step.tell("⚖️ {by} let it pass for {who}.", by=by, who=theirs)


# In an order


def _ask_again(step: Step[Any]) -> None:
    """Ask those again who come later than somebody who has just reacted: they may have let pass something else."""
    system = system_of(step.state)
    while step.counted:
        reacted = step.counted.pop(0)
        if not system.actions.can_pass(reacted):
            continue
        for each in step.state.later_than(reacted):
            if system.actions.can_pass(each):
                step.ask_anew(each, system.kind_of(each).again(step.state, each), keep=each.sealed is not None)


def _drop_illegal(step: Step[Any]) -> None:
    """Ask those again whose place has come and whose sealed answer is no longer legal."""
    for question in step.state.questions:
        if question.sealed is None or not system_of(step.state).actions.counts_now(step.state, question):
            continue
        refusal = _trial(step.table, question)
        if refusal is not None:
            ask_again(step, question.id, f"{refusal} I ask you again.")


def _drop_sealed(step: Step[Any], question: Question, why: str) -> None:
    """Tell those who may know of a sealed answer that it comes to nothing."""
    if question.sealed is not None:
        step.tell(
            "{who}'s answer is dropped: {answer}. {why}",
            who=question.who,
            answer=_words(step, question.sealed.command),
            why=why.replace("**", ""),
            seen_by=sealed_readers(step.state, question, question.sealed),
        )


def _words(step: Step[Any], command: Command) -> str:
    action = system_of(step.state).actions.by_id.get(command.action)
    return command_words(command) if action is None else command_words(command, action.label, action.pattern)


def due_answer(table: Table) -> Question | None:
    """Return the question whose sealed answer is to count now, in a step and with dice of its own."""
    state = table.active
    if state is None or state.status != "running" or state.over is not None:
        return None
    actions = system_of(state).actions
    return next(
        (
            question
            for question in state.questions
            if question.sealed is not None and actions.counts_now(state, question)
        ),
        None,
    )


def counting(question: Question) -> Command:
    """Return the command that makes a sealed answer count. Raises: BrokenInvariant."""
    if question.sealed is None:
        raise BrokenInvariant(f"no sealed answer to question {question.id}")
    return question.sealed.command.evolve(args={QUESTION: question.id})


def ask_again(step: Step[Any], number: int, why: str) -> None:
    """Drop a sealed answer that cannot count, tell its giver, and ask again."""
    for question in step.state.questions:
        if question.id == number and question.sealed is not None:
            _drop_sealed(step, question, why)
            step.ask_anew(question)


def _trial(table: Table, question: Question) -> Refusal | None:
    """Try a sealed answer on a copy."""
    by = None if question.sealed is None else question.sealed.by
    actions = system_of(table.encounter).actions
    return tried(table, lambda scratch: actions.perform(scratch, counting(question)), Seat(user=by, gm=True))[1]
