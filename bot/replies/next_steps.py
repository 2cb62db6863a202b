"""What comes next after each step of setting up: a private line under the answer, until the fight has begun."""

from __future__ import annotations

from bot.caller import Caller
from bot.render.words import and_more, escape
from bot.table.service import Done
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.system import SystemOfAny
from rules.core.values import Combatant

_ROOM = 400
_NO_STEP_OF_SETTING_UP = frozenset({"gm note", "gm ask", "ask-roll", "encounter pause", "encounter end"})


class _Words:
    """What one types to come in, to add and to begin: the short commands if no sheet is needed."""

    def __init__(self, encounter: Encounter) -> None:
        system = system_of(encounter)
        self.needs_sheet = needs_sheet(system)
        self.join = "`/join`" if self.needs_sheet else "`/init join`"
        self.add = "`/gm add`" if self.needs_sheet else "`/init add`"
        self.begin = "`/encounter begin`" if self.needs_sheet else "`/init next`"


def needs_sheet(system: SystemOfAny) -> bool:
    """Tell whether nobody can come in by a name alone."""
    return bool(system.sheet.needed(Combatant(name="newcomer")))


def next_words(done: Done, caller: Caller, action: str, needed: tuple[str, ...]) -> str | None:
    """Return what the person who did a step can do next; None if the step was not part of setting up.

    `needed` are the permissions without which nothing works: they were asked for before.
    """
    encounter = done.room.encounter
    if encounter is None:
        return None
    if action == "encounter start":
        return _opened(encounter, caller, needed)
    if action == "encounter begin":
        return _begun()
    if encounter.status != "gathering" or action in _NO_STEP_OF_SETTING_UP:
        return None
    if done.seat.gm:
        return _for_the_gm(encounter)
    return _for_a_player(encounter) if action == "join" else None


def _opened(encounter: Encounter, caller: Caller, needed: tuple[str, ...]) -> str:
    system, say = system_of(encounter), _Words(encounter)
    come_in = "`/join`; both have a form for a new character" if say.needs_sheet else say.join
    words = f"Next: players press *Join* or type {come_in}. You add the others with {say.add}, or paste your notes; "
    words += f"then {say.begin}."
    if say.needs_sheet:
        words += f" `/help topic:{system.id}` has a sample sheet."
    optional = [name for name in caller.missing if name not in needed]
    if optional:
        words += f"\nI lack {' and '.join(optional)} here. `/help topic:check` says who can grant it."
    return words


def _for_the_gm(encounter: Encounter) -> str:
    count, say = len(encounter.cast), _Words(encounter)
    if not count:
        return f"Nobody is in yet. Players type {say.join}; you add the others with {say.add}."
    inside = f"{count} {'is' if count == 1 else 'are'} in."
    lacking = [escape(reason) for reason in system_of(encounter).lacks(encounter)]
    if lacking:
        return f"{inside} Before it can begin: {and_more(lacking, _ROOM, parted='; ')}."
    return (
        f"{inside} Next: add more with {say.add}, lay out a board with `/board size`, or open round 1 with {say.begin}."
    )


def _for_a_player(encounter: Encounter) -> str:
    who = " or ".join(escape(encounter.people[user]) for user in encounter.gms[:2] if user in encounter.people)
    return f"You are in. {who or 'The GM'} begins; after that the channel calls you when it is your turn."


def _begun() -> str:
    return (
        "From now on I call each of you in turn. If the rules refuse something, `/gm` can do it anyway. `/gm ask` "
        "asks people for a roll, `/encounter undo` takes back the last step, and `/encounter end` ends the fight."
    )
