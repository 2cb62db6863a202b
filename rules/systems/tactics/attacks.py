"""Attacks: range, the roll, what a hit does; and items.

Rule: TA-01, TA-02, TA-03, TA-12, TA-13.
"""

from __future__ import annotations

from rules.core.blows.health import change_health
from rules.core.blows.todo import leave_to_gm
from rules.core.board.fog import knows_place
from rules.core.conditions import add_condition
from rules.core.reach.vision import cover_number, cover_words, sees, unseen
from rules.core.seen.lines import Fact, Veiled
from rules.core.sheets.abilities import with_field
from rules.core.space.cells import distance, parse_cell
from rules.core.typed.names import shown
from rules.core.values import Combatant
from rules.dice.reading import plus
from rules.dice.source import Die
from rules.errors import Illegal
from rules.systems.tactics.powers import BattlePower
from rules.systems.tactics.sources import TacticsStep, advantages, disadvantages, edge, read_sources, use_up
from rules.systems.tactics.state import OpenAttack, TacticsState

HEALTH = "HP"
NO_POWER = "no power: the GM applies the damage"

# Range


def in_range(state: TacticsState, who: str, target: str, power: BattlePower) -> bool:
    """Tell whether somebody is within a range and in sight; without a board, or off it, people say. Rule: G-06."""
    between = _apart(state, who, target)
    near = between is None or power.spaces is None or between <= power.spaces
    known = who == target or knows_place(state, who, target)
    return known and near and (not power.asks_sight or sees(state, who, target))


def _apart(state: TacticsState, who: str, target: str) -> int | None:
    one, other = state.combatant(who), state.combatant(target)
    if state.board is None or one.cell is None or other.cell is None or who == target:
        return None
    return distance("eight", parse_cell(one.cell), parse_cell(other.cell), one.size, other.size)


def require_range(state: TacticsState, who: str, target: str, power: BattlePower) -> None:
    """Refuse a target out of range or sight. Raises: Illegal (G-06)."""
    if in_range(state, who, target, power):
        return
    spaces = _apart(state, who, target)
    near = tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.name != who and not combatant.hidden and in_range(state, who, combatant.name, power)
    )
    if spaces is None or power.spaces is None or spaces <= power.spaces or not knows_place(state, who, target):
        raise unseen(state, who, target, near)
    raise Illegal(
        f"{target} is {spaces} squares away; {power.name or 'a plain attack'} can reach {power.spaces}.",
        rule="G-06",
        instead=f"In range: {shown(near) or 'nobody'}.",
    )


# The roll


def attack(
    step: TacticsStep, who: str, target: str, power: BattlePower, note: str | None = None, *, purpose: str = "attack"
) -> bool:
    """Roll an attack against DEF, with what a hit does; tell whether it hit. Rule: TA-12.

    `note` names sources of the attacker's own.
    """
    state = step.state
    named = read_sources(step, note)
    better = (*advantages(state, who, target), *named[0])
    worse = (*disadvantages(state, who, target), *named[1])
    attacker, defender = state.combatant(who), state.combatant(target)
    bonus = attacker.number("ATK") + cover_number(state, who, target)
    first = len(step.dice.records)
    total, roll = step.check(plus(edge(len(better), len(worse)), bonus), who=who, purpose=purpose)
    rolled = [die for die in step.dice.records[first:] if isinstance(die, Die)]
    hit = total >= defender.number("DEF")
    facts: dict[str, Fact] = {"who": who, "target": target, "roll": roll, "outcome": "hit" if hit else "miss"}
    words = "{who} attacks {target}"
    if purpose == "opportunity":
        words = "{who} takes the opportunity against {target}"
    if power.name:
        words += " with {power}"
        facts["power"] = power.name
    words += ": {roll} against {dc}, {outcome}."
    facts["dc"] = _number(step, defender, "DEF")
    if better:
        words += " Advantage: {better}."
        facts["better"] = ", ".join(better)
    if worse:
        words += " Disadvantage: {worse}."
        facts["worse"] = ", ".join(worse)
    if better and worse:
        net = len(better) - len(worse)
        words += " Left: {left}."
        kind = "advantage" if net > 0 else "disadvantage"
        facts["left"] = "none, they cancel" if net == 0 else f"{abs(net)} of {kind}"
    cover = cover_words(state, who, target)
    if cover:
        words += " {target} has {cover}."
        facts["cover"] = cover
    step.tell(words, seen_by=None, good=hit, **facts)
    for degrees in ((), ("hit" if hit else "miss",)):
        leave_to_gm(step, who, power.name, (target,), degrees=degrees)
    use_up(step, who, ("advantage", "disadvantage"))
    use_up(step, target, ("exposed", "covered"))
    if hit and not power.name:
        step.tell(f"{{who}} has {NO_POWER}.", who=who)
    if hit:
        strike(step, who, target, power)
    made = OpenAttack(
        who=who,
        target=target,
        power=power.name,
        better=better,
        worse=worse,
        faces=tuple(die.face for die in rolled),
        sides=rolled[2].sides if len(rolled) > 2 else 0,
        plus=bonus,
        hit=hit,
    )
    step.change(open_attack=with_harm(made, defender, step.combatant(target)))
    return hit


def with_harm(attack: OpenAttack, before: Combatant, after: Combatant) -> OpenAttack:
    """Return an attack with what it has done to its target."""
    lost = {key: pool.now - after.pools[key].now for key, pool in before.pools.items() if key in after.pools}
    known = {(held.name, held.source) for held in before.conditions}
    new = [held.name for held in after.conditions if (held.name, held.source) not in known]
    return attack.evolve(lost={key: less for key, less in lost.items() if less}, put=new[0] if new else None)


def _number(step: TacticsStep, combatant: Combatant, key: str) -> Fact:
    full = f"{key} {combatant.number(key)}"
    return full if step.is_open(combatant.name) else Veiled(full=full, public=key)


def strike(step: TacticsStep, who: str, target: str, power: BattlePower) -> None:
    if power.damage:
        amount, roll = step.roll(power.damage, who=who, purpose="damage", on=(target,))
        step.tell("Damage on {target}: {roll}.", target=target, roll=roll)
        if amount > 0:
            change_health(step, target, -amount)
    if power.effect is not None:
        add_condition(step, target, power.effect.condition(who))


def use_item(step: TacticsStep, who: str, target: str, power: BattlePower) -> None:
    """Activate an item: its power works on its target; one of its uses is gone. Rule: TA-13."""
    on = "" if target == who else " on {target}"
    step.tell("{who} activates {item}" + on + ".", who=who, item=power.name, target=target if target != who else None)
    leave_to_gm(step, who, power.name, (target,))
    if power.heal:
        amount, roll = step.roll(power.heal, who=who, purpose="healing", on=(target,))
        step.tell("Healing: {roll}.", roll=roll)
        if amount > 0:
            change_health(step, target, amount)
    strike(step, who, target, power)
    if power.uses is not None:
        combatant = step.combatant(who)
        left = max(0, power.uses - 1)
        abilities = tuple(
            with_field(ability, "uses", str(left)) if ability.name == power.name else ability
            for ability in combatant.abilities
        )
        step.change_combatant(who, abilities=abilities)
        step.tell("{item}: {left} uses left.", item=power.name, left=left)
