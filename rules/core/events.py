"""Changes that have been decided. Making one neither refuses nor rolls."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from rules.core.encounter import Encounter, Table
from rules.core.model import Frozen
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
