"""How a check ends here, and what comes of it: a skill roll with Pips as a penalty. Rule: SW-11, SW-12, SW-16."""

from __future__ import annotations

from typing import Any

from rules.core import blow as core
from rules.core.blow import Blow, Check, Damage, Deed, Degree, Effect, Inflict, Response, Save, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows import flow
from rules.core.blows.answered import may_answer
from rules.core.blows.opened import last_blow, open_blow
from rules.core.blows.todo import leave_whole
from rules.core.conditions import add_condition, end_condition
from rules.core.effects.answers import answer_words
from rules.core.effects.bonuses import added_to_attack, used_up
from rules.core.effects.distances import Distance
from rules.core.effects.words import effect_words
from rules.core.encounter import Encounter
from rules.core.model import without
from rules.core.registry import option_value
from rules.core.seen.lines import Dice
from rules.core.step import Step
from rules.core.values import Ability, Combatant, Condition, Pool, Rolled
from rules.dice.reading import plus
from rules.systems.soulweaver import conflict, durations
from rules.systems.soulweaver.abilities import (
    AWARE,
    DROPS,
    ENTERS,
    LEAVES,
    MORE,
    RITUAL,
    SPEAKS,
    UNAWARE,
    answer_of,
    deed_of,
    distance_of,
    takes_over,
)
from rules.systems.soulweaver.creatures import (
    GRIT,
    OF_STANCE,
    STANCE,
    Soul,
    grit,
    stance_of,
)
from rules.systems.soulweaver.skills import skill_expression, skill_roll
from rules.systems.soulweaver.stack import Item
from rules.systems.soulweaver.state import SoulState

DEFENSE = "DEFENSE"


def number_of(combatant: Combatant, key: str) -> int | None:
    """Return a number of the sheet; None if it says none."""
    value = combatant.fields.get(key.upper())
    return value if isinstance(value, int) else None


