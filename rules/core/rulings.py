"""What a GM may decide by hand in a system (G-01), or hand in as a file in the place of its own tables.

Each ruling that it leaves is refused, with what may do instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.conditions import add_condition
from rules.core.encounter import Encounter
from rules.core.rulebook import rulebook
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


@dataclass(frozen=True)
class Left:
    """A ruling that a system leaves: it is refused, and another one named that can do as much."""

    what: str
    instead: str

    def __call__(self, step: Step[Any], *_given: object) -> NoReturn:
        raise rulebook(step.state).cannot(self.what, self.instead)


def _condition(step: Step[Any], creator: str, name: str, bearer: str, duration: int, is_ritual: bool) -> None:
    """Put a condition on its bearer that ticks as its creator's turn starts."""
    ticks = None if is_ritual else "source-start"
    add_condition(step, bearer, Condition(name=name, source=creator, left=duration, ticks=ticks))


@dataclass(frozen=True)
class ByHand:
    """The rulings of a system. What one takes after the step is said beside it; what is not given is refused."""

    # Who has it now; if it is one besides the order, which counts as no turn of theirs
    turn: Callable[[Step[Any], str, bool], None] = Left("give a turn", "next-phase")
    skip: Callable[[Step[Any], str], None] = Left("skip a turn", "next-phase")  # whose turn ends, or is skipped
    next_phase: Callable[[Step[Any]], None] = Left("go on to the next phase", "turn")  # or round
    order: Callable[[Step[Any], tuple[str, ...]], None] = Left("set the order", "turn")  # who fill the places they hold
    # Who caused it, its name, who bears it, how long, if it is a ritual
    effect: Callable[[Step[Any], str, str, str, int, bool], None] = _condition
    aware: Callable[[Step[Any], str, str, bool], None] = Left("keep awareness", "note")  # who notices who, if they do
    trigger: Callable[[Step[Any], str], None] = Left("open reactions", "ask")  # a note on what others may react to
    # Who is hurt, by how much, of what type; False if it only comes off the health
    damage: Callable[[Step[Any], str, int, str | None], bool] = lambda *_given: False
    correct: Callable[[Step[Any], Command], bool] = lambda *_given: False  # the last blow; False: as blows are


class Rulings(Generic[S]):
    """The rulings of a system. Subclasses say those that make sense."""

    title: str
    by_hand: ByHand = ByHand()
    left_to_gm: tuple[LeftToGM[S], ...] = ()
    # What `/gm set` sets of the system's own, by its key in small letters (`initiative`); one that ends with a space is
    # the beginning of several. Each is done with the step, who it is set for, the key as typed, and the value.
    own_values: ClassVar[Mapping[str, Callable[[Step[Any], str, str, str], None]]] = MappingProxyType({})

    def to_choose(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return what the rules leave to the GM now, each with its values."""
        values = {left.what: left.values(state) for left in self.left_to_gm}
        return {what: possible for what, possible in values.items() if possible}

    def cannot(self, what: str, instead: str) -> Illegal:
        """Refuse a ruling, and name another, or a note if the system leaves that one too."""
        is_left = isinstance(getattr(self.by_hand, instead.replace("-", "_"), None), Left)
        named = "note" if is_left else instead
        return Illegal(f"{self.title} can't {what}.", rule="G-01", instead=f"/gm {named} can do that.")


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
