"""An action by its one function: what it takes, why it is refused and what it does all come from running that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rules.core.action import Action, freely
from rules.core.asking.ask import Ask, Effect, NoWayError, Purpose, Said, Telling, leads
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.offer import Param, Prospect, Takes, needs, possible
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.core.values import Question
from rules.errors import Malformed, Refusal

S = TypeVar("S", bound=Encounter)


def _ran(ask: Ask[S]) -> Ask[S]:
    """Return a look that has gone as far as it leads."""
    with suppress(NoWayError, Refusal):
        ask.run(ask)
    return ask


@per_state
def _looked(state: S, run: Telling[S], who: str, said: tuple[tuple[str, str | int], ...]) -> Ask[S]:
    return _ran(Ask(state, who, dict(said), Purpose.LOOK, run))


@dataclass(frozen=True)
class Told(Generic[S]):
    """An action. `takes` are the options of Discord's command that its function reads.

    `plain` is the value of `using` that its name alone means, if it is written within another action.
    `foretells`: the function sets `ask.prospect`.
    """

    id: str
    label: str
    run: Telling[S]
    takes: tuple[Takes, ...] = ()
    plain: str = ""
    foretells: bool = False

    def params(self, state: S, who: str, command: Command | None = None) -> tuple[Param, ...]:
        """Return what it takes, in the light of what a command says already, or as a menu asks for it."""
        if command is None:
            return tuple(_ran(Ask(state, who, {}, Purpose.LOOK, self.run, in_menu=True)).asked)
        return tuple(self._look(state, who, command).asked)

    def prospect(self, state: S, who: str, command: Command) -> Prospect:
        """Return what the function says of it before it is done."""
        return self._look(state, who, command).prospect()

    def _look(self, state: S, who: str, command: Command) -> Ask[S]:
        if self.foretells and not command.args:  # a menu asks for both of the same
            return _looked(state, self.run, who, tuple(self.said(command).items()))
        return _ran(Ask(state, who, self.said(command), Purpose.LOOK, self.run, args=command.args))

    def refusal(self, state: S, who: str, command: Command) -> Refusal | None:
        """Return why what a command says is not possible; what it leaves out may still be said."""
        try:
            self.run(Ask(state, who, self.said(command), Purpose.DO, self.run))
        except Refusal as why:
            return why
        return None

    def leads(self, state: S, who: str, said: Said) -> bool:
        """Tell whether it can be done with what is said, whatever is said besides."""
        return leads(self.run, state, who, said)

    def effect(self, state: S, who: str, command: Command, answered: Question | None = None) -> Effect[S]:
        """Return what a command does, or what it does as an answer. Raises: Refusal."""
        ask = Ask(state, who, self.said(command), Purpose.DO, self.run, args=command.args, answered=answered)
        found = self.run(ask)
        for param in ask.asked:
            if param.required and param.name not in ask.said:
                raise Malformed(needs(self.label, param), rule=param.rule, instead=possible(param))
        return found

    def said(self, command: Command) -> Said:
        """Return what a command says of what is taken."""
        given = ((name, getattr(command, name)) for name in self.takes)
        return {name: value for name, value in given if isinstance(value, int) or (value and value.strip())}

    def action(
        self,
        may: Callable[[S, str], Refusal | None] = freely,
        opening: Callable[[Step[S], str], object] | None = None,
        **marks: Any,
    ) -> Action[S]:
        """Return it as an action of a system; `opening` is done first: what of the turn it uses up.

        `marks` are other fields of `Action`.
        """

        def do(step: Step[S], who: str, command: Command) -> None:
            effect = self.effect(step.state, who, command, step.answered)
            if opening is not None:
                opening(step, who)
            effect(step)

        if self.foretells:
            marks.setdefault("prospect", self.prospect)
        return Action(self.id, self.label, do, may, takes=self.takes, params=self.params, **marks)

    # Within another action, if it is written as `shove:prone`

    def texts(self, state: S, who: str, *, is_later: bool = False) -> tuple[str, ...]:
        """Return it as it can be written, with each value of `using` that leads anywhere."""
        ask = Ask(state, who, {}, Purpose.LOOK, self.run, in_menu=True, is_later=is_later)
        try:
            self.run(ask)
        except (NoWayError, Refusal):
            return ()
        if not is_later and any(param.required and param.choices == () for param in ask.asked):
            return ()
        values = next((param.choices or () for param in ask.asked if param.name == "using"), (self.plain,))
        return tuple(self.id if value == self.plain else f"{self.id}:{value}" for value in values)

    def within(self, ask: Ask[S], using: str, *, is_later: bool = False) -> Effect[S]:
        """Run it as part of another action, which asks for all it takes besides `using`. Raises: Refusal, NoWayError.

        `is_later`: who it is aimed at may be said now, and is looked at then; all else is said then.
        """
        said: dict[str, str | int] = {"using": using} if using else {}
        if not is_later:
            said.update((name, value) for name, value in ask.said.items() if name in self.takes and name != "using")
        part = Ask(ask.state, ask.who, said, ask.purpose, self.run, is_later=is_later)
        try:
            found = self.run(part)
        finally:
            asked = (param for param in part.asked if param.name != "using")
            if is_later:
                asked = (param.evolve(required=False) for param in asked if param.name == "target")
            ask.asked += asked
        for param in part.asked:
            if param.name == "using" and param.required and not using:
                texts = (f"{self.id}:{value}" for value in param.choices or ())
                why = Malformed(f"{self.label} needs {param.label}.", rule=param.rule, instead=f"{shown(texts)}.")
                ask.refuse(why)
        return found
