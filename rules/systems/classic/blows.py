"""What a blow is here: a d20 against armor class, dice by type, saves by the sheet. Rule: CL-11 to CL-14."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.blow import Blow, Check, Deed, Degree, Lapse, Response, Save
from rules.core.blow_rules import BlowRules
from rules.core.blows import flow
from rules.core.blows.aiming import reached
from rules.core.blows.limits import give_back, is_left
from rules.core.conditions import CONCENTRATION, end_concentration
from rules.core.effects.bonus_forms import NO_REACTIONS
from rules.core.effects.bonuses import changed, on_saves
from rules.core.effects.distances import Distance
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.registry import option_value, system_of
from rules.core.step import Step
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability, Combatant, Rolled
from rules.errors import Illegal
from rules.systems.classic import dying, turn_starts, turns
from rules.systems.classic.abilities import NUMBER, can_pay, deed_of, distance_of, number_of
from rules.systems.classic.forms import NO_HEALING
from rules.systems.classic.house_rules import sides_of

AC = "AC"
FUMBLE = 1
HIGHEST = 20  # of the die that sheets say the least critical face of
_DICE = re.compile(r"[0-9]{0,2}d[0-9]{1,3}", re.IGNORECASE)


class ClassicBlows(BlowRules):
    """Rule: CL-11 to CL-14."""

    save_dice = "1d20"
    limit_rule = "CL-18"
    reaction_rule = "CL-08"

    def deed_of(self, ability: Ability) -> Deed:
        return deed_of(ability)

    def distance_of(self, _bearer: Combatant, ability: Ability) -> Distance:
        return distance_of(ability)

    def harms(self, ability: Ability) -> bool:
        return deed_of(ability).harms

    def target_number(self, state: Encounter) -> str:
        return option_value(state, "against")

    def bonus(self, source: Combatant, check: Check) -> int | None:
        if check.bonus is None:
            return None
        return int(check.bonus) if NUMBER.fullmatch(check.bonus) else number_of(source, check.bonus)

    def against(self, state: Encounter, target: str) -> int | None:
        number = number_of(state.combatant(target), self.target_number(state))
        return None if number is None else number + changed(state, target, self.target_number(state), deed_of)

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        sides = _sides(step.state)
        dice = f"1d{sides}" if not edge else f"2d{sides}kh1" if edge > 0 else f"2d{sides}kl1"
        return f"{dice}{bonus:+d}"

    def save_roll(self, step: Step[Any], who: str, save: Save, bonus: int) -> tuple[str, tuple[str, ...]]:
        edge, more, names = on_saves(step.state, who, save, deed_of)
        dice = "2d20kh1" if edge > 0 else "2d20kl1" if edge else self.save_dice
        return f"{dice}{bonus:+d}{more}", names

    def edge_die(self, step: Step[Any], edge: int) -> int:
        return _sides(step.state) if edge else 0

    def checks(self, state: Encounter, who: str) -> Mapping[str, str]:
        combatant = state.combatant(who)
        deeds = {ability.name: deed_of(ability).check for ability in combatant.abilities}
        bonuses = {name: self.bonus(combatant, check) for name, check in deeds.items() if check is not None}
        return {name: f"1d{_sides(state)}{bonus:+d}" for name, bonus in bonuses.items() if bonus is not None}

    def may_be_hit(self, state: Encounter, who: str, ability: str, check: Rolled) -> tuple[str, ...]:
        """Rule: CL-11."""
        system, weapon = system_of(state), state.combatant(who).ability(ability)
        side = state.combatant(who).side
        foes = tuple(each.name for each in state.combatants if each.side != side and not each.hidden)
        return tuple(
            name
            for name in reached(state, who, weapon, foes)
            if weapon is not None
            and not system.is_out(state, name)
            and not (system.opens(state, name) and self._misses(state, deed_of(weapon), check, name))
        )

    def odds(self, state: Encounter, who: str, ability: Ability, target: str, edge: int) -> str:
        """Say how likely an attack hits, if everybody may read both numbers. Rule: CL-11, G-08."""
        deed, system = deed_of(ability), system_of(state)
        bonus = None if deed.check is None else self.bonus(state.combatant(who), deed.check)
        against = self.against(state, target)
        if bonus is None or against is None or not (system.opens(state, who) and system.opens(state, target)):
            return ""
        misses = (min(_lowest_hit(bonus, against), _best_face(state, deed)) - 1) / _sides(state)
        hits = 1 - misses**2 if edge > 0 else (1 - misses) ** 2 if edge else 1 - misses
        return f"{round(100 * hits)} %"

    def _misses(self, state: Encounter, deed: Deed, check: Rolled, target: str) -> bool:
        against = self.against(state, target)
        return against is not None and _degree(state, deed, check, against) == "miss"

    def degree(self, state: Encounter, deed: Deed, check: Rolled, against: int) -> Degree:
        return _degree(state, deed, check, against)

    def second_set(self, step: Step[Any], amount: str) -> str:
        return "+".join(_DICE.findall(amount))

    def is_confirmed(self, step: Step[Any]) -> bool:
        return step.option("resolve") == "ask"

    def rolls_saves(self, step: Step[Any]) -> bool:
        """Rule: CL-13."""
        return step.option("saves") == "rolled"

    def save_key(self, who: Combatant, key: str) -> str:
        """Return the number for this save, else that of the ability that it is made with. Rule: CL-13."""
        wanted = {skeleton(f"SAVE {key}"), skeleton(f"{key}_SAVE")}
        own = next((name for name in who.fields if skeleton(name) in wanted and number_of(who, name) is not None), key)
        return own if number_of(who, own) is not None else ""

    def save_bonus(self, who: Combatant, key: str) -> int | None:
        return number_of(who, self.save_key(who, key))

    def responses(self, state: Encounter, who: str) -> Mapping[str, Response]:
        """Return somebody's answers that they can pay for: with the reaction, or points of a pool. Rule: CL-08."""
        combatant = state.combatant(who)
        answers = {each.name: answer for each in combatant.abilities if (answer := deed_of(each).answer) is not None}
        if not answers or combatant.is_out:
            return {}
        can_react = self.can_react(state, who)
        is_read = self.target_number(state) == AC  # a sheet's answers raise no other number
        return {
            name: answer
            for name, answer in answers.items()
            if (can_react or not answer.reacts)
            and (is_read or not answer.against)
            and is_left(state, who, name)
            and can_pay(combatant, answer)
        }

    def can_react(self, state: Encounter, who: str) -> bool:
        return not state.combatant(who).is_out and self.has_reaction(state, who)

    def has_reaction(self, state: Encounter, who: str) -> bool:
        """Rule: CL-08."""
        combatant = state.combatant(who)
        return turns.REACTION not in combatant.marks and not combatant.has(NO_REACTIONS)

    def spend_reaction(self, step: Step[Any], who: str) -> None:
        step.set_mark(who, turns.REACTION, "spent")

    def numbered(self, state: Encounter, who: str, ability: Ability, deed: Deed) -> Deed:
        """Rule: CL-13."""
        if not deed.needs_number:
            return deed
        number = number_of(state.combatant(who), Save.OWN)
        if number is None:
            said = f"{ability.name} has a save against the DC of {who}, and the sheet says none."
            raise Illegal(said, rule="CL-13", instead=f"/gm set target:{who} pool:DC value:14 gives them one.")
        return deed.against(str(number))

    def taken(self, step: Step[Any], who: str, amount: int, kind: str) -> int:
        """Rule: CL-12."""
        after = super().taken(step, who, amount, kind)
        if after:
            turn_starts.stop(step, who, kind)
        return after

    def healed(self, step: Step[Any], who: str, amount: int) -> int:
        if not step.combatant(who).has(NO_HEALING):
            return amount
        step.tell("{who} can't regain HP ({condition}).", who=who, condition=NO_HEALING)
        return 0

    def was_hurt(self, step: Step[Any], who: str, amount: int, before: int) -> None:
        _keep_concentration(step, who, amount)
        dying.was_hurt(step, who, before)

    def turn_over(self, step: Step[Any], who: str) -> None:
        if who in step.state.current:
            turns.end_turn_of(step, who)
            turns.advance(step)

    def withheld(self, step: Step[Any], blow: Blow) -> None:
        """Rule: CL-18."""
        left = {**step.state.attacked, blow.source: step.state.attacked.get(blow.source, 0) - 1}
        step.change(attacked={name: count for name, count in left.items() if count > 0})
        give_back(step, blow.source, blow.ability)