class SoulBlows(BlowRules):
    """A skill roll against a number of the target's sheet; nobody is asked anything while a blow goes on."""

    limit_rule = "SW-13"

    def deed_of(self, ability: Ability) -> Deed:
        return deed_of(ability)

    def distance_of(self, _bearer: Combatant, ability: Ability) -> Distance:
        return distance_of(ability)

    def harms(self, ability: Ability) -> bool:
        return deed_of(ability).harms

    def target_number(self, state: Encounter) -> str:
        return DEFENSE

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return plus(step.option("skill"), bonus)

    def bonus(self, source: Combatant, check: Check) -> int | None:
        """Return the skill of the sheet; Pips are `added`. Rule: SW-16."""
        return skill_of(source, check)

    def against(self, state: Encounter, target: str) -> int | None:
        return number_of(state.combatant(target), DEFENSE)

    def open_pool(self, step: Step[Any], who: str, pool: str) -> None:
        """Count Grit Pips as points from now on. Rule: SW-09."""
        if pool == GRIT and GRIT not in step.combatant(who).pools:
            step.put_pool(who, GRIT, Pool(now=grit(step.state, who)))

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        """Rule: SW-16."""
        more = added_to_attack(step.state, blow.source, strike.target, deed_of)
        dice, purpose = f"{self.dice(step, 0, bonus)}{more}", f"attack {blow.ability.name}"[:60]
        total, text = step.check(dice, who=blow.source, purpose=purpose)
        use_up(step, blow.source, strike.target)
        return Rolled(faces=(total - bonus,), added=bonus), text

    def inflict(self, step: Step[Any], blow: Blow, who: str, effect: Inflict) -> None:
        """Put a condition: with a duration it is an effect of its creator; a Stance's ends with it. Rule: SW-12."""
        if effect.again:
            key, against = effect.again.rsplit(" ", 1)
            effect = effect.evolve(save=f"{skill_expression(step, who, key)}>={against}")
        if effect.unit and effect.left is not None:
            kind = RITUAL if blow.ability.kind == RITUAL else effect.unit
            durations.put(step, blow.source, effect.condition, who, effect.left, kind=kind, save=effect.save)
        elif blow.ability.kind == STANCE:
            data = {OF_STANCE: blow.ability.name}
            add_condition(step, who, Condition(name=effect.condition, source=blow.source, data=data))
        else:
            super().inflict(step, blow, who, effect)

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Rule: SW-07, SW-19."""
        if verb == ENTERS:
            conflict.enter(step, who)
        elif verb == LEAVES:
            conflict.leave(step, who)
        elif verb.startswith(SPEAKS):
            bought, number = step.state.bought, int(verb.split()[2])
            step.change(bought={**bought, who: bought.get(who, 0) + number})
            step.tell("{who} can say {number} more words this round.", who=who, number=number)
        elif verb in MORE:
            held = step.combatant(who).pools.get(MORE[verb])
            if held is not None:
                step.put_pool(who, MORE[verb], held.evolve(now=held.now + 1))
            step.tell("{who} has 1 more {pool} Action this turn.", who=who, pool=MORE[verb])
        elif verb in (AWARE, UNAWARE):
            blow = open_blow(step.state)
            if blow is not None:
                conflict.set_aware(step, who, blow.source, verb == AWARE)
        elif verb == DROPS:
            conflict.end_stance(step, who)

    def save_bonus(self, who: Combatant, key: str) -> int | None:
        return 0  # a skill roll knows what the sheet says

    def roll_save(self, step: Step[Any], who: str, save: Save, bonus: int) -> int:
        total, roll = skill_roll(step, who, save.key, save.key.title())
        good = total >= int(save.against)
        step.tell(
            "{who} rolls {key}: {roll} against {against}, {outcome}.",
            who=who, key=save.key.title(), roll=roll, against=save.against,
            outcome="success" if good else "failure", good=good,
        )  # fmt: skip
        return total


def skill_of(combatant: Combatant, check: Check | None) -> int | None:
    """Return what a check has from the sheet; None if neither that nor the ability says it."""
    bonus = None if check is None else check.bonus
    if bonus is None:
        return None
    return number_of(combatant, bonus) if bonus.lstrip("+-").isalpha() else int(bonus)


def is_attack(item: Item) -> bool:
    """Tell whether it may hit somebody: an attack, or what makes a check against them."""
    return item.aimed is not None and (item.action == "attack" or deed_of(item.ability).check is not None)


def turn_starts(step: Soul, who: str) -> None:
    """Do what somebody's sheet says of the start of each turn: of a Stance only while they are in it. Rule: SW-19."""
    creature = step.state.find(who)
    stance = None if creature is None else stance_of(creature)
    for ability in () if creature is None else creature.abilities:
        starts = deed_of(ability).starts
        if starts and (ability.kind != STANCE or (stance is not None and stance.name == ability.name)):
            flow.begin(step, flow.Act(who, ability, Deed(always=starts), (who,), action="use"))


def use_up(step: Soul, who: str, target: str) -> None:
    """End what was for the next attack alone, and has counted in this one."""
    both_are_here = None not in map(step.state.find, (who, target))
    for bearer, condition in used_up(step.state, who, target, deed_of) if both_are_here else ():
        end_condition(step, bearer, condition)


def counting(state: SoulState, item: Item) -> str:
    """Return the dice and numbers that count on the roll of an attack besides its skill."""
    if item.aimed is None or None in map(state.find, (item.who, item.aimed)):
        return ""
    return added_to_attack(state, item.who, item.aimed, deed_of)


def is_contest(item: Item) -> bool:
    """Tell whether a skill is rolled against another one of the target: then the GM says who wins."""
    check = deed_of(item.ability).check
    return check is not None and check.versus != ""


def roll_contest(step: Soul, item: Item) -> None:
    """Roll the skill of an item that is one against another, for the GM who says how it ends. Rule: SW-07, SW-16."""
    check = deed_of(item.ability).check
    if check is None or not check.bonus or step.state.find(item.who) is None:
        return
    total, roll = skill_roll(step, item.who, check.bonus, check.bonus.title())
    less = " - {pips} = {total}" if item.pips else ""
    step.tell(
        f"{{who}} rolls {{skill}} against {{target}}'s {{versus}}: {{roll}}{less}.",
        who=item.who, target=item.aimed, skill=check.bonus.title(), versus=check.versus.title(), roll=roll,
        pips=item.pips or None, total=total - item.pips,
    )  # fmt: skip


