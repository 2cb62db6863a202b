"""At whom something can be aimed, the likely ones first; on a board those in range. Rule: G-06."""

from __future__ import annotations

from typing import Any

from rules.core.asking.ask import Ask, Why
from rules.core.blow import Deed
from rules.core.blows.opened import rules_in
from rules.core.encounter import Encounter
from rules.core.model import Names, per_state
from rules.core.reach import ranges
from rules.core.reach.vision import asks_sight
from rules.core.registry import system_of
from rules.core.values import Ability
from rules.errors import Refusal

_MOST_AT_ONCE = 8  # names on one button


def _has_fallen(state: Encounter, name: str) -> bool:
    combatant = state.combatant(name)
    return system_of(state).is_out(state, name) or (combatant.owner is not None and combatant.is_out)


@per_state
def targets_of(state: Encounter, who: str) -> Names:
    """Return who somebody may aim at: foes who come first, then friends, then the fallen."""
    side = state.combatant(who).side
    combatants = [combatant for combatant in state.combatants if not combatant.hidden and combatant.name != who]
    combatants.sort(key=lambda each: (_has_fallen(state, each.name), each.side == side))
    return tuple(each.name for each in combatants)


def likely_targets(state: Encounter, who: str, deed: Deed | None) -> Names:
    """Return the possible targets of what may be for oneself: friends first if it helps, else foes, oneself last."""
    others = targets_of(state, who)
    own = () if deed is not None and deed.others else (who,)
    if deed is None or not deed.helps:
        return (*others, *own)
    side = state.combatant(who).side
    return (*own, *sorted(others, key=lambda name: state.combatant(name).side != side))


def reached(state: Encounter, who: str, ability: Ability | None, names: Names) -> Names:
    """Return those of some whom an ability reaches: all of them, if its words do not say how far it goes."""
    most = None if ability is None else rules_in(state).distance_of(state.combatant(who), ability).most
    return names if most is None else ranges.among(state, who, names, most, sight=asks_sight(ability))


def ask_targets(ask: Ask[Any], ability: Ability | None, deed: Deed | None, *, rule: str | None = None) -> Names:
    """Ask at whom an ability that somebody uses or calls is aimed; a menu has those in range."""
    state, who = ask.state, ask.who
    likely = likely_targets(state, who, deed)
    among = reached(state, who, ability, likely)
    return ask.several(
        "target",
        "target",
        among,
        nameable=likely,
        why=too_far(state, who, ability, likely),
        many=deed is not None and deed.most != 1,
        required=deed is not None,
        rule=rule,
        bundles=all_at_once(state, who, deed, among),
    )


def too_far(state: Encounter, who: str, ability: Ability | None, names: Names) -> Why:
    """Return what refuses a target that an ability does not reach, and says whom of some it does."""

    def why(target: str) -> Refusal | None:
        if ability is None or target in reached(state, who, ability, (*names, target)):
            return None
        most = rules_in(state).distance_of(state.combatant(who), ability).most
        possible = reached(state, who, ability, names)
        return ranges.beyond(state, who, target, most, possible, what=f"{ability.name} can reach {most}")

    return why


def long_shot(state: Encounter, who: str, ability: Ability, target: str) -> int | None:
    """Return how far away a target is if that is beyond an ability's usual range."""
    usual, spaces = rules_in(state).distance_of(state.combatant(who), ability).usual, ranges.apart(state, who, target)
    return spaces if usual is not None and spaces is not None and spaces > usual else None


def all_at_once(state: Encounter, who: str, deed: Deed | None, among: Names) -> Names:
    """Return what a menu has of targets if there may be several: all foes who stand (or friends), then each alone."""
    if deed is None:
        return ()
    side = state.combatant(who).side
    meant = tuple(
        name
        for name in among
        if (state.combatant(name).side == side) is deed.helps and not _has_fallen(state, name) and name != who
    )
    if len(meant) < 2 or (deed.most is not None and deed.most < len(meant)) or len(meant) > _MOST_AT_ONCE:
        return ()
    return (", ".join(meant), *among)
