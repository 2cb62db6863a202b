"""Volley, Fight, Shove and Grapple, each told once. Rule: BE-15, BE-16, BE-17."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.core.asking.ask import Effect, Telling, nothing
from rules.core.asking.told import Told
from rules.core.offer import Param
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.systems.beacon.attacks import (
    IMPROVISED,
    BeaconAsk,
    aimed,
    aims,
    declare,
    declared,
    push_cells,
    refuse_attack,
    set_about,
    usable,
    whom,
)
from rules.systems.beacon.sheet import attack_kinds
from rules.systems.beacon.state import BeaconState


def armed(kind: str) -> Telling[BeaconState]:
    """Tell of Volley and Fight: with an ability, or improvised."""

    def run(ask: BeaconAsk) -> Effect[BeaconState]:
        state, who = ask.state, ask.who
        combatant = state.combatant(who)
        if not any(kind in attack_kinds(ability) for ability in combatant.abilities):
            ask.refuse(refuse_attack(state, who, kind, None))

        def why(name: str) -> Refusal | None:
            return refuse_attack(state, who, kind, None if name == IMPROVISED else name)

        names = usable(state, who, kind)
        every = (IMPROVISED, *(ability.name for ability in combatant.abilities))
        name = ask("using", "ability", names, nameable=every, why=why, default=IMPROVISED)
        if not name:
            able = [each for each in names if aims(state, who, kind, combatant.ability(each))]
            if len(able) == 1 or not ask.in_menu:  # of several the targets follow from which it is
                reached = (target for each in able for target in aims(state, who, kind, combatant.ability(each)))
                whom(ask, None, tuple(dict.fromkeys(reached)), lambda _target: None)
            return nothing
        ability = combatant.ability(name)
        targets = aimed(ask, kind, ability)
        return lambda step: declare(step, who, kind, ability, targets)

    return run


def grapple(ask: BeaconAsk) -> Effect[BeaconState]:
    targets = aimed(ask, "grapple", None)
    return lambda step: declare(step, ask.who, "grapple", None, targets)


def shove(ask: BeaconAsk) -> Effect[BeaconState]:
    targets = aimed(ask, "shove", None)
    way = ask("using", "push or prone", ("push", "prone"), rule="BE-17", all_lead=True)
    cells = push_cells(ask.state, ask.who, targets[0]) if way == "push" and targets else ()
    to = ask.text("to")
    if cells or not way:
        ask.take(Param(name="to", label="cell", choices=cells, free=True, required=False))

    def no_push() -> Refusal:
        possible = f"Possible: {shown(cells) or 'no cell'}."
        return Illegal(f"{targets[0]} cannot be pushed to {str(to)[:10]}.", rule="BE-17", instead=possible)

    fits = to is None or way != "push" or not targets or to.strip().upper() in cells
    ask.require(fits, no_push)
    return lambda step: set_about(step, declared(step, ask.who, "shove", None, targets, choice=way, to=to))


STRIKES: Mapping[str, Told[BeaconState]] = MappingProxyType(
    {
        told.id: told
        for told in (
            Told("volley", "Volley", armed("volley"), ("target", "using"), IMPROVISED),
            Told("fight", "Fight", armed("fight"), ("target", "using"), IMPROVISED),
            Told("shove", "Shove", shove, ("target", "using", "to")),
            Told("grapple", "Grapple", grapple, ("target",)),
        )
    }
)
