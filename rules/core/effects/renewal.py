"""Abilities that may not be used at will: what their limits count comes back as time goes on."""

from __future__ import annotations

from typing import Any

from rules.core.blow import Limit
from rules.core.effects.limits import SIDES
from rules.core.model import without_key
from rules.core.rulebook import rulebook
from rules.core.seen.lines import Dice as DiceText
from rules.core.step import GM_ONLY, Step
from rules.core.values import Combatant
from rules.dice.roll import roll_expression


def turn_begins(step: Step[Any], who: str) -> None:
    """Give back what may be used once a turn, and roll for what somebody has used that recharges."""
    _renew(step, "turn", "own turn")
    combatant = step.state.find(who)
    if combatant is not None:
        _recharge(step, combatant)


def turn_ends(step: Step[Any]) -> None:
    """Give back what may be used once a turn: some turns begin with the action itself."""
    _renew(step, "turn", "own turn")


def round_ends(step: Step[Any]) -> None:
    """Give back what may be used once a round."""
    _renew(step, "round")


def _limit(step: Step[Any], combatant: Combatant, name: str) -> Limit | None:
    ability = combatant.ability(name)
    return None if ability is None else rulebook(step.state).deed_of(ability).limit


def _renew(step: Step[Any], *per: str) -> None:
    for combatant in step.state.cast:
        if not combatant.used:
            continue
        limits = {name: _limit(step, combatant, name) for name in combatant.used}
        kept = {name: combatant.used[name] for name, limit in limits.items() if limit is None or limit.per not in per}
        if len(kept) < len(combatant.used):
            step.change_combatant(combatant.name, used=kept)


def _recharge(step: Step[Any], combatant: Combatant) -> None:
    """Roll for each: of a creature of the GM to the GM alone."""
    who = combatant.name
    seen_by = step.dice_seen_by(who) or (GM_ONLY if combatant.owner is None else None)
    for name in combatant.used:
        limit = _limit(step, combatant, name)
        if limit is None or limit.per != "recharge":
            continue
        purpose = f"recharge {name}"[:60]
        rolled = roll_expression(f"1d{SIDES}", step.dice, who=who, purpose=purpose, seen_by=seen_by)
        is_back = rolled.total >= limit.recharge
        text = DiceText(text=rolled.text(limit=300), seen_by=seen_by)
        words = "{who}'s {ability}: {roll}, " + ("it can be used again." if is_back else "not yet.")
        step.tell(words, who=who, ability=name, roll=text, good=is_back, seen_by=seen_by)
        if is_back:
            step.change_combatant(who, used=without_key(step.combatant(who).used, name))
