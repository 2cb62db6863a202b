"""How the corpora are played: dice that fall as a case says, and what has changed after it, in their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.core.values import Combatant

HIGH, LOW = {20: 15, 100: 30, 12: 10, 6: 5}, {20: 2, 100: 90, 12: 2, 6: 2}


class Falling:
    """Dice that fall as a case says."""

    def __init__(self, falls: str, sides: int, count: int) -> None:
        self._high = {"hit": count, "saved": 99}.get(falls, 0)
        self._sides = sides

    def face(self, sides: int) -> int:
        if sides != self._sides:
            return min(2, sides)
        self._high -= 1
        return (HIGH if self._high >= 0 else LOW)[sides]


def changed(before: Any, after: Any) -> frozenset[str]:
    """Return what is other than before, in the words of the corpora."""
    found: list[str] = []
    for who, name in (("self", "Ayla"), ("foe", "Ogre")):
        found += [f"{who} {words}" for words in _changes(before.combatant(name), after.combatant(name))]
    return frozenset(found)


def _changes(one: Combatant, two: Combatant) -> Iterator[str]:
    for key, pool in two.pools.items():
        before = one.pools[key].now if key in one.pools else 0
        if pool.now != before:
            yield f"{key} {pool.now - before:+d}"
    held = {each.name: each for each in one.conditions}
    for each in two.conditions:
        if each.name not in held:
            yield f"+{each.name}" + (f" {each.left} {each.ticks}" if each.left is not None else "")
    yield from (f"-{name}" for name in held if not two.has(name))
