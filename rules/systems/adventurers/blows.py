"""What a blow is here: damage and parts are known before the target evades or takes it, and a success undoes the hit.

Rule: AD-08, AD-10, AD-16, AD-17, AD-23, AD-25, AD-26, AD-28.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic import JsonValue

from rules.core.blow import Blow, Check, Damage, Deed, Degree, Effect, Inflict, Lift, Own, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows import flow
from rules.core.blows.carry import damage_of
from rules.core.blows.health import change_pool
from rules.core.blows.opened import as_it_is, asked_about, keep, open_blow
from rules.core.conditions import end_condition, put_condition
from rules.core.effects.bonuses import bonus_in, on_rolls
from rules.core.effects.distances import Distance
from rules.core.effects.words import effect_words
from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name
from rules.core.values import Ability, Combatant, Condition
from rules.systems.adventurers import abilities, body, creatures, deaths, plans
from rules.systems.adventurers.body import HIT
from rules.systems.adventurers.checks import Adventuring, check, effects_of, fate, told, way_to
from rules.systems.adventurers.creatures import STAMINA, WILLPOWER, pool_now, tables
from rules.systems.adventurers.state import AdventurersState

EVASION = 1  # Willpower that evading costs (AD-25)
EASE = 2  # the target of a Boss's evasion checks is that much lower in Full Power (AD-23)


class AdventurersBlows(BlowRules):
    """Rule: AD-08, AD-25."""

    limit_rule = "AD-08"
    one_check = True

    def no_attack(self, combatant: Combatant) -> str:
        is_able = any(
            creatures.type_of(ability) == creatures.ATTACK or creatures.is_equipped(ability)
            for ability in combatant.abilities
        )
        words = "No attack: give it a weapon or an ability of type Attack; without one it can only assist or pass."
        return "" if is_able else words

    outcomes: ClassVar[Mapping[Degree, str]] = MappingProxyType({"hit": "hit", "miss": "miss"})

    def distance_of(self, _bearer: Combatant, ability: Ability) -> Distance:
        return abilities.distance_of(ability)

    def deed_of(self, ability: Ability) -> Deed:
        return abilities.deed_of(ability)

    def target_number(self, state: Encounter) -> str:
        return "number needed"

    def bonus(self, source: Combatant, check: Check) -> int:
        return 0

    def against(self, state: Encounter, target: str) -> None:
        """Return nothing: what a check needs hangs on the attacker's specialties. Rule: AD-01."""

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return "2d6"

    def inflict(self, step: Step[Any], blow: Blow, who: str, effect: Inflict) -> None:
        if effect.condition == abilities.NO_EVASION or bonus_in(effect.condition) is not None:
            super().inflict(step, blow, who, effect)
        else:
            body.afflict(step, who, effect.by(blow.source))

    def lift(self, step: Step[Any], who: str, effect: Lift) -> None:
        """Cure an ailment: the one that is named, or any. Rule: AD-22, AD-28."""
        if effect.lifts == abilities.ANY_AILMENT:
            body.cure_one(step, who)
            return
        ailment = find_name(effect.lifts, body.ailments_of(step.state, who))
        if ailment is None:
            step.tell("{who} is not {ailment}, so there is nothing to cure.", who=who, ailment=effect.lifts)
        else:
            body.cured(step, who, ailment)

    def as_one(self, deed: Deed) -> Deed:
        """Let one attack cause one damage, with what bonuses add. Rule: AD-16."""
        return deed.evolve(hit=abilities.together(deed.hit))

    def pay(self, step: Step[Any], who: str, ability: Ability, *, back: bool = False) -> None:
        """Pay the rebound of what somebody calls. Rule: AD-30."""
        cost, pool = creatures.rebound(step.state, who, ability), plans.cost_pool(step.state)
        if not back:
            plans.require_cost(step.state, who, cost, ability.name)
        if cost:
            change_pool(step, who, pool, cost if back else -cost)

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Carry out a Critical's entry on somebody; what it does for the attacker it does once. Rule: AD-26."""
        if verb in OWN:
            OWN[verb](step, who)
            return
        blow = open_blow(step.state)
        if blow is not None:
            others = (strike for strike in blow.strikes if strike.target != who)
            has_landed = any(strike.degree != "miss" and not strike.left for strike in others)
            apply(step, blow.source, who, verb, first=not has_landed)

    def waits(self, step: Step[Any], blow: Blow) -> bool:
        """Roll damage and parts, then ask all who are hit and can evade. Rule: AD-08, AD-17, AD-25."""
        hits = [strike for strike in blow.strikes if strike.degree != "miss" and HIT not in strike.saved]
        if blow.deed.check is not None and hits:
            _face(step, keep(step, blow, *(strike.evolve(saved={**strike.saved, HIT: 1}) for strike in hits)), hits)
        return any(question.about == HIT and question.data["blow"] == blow.number for question in step.state.questions)


