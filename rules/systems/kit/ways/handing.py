"""A way of handing out turns."""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState


class Handing:
    """What a phase does with turns; most ways leave some of it to the step."""

    def open(self, play: Play, phase: PhaseSpec) -> None:
        """Begin as the phase opens."""

    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        """Return who the table waits for if nobody has the turn for themselves: the side that acts."""
        return tuple(name for name in able(state, phase) if state.combatant(name).side == state.side)

    def claim(self, play: Play, phase: PhaseSpec, who: str) -> None:
        """Go on as somebody's turn begins."""

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        """Go on as somebody's turn has ended."""

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Give the next turn; False if the phase has no more of them."""
        return False
