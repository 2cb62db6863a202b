"""What the effects of a blow do to its targets. Each amount is rolled once, when it is first needed."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from rules.core.blow import (
    Blow,
    Damage,
    Effect,
    Healing,
    Inflict,
    Lapse,
    Left,
    Lift,
    Move,
    Own,
    Points,
    Strike,
)
from rules.core.blows.health import change_health, change_pool, give_temporary
from rules.core.blows.moving import carry_move
from rules.core.blows.needs import hit_of
from rules.core.blows.opened import as_it_is, keep, rules_of
from rules.core.blows.todo import leave_clause
from rules.core.blows.verdicts import veiled_from
from rules.core.conditions import end_concentration
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Pool


def carry_out(step: Step[Any], blow: Blow, strike: Strike, who: str, effect: Effect) -> None:
    if isinstance(effect, Damage):
        takers = (each.who for each in strike.answers if each.response.takes and effect.whom == "target")
        who = next(takers, who)
        amount = _amount(step, blow, strike, effect)
        amount = amount // 2 if effect.half else amount
        if strike.amount is None:  # what a person says is what is dealt
            less = rules_of(step).less_armor(step, blow, who, amount, effect.type)
            if amount and not less:
                return
            amount = less
        pool = rules_of(step).adds_to.get(effect.type)
        if pool is not None:
            change_pool(step, who, pool, amount)
            return
        taken = _change(step, who, -amount, effect.type)
        if effect.whom == "target":
            kept = as_it_is(step, blow)
            dealt = {**strike.dealt, effect.type: strike.dealt.get(effect.type, 0) + taken}
            keep(step, kept, (kept.strike_in(strike.place) or strike).evolve(dealt=dealt))
    elif isinstance(effect, Healing):
        if effect.healing == Healing.DEALT:
            total = sum(each for kind, each in strike.dealt.items() if effect.of in ("", kind)) // (1 + effect.half)
        elif effect.healing == Healing.FULL:
            health = step.combatant(who).pools.get(system_of(step.state).health)
            total = 0 if health is None or health.top is None else health.top - health.now
        else:
            total = _rolled(step, blow, effect.healing, "healing", on=_own(blow, effect))
        if effect.temporary:
            give_temporary(step, who, total)
        else:
            _change(step, who, total, "")
    elif isinstance(effect, Inflict):
        whose = blow.source if (effect.ticks or "").startswith("source") else who
        if effect.next and effect.left is not None and whose in system_of(step.state).turn(step.state):
            effect = effect.evolve(left=effect.left + 1)  # the turn that is under way does not count
        if effect.again:
            key, against = effect.again.rsplit(" ", 1)
            effect = effect.evolve(save=rules_of(step).save_again(step.combatant(who), key, against))
        rules_of(step).inflict(step, blow, who, effect)
    elif isinstance(effect, Lift):
        rules_of(step).lift(step, who, effect)
    elif isinstance(effect, Lapse):
        end_concentration(step, who)
    elif isinstance(effect, Points):
        rules_of(step).open_pool(step, who, effect.pool)
        points = effect.points
        if points == Points.ALL:
            held = step.combatant(who).pools.get(effect.pool, Pool(now=0))
            points = str(max(0, (held.top or 0) - held.now) if effect.gains else held.now)
        total = _rolled(step, blow, points, effect.pool, on=_own(blow, effect))
        change_pool(step, who, effect.pool, total if effect.gains else -total)
    elif isinstance(effect, Move):
        carry_move(step, blow.source, blow.ability, who, effect)
    elif isinstance(effect, Own):
        rules_of(step).own(step, who, effect.own)
    elif isinstance(effect, Left):
        rules = rules_of(step)
        if not effect.keyword or not rules.asks(step, blow, who, effect.keyword):
            leave_clause(step, blow.source, blow.ability, effect.left, (who,))


def _change(step: Step[Any], who: str, by: int, kind: str) -> int:
    """Change somebody's health, and return the damage; without health the amount is told to those who count it."""
    if system_of(step.state).health in step.combatant(who).pools:
        return change_health(step, who, by, kind or None)
    words = "{who} takes {amount} {kind} damage." if by <= 0 else "{who} gets {amount} HP back."
    step.tell(words if kind else words.replace("{kind} ", ""), who=who, amount=abs(by), kind=kind or None)
    return max(0, -by)


