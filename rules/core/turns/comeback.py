"""Somebody who leaves and comes back gets no second turn and no fresh limit.

What a system counts for a fight, a round, a phase or a turn is kept by name in fields of its state, which say how long
they last. As a player's combatant leaves these go with it; as it joins again, those are back that are not over
(`Encounter.comes_back` says what is otherwise).
"""

from __future__ import annotations

from typing import Any

from rules.core.encounter import Encounter, Leaver, returning
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Combatant, Condition, Echo


def note_leaving(step: Step[Any], who: str) -> None:
    """Keep what somebody who leaves has had. A creature of the GM is a new one each time."""
    state: Encounter = step.state
    combatant = state.combatant(who)
    if state.status != "running" or (combatant.owner is None and combatant.character is None):
        return
    fields = state.model_dump(mode="json", include=set(returning(type(state))))
    had = {
        field: names.index(who) if isinstance(names, list) else names[who]
        for field, names in fields.items()
        if who in names
    }
    if had:
        step.change(leavers={**state.leavers, who: Leaver(character=combatant.character, had=had)})


def leave(step: Step[Any], who: str, echo: Echo | None) -> None:
    """Take a combatant out: its questions close, no field names it any more (`Name`, `Names`).

    `echo` is its place, if durations hang on its turns. What came from one who was hidden until then is nobody's: the
    name stays unknown, and such durations run with the rounds.
    """
    is_hidden = step.combatant(who).hidden

    def left(each: Combatant) -> Combatant:
        if not is_hidden or all(condition.source != who for condition in each.conditions):
            return each
        return each.evolve(
            conditions=tuple(
                _of_nobody(condition) if condition.source == who else condition for condition in each.conditions
            )
        )

    state: Encounter = step.state.without_name(who) or step.state
    step.set_table(encounter=state)
    step.change(
        echoes=state.echoes if echo is None else (*state.echoes, echo),
        combatants=tuple(left(combatant) for combatant in state.combatants if combatant.name != who),
        hidden=tuple(hidden.evolve(combatant=left(hidden.combatant)) for hidden in state.hidden if hidden.name != who),
    )


def _of_nobody(condition: Condition) -> Condition:
    return condition.evolve(
        ticks="round-end" if (condition.ticks or "").startswith("source") else condition.ticks, source=None
    )


def note_return(step: Step[Any], who: str) -> bool:
    """Give somebody who comes back what they had had, as far as it is not over; tell whether there was any."""
    state: Encounter = step.state
    leaver, combatant = state.leavers.get(who), state.combatant(who)
    if leaver is None or combatant.owner is None or combatant.character != leaver.character:
        return False
    changes: dict[str, Any] = {}
    for field, value in leaver.had.items():
        now_held = getattr(state, field)
        if isinstance(now_held, tuple) and isinstance(value, int):  # their place in a list of names
            others = tuple(name for name in now_held if name != who)
            changes[field] = (*others[:value], who, *others[value:])
        else:
            changes[field] = {**now_held, who: value}
    step.change(leavers={name: each for name, each in state.leavers.items() if name != who}, **changes)
    return bool(changes)


def tell_returned(step: Step[Any], who: str) -> None:
    """Say of somebody who is back that their part in the round is over."""
    if system_of(step.state).is_done(step.state, who):
        step.tell("{who} has already had this round's turn.", who=who)