def withdraw(step: Adventuring, who: str) -> None:
    """Let somebody out of the fight. Rule: AD-11."""
    put_condition(step, who, Condition(name=creatures.FLED))
    step.tell("{who} withdraws from combat.", who=who)


def cure_all(step: Adventuring, who: str) -> None:
    for ailment in body.ailments_of(step.state, who):
        body.cured(step, who, ailment)


def body_damage(step: Adventuring, who: str) -> None:
    """Damage a part of somebody who has any to lose. Rule: AD-17, AD-21."""
    if step.combatant(who).kind == creatures.ENEMY:
        step.tell("{who} has no body parts to lose.", who=who)
    else:
        body.damage_part(step, who)


OWN: Mapping[str, Callable[[Adventuring, str], None]] = MappingProxyType(
    {
        abilities.CURED: body.cure_one,
        abilities.CURED_ALL: cure_all,
        abilities.BODY: body_damage,
        abilities.MORE: body.gain_extra,
        abilities.FLEES: withdraw,
    }
)


def round_starts(step: Adventuring) -> None:
    """Do what sheets say of the beginning of each round."""
    for who in step.state.names:
        combatant = step.combatant(who)
        for ability in combatant.abilities:
            starts = abilities.deed_of(ability).starts
            is_free = not is_out(step.state, who) and creatures.blocker(step.state, combatant, ability) is None
            if starts and is_free and not creatures.is_helpless(step.state, who):
                flow.begin(step, flow.Act(who, ability, Deed(always=starts), (who,), action="use"))


def added_to_hit(step: Adventuring, who: str) -> str:
    """Return what bonuses add to a hit check; what is for the next one ends."""
    more, counting = on_rolls(step.state, who, abilities.HIT_ROLLS, abilities.deed_of)
    for condition in counting:
        if " next " in condition.name:
            end_condition(step, who, condition)
    return more


# A hit (AD-25)


def critical_effects(text: str) -> tuple[Effect, ...]:
    """Return what a Critical's entry adds to a hit. Rule: AD-26."""
    more = [rest.lstrip("+") for word, rest in effects_of(text) if word == "damage"]
    return (*(Damage(damage=number) for number in more if number.isdecimal()), Own(own=text))


def critical_of(blow: Blow) -> str | None:
    return next((effect.own for effect in blow.deed.hit if isinstance(effect, Own)), None)


def specialty_of(state: AdventurersState, blow: Blow) -> str:
    source = state.find(blow.source)
    specialty = blow.ability.field("specialty") if source is None else creatures.specialty_of(source, blow.ability)
    return tables(state).name(specialty) or specialty


def _face(step: Adventuring, blow: Blow, hits: list[Strike]) -> None:
    """Ask those who can evade, all at once; answers count in the order of joining. The others take the hit."""
    here = [strike for strike in hits if not is_out(step.state, strike.target)]
    damage = {strike.target: damage_of(step, blow, strike) for strike in here}
    parts = {
        who: body.roll_part(step, who)
        for who, amount in damage.items()
        if amount is not None and body.causes_body_damage(step.state, who, amount)
    }
    step.change(parts={who: part for who, part in parts.items() if part is not None})
    is_sure = abilities.SURE in blow.deed.traits
    asked = [strike.target for strike in here if can_evade(step.state, strike.target) and not is_sure]
    window = step.new_window if len(asked) > 1 else 0
    for strike in here:
        who = strike.target
        if who not in asked:
            take(step, blow, who)
            continue
        data: Mapping[str, JsonValue] = {
            "blow": blow.number,
            "target": who,
            "damage": damage[who],
            "part": parts.get(who),
        }
        inside, words = _question(step, blow, who, data)
        # A life may hang on it: no time closes it but the reminders, which look for something mild.
        place = asked.index(who) + 1 if window else 0
        step.ask(who, HIT, words, ("evade", "take"), window=window, place=place, timed=False, inside=inside, data=data)


def can_evade(state: AdventurersState, who: str) -> bool:
    is_free = not (creatures.is_helpless(state, who) or state.combatant(who).has(abilities.NO_EVASION))
    return is_free and pool_now(state, who, WILLPOWER) >= EVASION


def evasion_base(state: AdventurersState, blow: Blow, who: str) -> int:
    """Return X of an evasion's X + Y, lower in Full Power. Rule: AD-23, AD-25."""
    strike = blow.strike_at(who)
    result = 0 if strike is None or strike.check is None else strike.check.total
    result -= abilities.evading_at(blow.deed)
    return result - EASE if who in state.full_power else result


