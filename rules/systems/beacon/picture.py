"""The eight phases as a drawing: which one it is, and who has said to act in which.

Rule: BE-01, BE-03, BE-08.
"""

from __future__ import annotations

from rules.core.seen.pictures import Stage, Track
from rules.core.values import Seat
from rules.systems.beacon.sheet import is_beacon, phase_number
from rules.systems.beacon.state import PHASES, RELEASE, BeaconState


def phase_track(state: BeaconState, seat: Seat) -> Track | None:
    """Return the round's phases; None before the first round."""
    if state.phase is None:
        return None
    visible = state.visible_names(seat)
    stages = tuple(
        Stage(
            words=phase.upper(),
            names=tuple(words for name in visible if (words := _acts(state, name, number, phase))),
        )
        for number, phase in enumerate(PHASES)
    )
    free = [
        name
        for name in visible
        if is_beacon(state.combatant(name)) and not state.taken.get(name, 0) and name not in state.plans
    ]
    notes = (f"Not planned yet: {', '.join(free)}.",) if free else ()
    return Track(title=f"{state.name}: round {state.round}", stages=stages, now=phase_number(state.phase), notes=notes)


def _acts(state: BeaconState, who: str, number: int, phase: str) -> str:
    """Return a name with what it does in a phase; empty where it does nothing that is known."""
    if state.turn is not None and state.turn.who == who and phase == state.phase:
        return f"{who} (surge, acting)" if state.turn.kind == "surge" else f"{who} (acting)"
    if state.surges.get(who) == phase:
        return f"{who} (surge)"
    if who in state.channels and phase == RELEASE:
        return f"{who} (releases)"
    if state.plans.get(who) == phase:
        return f"{who} (done)" if state.taken.get(who, 0) else who
    if state.initiative.get(who) == number + 1 and not is_beacon(state.combatant(who)):
        return f"{who} (done)" if state.taken.get(who, 0) >= max(1, state.combatant(who).number("TURNS", 1)) else who
    return ""
