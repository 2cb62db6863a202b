"""What a blow is here: 2d6 with sources of advantage against DEF, and what a power says of it.

Rule: TA-01, TA-02, TA-03, TA-12, TA-13, TA-17, TA-18.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from rules.core.blow import Blow, Check, Deed, Degree, Response, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows.react import answers_left
from rules.core.blows.todo import leave_to_gm
from rules.core.effects.bonuses import changed
from rules.core.effects.distances import Distance, distance_said
from rules.core.encounter import Encounter
from rules.core.reach.vision import cover_number, cover_words
from rules.core.seen.lines import Dice, Fact
from rules.core.step import Step
from rules.core.turns.in_order import end_turn
from rules.core.values import Ability, Combatant, Rolled
from rules.dice.reading import plus
from rules.systems.tactics.abilities import DIALECT, NO_POWER, SAVES_NOW, deed_of
from rules.systems.tactics.powers import battle_abilities
from rules.systems.tactics.saves import save_now
from rules.systems.tactics.sources import added_die, edge_dice, use_up, with_rules
from rules.systems.tactics.state import OPPORTUNITY


class TacticsBlows(BlowRules):
    """Rule: TA-01 to TA-03, TA-12."""

    limit_rule = "TA-12"

    def no_attack(self, combatant: Combatant) -> str:
        is_able = bool(battle_abilities(combatant))
        return "" if is_able else "No power of its own: it can still attack, and the GM applies the damage."

    kept: ClassVar[int] = 2
    outcomes: ClassVar[Mapping[Degree, str]] = MappingProxyType({"hit": "hit", "miss": "miss"})

    def deed_of(self, ability: Ability) -> Deed:
        return deed_of(ability)

    def distance_of(self, _bearer: Combatant, ability: Ability) -> Distance:
        return distance_said(ability, DIALECT)

    def target_number(self, state: Encounter) -> str:
        return "DEF"

    def bonus(self, source: Combatant, check: Check) -> int:
        return source.number("ATK")

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        return super().roll(step, blow, strike, bonus + cover_number(step.state, blow.source, strike.target))

    def against(self, state: Encounter, target: str) -> int:
        return state.combatant(target).number("DEF") + changed(state, target, "DEF", deed_of)

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return plus(edge_dice(edge), bonus)

    def edge_die(self, step: Step[Any], edge: int) -> int:
        return added_die(edge)

    def purpose(self, blow: Blow) -> str:
        return blow.action

    def sources(self, state: Any, blow: Blow, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Rule: TA-03."""
        return with_rules(state, blow.source, target, *super().sources(state, blow, target))

    def opening(self, blow: Blow) -> str:
        return (
            "{who} takes the opportunity against {target}" if blow.action == OPPORTUNITY else "{who} attacks {target}"
        )

    def circumstances(self, step: Step[Any], blow: Blow, strike: Strike) -> tuple[str, Mapping[str, Fact]]:
        """Name every source, and what is left of them. Rule: TA-03."""
        better, worse = ((), ()) if strike.check is None else (strike.check.better, strike.check.worse)
        words, facts = "", {}
        if better:
            words += " Advantage: {better}."
            facts["better"] = ", ".join(better)
        if worse:
            words += " Disadvantage: {worse}."
            facts["worse"] = ", ".join(worse)
        if better and worse:
            net = len(better) - len(worse)
            kind = "advantage" if net > 0 else "disadvantage"
            words += " Left: {left}."
            facts["left"] = "none, they cancel" if net == 0 else f"{abs(net)} of {kind}"
        cover = cover_words(step.state, blow.source, strike.target)
        if cover:
            words += " {target} has {cover}."
            facts["cover"] = cover
        held, names = super().circumstances(step, blow, strike)
        return words + held, {**facts, **names}

    def decided(self, step: Step[Any], blow: Blow, strike: Strike) -> None:
        """Ask what no rule does; marks that count for one attack are used up. Rule: TA-03."""
        if not any(each.place != strike.place and not each.degree for each in blow.strikes):
            targets = tuple(each.target for each in blow.strikes)
            leave_to_gm(step, blow.source, blow.ability.name, targets, degrees=())
            use_up(step, blow.source, ("advantage", "disadvantage"))
        use_up(step, strike.target, ("exposed", "covered"))
        if strike.degree == "hit" and not blow.ability.name:
            step.tell(f"{{who}} has {NO_POWER}.", who=blow.source)

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Rule: TA-17."""
        if verb == SAVES_NOW:
            save_now(step, who)
        else:
            super().own(step, who, verb)

    def responses(self, state: Encounter, who: str) -> Mapping[str, Response]:
        return answers_left(state, who)

    def can_react(self, state: Encounter, who: str) -> bool:
        return not state.combatant(who).is_out

    def turn_over(self, step: Step[Any], who: str) -> None:
        end_turn(step, who)
