"""Attacks: sources of advantage and disadvantage, the roll, what a hit does; and items.

Rule: TA-01, TA-02, TA-03, TA-12, TA-13.
"""

from __future__ import annotations

from rules.core.board import distance, parse_cell
from rules.core.conditions import add_condition
from rules.core.errors import Illegal, Malformed
from rules.core.events import AbilitiesSet, MarkSet
from rules.core.lines import Fact, Veiled
from rules.core.names import shown
from rules.core.step import Step
from rules.core.values import Combatant
from rules.core.verbs.rulings import change_health
from rules.core.vision import cover_counted, cover_number, cover_words, sees, unseen
from rules.dice.reading import plus
from rules.systems.tactics.powers import DEFENDING, DISENGAGED, RUNNING, BattlePower
from rules.systems.tactics.state import TacticsState

TacticsStep = Step[TacticsState]
HEALTH = "HP"
_STEPS = 4
NO_POWER = "no power: the GM applies the damage"
SOURCE_MARKS = ("advantage", "disadvantage", "exposed", "covered")
LASTING = "lasting"
MOST_SOURCES = 12


# Sources (TA-03)


def advantages(state: TacticsState, who: str, target: str) -> tuple[str, ...]:
    """Return the sources of advantage of an attack, by name. Rule: TA-07, TA-08, TA-12."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = ["tier"] * max(0, attacker.number("TIER", 1) - defender.number("TIER", 1))
    if target in state.seized:
        found.append(f"{target} seized the initiative")
    if defender.has(RUNNING):
        found.append(f"{target} runs")
    return (*found, *_marked(attacker, "advantage"), *_marked(defender, "exposed"))


def disadvantages(state: TacticsState, who: str, target: str) -> tuple[str, ...]:
    """Return the sources of disadvantage of an attack, by name. Rule: TA-12, TA-15, TA-16."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = ["tier"] * max(0, defender.number("TIER", 1) - attacker.number("TIER", 1))
    if defender.has(DEFENDING):
        found.append(f"{target} defends")
    if attacker.has(DISENGAGED):
        found.append(f"{who} has disengaged")
    if cover_counted(state, who, target) == "disadvantage":
        found.append("cover")
    return (*found, *_marked(attacker, "disadvantage"), *_marked(defender, "covered"))


def _marked(combatant: Combatant, word: str) -> list[str]:
    """Return the sources that the GM set by hand: marks that begin with that word (`mark:advantage high ground`)."""
    found = []
    for mark, words in combatant.marks.items():
        head, _, rest = mark.partition(" ")
        if head == word:
            found.append(_without_lasting(words) or rest or word)
    return found


def _without_lasting(words: str) -> str:
    return words[: -len(LASTING)].strip() if _lasts(words) else words


def _lasts(words: str) -> bool:
    return words.casefold().split()[-1:] == [LASTING]


def _use_up(step: TacticsStep, who: str, marks: tuple[str, ...]) -> None:
    """Take off the sources set by hand that counted for this attack alone. Rule: TA-03."""
    for mark, words in step.combatant(who).marks.items():
        if mark.partition(" ")[0] in marks and not _lasts(words):
            step.emit(MarkSet(who=who, mark=mark, words=None))


def read_sources(step: TacticsStep, note: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read what an attacker names: `+flanking, -cover`. Rule: TA-03. Raises: Malformed, Illegal."""
    parts = [part.strip() for part in (note or "").split(",") if part.strip()]
    better = tuple(part[1:].strip() for part in parts if part[0] == "+")
    worse = tuple(part[1:].strip() for part in parts if part[0] in "-−")
    if len(parts) > MOST_SOURCES or len(better) + len(worse) < len(parts) or not all((*better, *worse)):
        raise Malformed(
            "An attack's note names sources, each with its sign.", rule="TA-03", instead="note:+flanking, -cover."
        )
    if parts and step.option("sources") == "gm" and not step.seat.gm:
        raise Illegal(
            "At this table the GM names the sources.",
            rule="TA-03",
            instead="Attack without a note; the GM sets them before (/gm set pool:mark:advantage value:high ground).",
        )
    return better, worse


def edge(for_it: int, against_it: int) -> str:
    """Return the dice of a roll with that many sources of either kind. Rule: TA-01, TA-02, TA-03.

    >>> edge(2, 0), edge(1, 1), edge(0, 6)
    ('2d6 adv 2', '2d6', '2d6 dis 4')
    """
    net = for_it - against_it
    if net == 0:
        return "2d6"
    return f"2d6 {'adv' if net > 0 else 'dis'} {min(abs(net), _STEPS)}"


# Range


def in_range(state: TacticsState, who: str, target: str, power: BattlePower) -> bool:
    """Tell whether somebody is within a range and in sight; without a board, or off it, people say. Rule: G-06."""
    between = _apart(state, who, target)
    near = between is None or power.spaces is None or between <= power.spaces
    return near and (not power.asks_sight or sees(state, who, target))


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
        each.name
        for each in state.combatants
        if each.name != who and not each.hidden and in_range(state, who, each.name, power)
    )
    if spaces is None or power.spaces is None or spaces <= power.spaces:
        raise unseen(state, who, target, near)
    raise Illegal(
        f"{target} is {spaces} squares away; {power.name or 'a plain attack'} reaches {power.spaces}.",
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
    dice = plus(edge(len(better), len(worse)), attacker.number("ATK") + cover_number(state, who, target))
    total, roll = step.check(dice, who=who, purpose=purpose)
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
    _use_up(step, who, ("advantage", "disadvantage"))
    _use_up(step, target, ("exposed", "covered"))
    if hit and not power.name:
        step.tell(f"{{who}} has {NO_POWER}.", who=who)
    if hit:
        _strike(step, who, target, power)
    return hit


def _number(step: TacticsStep, combatant: Combatant, key: str) -> Fact:
    full = f"{key} {combatant.number(key)}"
    return full if step.is_open(combatant.name) else Veiled(full=full, public=key)


def _strike(step: TacticsStep, who: str, target: str, power: BattlePower) -> None:
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
    if power.heal:
        amount, roll = step.roll(power.heal, who=who, purpose="healing", on=(target,))
        step.tell("Healing: {roll}.", roll=roll)
        if amount > 0:
            change_health(step, target, amount)
    _strike(step, who, target, power)
    if power.uses is not None:
        combatant = step.combatant(who)
        left = max(0, power.uses - 1)
        abilities = tuple(
            each.evolve(fields={**each.fields, "uses": str(left)}) if each.name == power.name else each
            for each in combatant.abilities
        )
        step.emit(AbilitiesSet(who=who, abilities=abilities))
        step.tell("{item}: {left} uses left.", item=power.name, left=left)
