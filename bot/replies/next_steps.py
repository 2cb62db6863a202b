"""What comes next after each step of setting up: a private line under the answer, until the fight has begun."""

from __future__ import annotations

from bot.discord.caller import Caller
from bot.render.words import and_more, escape
from bot.table.service import Done
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Combatant

_ROOM = 400


def next_words(done: Done, caller: Caller, action: str, needed: tuple[str, ...]) -> str | None:
    """Return what whoever did a step does next; None where the step was none of setting up.

    `needed` are the permissions without which nothing works: they were asked for before.
    """
    encounter = done.room.encounter
    if encounter is None:
        return None
    if action == "encounter start":
        return _opened(encounter, caller, needed)
    if action == "encounter begin":
        return _begun()
    if encounter.status != "gathering" or action not in ("join", "gm add"):
        return None
    return _for_the_gm(encounter) if done.seat.gm else _for_a_player(encounter)


def _opened(encounter: Encounter, caller: Caller, needed: tuple[str, ...]) -> str:
    system = system_of(encounter)
    needs_sheet = bool(system.sheet.needed(Combatant(name="newcomer")))
    come_in = "come in with `/init join` or `/join`"
    if needs_sheet:
        come_in = "save a sheet with `/character add` and `/join`"
    words = f"Next: players {come_in}; you add others with `/gm add`; then `/encounter begin`."
    if needs_sheet:
        words += f" `/help topic:{system.id}` has an example of a sheet."
    optional = [name for name in caller.missing if name not in needed]
    if optional:
        words += f"\nI lack {' and '.join(optional)} here: `/help topic:check` says who can grant it."
    return words


def _for_the_gm(encounter: Encounter) -> str:
    count = len(encounter.cast)
    inside = f"{count} {'is' if count == 1 else 'are'} in."
    lacking = [escape(reason) for reason in system_of(encounter).lacks(encounter)]
    if lacking:
        return f"{inside} Before it can begin: {and_more(lacking, _ROOM, parted='; ')}."
    return f"{inside} Next: more with `/gm add`, a board with `/board size`, or `/encounter begin` opens round 1."


def _for_a_player(encounter: Encounter) -> str:
    who = " or ".join(escape(encounter.people[user]) for user in encounter.gms[:2] if user in encounter.people)
    return f"You are in. Next: {who or 'the GM'} begins; then the prompt names you when it is your turn."


def _begun() -> str:
    return (
        "Next: the prompt names who acts. By hand you do with `/gm` what the rules refuse; `/encounter undo` takes a "
        "step back; `/gm ask` lets people roll; `/encounter end` closes it."
    )
