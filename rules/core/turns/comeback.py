"""Whoever leaves and comes back has had what they had had: no second turn, no limit anew.

What a system counts for a fight, a round, a part of it or a turn stands by name in fields of its state, which
`System.comes_back` lists with how long each holds. As a player's combatant leaves these go with it; as it joins again,
those are back whose time is not over.
"""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from rules.core.encounter import Encounter, Leaver
from rules.core.events import EncounterEvent
from rules.core.registry import system_of
from rules.core.step import Step


class LeftInRound(EncounterEvent[Encounter]):
    """What somebody has had as they leave."""

    who: str
    leaver: Leaver

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(leavers={**state.leavers, self.who: self.leaver})


class BackInRound(EncounterEvent[Encounter]):
    """Somebody is back: `had` by fields of the state, where one lists names their place in the list."""

    who: str
    had: dict[str, JsonValue]

    def change(self, state: Encounter) -> Encounter:
        changes: dict[str, Any] = {}
        for field, value in self.had.items():
            held = getattr(state, field)
            if isinstance(held, tuple) and isinstance(value, int):
                others = tuple(name for name in held if name != self.who)
                changes[field] = (*others[:value], self.who, *others[value:])
            else:
                changes[field] = {**held, self.who: value}
        left = {name: each for name, each in state.leavers.items() if name != self.who}
        return state.evolve(leavers=left, **changes)


def _during(state: Encounter, who: str) -> dict[str, str]:
    """Return what tells the present round, part of it and turn of others from every other."""
    system = system_of(state)
    part, turn = system.part_of_round(state), ", ".join(name for name in system.turn(state) if name != who)
    return {"fight": state.id, "round": str(state.round), "part": part, "turn": f"{part} {turn}"}


def note_leaving(step: Step[Any], who: str) -> None:
    """Keep what somebody who leaves has had. A creature of the GM is a new one each time."""
    state: Encounter = step.state
    combatant = state.combatant(who)
    if state.status != "running" or (combatant.owner is None and combatant.character is None):
        return
    fields = state.model_dump(mode="json", include=set(system_of(state).comes_back))
    had = {
        field: names.index(who) if isinstance(names, list) else names[who]
        for field, names in fields.items()
        if who in names
    }
    if had:
        step.emit(
            LeftInRound(who=who, leaver=Leaver(character=combatant.character, had=had, during=_during(state, who)))
        )


def note_return(step: Step[Any], who: str) -> bool:
    """Give somebody who comes back what they had had, as far as it still holds; tell whether there was any."""
    state: Encounter = step.state
    leaver, combatant = state.leavers.get(who), state.combatant(who)
    if leaver is None or combatant.owner is None or combatant.character != leaver.character:
        return False
    now, scopes = _during(state, who), system_of(state).comes_back
    still = {scope for scope, mark in leaver.during.items() if mark == now[scope]}
    had = {field: value for field, value in leaver.had.items() if scopes.get(field) in still}
    step.emit(BackInRound(who=who, had=had))
    return bool(had)


def tell_returned(step: Step[Any], who: str) -> None:
    """Say of somebody who is back that their part in the round is over."""
    if system_of(step.state).is_done(step.state, who):
        step.tell("{who} has had this round's turn.", who=who)
