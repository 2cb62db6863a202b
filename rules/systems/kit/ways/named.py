"""`named`: the one who acted names the next one; the last of a round names the first of the next."""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState


def open(play: Play, phase: PhaseSpec) -> None:  # noqa: A001 - one of the five words of every way
    """Anyone who was named at the end of the last round begins; in the first round anybody may."""


def waits(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    still = able(state, phase)
    return (state.named,) if state.named in still else still


def claim(play: Play, phase: PhaseSpec, who: str) -> None:
    play.step.change(named=None)


def done(play: Play, phase: PhaseSpec, who: str) -> None:
    """Do nothing: the one they name is in the state by now."""


def advance(play: Play, phase: PhaseSpec) -> bool:
    return False
