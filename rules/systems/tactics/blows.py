"""What a blow is here: 2d6 with sources of advantage against DEF, and what a power says of it.

Rule: TA-01, TA-02, TA-03, TA-12, TA-13, TA-17, TA-18.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, ClassVar

from rules.core.blow import Blow, Check, Damage, Deed, Degree, Effect, Healing, Rolled, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows.todo import leave_to_gm
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.forms import Dialect
from rules.core.effects.limits import Trait
from rules.core.effects.parts import NO_CHECKS
from rules.core.encounter import Encounter
from rules.core.reach.vision import asks_no_sight, cover_number, cover_words
from rules.core.seen.lines import Dice, Fact
from rules.core.sheets.numbers import dice_of, roll_of
from rules.core.sheets.spoken import Spoken
from rules.core.step import Step
from rules.core.turns.in_order import end_turn
from rules.core.typed.clauses import Clause
from rules.core.values import USUAL_CONDITIONS, Ability, Combatant
from rules.dice.reading import plus
from rules.errors import Refusal
from rules.systems.tactics.powers import CONDITIONS, ENDS, battle_abilities, is_battle, is_item, read_effect
from rules.systems.tactics.sources import added_die, advantages, disadvantages, edge_dice, use_up
from rules.systems.tactics.state import OPPORTUNITY

NO_POWER = "no power: the GM applies the damage"
FIELDS = ("phase", "distance", "provokes", "line", "damage", "heal", "uses", "range", "reach")
_ENDING = ("effect", "save", "lasts", "duration")  # fields of the condition that a power puts on its target


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return what an ability's fields come to, and those of them that no rule carries out."""
    effects: list[Effect] = []
    asked = {key for key in ("damage", "heal") if key in ability.fields}
    if is_item(ability) and (healing := roll_of(ability, "heal")):
        effects.append(Healing(healing=dice_of(healing)[0]))
        asked.discard("heal")
    if is_battle(ability) and (damage := roll_of(ability, "damage")):
        dice, kind = dice_of(damage)
        effects.append(Damage(damage=dice, type=kind))
        asked.discard("damage")
    effect = None
    with suppress(Refusal):
        effect = read_effect(ability)
    if effect is None or not is_battle(ability):
        asked |= set(_ENDING)
    else:
        effects.append(effect)
    said = tuple(effects)
    deed = Deed(always=said) if is_item(ability) or not is_battle(ability) else Deed(check=Check(), hit=said)
    return deed, frozenset(asked)


SPOKEN = Spoken(
    (
        ("[a] {phase} power", {"phase": "{phase}"}),
        ("attack", {"phase": "battle"}),
        ("(range|ranged) {number} [squares]", {"range": "{number}"}),
        ("reach {number} [squares]", {"reach": "{number}"}),
        ("melee", {"reach": "1"}),
    ),
    {"phase": "battle|movement", "number": "[0-9]{1,3}"},
)
DIALECT = Dialect(
    conditions=(*CONDITIONS, *(each for each in USUAL_CONDITIONS if each not in CONDITIONS)),
    saves={},
    pools={"hp": "HP", "hit points": "HP"},
    lacks=NO_CHECKS,
    save_ends=ENDS,
    provokes="asked",
    round_ticks="round-end",
    own=(("2d6+atk (vs|against) def", lambda _match, _dialect: Trait("2d6+ATK against DEF")),),
    spoken=SPOKEN,
    fields=(*FIELDS, *_ENDING),
    fields_do=_fields_do,
)


def deed_of(ability: Ability) -> Deed:
    """Return what a power of battle, or an item, does."""
    return deed_in(ability, DIALECT)


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    if asks_no_sight(clause):
        return "needs no sight"
    return says_in(ability, clause, DIALECT) if is_battle(ability) else ""


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

    def target_number(self, state: Encounter) -> str:
        return "DEF"

    def bonus(self, source: Combatant, check: Check) -> int:
        return source.number("ATK")

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        return super().roll(step, blow, strike, bonus + cover_number(step.state, blow.source, strike.target))

    def against(self, state: Encounter, target: str) -> int:
        return state.combatant(target).number("DEF")

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return plus(edge_dice(edge), bonus)

    def edge_die(self, step: Step[Any], edge: int) -> int:
        return added_die(edge)

    def purpose(self, blow: Blow) -> str:
        return blow.action

    def sources(self, state: Any, blow: Blow, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Rule: TA-03."""
        who = blow.source
        return (*advantages(state, who, target), *blow.better), (*disadvantages(state, who, target), *blow.worse)

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
        return words, facts

    def decided(self, step: Step[Any], blow: Blow, strike: Strike) -> None:
        """Ask what no rule does; marks that count for one attack are used up. Rule: TA-03."""
        for degrees in ((), (strike.degree,)):
            leave_to_gm(step, blow.source, blow.ability.name, (strike.target,), degrees=degrees)
        use_up(step, blow.source, ("advantage", "disadvantage"))
        use_up(step, strike.target, ("exposed", "covered"))
        if strike.degree == "hit" and not blow.ability.name:
            step.tell(f"{{who}} has {NO_POWER}.", who=blow.source)

    def turn_over(self, step: Step[Any], who: str) -> None:
        end_turn(step, who)