def _amount(step: Step[Any], blow: Blow, strike: Strike, effect: Damage) -> int:
    """Return the damage for one target, less what they have answered it with."""
    hit = hit_of(step.state, blow, strike)
    before = takewhile(lambda each: each != effect, hit)
    damages = [each for each in before if isinstance(each, Damage)] if effect in hit else []
    amounts = [_unanswered(step, blow, strike, each) for each in (*damages, effect)]
    if effect.whom == "self":
        return amounts[-1]
    for answer in strike.answers:
        if answer.response.halves:
            amounts = [amount // 2 for amount in amounts]
        less, dice, key = 0, answer.response.reduces, f"{answer.who} {answer.ability} {strike.target}"
        if dice:
            less = _once(step, blow, key, dice, "{who} takes {roll} off.", "reduction", who=answer.who)
        for at, amount in enumerate(amounts):
            amounts[at] = max(0, amount - less)
            less = max(0, less - amount)
    return amounts[-1]


def _unanswered(step: Step[Any], blow: Blow, strike: Strike, effect: Damage) -> int:
    """Return the damage for one target: rolled once for all of them, a critical hit's second set for it alone."""
    if strike.amount is not None:
        return strike.amount
    if rules_of(step).one_by_one:
        words = "Damage on {target}: {roll}" + (" ({purpose})." if effect.type else ".")
        key, kind = f"{strike.place} {effect.damage}", effect.type or "damage"
        return _once(step, blow, key, effect.damage, words, kind, on=strike.target)
    twice = strike.degree == "critical" and effect in hit_of(step.state, blow, strike)
    kind = effect.type or "damage"
    return _rolled(step, blow, effect.damage, kind, twice=twice, on=_own(blow, effect), by=effect.by)


def _own(blow: Blow, effect: Damage | Healing | Points) -> str:
    """Return whom an effect meets if that is the one who does it, else nothing: then it meets the targets."""
    return blow.source if effect.whom == "self" else ""


def _rolled(
    step: Step[Any], blow: Blow, amount: str, purpose: str, *, on: str, twice: bool = False, by: str = ""
) -> int:
    """Return the total of an amount `on` somebody, of a critical hit (`twice`) with a second set of its dice.

    Each is rolled when it is first needed, once for all targets; what is added `by` an answer has dice of its own.
    """
    key = f"{by}: {amount} {purpose}" if by else f"{amount} {purpose}"
    found = _once(step, blow, key, amount, "{ability}: {roll} {purpose}.", purpose, on=on, by=by)
    dice = rules_of(step).second_set(step, amount) if twice else ""
    return found + (_once(step, blow, f"critical {key}", dice, "Critical: {roll} more.", purpose) if dice else 0)


def damage_of(step: Step[Any], blow: Blow, strike: Strike) -> int | None:
    """Return the damage that a hit would do to one target, rolled now; None if it does none."""
    amounts = [_unanswered(step, blow, strike, each) for each in blow.deed.hit if isinstance(each, Damage)]
    return sum(amounts) if amounts else None


def _once(
    step: Step[Any],
    blow: Blow,
    key: str,
    dice: str,
    words: str,
    purpose: str,
    *,
    who: str = "",
    on: str = "",
    by: str = "",
) -> int:
    """Roll dice of a blow, or of somebody else (`who`) in it, `on` somebody, once; return their total."""
    who = who or blow.source
    kept = as_it_is(step, blow)
    if key in kept.rolled:
        return kept.rolled[key]
    if dice.isdecimal():  # nothing is rolled
        return int(dice)
    targets = (on,) if on else tuple(strike.target for strike in kept.strikes) or (who,)
    total, text = step.roll(dice, who=who, purpose=purpose, on=veiled_from(step, who, targets))
    step.tell(words, who=who, ability=by or blow.ability.name, roll=text, purpose=purpose, target=on or None)
    keep(step, kept.evolve(rolled={**kept.rolled, key: max(0, total)}))
    return max(0, total)
