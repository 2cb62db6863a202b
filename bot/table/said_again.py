"""The same answer said twice: a press that was not seen to be heard is no step of its own."""

from __future__ import annotations

from rules.core.encounter import Table
from rules.core.events import Answered
from rules.core.values import Question
from rules.core.verbs import Decision

WORDS = "You have said so already: it counts when its turn comes. Till then another answer takes its place."


def is_said_again(before: Table, decision: Decision) -> bool:
    """Tell whether a step only gives answers that stand already, each from the same person."""
    state = before.active
    if state is None or not decision.events:
        return False
    asked = {question.id: question for question in state.questions}
    return all(isinstance(event, Answered) and _stands(asked.get(event.id), event) for event in decision.events)


def _stands(question: Question | None, event: Answered) -> bool:
    """Tell whether a question has this answer; what the referee let pass by itself, nobody has said."""
    if question is None or not question.answered or question.decided_by != event.decided_by:
        return False
    if question.sealed is None or event.sealed is None:
        return question.sealed is event.sealed and not (question.silent or question.quiet)
    return (question.sealed.command, question.sealed.by) == (event.sealed.command, event.sealed.by)