def _ask_anew(step: Adventuring) -> None:
    """Ask those again who were asked with other numbers: what a hit would take has changed. Rule: G-10, AD-23."""
    for question in step.state.questions:
        if question.about == HIT:
            blow, _ = asked_about(step.state, question)
            inside, words = _question(step, blow, question.who, question.data)
            if (inside, words) != (question.inside, question.words):
                step.ask_anew(question.evolve(inside=inside), words)


def _question(step: Adventuring, blow: Blow, who: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the player of the one hit reads, empty if all may read it; and what all read. Rule: G-08."""
    state, name = step.state, blow.ability.name
    attacker = state.find(blow.source)
    hits = f"{name} hits" if attacker is None or attacker.hidden else f"{blow.source} hits with {name}"
    now = pool_now(state, who, WILLPOWER)
    spent = f"{now} → {now - EVASION}" + (": Helpless" if now == EVASION else "")
    way = way_to(state, who, specialty_of(state, blow)).words(evasion_base(state, blow, who))
    full = (
        f"{hits}{_harm(step, blow, who, data, whole=True)}. Evade for {EVASION} Willpower ({spent}; {way}), or take it?"
    )
    public = f"{hits}{_harm(step, blow, who, data, whole=False)}. Evade for {EVASION} Willpower, or take it?"
    return ("", full) if step.is_open(who) else (full, public)


def _harm(step: Adventuring, blow: Blow, who: str, data: Mapping[str, Any], *, whole: bool) -> str:
    """Say what a hit would do: damage, Stamina before and after (`whole`), the part, ailments, the Critical."""
    damage, part, critical = data["damage"], data["part"], critical_of(blow)
    words = "" if damage is None else f" for {damage} damage"
    ends = []
    if damage and whole:
        now = pool_now(step.state, who, STAMINA)
        ends.append(f"STAMINA {now} → {max(0, now - damage)}")
    if part is not None:
        ends.append(f"{part} is damaged, then a death check")
    ends += [effect_words(effect) for effect in blow.deed.hit if not isinstance(effect, Damage | Own)]
    if critical is not None:
        ends += [rest for word, rest in effects_of(critical) if word == "ailment"]
        ends.append(f"Critical: {told(critical).rstrip('.')}")
    return words + (f" ({', '.join(ends)})" if ends else "")


def evade(step: Adventuring, who: str) -> None:
    """Try to evade: the price, the hit's specialty, its result plus the spaces. Rule: AD-25, AD-26."""
    blow, _ = asked_about(step.state, step.question)
    base = evasion_base(step.state, blow, who)
    body.change_willpower(step, who, -EVASION, "evasion")
    more, _ = on_rolls(step.state, who, ("on Evasion checks",), abilities.deed_of)
    outcome = check(step, who, specialty_of(step.state, blow), "evasion", base, more=more)
    if outcome.critical:
        apply(step, who, blow.source, fate(step, who, "evasion-critical"), first=True)
    elif outcome.fumble:
        apply(step, who, who, fate(step, who, "evasion-fumble"), first=True)
    if not outcome.success:
        take(step, blow, who)
        return
    step.tell("{who} evades {attack}: it has no effect.", who=who, attack=blow.ability.name)
    blow = as_it_is(step, blow)
    keep(step, blow, *(s.evolve(degree="miss", left=()) for s in blow.strikes if s.target == who))


def take(step: Adventuring, blow: Blow, who: str) -> None:
    """Say that somebody takes a hit: what it does follows."""
    step.tell("{who} takes the hit with {attack}.", who=who, attack=blow.ability.name)


def apply(step: Adventuring, winner: str, loser: str, text: str, *, first: bool) -> None:
    """Carry out what a Critical or Fumble entry says in brackets; `first` does what is for the one who rolled it."""
    for word, rest in effects_of(text):
        if word == "ailment":
            if step.state.find(loser) is not None:
                body.afflict(step, loser, Condition(name=rest, source=winner))
        elif not first or step.state.find(winner) is None or is_out(step.state, winner):
            continue
        elif word == "extra":
            body.gain_extra(step, winner)
        elif word == "cure":
            body.cure_one(step, winner)
        elif word == "willpower" and rest.lstrip("+-").isdecimal():
            body.change_willpower(step, winner, int(rest), "by the roll")


def resume(step: Adventuring) -> None:
    """Carry on what is open, and ask about the death checks of those who are asked no more. Rule: AD-08."""
    _ask_anew(step)
    while step.state.status == "running":
        flow.go_on(step)
        state = step.state
        death = next((death_check for death_check in state.deaths if state.question_to(death_check.who) is None), None)
        if death is None:
            return
        deaths.go_on_with_death(step, death)
