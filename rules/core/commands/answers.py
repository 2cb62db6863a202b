"""Answers that somebody else gives: the GM's for people who do not answer, and sealed ones when their place comes.

A sealed answer counts in a step of its own, with dice of what gave it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rules.core import refusals
from rules.core.action import QUESTION
from rules.core.command import Command
from rules.core.commands import ahead
from rules.core.commands.acting import act
from rules.core.commands.order_book import running
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec, Given
from rules.core.encounter import IF_ASKED
from rules.core.offer import Param
from rules.core.registry import system_of
from rules.core.several import several
from rules.core.step import Step
from rules.core.turns.questions import ask_again, counting, due_answer
from rules.core.typed.names import resolve_name
from rules.core.typed.skeleton import same
from rules.errors import Illegal, Malformed


def answer(step: Step[Any], command: Command) -> None:
    """Answer for somebody who does not, or who is not asked yet: then it is kept until they are (play 5).

    Args: choice (an action, and what it takes after a space).
    """
    state = running(step)
    asked = tuple(dict.fromkeys(question.who for question in state.questions))  # nothing tells who has answered
    others = tuple(who for who in system_of(state).actors(state) if who not in asked and ahead.possible(state, who))
    named = command.target or (asked[0] if len(asked) == 1 else "")
    if not asked and (not others or not named):
        raise Illegal("No question is open.", instead="Say with target whose answer you give before they are asked.")
    possible = asked if asked and same(named, "all") else (*asked, *others)
    for who in several(state, named, possible, "one who is asked, or may be"):
        if state.question_to(who) is None or step.state.question_to(who) is not None:  # another's answer closes some
            _answer_for(step, command, who)


def _answer_for(step: Step[Any], command: Command, who: str) -> None:
    state = running(step)
    actions = system_of(state).actions
    question = state.question_to(who)
    text = command.text("choice") or ""
    given = Command(
        action="",
        character=who,
        using=command.using,
        amount=command.amount,
        note=command.note,
        to=command.to,
        target=command.text("of"),
    )
    if question is not None:
        choice, rest = _answer_and_rest(text, question.choices)
        given = given.evolve(action=choice)
        act(step, _with_rest(actions.params_given(state, who, given), given, rest) if rest else given)
        return
    offers = {offer.action: offer for offer in ahead.possible(state, who)}
    choice, rest = _answer_and_rest(text, tuple(offers))
    given = given.evolve(action=choice)
    params = offers[choice].params or actions.by_id[choice].params(state, who, None)
    ahead.give(step, _with_rest(params, given, rest) if rest else given, IF_ASKED, act)


def _answer_and_rest(text: str, choices: tuple[str, ...]) -> tuple[str, str]:
    """Part `willpower 2` into the answer and what it takes; an answer may be typed with spaces for its dashes."""
    words = text.split()
    for count in range(len(words), 0, -1):
        head = "-".join(words[:count])
        if any(head.casefold() == choice.casefold() for choice in choices):
            return resolve_name(head, choices, "answer"), " ".join(words[count:])
    return resolve_name("-".join(words), choices, "answer"), ""


def _with_rest(params: Sequence[Param], given: Command, rest: str) -> Command:
    """Give the words behind an answer to what its action takes: the first thing that must be said."""
    wanted = sorted(params, key=lambda param: not param.required)
    if not wanted:
        raise Malformed(f"{given.action} does not take anything more.", instead=f"choice:{given.action} is enough.")
    if wanted[0].name != "amount":
        return given.evolve(**{wanted[0].name: rest})
    if not re.fullmatch(r"[0-9]{1,9}", rest):
        raise refusals.no_whole_number(rest[:40], instead=f"For example choice:{given.action} 2.")
    return given.evolve(amount=int(rest))


def count(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Let a sealed answer count, now that its place has come; return who answers. Raises: Refusal."""
    due = due_answer(step.table)
    if due is None or due.id != command.number(QUESTION):
        raise Illegal("It is not yet time for that answer.")
    return now(step, counting(due))


def again(step: Step[Any], command: Command) -> None:
    """Drop a sealed answer that could not count, and ask again. Args: question, reason. The referee's own alone."""
    if step.seat.user is not None:
        raise Illegal("Only the referee does that.", instead="To change a sealed answer, give another one.")
    ask_again(step, command.number(QUESTION) or 0, command.text("reason") or "")


COMMAND_SPECS = (
    CommandSpec("answer again", again, Role.ANYONE),
    CommandSpec(
        "gm answer",
        answer,
        Role.GM,
        "Answer a question for somebody who doesn't",
        (
            Given("target", "For who; separate several with commas", required=True, names="asked", many=True),
            Given("choice", "What they answer, with what it takes: take, willpower 2", required=True, names="answers"),
        ),
    ),
)
