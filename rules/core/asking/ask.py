"""An action told once: one function that asks for what it takes, in order, and returns what it does.

    def mark(ask: Ask[BeaconState]) -> Effect[BeaconState]:
        target = ask("target", "target", in_scope(ask.state, ask.who), nameable=…, why=…)
        return lambda step: add_condition(step, target, …)

The function runs with what somebody has said so far. It runs to look (what is asked, and what would do), to test (does
a value lead anywhere), and to do (a wrong value is refused with its reason). What is not said yet is an empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Generic, TypeVar

from pydantic import JsonValue

from rules.core.encounter import Encounter
from rules.core.offer import Param, Prospect, Takes
from rules.core.step import Step
from rules.core.typed.input import in_one_line
from rules.core.typed.names import find_name
from rules.core.values import Question
from rules.errors import Malformed, Refusal

S = TypeVar("S", bound=Encounter)
Effect = Callable[[Step[S]], None]
Telling = Callable[["Ask[S]"], Effect[S]]
Why = Callable[[str], Refusal | None]
Said = Mapping[str, str | int]


def nothing(_step: Step[S]) -> None:
    """Mark what is done while something is not said yet."""


def split(text: str | None) -> tuple[str, ...]:
    """Return the parts of a list that was typed."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


class Purpose(Enum):
    """What an action's function runs for."""

    LOOK = "look"  # what it asks, with all that would do
    TEST = "test"  # does what is said lead anywhere
    DO = "do"  # a wrong value is refused, and the refusal says why


class NoWayError(Exception):
    """What is said leads nowhere."""


