"""Skill rolls: the sheet's dice or bonus, and what counts in them besides. Rule: SW-02, SW-08, SW-09, SW-16."""

from __future__ import annotations

from rules.core.blow import Save
from rules.core.effects.bonuses import on_saves
from rules.core.seen.lines import Dice
from rules.dice.reading import plus
from rules.systems.soulweaver.abilities import deed_of
from rules.systems.soulweaver.creatures import GRIT, Soul


def skill_roll(step: Soul, who: str, skill: str, purpose: str) -> tuple[int, Dice]:
    """Roll a skill: the sheet's own dice, or the option's die plus the sheet's bonus; and what counts in it."""
    _, more, _ = on_saves(step.state, who, Save(key=skill, against=""), deed_of)
    return step.check(f"{skill_expression(step, who, skill)}{more}", who=who, purpose=purpose)


def skill_expression(step: Soul, who: str, skill: str) -> str:
    """Return what a skill is rolled with. The sheet has pips under Grit, and no bonus."""
    value = None if skill == GRIT else step.combatant(who).fields.get(skill)
    if isinstance(value, str):
        return value
    return plus(step.option("skill"), value if isinstance(value, int) else 0)
