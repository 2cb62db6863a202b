"""What people see of a system: words of prompts and lists, its own hands and pile, its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from pydantic import JsonValue

from rules.core.encounter import Encounter
from rules.core.seen.pictures import Picture
from rules.core.values import Combatant, Seat

S = TypeVar("S", bound=Encounter)


@dataclass(frozen=True)
class Drawing:
    """A picture beside the board: what it shows is data, how it looks is drawn elsewhere."""

    name: str = ""  # the label of the button that shows it
    # Of a combatant (None: of the whole) for a seat; None if it has nothing
    of: Callable[[Any, str | None, Seat], Picture | None] = lambda *_given: None
    of_sheet: Callable[[Combatant], Picture | None] = lambda _combatant: None  # who is in no encounter


class Row(NamedTuple):
    """What the order shows beside a name."""

    badges: tuple[str, ...] = ()  # short public words: delayed, seized, readied …
    standing: str = ""  # what comes before the name, such as its initiative
    elsewhere: str = ""  # of somebody who is not in the present phase's order: when they act, for example


class Looks(Generic[S]):
    """What a system shows. Subclasses override what they have; what a seat may not know is theirs to leave out."""

    def headline(self, state: S) -> str:
        """Return the encounter's round and phase, for a prompt's first line: `round 3, Battle`."""
        return f"round {state.round}" + (f", {state.phase.title()}" if state.phase else "")

    def own_lines(self, state: S, who: str) -> tuple[str, ...]:
        """Return what those who act for somebody read on their panel: what an action would need, for example."""
        return ()

    quiet_marks: ClassVar[tuple[str, ...]] = ()  # what the system says in other words

    def row(self, state: S, who: str, seat: Seat) -> Row:
        """Return what the order shows beside a name; marks come after it."""
        return Row()

    def marks_shown(self, combatant: Combatant) -> tuple[str, ...]:
        """Return the marks of a combatant, each with what the GM says of it."""
        shown = (pair for pair in combatant.marks.items() if pair[0] not in self.quiet_marks)
        return tuple(f"{mark} ({words})" if words else mark for mark, words in shown)

    # Pools that say nothing at a glance, and when: a prompt's order leaves them out, panel and lists do not.
    resting: Mapping[str, Literal["empty", "full", "always"]] = MappingProxyType({})

    def prompt_lines(self, state: S, seat: Seat) -> tuple[str, ...]:
        """Return lines of the prompt that only this system has (a stack, phases); no markdown."""
        return ()

    def own_facts(self, state: S, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        """Return the facts in the export that only this system has, as far as this seat may know. Rule: G-08."""
        return {}

    drawing: Drawing = Drawing()
