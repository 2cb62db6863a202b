"""What was understood of the sheets of those who have just joined: private lines under the answer (design 2.9)."""

from __future__ import annotations

from bot.render.understanding import understanding_lines
from bot.render.words import escape
from bot.table.service import Done
from rules.core.events import ConditionAdded, Joined
from rules.core.registry import system_of
from rules.core.views.known_conditions import meaning
from rules.core.views.understanding import understand


def condition_words(done: Done) -> list[str]:
    """Return what a condition that was put on somebody by hand means to the system."""
    encounter = done.room.encounter
    if encounter is None:
        return []
    names = [event.condition.name for event in done.decision.events if isinstance(event, ConditionAdded)]
    system = system_of(encounter)
    return [f"{escape(name)}: {escape(meaning(system, name))}." for name in dict.fromkeys(names)]


def understood_words(done: Done) -> list[str]:
    """Return what the system made of a newcomer's sheet; of several alike the first says it for all."""
    encounter = done.room.encounter
    joined = [event.combatant.name for event in done.decision.events if isinstance(event, Joined)]
    newcomer = None if encounter is None or not joined else encounter.find(joined[0])
    if encounter is None or newcomer is None or not (newcomer.fields or newcomer.abilities):
        return []
    return understanding_lines(understand(system_of(encounter), newcomer, encounter))
