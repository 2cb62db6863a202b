"""A roll of your own attack (`/roll Longsword`), and the buttons that say who it was aimed at (effects 5).

The roll is a row of the log and no step; the press is the step, with the dice that lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.custom_ids import STRIKE, Pressed
from bot.render.components import PRIMARY, button
from bot.table.room import Room
from rules.core.blow import CHECK
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Rolled
from rules.dice.roll import Rolled as Dice
from rules.dice.source import Die

ATTACK = "attack"
_MOST = 8  # targets that have a button


class AttackRoll(NamedTuple):
    """Whose attack a roll is, and how it fell: `who` and `using` as an action takes them."""

    who: str
    using: str
    check: Rolled


def own_attacks(state: Encounter | None, user: str | None) -> Mapping[str, tuple[str, str]]:
    """Return the attacks of a caller's combatants, with owner and dice; first those of the one whose turn it is.

    Empty if no attack could follow from the roll.
    """
    if state is None or user is None or state.status != "running" or system_of(state).blows is None:
        return {}
    system = system_of(state)
    found: dict[str, tuple[str, str]] = {}
    own = [each.name for each in state.combatants if each.owner == user]
    for who in sorted(own, key=lambda name: name not in system.turn(state)):
        checks = {} if system.blows is None else system.blows.checks(state, who)
        found = {**{name: (who, dice) for name, dice in checks.items()}, **found}
    return found


def as_rolled(attack: tuple[str, str] | None, rolled: Sequence[Dice]) -> AttackRoll | None:
    """Return the attack that a roll is: one total, in which nothing is compared. None if it is none."""
    if attack is None or len(rolled) != 1 or len(rolled[0].values) != 1 or rolled[0].compared:
        return None
    check = lying(rolled[0].records, rolled[0].total)
    return None if check is None else AttackRoll(*attack, check)


def kept_attack(command: Mapping[str, Any]) -> AttackRoll | None:
    """Return the attack that a roll in the log is; None if it is none."""
    if CHECK not in command:
        return None
    return AttackRoll(command["character"], command["using"], Rolled.model_validate(command[CHECK]))


def in_row(attack: AttackRoll | None) -> dict[str, Any]:
    """Return what the row of a roll keeps of the attack that it is."""
    if attack is None:
        return {}
    return {"character": attack.who, "using": attack.using, CHECK: attack.check.model_dump(mode="json")}


def lying(dice: Sequence[Die], total: int) -> Rolled | None:
    """Return the dice of a check: one, or two if only one counts. All else that was rolled is added."""
    checks = [die for die in dice if die.sides == dice[0].sides] if dice else []
    kept = [die for die in checks if die.kept]
    if len(checks) not in (1, 2) or len(kept) != 1:
        return None
    is_better = kept[0].face == max(die.face for die in checks)
    return Rolled(
        faces=tuple(die.face for die in checks),
        added=total - kept[0].face,
        better=("advantage",) if len(checks) > 1 and is_better else (),
        worse=("disadvantage",) if len(checks) > 1 and not is_better else (),
        sides=dice[0].sides if len(checks) > 1 else 0,
    )


def hit_buttons(room: Room, roll: AttackRoll, seq: int) -> list[dict[str, Any]]:
    """Return a button for each foe that the roll may have hit, as long as its attacker may attack."""
    state = room.table.active
    if state is None or state.find(roll.who) is None:
        return []
    system = system_of(state)
    if system.blows is None or not system.actions.is_legal(state, roll.who, ATTACK):
        return []
    targets = system.blows.may_be_hit(state, roll.who, roll.using, roll.check)
    return [
        button(Pressed(STRIKE, state.id, room.prompt.wanted, (str(seq), target)).written(), f"Hit {target}?", PRIMARY)
        for target in targets[:_MOST]
    ]


def strike(roll: AttackRoll, target: str) -> Command:
    """Return the step that makes a roll an attack on somebody."""
    args = {CHECK: roll.check.model_dump(mode="json")}
    return Command(action=ATTACK, character=roll.who, target=target, using=roll.using, args=args)
