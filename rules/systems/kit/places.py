"""Somebody's place in the order of a kit's phase, and how far that order has come."""

from __future__ import annotations

from rules.core.places import Places
from rules.core.step import Step
from rules.core.values import PlaceOfTurn
from rules.kits.compiled import NO_PHASE
from rules.kits.words import CLAIMED
from rules.systems.kit.order import in_order
from rules.systems.kit.part import has_planned, turns_left
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.turns import use_turn, waiting


class KitPlaces(Places[KitState]):
    """The places of a kit's phases."""

    def turn_order(self, state: KitState) -> tuple[str, ...]:
        phase = state.this_phase
        if phase.type not in ("list", "slots", "clock"):
            return state.names
        return tuple(name for name in in_order(state, phase) if name not in state.held)

    def turn(self, state: KitState) -> tuple[str, ...]:
        return waiting(state)

    def is_claimed(self, state: KitState) -> bool:
        return state.this_phase.type in CLAIMED and not state.current

    def is_free(self, state: KitState) -> bool:
        if state.called:
            return False
        in_any_order = state.this_phase.type in ("sides", "open") or state.is_planning
        return len(state.current) > 1 or (in_any_order and not state.current)

    def turn_number(self, state: KitState, who: str) -> int:
        return state.turns_begun.get(who, 0) - (who in state.begun)

    def missed_place(self, step: Step[KitState], who: str) -> None:
        is_list = step.state.this_phase.type == "list"
        if is_list and self.has_come(step.state, who) and not self.is_done(step.state, who):
            use_turn(Play(step), who)

    def place_of_turn(self, state: KitState, who: str) -> PlaceOfTurn:
        if who in state.begun:
            return PlaceOfTurn.BEGUN
        place = super().place_of_turn(state, who)
        return PlaceOfTurn.AHEAD if place is PlaceOfTurn.BEGUN else place  # it may be taken, and has not been

    def is_done(self, state: KitState, who: str) -> bool:
        phase = state.this_phase
        if phase is NO_PHASE:
            return False
        if phase.plan != "no" and state.plan_step == 0 and has_planned(state, phase, who):
            return True
        if phase.again and who in state.ended:
            return True
        return who not in state.begun and turns_left(state, phase, who) <= 0
