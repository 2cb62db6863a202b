"""The Soulweaver system: Priority with the GM last, waiting, Conflict, and a stack of reactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from rules.core.action import Action, always
from rules.core.blows.calling import call_actions
from rules.core.blows.flow import go_on as go_on_with_blows
from rules.core.blows.flow import is_void
from rules.core.blows.verdicts import CALLED
from rules.core.command import Command
from rules.core.options import FREE_MOVE, Option
from rules.core.places import Turn
from rules.core.rulebook import QuestionKind
from rules.core.step import Step
from rules.core.system import System
from rules.core.turns.outcome import judge_sides
from rules.core.values import Condition
from rules.dice.reading import parse_expression
from rules.errors import Illegal, Refusal
from rules.systems.soulweaver import answers, conflict, display, durations, flow, priority, reactions, rulings
from rules.systems.soulweaver.actions import turn_actions
from rules.systems.soulweaver.blows import SoulBlows
from rules.systems.soulweaver.chances import May
from rules.systems.soulweaver.creatures import MAJOR, MINOR, OUT, POOLS, UNSTEADY, as_public, stance_of, suffer
from rules.systems.soulweaver.keys import SHEET
from rules.systems.soulweaver.presence import presence_actions
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState, with_name


def _of_the_living(may: May, is_out: Callable[[SoulState, str], bool]) -> May:
    """Refuse whatever a creature that is dead or fled would do."""

    def asked(state: SoulState, who: str) -> Refusal | None:
        if is_out(state, who):
            return Illegal(
                f"{who} is out of Priority.", rule="SW-02", instead="Bring them back with /condition remove."
            )
        return may(state, who)

    return asked


def _everywhere(action: Action[SoulState], is_out: Callable[[SoulState, str], bool]) -> Action[SoulState]:
    """Return an action for the living; the stack and the pause say what waits, and events and words do not."""
    may = _of_the_living(action.may, is_out)
    return replace(action, may=may, public_may=lambda state, who: may(as_public(state), who), beside=always)


def _check_skill(text: str) -> str:
    parse_expression(text)
    return text


def _judge(step: Step[SoulState]) -> None:
    """Say that one side alone has somebody left, once what has been declared is done."""
    if not step.state.stack.items and step.state.pause is None:
        judge_sides(step)


class Soulweaver(display.Shown, System[SoulState]):
    """Priority, waiting, and reactions in reverse order. Rule: SW-01 to SW-23."""

    id: ClassVar[str] = "soulweaver"
    title = "Soulweaver priority"
    summary = "Priority by Zeal, waiting, Conflict, and reactions of which the last completes first."
    state_type = SoulState
    out_pools: tuple[str, ...] = ()
    out_conditions: tuple[str, ...] = OUT
    asks_silently = "all"
    gm_is: ClassVar[str] = SOULWEAVER
    gm_has_turns: ClassVar[bool] = True
    round_seconds = durations.ROUND_SECONDS
    conditions: Mapping[str, str] = MappingProxyType(dict.fromkeys(UNSTEADY, "no Stance while it lasts (SW-19)"))
    questions = MappingProxyType({**flow.QUESTIONS, CALLED: QuestionKind(is_void)})
    by_hand = rulings.BY_HAND
    own_values = rulings.OWN_VALUES
    sheet = SHEET
    blows = SoulBlows()
    own_options = (
        *FREE_MOVE,
        Option(key="skill", default="1d12", check=_check_skill, meaning="the dice of a skill roll"),
        Option(key="ties", default="roll", choices=("roll",), meaning="how ties of Zeal are broken"),
        Option(
            key="reactions",
            default="conflict",
            choices=("conflict", "major", "all"),
            meaning="what others may react to",
        ),
        Option(
            key="completing",
            default="ask",
            choices=("ask", "go-on"),
            meaning="whether the GM is asked what a reaction caused",
        ),
    )

    def declare(self) -> tuple[Action[SoulState], ...]:
        every = (*answers.answer_actions(), *turn_actions(), *presence_actions())
        return (*(_everywhere(action, self.is_out) for action in every), *call_actions())

    # Joining and leaving

    def joined(self, step: Step[SoulState], who: tuple[str, ...], command: Command) -> None:
        """Take newcomers in: Zeal is rolled when Priority opens, or now if it has. Rule: SW-02, SW-03."""
        rulings.refuse_taken_name(step, who)
        rulings.take_result(step, who, command)
        super().joined(step, who, command)
        if step.state.status == "running":
            priority.stand_last(step, who)

    # Combatants hidden from players

    kept_fields: ClassVar[tuple[str, ...]] = ("zeal", "conflict", "prepared", "tricks", "long")
    turn_fields: ClassVar[tuple[str, ...]] = (
        "acted", "passed", "after", "waiting", "alert", "late", "fell", "words", "bought",
    )  # fmt: skip

    def leaving(self, step: Step[SoulState], who: str) -> None:
        """Somebody who leaves in the middle of their turn has had it."""
        if step.state.current == who and step.state.begun:
            step.change(passed=with_name(step.state.passed, who))

    def roll_place(self, step: Step[SoulState], who: str) -> None:
        priority.roll_zeal(step, who)

    def placed(self, state: SoulState, who: str) -> SoulState:
        return state.evolve(priority=priority.with_place(state, who)) if state.priority else state

    def has_come(self, state: SoulState, who: str) -> bool:
        """Tell whether a hidden's place lies before the one that has come."""
        now = (*state.priority, SOULWEAVER)
        current = state.current or state.after
        return current in now and who in now and now.index(who) < now.index(current)

    def hangs_on_turns(self, condition: Condition) -> bool:
        """Tell whether it is no effect: those of the dead and the gone fall as the round ends. Rule: SW-12."""
        return not durations.is_effect(condition)

    def appeared(self, step: Step[SoulState], who: str) -> None:
        if step.state.status == "running":
            priority.stand_by_zeal(step, who)

    def begin(self, step: Step[SoulState]) -> None:
        priority.open_priority(step)
        flow.go_on(step)

    def settle(self, step: Step[SoulState]) -> None:
        go_on_with_blows(step)
        _judge(step)
        if step.state.over is None:
            conflict.end_lost_stances(step)
            flow.go_on(step)
            _judge(step)

    def ended(self, step: Step[SoulState]) -> None:
        """End Stances and give pools back: neither outlasts the encounter."""
        for who in step.state.names:
            creature = step.combatant(who)
            if stance_of(creature) is not None:
                conflict.end_stance(step, who, "ends")
            for name in POOLS:
                pool = creature.pools.get(name)
                if pool is not None and pool.now != pool.top:
                    step.put_pool(who, name, pool.evolve(now=pool.top or 0))

    def pool_changed(self, step: Step[SoulState], who: str, pool: str, before: int, after: int) -> None:
        if pool in POOLS:
            suffer(step, who, before - after)

    # Who may act

    def turn_order(self, state: SoulState) -> tuple[str, ...]:
        return (*(state.priority or state.names), SOULWEAVER)

    def present(self, state: SoulState) -> Turn:
        event = reactions.interrupter(state)
        interrupts = event is not None and reactions.awaits_action(state)
        acting = event.who if event is not None and interrupts else state.current
        return Turn(
            () if acting is None else (acting,),
            begun_by=state.current if state.begun else None,
            is_done=lambda who: who in state.passed and who not in state.waiting,
        )

    def waits_for(self, state: SoulState) -> tuple[str, ...]:
        """Return who is asked, and who interrupts while the GM has still to say whether an attack hits."""
        found = super().waits_for(state)
        if state.status != "running" or not state.questions or not reactions.awaits_action(state):
            return found
        return tuple(dict.fromkeys((*self.turn(state), *found)))

    # What people see

    resting = MappingProxyType({MAJOR: "full", MINOR: "full"})
