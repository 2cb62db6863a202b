"""Whoever leaves and comes back has had what they had had: no second turn, no limit anew.

What a system counts for a fight, a round, a part of it or a turn stands by name in fields of its state, which
`System.comes_back` lists with how long each holds. As a player's combatant leaves these go with it; as it joins again,
those are back whose time is not over.
"""

from __future__ import annotations

from typing import Any

from rules.core.encounter import Encounter, Leaver
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Combatant, Condition, Echo


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
        leaver = Leaver(character=combatant.character, had=had, during=_during(state, who))
        step.change(leavers={**state.leavers, who: leaver})


def leave(step: Step[Any], who: str, echo: Echo | None) -> None:
    """Take a combatant out: its questions close, no field names it any more (`Name`, `Names`, `ByName`).

    `echo` is its place, if durations hang on its turns. What came from one who was hidden until then is nobody's: the
    name stays unknown, and such durations run with the rounds.
    """
    is_hidden = step.combatant(who).hidden

    def left(each: Combatant) -> Combatant:
        if not is_hidden or all(held.source != who for held in each.conditions):
            return each
        return each.evolve(
            conditions=tuple(_of_nobody(held) if held.source == who else held for held in each.conditions)
        )

    state: Encounter = step.state.without_name(who) or step.state
    step.set_table(encounter=state)
    step.change(
        echoes=state.echoes if echo is None else (*state.echoes, echo),
        combatants=tuple(left(each) for each in state.combatants if each.name != who),
        lurkers=tuple(each.evolve(combatant=left(each.combatant)) for each in state.lurkers if each.name != who),
    )


def _of_nobody(held: Condition) -> Condition:
    return held.evolve(ticks="round-end" if (held.ticks or "").startswith("source") else held.ticks, source=None)


def note_return(step: Step[Any], who: str) -> bool:
    """Give somebody who comes back what they had had, as far as it still holds; tell whether there was any."""
    state: Encounter = step.state
    leaver, combatant = state.leavers.get(who), state.combatant(who)
    if leaver is None or combatant.owner is None or combatant.character != leaver.character:
        return False
    now, scopes = _during(state, who), system_of(state).comes_back
    still = {scope for scope, mark in leaver.during.items() if mark == now[scope]}
    had = {field: value for field, value in leaver.had.items() if scopes.get(field) in still}
    changes: dict[str, Any] = {}
    for field, value in had.items():
        now_held = getattr(state, field)
        if isinstance(now_held, tuple) and isinstance(value, int):  # their place in a list of names
            others = tuple(name for name in now_held if name != who)
            changes[field] = (*others[:value], who, *others[value:])
        else:
            changes[field] = {**now_held, who: value}
    step.change(leavers={name: each for name, each in state.leavers.items() if name != who}, **changes)
    return bool(had)


def tell_returned(step: Step[Any], who: str) -> None:
    """Say of somebody who is back that their part in the round is over."""
    if system_of(step.state).is_done(step.state, who):
        step.tell("{who} has had this round's turn.", who=who)
