"""`open`: anyone who wants to, in any order, each action by itself; sides that are called act when they are.

`named`: the one who acted names the next one; the last of a round names the first of the next.
"""

from __future__ import annotations

from rules.core.model import without
from rules.kits.compiled import PhaseSpec
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.ways.handing import Handing


class Freely(Handing):
    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        still = able(state, phase)
        called = tuple(name for name in still if state.combatant(name).side in state.called_sides)
        return called or tuple(name for name in still if state.combatant(name).side not in phase.called)

    def claim(self, play: Play, phase: PhaseSpec, who: str) -> None:
        """Use up the call: it gives its side one turn."""
        side = play.state.combatant(who).side
        if side in play.state.called_sides:
            play.step.change(called_sides=without(play.state.called_sides, side))


class Named(Handing):
    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        still = able(state, phase)
        return (state.named,) if state.named in still else still

    def claim(self, play: Play, phase: PhaseSpec, who: str) -> None:
        play.step.change(named=None)
