"""What was understood of the sheets of those who have just joined: private lines under the answer (design 2.9).

Rule: G-09.
"""

from __future__ import annotations

from bot.render.understanding import understanding_lines
from bot.render.words import escape
from bot.table.service import Done
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.views.known_conditions import meaning
from rules.core.views.understanding import understand


def condition_words(before: Encounter | None, done: Done) -> list[str]:
    """Return what a condition that was put on somebody by hand means to the system."""
    encounter = done.room.encounter
    if encounter is None or before is None:
        return []
    conditions = {each.name: each.conditions for each in before.combatants}
    names = [
        condition.name
        for each in encounter.combatants
        for condition in each.conditions
        if condition not in conditions.get(each.name, ())
    ]
    system = system_of(encounter)
    return [f"{escape(name)}: {escape(meaning(system, name))}." for name in dict.fromkeys(names)]


def understood_words(before: Encounter | None, done: Done) -> list[str]:
    """Return what the system made of a newcomer's sheet; of several alike the first says it for all."""
    encounter = done.room.encounter
    if before is None or encounter is None or len(encounter.cast) <= len(before.cast):
        return []
    known = {each.name for each in before.cast}
    newcomer = next((each for each in encounter.cast if each.name not in known), None)
    if newcomer is None or not (newcomer.fields or newcomer.abilities):
        return []
    return understanding_lines(understand(system_of(encounter), newcomer, encounter))
