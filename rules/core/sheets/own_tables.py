"""What a system takes of a table's own: nothing, tables in the place of its own, or the file that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from pydantic import JsonValue

from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.errors import Malformed

S = TypeVar("S", bound=Encounter)


class OwnTables(Generic[S]):
    """A system without tables that could be replaced. Subclasses read those that a table brings."""

    def shipped(self) -> Mapping[str, str]:
        """Return the ids of files that come with the program and make a system each, with their titles."""
        return {}

    def of_shipped(self, started: str) -> Mapping[str, JsonValue]:
        """Return the tables of an encounter that is started with one of them."""
        return {}

    def read(self, content: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Read a table's own tables (`/encounter options file`). Raises: Malformed."""
        raise Malformed("This system has no tables that you could replace.")

    def replaced(self, step: Step[S], before: Mapping[str, JsonValue]) -> None:
        """Bring the state into line with tables that were just replaced; `before` are those until now."""

    def in_force(self, state: S) -> tuple[str, str] | None:
        """Return the tables in force as a file that `read` takes, its name and its text; None if there are none."""
        return None

    def note(self, state: S) -> str:
        """Return what is to be said with that file: whose the tables are, and how they are replaced."""
        return ""

    def exported(self, state: S) -> Mapping[str, JsonValue]:
        """Return what the export says of the file that an encounter is played by."""
        return {}
