"""What a blow is here: a d20 against armor class, dice by type, saves by the sheet. Rule: CL-11 to CL-14."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.core.blow import Blow, Check, Deed, Degree, Lapse, Response, Rolled, Save, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows import flow
from rules.core.conditions import CONCENTRATION, end_concentration
from rules.core.effects.forms import Dialect
from rules.core.effects.reading import Reading, read
from rules.core.encounter import Encounter
from rules.core.registry import option_value
from rules.core.seen.lines import Dice
from rules.core.sheets.abilities import FLAVOR, KIND, parted, pieces, source_of
from rules.core.sheets.blocks.block import TRAIT, head_of
from rules.core.sheets.numbers import numbers_of
from rules.core.step import GM_ONLY, Step
from rules.core.typed.clauses import Clause
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability, Combatant
from rules.systems.classic import turns

ATTRIBUTES = {
    "strength": "STR",
    "dexterity": "DEX",
    "constitution": "CON",
    "intelligence": "INT",
    "wisdom": "WIS",
    "charisma": "CHA",
}
SAVES = {"fortitude": "FORT", "reflex": "REF", "will": "WILL"}
CONDITIONS = (
    "Blinded", "Charmed", "Dazed", "Deafened", "Exhausted", "Frightened", "Grappled", "Incapacitated", "Invisible",
    "Paralyzed", "Petrified", "Poisoned", "Prone", "Restrained", "Slowed", "Stunned", "Surprised", "Unconscious",
)  # fmt: skip
DIALECT = Dialect(
    conditions=CONDITIONS,
    saves={**ATTRIBUTES, **SAVES, **{key.casefold(): key for key in (*ATTRIBUTES.values(), *SAVES.values())}},
    round_seconds=6,
    number_to_reach=("ac", "armor class"),
)
WEAPON = "weapon"
AC = "AC"
FUMBLE = 1
HIGHEST = 20  # of the die on which sheets say from where a hit is critical
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}")
_DICE = re.compile(r"[0-9]{0,2}d[0-9]{1,3}", re.IGNORECASE)


@lru_cache(maxsize=2048)
def _read(source: str, head: str, behind: int, kind: str) -> Reading:
    fields = [piece.begins for piece in pieces(source) if piece.key in (KIND, FLAVOR)]
    return read((piece for piece in parted(source, behind=behind) if piece.begins not in fields), DIALECT, head, kind)


def _reading(ability: Ability) -> Reading:
    return _read(source_of(ability), *head_of(ability), ability.kind)


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does. A weapon without a bonus attacks all the same."""
    deed = _reading(ability).deed
    if ability.kind == WEAPON and deed.check is None and deed.answer is None:
        return deed.evolve(check=Check(), hit=(*deed.hit, *deed.always), always=())
    return deed


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability does; nothing where the GM is asked."""
    return _reading(ability).says.get(clause.begins, "")


def attacks_of(combatant: Combatant) -> tuple[str, ...]:
    """Return with what somebody attacks."""
    return tuple(ability.name for ability in combatant.abilities if deed_of(ability).check is not None)


def others_of(combatant: Combatant) -> tuple[str, ...]:
    """Return what else somebody can use on their turn; a trait of which nothing is done only stands there."""
    deeds = {
        ability.name: deed_of(ability)
        for ability in combatant.abilities
        if ability.kind != TRAIT or deed_of(ability) != Deed()
    }
    return tuple(name for name, deed in deeds.items() if deed.check is None and deed.answer is None)


def number_of(combatant: Combatant, key: str) -> int | None:
    """Return a number of the sheet; None where it says none."""
    value = numbers_of(combatant).get(key.upper())
    return int(value) if value is not None and _NUMBER.fullmatch(value) else None


class ClassicBlows(BlowRules):
    """Rule: CL-11 to CL-14."""

    def target_number(self, state: Encounter) -> str:
        return option_value(state, "against")

    def another_die(self, step: Step[Any], blow: Blow) -> int:
        return step.die(_sides(step), who=blow.source, purpose=_purpose(blow)).face

    def bonus(self, source: Combatant, check: Check) -> int | None:
        if check.bonus is None:
            return None
        return int(check.bonus) if _NUMBER.fullmatch(check.bonus) else number_of(source, check.bonus)

    def against(self, state: Encounter, target: str) -> int | None:
        return number_of(state.combatant(target), self.target_number(state))

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        sides = _sides(step)
        dice = f"1d{sides}" if not blow.edge else f"2d{sides}kh1" if blow.edge > 0 else f"2d{sides}kl1"
        faces, text = step.check_all(f"{dice}{bonus:+d}", who=blow.source, purpose=_purpose(blow))
        return Rolled(faces=faces, edge=blow.edge, added=bonus), text

    def degree(self, step: Step[Any], deed: Deed, check: Rolled, against: int) -> Degree:
        """Compare; the highest face always hits, a 1 never does. Rule: CL-11."""
        critical = _sides(step) - (0 if deed.check is None else HIGHEST - deed.check.critical)
        if check.natural >= critical:
            return "critical" if step.option("critical") == "double" else "hit"
        return "hit" if check.natural != FUMBLE and check.total >= against else "miss"

    def second_set(self, step: Step[Any], amount: str) -> str:
        return "+".join(_DICE.findall(amount))

    def is_confirmed(self, step: Step[Any]) -> bool:
        return step.option("resolve") == "ask"

    def rolls_saves(self, step: Step[Any]) -> bool:
        """Rule: CL-13."""
        return step.option("saves") == "rolled"

    def save_bonus(self, who: Combatant, key: str) -> int | None:
        """Return what the sheet says of this save, else of the ability that it is made with."""
        wanted = {skeleton(f"SAVE {key}"), skeleton(f"{key}_SAVE")}
        own = next((value for name, value in who.fields.items() if skeleton(name) in wanted), None)
        return own if isinstance(own, int) else number_of(who, key)

    def roll_save(self, step: Step[Any], who: str, save: Save, bonus: int) -> int:
        """Rule: CL-13."""
        total, text = step.check(f"1d20{bonus:+d}", who=who, purpose=f"{save.key} save")
        good = total >= int(save.against)
        step.tell(
            "{who} saves with {key}: {roll} against {against}, {outcome}.",
            who=who, key=save.key, roll=text, against=save.against, outcome="saved" if good else "failed", good=good,
        )  # fmt: skip
        return total

    def responses(self, state: Encounter, who: str) -> Mapping[str, Response]:
        """Return somebody's answers while their reaction is unspent. Rule: CL-08."""
        if not self.can_react(state, who):
            return {}
        answers = ((ability.name, deed_of(ability).answer) for ability in state.combatant(who).abilities)
        is_read = self.target_number(state) == AC  # a sheet's answers raise no other number
        return {name: each for name, each in answers if each is not None and (is_read or not each.against)}

    def can_react(self, state: Encounter, who: str) -> bool:
        """Rule: CL-08."""
        combatant = state.combatant(who)
        return not combatant.is_out and turns.REACTION not in combatant.marks

    def turn_over(self, step: Step[Any], who: str) -> None:
        if who in step.state.current:
            turns.end_turn_of(step, who)
            turns.advance(step)

    def withheld(self, step: Step[Any], blow: Blow) -> None:
        """Rule: CL-18."""
        left = {**step.state.attacked, blow.source: step.state.attacked.get(blow.source, 0) - 1}
        step.change(attacked={name: count for name, count in left.items() if count > 0})


