"""`named`: the one who acted names the next one; the last of a round names the first of the next."""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.ways.handing import Handing


class Named(Handing):
    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        still = able(state, phase)
        return (state.named,) if state.named in still else still

    def claim(self, play: Play, phase: PhaseSpec, who: str) -> None:
        play.step.change(named=None)
