"""The two phases of a round: whose they are, what hangs on a turn, and the End Phase.

Rule: TA-04, TA-05, TA-06, TA-07, TA-10, TA-14, TA-15, TA-17, TA-18.
"""

from __future__ import annotations

from typing import ClassVar

from rules.core.conditions import drop_condition, tick, tick_round_end
from rules.core.scopes import PHASE
from rules.core.turns.in_order import InOrder, ranking
from rules.core.turns.phased import Phase
from rules.dice.reading import plus
from rules.errors import Illegal, Refusal
from rules.systems.tactics.abilities import DEFENDING
from rules.systems.tactics.movement import drop_movement
from rules.systems.tactics.saves import save_now, take_ongoing
from rules.systems.tactics.sources import TacticsStep
from rules.systems.tactics.state import BATTLE, END, MOVEMENT, SEIZING, TacticsState


def movement_order(state: TacticsState) -> tuple[str, ...]:
    """Return who moves when: the last to seize first, then the low before the high. Rule: TA-05, TA-07."""
    ranked = ranking(state)
    seized = (name for name in reversed(state.seized) if name in ranked)
    return (*seized, *(name for name in ranked if name not in state.seized))


def battle_order(state: TacticsState) -> tuple[str, ...]:
    """Return who battles when: the high before the low, then those who seized. Rule: TA-05, TA-07."""
    ranked = ranking(state)
    rest = (name for name in reversed(ranked) if name not in state.seized)
    return (*rest, *(name for name in state.seized if name in ranked))


class Rounds(InOrder[TacticsState]):
    """The rounds of tactics."""

    phases = (
        Phase(MOVEMENT, "Movement", movement_order),
        Phase(BATTLE, "Battle", battle_order, last=lambda state: state.seized, ticks=True, delays=True),
    )
    tie_die: ClassVar[int] = 6  # TA-06
    turn_rule: ClassVar[str] = "TA-05"
    phase_rule: ClassVar[str] = "TA-04"
    delay_rule: ClassVar[str] = "TA-14"

    def roll_initiative(self, step: TacticsStep, who: str) -> int:
        """Roll 2d6 + INT + AGI. Rule: TA-05."""
        combatant = step.combatant(who)
        bonus = combatant.number("INT") + combatant.number("AGI")
        total, roll = step.roll(plus("2d6", bonus), who=who, purpose="initiative")
        step.tell("{who}: initiative {roll}.", who=who, roll=roll, shown="log")
        return total

    def go_on(self, step: TacticsStep) -> bool:
        return self._gathers(step) or super().go_on(step)

    def _gathers(self, step: TacticsStep) -> bool:
        """Ask the others, before the first of a round moves, whether they seize; tell whether. Rule: TA-07."""
        state = step.state
        if step.option("gather") == "0" or state.phase != MOVEMENT or state.has_gathered or state.done or state.current:
            return False
        step.change(has_gathered=True)
        others = [name for name in self.phase_order(state) if not self.is_out(state, name)][1:]
        words = "before anybody moves, do you seize the initiative?"
        step.ask_all(others, SEIZING, words, ("seize", "let-go"), within="gather")
        return True

    def turn_starts(self, step: TacticsStep, who: str) -> None:
        """End a defense, and let tick what hangs on the start of a battle turn. Rule: TA-15."""
        for condition in step.combatant(who).conditions:
            if condition.name == DEFENDING:
                drop_condition(step, who, condition)
        tick(step, who, "bearer-start", saves=False)

    def turn_ends(self, step: TacticsStep, who: str) -> None:
        tick(step, who, "bearer-end", saves=False)

    def ends_by_itself(self, step: TacticsStep, who: str) -> bool:
        """Tell whether a turn of movement has begun with nothing but staying left. Rule: TA-10."""
        state = step.state
        if state.phase != MOVEMENT or state.turn_orders(who) or step.option("auto") == "off":
            return False
        if [offer.action for offer in self.offers(state, who, public=True)] != ["skip"]:
            return False
        step.tell("{who} stays where they are: nothing else is left to do.", who=who)
        return True

    def refuse_waiting(self, state: TacticsState, who: str) -> Refusal | None:
        if who not in state.seized:
            return None
        return Illegal(f"{who} seized the initiative and acts after everyone.", rule="TA-07", instead="pass, at most.")

    def is_busy(self, state: TacticsState) -> bool:
        return state.movement is not None

    def drop_action(self, step: TacticsStep, who: str | None = None) -> None:
        if step.state.movement is not None and who in (None, step.state.movement.who):
            drop_movement(step)

    def round_ends(self, step: TacticsStep) -> None:
        """Roll every saving throw, then end what lasts until now. Rule: TA-17, TA-18."""
        step.change(PHASE, phase=END)
        for name in step.state.names:
            if name not in step.state.started:  # rounds pass for those without a turn too
                self.start_turn(step, name)
                self.turn_ends(step, name)
        for name in step.state.names:
            take_ongoing(step, name)
            save_now(step, name)
        tick_round_end(step, saves=False)
