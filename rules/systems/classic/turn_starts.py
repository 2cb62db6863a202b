"""What happens by itself as a turn starts: damage and healing of conditions, regeneration. Rule: CL-06."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.core.blow import Damage, Deed, Healing
from rules.core.blows import flow
from rules.core.conditions import add_condition
from rules.core.step import Step
from rules.core.values import Ability, Combatant, Condition
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.forms import EACH_SOURCE, EACH_TURN
from rules.systems.classic.state import ClassicState

STOPPED = "No regeneration"
_EACH = re.compile(rf"(\S+) (?:(HP)|(?:([a-z]+) )?damage) (?:{EACH_TURN}|{EACH_SOURCE})")


def carry_out(step: Step[ClassicState], who: str) -> None:
    """Carry out what somebody's turn starts with; who has been down since has no more of it."""
    for act in [*_of_conditions(step.state, who), *_of_abilities(step.combatant(who))]:
        if not step.combatant(act.targets[0]).is_out:
            flow.begin(step, act)


def _of_conditions(state: ClassicState, who: str) -> Iterator[flow.Act]:
    for bearer in state.combatants:
        for condition in bearer.conditions:
            whose = condition.source if condition.name.endswith(EACH_SOURCE) else bearer.name
            match = _EACH.fullmatch(condition.name)
            if match is None or whose != who:
                continue
            effect = Healing(healing=match[1]) if match[2] else Damage(damage=match[1], type=match[3] or "")
            source = condition.source if condition.source and state.find(condition.source) else bearer.name
            deed = Deed(always=(effect,))
            yield flow.Act(source, Ability(name=condition.name), deed, (bearer.name,), action="use")


def _of_abilities(combatant: Combatant) -> Iterator[flow.Act]:
    for ability in combatant.abilities:
        deed = deed_of(ability)
        if deed.starts and not combatant.has(STOPPED):
            yield flow.Act(combatant.name, ability, Deed(always=deed.starts), (combatant.name,), action="use")


def stop(step: Step[ClassicState], who: str, kind: str) -> None:
    """Let damage of a type stop what somebody's next turn would start with."""
    if any(kind.casefold() in deed_of(ability).stops for ability in step.combatant(who).abilities):
        turns = 1 + (who in step.state.current)  # the turn that is under way does not count
        add_condition(step, who, Condition(name=STOPPED, left=turns, ticks="bearer-end"))
