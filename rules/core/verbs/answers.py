"""Sealed answers when their place comes: they count in a step of their own, with dice of what gave them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core.action import QUESTION
from rules.core.command import Command
from rules.core.rights import Role
from rules.core.step import Step
from rules.core.turns.questions import ask_again, counting, due_answer
from rules.core.verbs.verb import Verb
from rules.errors import Illegal


def count(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Let a sealed answer count, now that its place has come; return who answers. Raises: Refusal."""
    due = due_answer(step.table)
    if due is None or due.id != command.number(QUESTION):
        raise Illegal("The place of that answer has not come.")
    return now(step, counting(due))


def again(step: Step[Any], command: Command) -> None:
    """Drop a sealed answer that could not count, and ask anew. Args: question, reason. The referee's own alone."""
    if step.seat.user is not None:
        raise Illegal("That is the referee's own.", instead="Another answer takes the place of a sealed one.")
    ask_again(step, command.number(QUESTION) or 0, command.text("reason") or "")


VERBS = (Verb("answer again", again, Role.ANYONE),)
