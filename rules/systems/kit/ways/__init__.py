"""The ways in which turns are handed out: each a module with the same five functions.

`open(play, phase)` as a phase opens. `waits(state, phase)`: those the table waits for if nobody has the turn for
themselves. `claim(play, phase, who)` as somebody's turn begins. `done(play, phase, who)` as it has ended.
`advance(play, phase)`: give the next turn, or False if the phase has no more of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.ways import alternate, bag, clock, freely, in_list, named, sides, slots


class Handing(Protocol):
    """One way of handing out turns."""

    def open(self, play: Play, phase: PhaseSpec) -> None: ...

    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]: ...

    def claim(self, play: Play, phase: PhaseSpec, who: str) -> None: ...

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None: ...

    def advance(self, play: Play, phase: PhaseSpec) -> bool: ...


HANDING: Mapping[str, Handing] = {
    "list": in_list,
    "sides": sides,
    "alternate": alternate,
    "slots": slots,
    "bag": bag,
    "clock": clock,
    "named": named,
    "open": freely,
}
