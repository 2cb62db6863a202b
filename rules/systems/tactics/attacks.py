"""Attacks and items: who they reach, and the blows that they begin.

Rule: TA-03, TA-12, TA-13.
"""

from __future__ import annotations

from rules.core.blows import flow
from rules.core.blows.correct import SOURCE, correct_at
from rules.core.blows.limits import spend
from rules.core.blows.opened import last_blow
from rules.core.blows.todo import leave_to_gm
from rules.core.reach.ranges import beyond, within
from rules.core.sheets.abilities import with_field
from rules.core.typed.names import find_name, shown
from rules.core.values import Ability
from rules.errors import Illegal
from rules.systems.tactics.abilities import deed_of, is_item
from rules.systems.tactics.powers import BattlePower, read_power
from rules.systems.tactics.sources import TacticsStep, read_sources
from rules.systems.tactics.state import TacticsState

# Range


def in_range(state: TacticsState, who: str, target: str, power: BattlePower) -> bool:
    """Tell whether a power reaches somebody; without a board, or off it, people say. Rule: G-06."""
    return within(state, who, target, power.spaces, sight=power.asks_sight)


def range_refusal(state: TacticsState, who: str, target: str, power: BattlePower) -> Illegal | None:
    """Return why a target is out of range or sight, if so (G-06)."""
    if in_range(state, who, target, power):
        return None
    near = tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.name != who and not combatant.hidden and in_range(state, who, combatant.name, power)
    )
    what = f"{power.name or 'a plain attack'} can reach {power.spaces}"
    return beyond(state, who, target, power.spaces, near, what=what)


# What is done


def attack(
    step: TacticsStep, who: str, targets: tuple[str, ...], using: str, note: str | None, *, action: str, ends_turn: bool
) -> None:
    """Begin an attack against DEF; its note names sources of the attacker's own. Rule: TA-12."""
    better, worse = read_sources(step, note)
    ability = (step.combatant(who).ability(using) if using else None) or Ability(name="", kind="power")
    spend(step, who, ability)
    act = flow.Act(who, ability, deed_of(ability), targets, better=better, worse=worse, action=action)
    flow.begin(step, act, ends_turn=ends_turn)
    step.change(open_attack=True)


def use(step: TacticsStep, who: str, targets: tuple[str, ...], name: str) -> None:
    """Use a power without a roll, or activate an item: one of its uses is gone. Rule: TA-12, TA-13."""
    combatant = step.combatant(who)
    ability = combatant.ability(name) or Ability(name=name)
    others = ", ".join(target for target in targets if target != who)
    words = "{who} activates {item}" if is_item(ability) else "{who} uses {item}"
    step.tell(words + (" on {targets}." if others else "."), who=who, item=name, targets=others or None)
    spend(step, who, ability)
    leave_to_gm(step, who, name, targets)
    uses = read_power(ability).uses
    if uses is not None:
        left = max(0, uses - 1)
        abilities = tuple(
            with_field(each, "uses", str(left)) if each.name == name else each for each in combatant.abilities
        )
        step.change_combatant(who, abilities=abilities)
        step.tell("{item}: {left} uses left.", item=name, left=left)
    flow.begin(step, flow.Act(who, ability, deed_of(ability), targets, action="item"), ends_turn=True)


# The GM's second look


def sources_left(state: TacticsState) -> tuple[str, ...]:
    """Return the sources that can still be taken off the last attack. Rule: TA-03."""
    blow = last_blow(state) if state.open_attack else None
    checks = () if blow is None else tuple(strike.check for strike in blow.strikes if strike.check is not None)
    return tuple(dict.fromkeys(name for check in checks for name in (*check.better, *check.worse)))


def take_off(step: TacticsStep, text: str) -> None:
    """Take one source off the last attack. Rule: TA-03. Raises: Illegal."""
    blow, named = last_blow(step.state), find_name(text, sources_left(step.state))
    if blow is None or named is None:
        raise Illegal(
            "No attack with such a source is open: the next action has closed it, or it had none.",
            rule="TA-03",
            instead=f"Open now: {shown(sources_left(step.state)) or 'none'}. /encounter undo takes more back.",
        )
    correct_at(step, blow, tuple(strike.target for strike in blow.strikes), SOURCE, named)