def _sides(step: Step[Any]) -> int:
    return int(step.option("attack").partition("d")[2])


def _purpose(blow: Blow) -> str:
    return f"attack {blow.ability.name}"[:60]


def taken(step: Step[Any], who: str, amount: int, kind: str) -> int:
    """Halve what is resisted, double what somebody is vulnerable to, void what they are immune to. Rule: CL-12."""
    combatant = step.combatant(who)
    after = amount // 2 if _lists(combatant, "RESISTANT", kind) else amount
    after = after * 2 if _lists(combatant, "VULNERABLE", kind) else after
    after = 0 if _lists(combatant, "IMMUNE", kind) else after
    if after != amount:
        step.tell(
            "{who} {why} {kind}: {before} → {after}.",
            who=who,
            why="is immune to" if not after else "resists" if after < amount else "is vulnerable to",
            kind=kind,
            before=amount,
            after=after,
            seen_by=None if step.is_open(who) else GM_ONLY,
        )
    return after


def keep_concentration(step: Step[Any], who: str, amount: int) -> None:
    """Let somebody who concentrates and was hurt save for it; who is down holds nothing any more. Rule: CL-14."""
    combatant = step.combatant(who)
    if CONCENTRATION not in combatant.marks:
        return
    if combatant.is_out:
        end_concentration(step, who)
        return
    save = Save(key="CON", against=str(max(10, amount // 2)), failed=(Lapse(lapses=True),))
    flow.begin(step, flow.Act(who, Ability(name="Concentration"), Deed(always=(save,)), (who,)), goes_on=False)


def _lists(combatant: Combatant, key: str, kind: str) -> bool:
    return bool(kind) and any(skeleton(word) in (skeleton(kind), "all") for word in combatant.words(key))