@dataclass
class Ask(Generic[S]):
    """One run of an action's function, with what is said so far."""

    state: S
    who: str
    said: Said
    purpose: Purpose
    run: Telling[S]
    in_menu: bool = False  # everything is asked for, what has a default as well
    is_later: bool = False  # it is done later: all but `using` may still be said then
    args: Mapping[str, JsonValue] = field(default_factory=dict)  # what a command says beside what is typed
    answered: Question | None = None  # what it answers: its question is closed before it is done
    asked: list[Param] = field(default_factory=list)
    prospect: Callable[[], Prospect] = Prospect  # what the function says of it before it is done

    def __call__(
        self,
        name: Takes,
        label: str,
        values: Sequence[str],
        *,
        nameable: Sequence[str] | None = None,
        why: Why | None = None,
        rule: str | None = None,
        default: str = "",
        implied: str = "",
        required: bool = True,
        all_lead: bool = False,
        notes: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """Ask for one of some values; return it, its default or an empty text while it is not said.

        `nameable` are all that can be named. `why` refuses one that no list offers (None: it is taken anyway).
        `implied` is a default that a menu need not ask for. `notes` say of values what they cost and bring.
        `all_lead`: each of the values leads somewhere whatever is asked afterwards, so that none needs a test.
        """
        among = self._leading(name, values, all_lead=all_lead)
        text = self.text(name)
        if text is None and default and among == (default,):
            return default
        if implied:
            default = implied if implied in among else ""
        else:
            default = default if default in among and not self.in_menu else ""
        every = None if nameable is None else tuple(nameable)
        param = _param(name, label, among, every, required=required and not default, rule=rule, implied=implied)
        self.take(param.evolve(notes=notes) if notes else param)
        return default if text is None else self._fitting(param, text, why)

    def several(
        self,
        name: Takes,
        label: str,
        values: Sequence[str],
        *,
        nameable: Sequence[str] | None = None,
        why: Why | None = None,
        required: bool = True,
        many: bool = True,
        rule: str | None = None,
        unsaid: str = "",
        bundles: tuple[str, ...] = (),
    ) -> tuple[str, ...]:
        """Ask for some of the values, or for one (not `many`); each of them leads somewhere.

        `bundles` are the lists that a menu has in place of each value alone.
        """
        every = None if nameable is None else tuple(nameable)
        param = _param(
            name, label, tuple(values), every, required=required, many=many, rule=rule, unsaid=unsaid, bundles=bundles
        )  # fmt: skip
        self.take(param)
        return tuple(found for part in self.names(name) if (found := self._fitting(param, part, why)))

    def _leading(self, name: Takes, values: Sequence[str], *, all_lead: bool) -> tuple[str, ...]:
        if all_lead or self.purpose is not Purpose.LOOK:
            return tuple(values)
        earlier = {param.name for param in self.asked}  # what is said of later things is refused there, with its reason
        said: Said = {each: value for each, value in self.said.items() if each in earlier}
        return tuple(
            value
            for value in values
            if leads(self.run, self.state, self.who, {**said, str(name): value}, is_later=self.is_later)
        )

    def _fitting(self, param: Param, text: str, why: Why | None) -> str:
        """Return which value a text means; an empty text if a look finds that it will not do. Raises: Refusal."""
        among = param.choices or ()
        found = text if text in among else find_name(text, param.nameable or among) or text
        if found in among:
            return found
        if self.purpose is Purpose.DO:
            unfit = Malformed(f"{found[:40]} does not work as {param.label}.", rule=param.rule)
            refusal = unfit if why is None else why(found)
            if refusal is None:
                return found
            raise refusal
        if self.purpose is Purpose.TEST:
            raise NoWayError
        return ""

    def amount(
        self, label: str, least: int, most: int, *, required: bool = True, rule: str | None = None
    ) -> int | None:
        """Ask for a number within limits."""
        self.take(Param(name="amount", label=label, least=least, most=most, required=required, rule=rule))
        return self.number("amount")

    def note(self, label: str, *, required: bool = True, rule: str | None = None) -> str:
        """Ask for free words; return them in one line. Raises: Malformed if they are too many."""
        self.take(_param("note", label, None, None, required=required, rule=rule))
        return in_one_line(self.text("note"))

    def take(self, *params: Param) -> None:
        """Ask for what the function reads itself, such as a path: `text` and `said` have it as it was typed."""
        self.asked += params
        if self.purpose is Purpose.TEST and any(
            param.required
            and param.choices == ()
            and param.name not in self.said
            and (param.name == "using" or not self.is_later)
            for param in params
        ):
            raise NoWayError

    def question(self, answer: str) -> Question | None:
        """Return the question that this action of theirs answers, None if nobody asks."""
        return self.answered or self.state.question_to(self.who, answer)

    def text(self, name: Takes) -> str | None:
        """Return what was typed under a name, None if nothing was."""
        found = self.said.get(name)
        return None if found is None else str(found)

    def names(self, name: Takes) -> tuple[str, ...]:
        """Return the names of a list that was typed."""
        return split(self.text(name))

    def number(self, name: Takes) -> int | None:
        """Return the number that was given under a name."""
        found = self.said.get(name)
        return found if isinstance(found, int) else None

    def require(self, holds: bool, why: Callable[[], Refusal]) -> None:
        """Go on if this holds. The refusal is made only if somebody is told of it. Raises: Refusal, NoWayError."""
        if not holds:
            raise why() if self.purpose is Purpose.DO else NoWayError

    def refuse(self, why: Refusal | None) -> None:
        """Go on without a refusal. Raises: Refusal, NoWayError."""
        if why is not None:
            raise why if self.purpose is Purpose.DO else NoWayError


def leads(run: Telling[S], state: S, who: str, said: Said, *, is_later: bool = False) -> bool:
    """Tell whether what is said leads somewhere: something can be said to all that is asked after it."""
    try:
        run(Ask(state, who, said, Purpose.TEST, run, is_later=is_later))
    except (NoWayError, Refusal):
        return False
    return True


@lru_cache(maxsize=1024)  # one validation for all actions that take the same
def _param(
    name: Takes,
    label: str,
    choices: tuple[str, ...] | None,
    nameable: tuple[str, ...] | None,
    *,
    required: bool = True,
    many: bool = False,
    rule: str | None = None,
    unsaid: str = "",
    implied: str = "",
    bundles: tuple[str, ...] = (),
) -> Param:
    return Param(
        name=name, label=label, choices=choices, nameable=nameable, required=required, many=many, rule=rule,
        unsaid=unsaid, implied=implied, bundles=bundles,
    )  # fmt: skip
