"""What a GM may decide by hand in a system (G-01), or hand in as a file in the place of its own tables.

Each ruling that it leaves is refused, with what may do instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.conditions import add_condition
from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.core.values import Condition
from rules.errors import Illegal, Malformed

S = TypeVar("S", bound=Encounter)


@dataclass(frozen=True)
class LeftToGM(Generic[S]):
    """Something that the rules leave to the GM: `/gm choose what value`, `is_ahead`: before the first round too."""

    what: str
    values: Callable[[S], tuple[str, ...]]
    choose: Callable[[Step[S], str], None]
    is_ahead: bool = False


class Rulings(Generic[S]):
    """The rulings of a system. Subclasses override those that make sense."""

    title: str
    left_to_gm: tuple[LeftToGM[S], ...] = ()
    # What `/gm set` sets of the system's own, by its key in small letters (`initiative`); one that ends with a space is
    # the beginning of several. Each is done with the step, who it is set for, the key as typed, and the value.
    own_values: ClassVar[Mapping[str, Callable[[Step[Any], str, str, str], None]]] = MappingProxyType({})

    def rule_turn(self, step: Step[S], who: str, *, extra: bool = False) -> None:
        """Give somebody the turn now; `extra`: besides the order, so that it counts as no turn of theirs."""
        raise self.cannot("give a turn", "next-phase")

    def rule_skip(self, step: Step[S], who: str) -> None:
        """End or skip somebody's turn."""
        raise self.cannot("skip a turn", "next-phase")

    def rule_next_phase(self, step: Step[S]) -> None:
        """Go on to the next phase, or to the next round if there are no phases."""
        raise self.cannot("go on to the next phase", "turn")

    def rule_order(self, step: Step[S], names: tuple[str, ...]) -> None:
        """Put combatants into that order; filling the places that the named ones hold."""
        raise self.cannot("set the order", "turn")

    def rule_correct(self, step: Step[S], command: Command) -> bool:
        """Correct the last blow in a way of the system's own; False if it has none."""
        return False

    def to_choose(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return what the rules leave to the GM now, each with its values."""
        values = {left.what: left.values(state) for left in self.left_to_gm}
        return {what: possible for what, possible in values.items() if possible}

    def rule_damage(self, step: Step[S], who: str, amount: int, kind: str | None) -> bool:
        """Deal a ruling's damage as the system's rules take it; False if it only comes off the health."""
        return False

    def rule_effect(self, step: Step[S], creator: str, name: str, bearer: str, duration: int, *, ritual: bool) -> None:
        """Put an effect on a combatant; by default a condition that ticks as its creator's turn starts."""
        add_condition(
            step,
            bearer,
            Condition(name=name, source=creator, left=duration, ticks=None if ritual else "source-start"),
        )

    def rule_aware(self, step: Step[S], who: str, of: str, *, yes: bool) -> None:
        """Say who notices who."""
        raise self.cannot("keep awareness", "note")

    def rule_trigger(self, step: Step[S], note: str) -> None:
        """Declare an event that others may react to."""
        raise self.cannot("open reactions", "ask")

    def rule_cards(self, step: Step[S], user: str, do: str, command: Command) -> None:
        """Move cards of a system that has hands of its own."""
        raise self.cannot("move cards", "set")

    def rule_reshuffle(self, step: Step[S]) -> None:
        """Shuffle the system's own pile (not the discards), after an undo gave cards back."""
        raise self.cannot("shuffle its pile", "set")

    def cannot(self, what: str, instead: str) -> Illegal:
        """Refuse a ruling, and name another, or a note if the system leaves that one too."""
        named = "note" if self._leaves(instead) else instead
        return Illegal(f"{self.title} can't {what}.", rule="G-01", instead=f"/gm {named} can do that.")

    def _leaves(self, ruling: str) -> bool:
        refused = {"turn": Rulings.rule_turn, "next-phase": Rulings.rule_next_phase}.get(ruling)
        return refused is not None and getattr(type(self), refused.__name__) is refused


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
