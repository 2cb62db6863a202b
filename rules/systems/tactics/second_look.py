"""A source taken off an attack that is still open, by ruling: what its dice come to without it. Rule: TA-03."""

from __future__ import annotations

from rules.core.conditions import drop_condition
from rules.core.seen.lines import Fact, Veiled
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name, shown
from rules.core.values import Condition
from rules.errors import Illegal
from rules.systems.tactics.attacks import strike, with_harm
from rules.systems.tactics.powers import battle_power
from rules.systems.tactics.sources import TacticsStep, edge
from rules.systems.tactics.state import OpenAttack

SOURCE = "source"
_KEPT = 2


def sources_of(attack: OpenAttack | None) -> tuple[str, ...]:
    """Return the sources that can still be taken off."""
    return () if attack is None else tuple(dict.fromkeys((*attack.better, *attack.worse)))


def take_off(step: TacticsStep, text: str) -> None:
    """Take one source off the open attack: hit or miss anew, and what a hit had done is given back. Raises: Illegal."""
    attack = step.state.open_attack
    named = find_name(text, sources_of(attack))
    if attack is None or named is None:
        raise Illegal(
            "No attack with that source can be changed: the next action has closed it, or it had none.",
            rule="TA-03",
            instead=f"You can still change {shown(sources_of(attack)) or 'none'}. To take back more, use /encounter "
            "undo.",
        )
    better, worse = _without(attack.better, named), attack.worse
    if better == attack.better:
        worse = _without(worse, named)
    after = _reckoned(step, attack.evolve(better=better, worse=worse))
    defence = step.combatant(attack.target).number("DEF")
    total = sum(_kept(after)) + after.plus
    after = after.evolve(hit=total >= defence)
    _tell(step, attack, after, named, total)
    if attack.hit and not after.hit:
        _give_back(step, attack)
        after = after.evolve(lost={}, put=None)
    elif after.hit and not attack.hit and not is_out(step.state, attack.target):
        before = step.combatant(attack.target)
        strike(step, attack.who, attack.target, battle_power(step.combatant(attack.who), attack.power or None))
        after = with_harm(after, before, step.combatant(attack.target))
    step.change(open_attack=after)


def _without(sources: tuple[str, ...], named: str) -> tuple[str, ...]:
    if named not in sources:
        return sources
    at = sources.index(named)
    return (*sources[:at], *sources[at + 1 :])


def _reckoned(step: TacticsStep, attack: OpenAttack) -> OpenAttack:
    """Return the attack with the dice of its sources: the two d6 stand, a die of another size is rolled."""
    two = attack.faces[:_KEPT]
    words = edge(len(attack.better), len(attack.worse))
    if words == "2d6":
        return attack.evolve(faces=two, sides=0)
    kind, number = words.split()[1:]
    sides = 4 + 2 * int(number) if kind == "adv" else 14 - 2 * int(number)
    if sides == attack.sides:
        return attack.evolve(faces=attack.faces)
    face = step.die(sides, who=attack.who, purpose="attack").face
    return attack.evolve(faces=(*two, face), sides=sides)


def _kept(attack: OpenAttack) -> list[int]:
    """Return the two dice that count: the highest with advantage, the lowest with disadvantage."""
    is_better = len(attack.better) > len(attack.worse)
    return sorted(attack.faces, reverse=is_better)[:_KEPT]


def _tell(step: TacticsStep, before: OpenAttack, after: OpenAttack, named: str, total: int) -> None:
    faces = ", ".join(str(face) for face in after.faces)
    roll: Fact = f"{faces}, {after.plus:+d}: {total}"
    if not step.is_open(after.who):
        roll = Veiled(full=roll, public=faces)
    outcome = "hit" if after.hit else "miss"
    same = "still a " if before.hit == after.hit else "now a "
    step.tell(
        "The GM takes {source} off {who}'s attack on {target}: {roll}, {still}{outcome}.",
        source=named,
        who=after.who,
        target=after.target,
        roll=roll,
        still=same,
        outcome=outcome,
        good=after.hit,
    )


def _give_back(step: TacticsStep, attack: OpenAttack) -> None:
    """Give back what a hit had taken that is none any more."""
    for pool, less in attack.lost.items():
        before, after = step.set_pool(attack.target, pool, step.combatant(attack.target).pools[pool].now + less)
        step.tell("{who}: {change}.", who=attack.target, change=step.pool_fact(attack.target, pool, before, after))
    if attack.put is not None and step.combatant(attack.target).has(attack.put):
        drop_condition(step, attack.target, Condition(name=attack.put, source=attack.who))
        step.tell("{condition} on {who} is taken back.", condition=attack.put, who=attack.target)
