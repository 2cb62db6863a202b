"""`open`: anyone who wants to, in any order, each action by itself; sides that are called act when they are."""

from __future__ import annotations

from rules.core.model import without
from rules.kits.compiled import PhaseSpec
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState


def open(play: Play, phase: PhaseSpec) -> None:  # noqa: A001 - one of the five words of every way
    """Nobody is called as it opens."""


def waits(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    still = able(state, phase)
    called = tuple(name for name in still if state.combatant(name).side in state.called_sides)
    return called or tuple(name for name in still if state.combatant(name).side not in phase.called)


def claim(play: Play, phase: PhaseSpec, who: str) -> None:
    """Use up the call: it gives its side one turn."""
    side = play.state.combatant(who).side
    if side in play.state.called_sides:
        play.step.change(called_sides=without(play.state.called_sides, side))


def done(play: Play, phase: PhaseSpec, who: str) -> None:
    """Each action is by itself."""


def advance(play: Play, phase: PhaseSpec) -> bool:
    return False
