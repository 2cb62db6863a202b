"""Whoever leaves and comes back in the same round has had of it what they had had: no second turn.

What a system counts for a round stands by name in fields of its state (`System.round_fields`, and `part_fields` for
what a part of the round ends). As a player's combatant leaves these go with it; as it joins again they are back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import JsonValue

from rules.core.encounter import Encounter, Leaver
from rules.core.events import EncounterEvent
from rules.core.registry import system_of
from rules.core.step import Step


class LeftInRound(EncounterEvent[Encounter]):
    """What somebody has had of this round as they leave it."""

    kind: ClassVar[str] = "left-in-round"
    who: str
    leaver: Leaver

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(left_in_round={**state.left_in_round, self.who: self.leaver})


class BackInRound(EncounterEvent[Encounter]):
    """Somebody is back in the round in which they left: `had` by fields of the state, `true` where one lists names."""

    kind: ClassVar[str] = "back-in-round"
    who: str
    had: dict[str, JsonValue]

    def change(self, state: Encounter) -> Encounter:
        changes: dict[str, Any] = {}
        for field, value in self.had.items():
            held = getattr(state, field)
            listed = isinstance(held, tuple)
            changes[field] = tuple(dict.fromkeys((*held, self.who))) if listed else {**held, self.who: value}
        left = {name: each for name, each in state.left_in_round.items() if name != self.who}
        return state.evolve(left_in_round=left, **changes)


def note_leaving(step: Step[Any], who: str) -> None:
    """Keep what somebody who leaves has had of the round under way. A creature of the GM is a new one each time."""
    state: Encounter = step.state
    combatant = state.combatant(who)
    if state.status != "running" or (combatant.owner is None and combatant.character is None):
        return
    system = system_of(state)
    of_round, of_part = _had(state, who, system.round_fields), _had(state, who, system.part_fields)
    if of_round or of_part:
        part = system.part_of_round(state)
        leaver = Leaver(character=combatant.character, of_round=of_round, part=part, of_part=of_part)
        step.emit(LeftInRound(who=who, leaver=leaver))


def _had(state: Encounter, who: str, fields: Sequence[str]) -> dict[str, JsonValue]:
    held = state.model_dump(mode="json", include=set(fields))
    return {
        field: True if isinstance(names, list) else names[who]
        for field, names in held.items()
        if names and who in names
    }


def note_return(step: Step[Any], who: str) -> bool:
    """Give somebody who comes back in the same round what they had had of it; tell whether there was any."""
    state: Encounter = step.state
    leaver, combatant = state.left_in_round.get(who), state.combatant(who)
    if leaver is None or combatant.owner is None or combatant.character != leaver.character:
        return False
    system = system_of(state)
    had = {**leaver.of_round, **(leaver.of_part if leaver.part == system.part_of_round(state) else {})}
    step.emit(BackInRound(who=who, had=had))
    return bool(had)


def tell_returned(step: Step[Any], who: str) -> None:
    """Say of somebody who is back that their part in the round is over."""
    if system_of(step.state).is_done(step.state, who):
        step.tell("{who} has had this round's turn.", who=who)
