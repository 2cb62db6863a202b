"""`slots`: each key makes a place for a side; anyone on the side who wants to takes the next one, once a round."""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.order import ensure_places, in_order
from rules.systems.kit.part import able, founder_of
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.ways.handing import Handing


def slots_of(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return the places in their order, each by who rolled it; those of a group have one."""
    return tuple(name for name in in_order(state, phase) if founder_of(state, name) == name)


def next_slot(state: KitState, phase: PhaseSpec) -> str:
    """Return who rolled the place that has come; empty if all are taken."""
    return next((name for name in slots_of(state, phase) if name not in state.slots_taken), "")


def _take(play: Play, phase: PhaseSpec) -> bool:
    slot = next_slot(play.state, phase)
    if slot:
        play.step.change(slots_taken=(*play.state.slots_taken, slot))
    return bool(slot)


class Slots(Handing):
    def open(self, play: Play, phase: PhaseSpec) -> None:
        ensure_places(play, phase)

    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        slot = next_slot(state, phase)
        if not slot:
            return ()
        side = state.combatant(slot).side
        return tuple(name for name in able(state, phase) if state.combatant(name).side == side)

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        if not play.state.current:  # the last of a group
            _take(play, phase)

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Pass over a place of a side in which nobody has a turn left."""
        return _take(play, phase)