def is_rolled(state: SoulState, item: Item) -> bool:
    """Tell whether numbers say how an attack ends; else the GM does. Rule: SW-07, SW-11."""
    if item.aimed is None or item.ambush == "tier-0" or state.find(item.who) is None or is_contest(item):
        return False
    known = number_of(state.combatant(item.aimed), DEFENSE)
    return known is not None and skill_of(state.combatant(item.who), deed_of(item.ability).check) is not None


def carry_out(step: Soul, item: Item, degree: Degree = "") -> Degree:
    """Do what the ability of an item says as it completes; return how its check ended. Rule: SW-07, SW-11, SW-16."""
    ability, deed = item.ability, deed_of(item.ability)
    is_called = deed.moment is not None  # not as it is used, but when its moment comes
    does_nothing = deed.evolve(answer=None, limit=None) == Deed()
    if ability is None or is_called or does_nothing or step.state.find(item.who) is None:
        return degree
    if deed.aims and item.aimed is None:
        leave_whole(step, item.who, ability)
        return degree
    targets = item.targets if deed.aims else (item.who,)
    answer = item.answer or Response()
    answers = {targets[0]: answer.evolve(against=answer.against - item.lost)}
    flow.begin(step, flow.Act(item.who, ability, deed, targets, degree=degree, added=-item.pips, answers=answers))
    blow = last_blow(step.state)
    strike = None if blow is None else blow.strike_at(targets[0])
    return degree if strike is None else strike.degree


def answered_by(step: Soul, item: Item, reaction: Item) -> Item | None:
    """Return a trigger with what a completed Response changes of it; None if that is nothing. Rule: SW-22."""
    state, ability = step.state, reaction.ability
    if ability is None or item.aimed is None or None in map(state.find, (item.who, item.aimed, reaction.who)):
        return None
    taken = _taken_over(step, item, reaction.who) if takes_over(ability) else None
    item, aimed = taken or item, (taken or item).aimed or ""
    answer = answer_of(ability)
    if answer is None or not may_answer(
        state, item.who, aimed, core.Answer(who=reaction.who, ability=ability.name, response=answer)
    ):
        return taken
    hurts = any(isinstance(each, Damage) and each.whom == "target" for each in _all_of(deed_of(item.ability)))
    if not (is_attack(item) if answer.against or answer.adds else hurts):
        return taken
    if answer.adds:
        total, roll = step.roll(answer.adds[1:], who=reaction.who, purpose=ability.name[:60])
        step.tell("{ability}: {roll} more on defenses.", ability=ability.name, roll=roll, who=reaction.who)
        answer = answer.evolve(adds="", against=answer.against + total)
    return item.evolve(answer=answer.with_that_of(item.answer))


def _taken_over(step: Soul, item: Item, who: str) -> Item | None:
    """Return what is aimed at somebody with another as its target instead; what was said of it counts no more."""
    if who in (item.who, item.aimed):
        return None
    step.tell("{who} becomes the target of {name}.", who=who, name=item.name.rstrip("."))
    ambush = conflict.ambush_on(step.state, item.who, who) if is_attack(item) else ""
    return item.evolve(aimed=who, others=without(item.others, who), ambush=ambush, answer=None)


def _all_of(deed: Deed) -> tuple[Effect, ...]:
    return (*deed.hit, *deed.always)


def in_brief(state: SoulState, who: str, ability: Ability | None) -> str:
    """Return what an ability rolls and does, for its button; nothing of what the GM is asked about."""
    deed = deed_of(ability)
    skill = None if ability is None else skill_of(state.combatant(who), deed.check)
    check = "" if skill is None else plus(option_value(state, "skill"), skill)
    answer = "" if deed.answer is None else answer_words(deed.answer, DEFENSE)
    return ", ".join(words for words in (check, answer, *map(effect_words, _all_of(deed))) if words)
