"""What the core asks of a rule system without knowing it. The registry, which finds the systems, hands them in.

So that a step and an action need no module that needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rules.core.blow import Deed
from rules.core.encounter import Encounter
from rules.core.space.cells import Metric
from rules.core.typed.names import shown
from rules.core.values import Ability, Question, Seat
from rules.errors import BrokenInvariant, Illegal, Paused, Refusal

_MOST_NAMED = 3  # of those whose turn it is, in a refusal


class OwnRule(NamedTuple):
    """A rule that a table brought itself: its text is a fact, no markdown."""

    id: str
    title: str
    text: str


def _asked(_state: Any, question: Question) -> str:
    return question.words


@dataclass(frozen=True)
class QuestionKind:
    """What becomes of a question, by what it is `about`.

    `is_void` tells that nobody can answer it any more, because what asked it is over; `unanswered` goes on after it has
    closed without an answer. `may_count` tells whether a sealed answer may count, if more than the answers before it
    must be over. `again` are the words for somebody who comes later than one who has just reacted. `is_reaction` tells
    whether it is said of somebody who lets it pass that they do not react.
    """

    is_void: Callable[[Any, Question], bool] = lambda _state, _question: False
    unanswered: Callable[[Any, Question], None] = lambda _step, _question: None
    may_count: Callable[[Any, Question], bool] = lambda _state, _question: True
    again: Callable[[Any, Question], str] = _asked
    is_reaction: Callable[[Any, Question], bool] = lambda _state, _question: True


PLAIN = QuestionKind()


class Rulebook(Protocol):
    """A system, as far as steps and actions ask it."""

    @property
    def state_type(self) -> type[Any]: ...

    @property
    def metric(self) -> Metric: ...

    @property
    def health(self) -> str: ...

    @property
    def hidden_pools(self) -> frozenset[str]: ...

    def for_state(self, state: Any) -> Rulebook: ...

    def option_value(self, state: Any, key: str) -> str: ...

    def knows(self, state: Any, who: str, seat: Seat) -> bool: ...

    def unknown(self, state: Any, who: str) -> Refusal: ...

    def reads_orders(self, state: Any, who: str, seat: Seat) -> bool: ...

    def passes_silently(self, state: Any, who: str) -> bool: ...

    def passes_ahead(self, state: Any, question: Question) -> bool: ...

    def kind_of(self, question: Question) -> QuestionKind: ...

    def waits_for(self, state: Any) -> tuple[str, ...]: ...

    def deed_of(self, ability: Ability) -> Deed: ...

    def deck(self, state: Any) -> tuple[int, tuple[str, ...]] | None: ...

    def cannot(self, what: str, instead: str) -> Refusal: ...


_found: list[Callable[[], Mapping[str, Rulebook]]] = []


def provide(systems: Callable[[], Mapping[str, Rulebook]]) -> None:
    """Set the source of systems; the registry does, once."""
    _found[:] = [systems]


def rulebook(encounter: Encounter) -> Rulebook:
    """Return the system as an encounter plays it. Raises: BrokenInvariant if the program lacks it."""
    return _named(encounter.system).for_state(encounter)


def _named(system: str) -> Rulebook:
    known = _found[0]() if _found else {}
    if system not in known:
        raise BrokenInvariant(f"no system {system!r}")
    return known[system]


def load_encounter(document: Mapping[str, Any]) -> Encounter:
    """Read a state from JSON data, in its system's own type."""
    state: Encounter = _named(str(document.get("system"))).state_type.model_validate(document)
    return state


def option_value(encounter: Encounter, key: str) -> str:
    """Return an option's value in force. Raises: BrokenInvariant if the system has no such option."""
    return rulebook(encounter).option_value(encounter, key)


def not_open(encounter: Encounter | None) -> Illegal:
    """Return the refusal of a command that needs an encounter, if the one in focus is not open."""
    if encounter is not None and encounter.status == "paused":
        return Paused(encounter.name, _where(encounter))
    return Illegal("No encounter is open in this channel.", instead="Start one with /encounter start or /init start.")


def _where(encounter: Encounter) -> str:
    """Return the point a paused encounter is at: whose turn, as far as all know."""
    if not encounter.round:
        return ", before round 1"
    waiting = rulebook(encounter).waits_for(encounter.evolve(status="running"))
    turn = [name for name in waiting if name not in encounter.hidden_names]
    if not 0 < len(turn) <= _MOST_NAMED:
        return f", in round {encounter.round}"
    *others, last = turn
    return f", at {shown(others)} and {last}'s turn" if others else f", at {last}'s turn"
