"""What an encounter gives back to the saved characters at its end (option `carry`)."""

from __future__ import annotations

from typing import Any

from rules.core.sheets.sheet import Character
from rules.core.system import System
from rules.core.values import Ability, Combatant, Condition, SheetValue


def carried(character: Character, combatant: Combatant, system: System[Any]) -> Character:
    """Return the saved character as an encounter leaves it: pools as `now/max`, conditions that last, uses of a day.

    A pool goes back only if the system reads it from the sheet again; what refreshes by itself stays out.
    """
    fields = dict(character.fields)
    for key, pool in combatant.pools.items():
        value: SheetValue = pool.now if pool.top is None or pool.now == pool.top else f"{pool.now}/{pool.top}"
        wanted = {**fields, key: value}
        again = system.sheet.pools(combatant.evolve(fields={**combatant.fields, **wanted})).get(key)
        if again is not None and again.now == pool.now:
            fields = wanted
    lasting = tuple(condition.evolve(source=None) for condition in combatant.conditions if is_lasting(condition))
    used = {name: count for name, count in combatant.used.items() if _is_of_a_day(system, combatant.ability(name))}
    return character.evolve(fields=fields, conditions=lasting, used=used)


def _is_of_a_day(system: System[Any], ability: Ability | None) -> bool:
    """Tell whether an ability comes back with a day or a rest, which outlasts its encounter."""
    limit = None if ability is None else system.deed_of(ability).limit
    return limit is not None and limit.per in ("day", "rest")


def is_lasting(condition: Condition) -> bool:
    """Tell whether a condition outlasts its encounter: no rounds to count, no save, nobody's concentration."""
    return condition.left is None and condition.save is None and condition.ticks is None and not condition.concentration
