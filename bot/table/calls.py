"""Whom a step calls: those for whom a decision becomes theirs by what somebody else did (play, chapters 1 and 2)."""

from __future__ import annotations

from bot.reminders.people import People
from bot.reminders.waits import GM, TURN, asked_users, resting_turns, wanted
from rules.core.encounter import Encounter
from rules.core.registry import system_of


def called_by(
    before: Encounter | None, after: Encounter | None, people: People, guild: str, user: str | None
) -> tuple[str, ...]:
    """Return the actors that the table waits for now and did not before, but for those whom `user` acts for.

    `user` None is a timer, which calls everybody anew. Whoever was called for the same decision before is not again.
    The GMs, asked beside the game, are "".
    """
    if after is None:
        return ()
    same = before is not None and before.id == after.id
    known = {each.key for each in wanted(before)} | resting_turns(before) if same else set[str]()
    found = [each.who for each in wanted(after) if each.kind in {TURN, GM} and each.key not in known]
    if user is None:
        return tuple(dict.fromkeys(found))
    system = system_of(after)
    return tuple(
        dict.fromkeys(
            who
            for who in found
            if user not in asked_users(people, after, guild, who) and not (who and system.was_called(after, who))
        )
    )


def pinged_of(called: tuple[str, ...], after: Encounter | None) -> frozenset[str]:
    """Return whom of those called the message pings: not whoever has said before what they answer (play 5)."""
    asked = () if after is None else after.questions
    quiet = {each.who for each in asked if each.quiet or each.answered}
    aloud = {each.who for each in asked if not (each.quiet or each.answered)}
    return frozenset(called) - (quiet - aloud)


def has_turned(before: Encounter | None, after: Encounter | None) -> bool:
    """Tell whether the encounter is another one now, begins, pauses, ends, or is decided."""
    if before is None or after is None:
        return before is not after
    return (before.id, before.status, before.over) != (after.id, after.status, after.over)


def is_played(state: Encounter | None) -> bool:
    """Tell whether an encounter has a live message: while it runs."""
    return state is not None and state.status == "running"
