"""The GM's fallen: creatures without an owner that lie out of the fight, by the rules of their system."""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import shown


def is_out(state: Encounter, who: str) -> bool:
    """Tell whether somebody lies out of the fight, by the rules of the system that is played."""
    return system_of(state).is_out(state, who)


def fallen_words(state: Encounter, targets: str) -> str:
    """Say that all of some targets, parted by commas, have fallen; empty if one has not, or none is named."""
    system = system_of(state)
    named = [combatant for part in targets.split(",") if (combatant := state.find(part.strip())) is not None]
    if not named or not all(system.has_fallen(state, combatant.name) for combatant in named):
        return ""
    return f"{shown(combatant.name for combatant in named)} {'is' if len(named) == 1 else 'are'} down already."


def fallen_of(state: Encounter) -> tuple[str, ...]:
    """Return the GM's creatures that are down, in the order of joining."""
    system = system_of(state)
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.owner is None and system.is_out(state, combatant.name)
    )


def tell_fallen(step: Step[Any]) -> None:
    """Tell the GM of creatures that went down in this step, if the system says nothing of that itself (play 3)."""
    state, before = step.state, step.earlier.active
    if before is None or state.id != before.id or state.status != "running":
        return
    if system_of(state).kept_by is not None:
        return
    were = {*fallen_of(before)}
    new = [name for name in fallen_of(state) if name not in were]
    if new:
        one = "{who} is down: remove them with /gm remove."
        step.tell(
            one if len(new) == 1 else "{who} are down: remove them with /gm remove.", who=shown(new), seen_by=GM_ONLY
        )


def note_risen(step: Step[Any]) -> None:
    """Let who has turns again act this round if their place has not passed, as who joins late. Rule: CL-04."""
    state, before = step.state, step.earlier.active
    if before is None or state.status != "running" or (state.id, state.round) != (before.id, before.round):
        return
    system = system_of(state)
    for combatant in state.combatants if state.combatants is not before.combatants else ():
        known = before.find(combatant.name)
        if (
            known not in (None, combatant)
            and system.has_turns(state, combatant.name)
            and not system.has_turns(before, combatant.name)
        ):
            system.missed_place(step, combatant.name)


def keepable_of(state: Encounter) -> tuple[str, ...]:
    """Return those of the fallen who may be kept in the fight."""
    return tuple(name for name in fallen_of(state) if keep_command(state, name) is not None)


def keep_command(state: Encounter, who: str) -> Command | None:
    """Return the ruling that keeps a fallen creature in the fight; None if there is none, or none is needed."""
    kept = system_of(state).kept_by
    if kept is None or not state.combatant(who).is_down:
        return None
    pool, value = kept
    return Command(action="gm set", target=who, args={"pool": pool, "value": value})