@per_state
def _sides(state: Encounter) -> int:
    return sides_of(option_value(state, "attack"))


@per_state
def _critical(state: Encounter) -> int | None:
    """Return from which face on the table has an attack critical; None if never."""
    option = option_value(state, "critical")
    return None if option == "off" else min(int(option), _sides(state))


def _best_face(state: Encounter, deed: Deed) -> int:
    """Return from which face on an attack hits whatever it is against, and is critical if the table has criticals.

    An attack that is critical from 19 on is one face better than the table's own rule.
    """
    best = _critical(state) or _sides(state)
    return best - (0 if deed.check is None else HIGHEST - deed.check.critical)


def _lowest_hit(added: int, against: int) -> int:
    """Return the lowest face that reaches a number; a 1 never does."""
    return max(against - added, FUMBLE + 1)


def _degree(state: Encounter, deed: Deed, check: Rolled, against: int) -> Degree:
    """Compare; the highest face always hits, a 1 never does. Rule: CL-11."""
    if check.natural >= _best_face(state, deed):
        return "hit" if _critical(state) is None else "critical"
    return "hit" if check.natural >= _lowest_hit(check.added, against) else "miss"


def _keep_concentration(step: Step[Any], who: str, amount: int) -> None:
    """Let somebody who concentrates and was hurt save for it; who is down holds nothing any more. Rule: CL-14."""
    combatant = step.combatant(who)
    if CONCENTRATION not in combatant.marks:
        return
    if combatant.is_out:
        end_concentration(step, who)
        return
    save = Save(key="CON", against=str(max(10, amount // 2)), failed=(Lapse(lapses=True),))
    flow.begin(step, flow.Act(who, Ability(name="Concentration"), Deed(always=(save,)), (who,)), goes_on=False)
