"""The same answer said twice: a press that was not seen to be heard is no step of its own."""

from __future__ import annotations

from rules.core.commands import Decision
from rules.core.encounter import Table
from rules.core.values import Question

WORDS = "You have said so already: it counts when its turn comes. Until then you can change it."


def is_said_again(before: Table, decision: Decision) -> bool:
    """Tell whether a step only repeats answers, each by the same person."""
    was, now = before.active, decision.table.active
    if was is None or now is None or not decision.answers:
        return False
    if before.evolve(encounter=was.evolve(questions=now.questions)) != decision.table:
        return False
    old, new = ({each.id: each for each in state.questions} for state in (was, now))
    return all(answer in old and answer in new and _stands(old[answer], new[answer]) for answer in decision.answers)


def _stands(was: Question, now: Question) -> bool:
    """Tell whether a question had this answer; what the referee let pass by itself, nobody has said."""
    if not was.answered or was.decided_by != now.decided_by:
        return False
    if was.sealed is None or now.sealed is None:
        return was.sealed is now.sealed and not (was.silent or was.quiet)
    return (was.sealed.command, was.sealed.by) == (now.sealed.command, now.sealed.by)
