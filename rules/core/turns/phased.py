"""Rounds of phases: who the table waits for, what the referee does within a phase, and what comes after it.

A system names its phases and says what comes next within one (`go_on`), what a phase and a round begin with, and what
a round ends with. `turn` says whose turn it is, as in every system.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.rulings import ByHand
from rules.core.scopes import PHASE, ROUND
from rules.core.step import Step
from rules.core.system import System
from rules.core.turns.outcome import judge_sides, play_on

S = TypeVar("S", bound=Encounter)


def nobody(_state: Any) -> tuple[str, ...]:
    """Return nobody: a phase in which no one has to wait for all others."""
    return ()


def phased(state: S) -> Phased[S]:
    """Return the system that a state is played by."""
    return cast("Phased[S]", system_of(state))


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase: `order` says who acts in it when, if there is an order; `last` who acts even after those who wait."""

    id: str
    title: str
    order: Callable[[S], tuple[str, ...]] = nobody
    last: Callable[[S], tuple[str, ...]] = nobody
    ticks: bool = False  # durations count by its turns
    delays: bool = False  # its turns can be put off


def end_phase(step: Step[Any]) -> None:
    """Go on to the next phase, or the next round (a ruling)."""
    if play_on(step):
        return
    system = phased(step.state)
    system.drop_action(step)
    step.tell("The GM ends the {phase} Phase.", phase=system.phase(step.state).title)
    system.next_phase(step)


class Phased(System[S]):
    """A system whose rounds go through phases; without any, a round is one."""

    phases: tuple[Phase[S], ...] = ()
    by_hand = ByHand(next_phase=end_phase)

    # What a system says

    def go_on(self, step: Step[S]) -> bool:
        """Do what comes next within the phase; tell whether there was anything."""
        raise NotImplementedError  # each system of this kind says its own

    def is_busy(self, state: S) -> bool:
        """Tell whether an action is under way that comes to its end first."""
        return False

    def may_go_on(self, step: Step[S]) -> bool:
        """Tell whether nobody is asked and nothing is under way, so that the next turn, phase or round may come."""
        state = step.state
        return state.status == "running" and state.over is None and not (state.questions or self.is_busy(state))

    def phase_starts(self, step: Step[S]) -> None:
        """Do and tell what a phase begins with."""

    def round_starts(self, step: Step[S]) -> None:
        """Do and tell what a round begins with, before its first phase."""

    def round_ends(self, step: Step[S]) -> None:
        """Do what comes after the last phase."""

    def drop_action(self, step: Step[S], who: str | None = None) -> None:
        """End what is under way, of one or of anybody, wherever it is (a ruling)."""

    # What follows

    def phase(self, state: S) -> Phase[S]:
        """Return the present phase; the first one if none has begun."""
        return next((phase for phase in self.phases if phase.id == state.phase), self.phases[0])

    def headline(self, state: S) -> str:
        title = next((phase.title for phase in self.phases if phase.id == state.phase), None)
        return super().headline(state) if title is None else f"round {state.round}, {title}"

    def begin(self, step: Step[S]) -> None:
        self.open_round(step, 1)

    def settle(self, step: Step[S]) -> None:
        """Go on with an action under way, see whether one side alone is left, then go through turns and phases."""
        if step.state.round:
            self.carry_on(step)
            judge_sides(step)
            self.advance(step)

    def advance(self, step: Step[S]) -> None:
        """Go through turns, phases and rounds until somebody has to decide something."""
        while self.may_go_on(step):
            if self.go_on(step):
                continue
            if self.turn(step.state) or all(self.is_out(step.state, name) for name in step.state.names):
                return
            self.next_phase(step)

    def next_phase(self, step: Step[S]) -> None:
        """Open the phase after the present one; after the last, close the round and open the next."""
        ids = [phase.id for phase in self.phases]
        rest = self.phases[ids.index(step.state.phase) + 1 :] if step.state.phase in ids else ()
        if rest:
            self.open_phase(step, rest[0])
            return
        self.round_ends(step)
        self.open_round(step, step.state.round + 1)

    def open_round(self, step: Step[S], number: int) -> None:
        step.change(ROUND, round=number)
        self.round_starts(step)
        if self.phases:
            self.open_phase(step, self.phases[0])

    def open_phase(self, step: Step[S], phase: Phase[S]) -> None:
        """Open a phase."""
        step.change(PHASE, phase=phase.id)
        self.phase_starts(step)
