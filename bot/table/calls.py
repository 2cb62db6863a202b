"""Who a step calls: those who have a decision now through what somebody else did (play 1 and 2).

Rule: G-11.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.waiting.people import People
from bot.waiting.waits import UNCALLED, asked_users, has_been_handed_on
from data.rows import PAST, WaitRow
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.turns.decisions import Decision, begun, decisions, turns


def called_by(
    before: Encounter | None,
    after: Encounter | None,
    people: People,
    guild: str,
    user: str | None,
    waits: Sequence[WaitRow] = (),
    *,
    goes_back: bool = False,
) -> tuple[str, ...]:
    """Return the actors who have a decision now and had none before, but for those `user` acts for.

    `user` None is a timer, who acts for nobody. `waits` are the table's before the step. `goes_back`: after an undo.
    The GMs, asked beside the game, are "".
    """
    if after is None:
        return ()
    earlier = before if before is not None and before.id == after.id else None
    new = begun(earlier, after, goes_back=goes_back)
    called = [
        each.who
        for each in decisions(after)
        if each in new
        or _has_changed_hands(earlier, after, people, guild, each.who)
        or _is_news(people, after, guild, each, waits)
    ]
    mine = {who for who in called if user is not None and user in asked_users(people, after, guild, who)}
    return tuple(dict.fromkeys(who for who in called if who not in mine))


def _has_changed_hands(before: Encounter | None, after: Encounter, people: People, guild: str, who: str) -> bool:
    """Tell whether other people act for somebody now: a decision that was open is theirs."""
    if before is None or (who and before.find(who) is None):
        return False
    asked = asked_users(people, after, guild, who)
    return bool(asked) and not {*asked_users(people, before, guild, who)} & {*asked}


def _is_news(people: People, state: Encounter, guild: str, decision: Decision, waits: Sequence[WaitRow]) -> bool:
    """Tell whether those who are asked have not heard of a decision that rested, though it called once.

    It called them silently in their sleep and rested before they woke, or it called somebody else in their place.
    """
    rows = (row for row in waits if (row.encounter, row.key) == (state.id, decision.key))
    last = max(rows, key=lambda row: row.id, default=None)
    return (
        last is not None
        and last.place == PAST
        and (last.sent == UNCALLED or has_been_handed_on(people, state, guild, last))
    )


def pinged_of(called: tuple[str, ...], after: Encounter | None) -> frozenset[str]:
    """Return those the message pings: all who are called, but for people who said their answer before (play 5)."""
    asked = () if after is None else after.questions
    quiet = {each.who for each in asked if each.quiet or each.answered}
    aloud = {each.who for each in asked if not (each.quiet or each.answered)}
    return frozenset(called) - (quiet - aloud)


def needs_message(called: tuple[str, ...], after: Encounter | None, people: People, guild: str) -> bool:
    """Tell whether a new message tells those called, though all may have said before what they answer (play 5).

    It comes anyway: only the ping is missing. A system that asks too often for that edits the prompt,
    which names them as well; if one of them sleeps a message comes there too, with no more than that.
    """
    if after is None or not called or pinged_of(called, after) or not system_of(after).edits_for_passes:
        return bool(called)
    asked = (asked_users(people, after, guild, who) for who in called)
    return any(not any(people.is_reachable(user) for user in users) for users in asked)


def has_turned(before: Encounter | None, after: Encounter | None) -> bool:
    """Tell whether the encounter is another one now, begins, pauses, ends, or is decided."""
    if before is None or after is None:
        return before is not after
    return (before.id, before.status, before.over) != (after.id, after.status, after.over)


def passed_to(
    before: Encounter | None, after: Encounter | None, people: People, guild: str, user: str | None
) -> tuple[str, ...]:
    """Return whose turn it is, if the table waited for other people before; otherwise nobody.

    Their turn has come, or comes again after a question that had nothing to do with them. A new message names them,
    though it pings nobody who was called to a turn in any order before.
    """
    if before is None or after is None:
        return ()
    asked = {each.who for each in decisions(before) if each.who}
    earlier = {each for who in asked for each in asked_users(people, before, guild, who)}
    turn = turns(after)
    now = {each for who in turn for each in asked_users(people, after, guild, who)}
    return turn if earlier and now and not {*earlier, user} & now else ()


def is_played(state: Encounter | None) -> bool:
    """Tell whether an encounter has a live message: while it runs."""
    return state is not None and state.status == "running"
