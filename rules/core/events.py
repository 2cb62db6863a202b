"""Changes that have been decided. Making one neither refuses nor rolls."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from rules.core.encounter import Encounter, Table
from rules.core.model import Frozen
from rules.core.sheets.numbers import renumbered
from rules.core.typed.skeleton import same
from rules.core.values import Ability, Combatant, Condition
from rules.errors import BrokenInvariant

S = TypeVar("S", bound=Encounter)


class Event(Frozen):
    """A change of a table that has been decided."""

    @abstractmethod
    def apply(self, table: Table) -> Table:
        """Return the table after this event."""
        raise BrokenInvariant(f"{type(self).__name__} does not say what it changes")


class EncounterEvent(Event, Generic[S]):
    """Something that happened inside an encounter; subclasses say what `change` it makes."""

    @abstractmethod
    def change(self, state: S) -> S:
        """Return the encounter's state after this event."""
        raise BrokenInvariant(f"{type(self).__name__} does not say what it changes")

    def apply(self, table: Table) -> Table:
        return table.evolve(encounter=self.change(table.encounter))


# Encounters as a whole


class RoundStarted(EncounterEvent[Encounter]):
    number: int

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(round=self.number, calls={})


class PhaseStarted(EncounterEvent[Encounter]):
    phase: str | None

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(phase=self.phase)


# Combatants


class _OfCombatant(EncounterEvent[Encounter]):
    who: str

    @abstractmethod
    def of(self, combatant: Combatant) -> Combatant:
        raise BrokenInvariant(f"{type(self).__name__} does not say what it changes")

    def change(self, state: Encounter) -> Encounter:
        return state.with_combatant(self.who, self.of)


class MarkSet(_OfCombatant):
    """A mark with its words; None takes it away."""

    mark: str
    words: str | None = None

    def of(self, combatant: Combatant) -> Combatant:
        marks = {key: value for key, value in combatant.marks.items() if key != self.mark}
        if self.words is not None:
            marks[self.mark] = self.words
        return combatant.evolve(marks=marks)


class AbilitiesSet(_OfCombatant):
    abilities: tuple[Ability, ...]

    def of(self, combatant: Combatant) -> Combatant:
        return renumbered(combatant.evolve(abilities=self.abilities))


class Placed(_OfCombatant):
    """A combatant stands on a cell (its top left one); None takes it off the board."""

    cell: str | None = None
    size: int | None = None

    def of(self, combatant: Combatant) -> Combatant:
        return combatant.evolve(cell=self.cell, size=combatant.size if self.size is None else self.size)


class ConditionAdded(_OfCombatant):
    """A condition; the same name from the same source is replaced."""

    condition: Condition

    def of(self, combatant: Combatant) -> Combatant:
        others = tuple(each for each in combatant.conditions if not _is_same(each, self.condition))
        return combatant.evolve(conditions=(*others, self.condition))


class ConditionTicked(_OfCombatant):
    name: str
    source: str | None = None
    left: int

    def of(self, combatant: Combatant) -> Combatant:
        return combatant.evolve(
            conditions=tuple(
                each.evolve(left=self.left) if each.name == self.name and each.source == self.source else each
                for each in combatant.conditions
            )
        )


class ConditionEnded(_OfCombatant):
    name: str
    source: str | None = None

    def of(self, combatant: Combatant) -> Combatant:
        return combatant.evolve(
            conditions=tuple(
                each for each in combatant.conditions if not (each.name == self.name and each.source == self.source)
            )
        )


def _is_same(one: Condition, other: Condition) -> bool:
    return same(one.name, other.name) and one.source == other.source
