"""Why a channel takes no step of an encounter: there is none, or it is paused and where."""

from __future__ import annotations

from rules.core.encounter import Encounter
from rules.core.rulebook import rulebook
from rules.core.typed.names import shown
from rules.errors import Illegal, Paused

_NAMED = 3


def not_open(encounter: Encounter | None) -> Illegal:
    """Return the refusal of a command that needs an encounter, where the one in focus is not open."""
    if encounter is not None and encounter.status == "paused":
        return Paused(encounter.name, _where(encounter))
    return Illegal("No encounter is open in this channel.", instead="Start one with /encounter start or /init start.")


def _where(encounter: Encounter) -> str:
    """Return where a paused encounter stands: at whose turn, as far as all know."""
    if not encounter.round:
        return ", before round 1"
    waiting = rulebook(encounter).waits_for(encounter.evolve(status="running"))
    turn = [name for name in waiting if name not in encounter.hidden_names]
    if not 0 < len(turn) <= _NAMED:
        return f", in round {encounter.round}"
    *others, last = turn
    return f", at {shown(others)} and {last}'s turn" if others else f", at {last}'s turn"
