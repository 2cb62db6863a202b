"""What an ability does here, and how its check ends: a skill roll with Pips as a penalty. Rule: SW-11, SW-12, SW-16."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rules.core.blow import (
    Answer,
    Blow,
    Check,
    Damage,
    Deed,
    Degree,
    Inflict,
    Response,
    Rolled,
    Save,
    Strike,
)
from rules.core.blow_rules import BlowRules
from rules.core.blows import flow
from rules.core.blows.answered import may_answer
from rules.core.blows.opened import last_blow
from rules.core.blows.todo import leave_whole
from rules.core.conditions import add_condition
from rules.core.effects.answers import answer_words
from rules.core.effects.forms import Dialect, own_word, with_bonus
from rules.core.effects.limits import Again, Attacks
from rules.core.effects.parts import NO_CONCENTRATION, Critical, Most, Reach
from rules.core.effects.reading import Reading, read
from rules.core.effects.words import effect_words
from rules.core.encounter import Encounter
from rules.core.registry import option_value
from rules.core.seen.lines import Dice
from rules.core.sheets.abilities import FLAVOR, KIND, parted, pieces, source_of
from rules.core.sheets.spoken import Spoken
from rules.core.step import Step
from rules.core.typed.clauses import Clause
from rules.core.values import Ability, Combatant, Condition
from rules.dice.reading import plus
from rules.systems.soulweaver import conflict, durations
from rules.systems.soulweaver.creatures import (
    MAJOR,
    MINOR,
    OF_STANCE,
    RESPONSE,
    STANCE,
    TRICK,
    TRIGGER,
    UNSTEADY,
    Soul,
    skill_roll,
)
from rules.systems.soulweaver.stack import Item
from rules.systems.soulweaver.state import SoulState

DEFENSE = "DEFENSE"
ATTACKS = ("attack", "weapon")
RITUAL = "ritual"
FIELDS = ("action", "conflict", TRIGGER, "tags")  # of an ability, which say nothing of what it does
ENTERS, LEAVES, DROPS = "enters Conflict", "leaves Conflict", "drops the Stance"
_POISE = "poise"
_NO_SKILL = ("check", "checks", "roll", "rolls", "test", "tests", "bonus", "penalty")
SPOKEN = Spoken(
    (
        ("[(a|as a)] {kind}", {"kind": "{kind}"}),
        ("[as a] reaction", {"kind": RESPONSE}),
        ("[(a|as a)] {pool} action", {"action": "{pool}"}),
        ("{pool}", {"action": "{pool}"}),
        ("[(a|as a)] conflict action", {"conflict": "yes"}),
    ),
    {"kind": f"{TRICK}|{STANCE}|{RESPONSE}|{RITUAL}|spell", "pool": "major|minor"},
)
DIALECT = Dialect(
    conditions=(
        *UNSTEADY, "Blinded", "Bleeding", "Burning", "Charmed", "Dazed", "Deafened", "Frightened", "Hidden",
        "Invisible", "Marked", "Paralyzed", "Poisoned", "Shielded", "Silenced", "Slowed", "Stunned",
        "Unconscious", "Warded", "Weakened",
    ),
    saves={_POISE: "POISE"},
    number_to_reach=("defense", "defence", "defenses", "defences"),
    pools={
        "hp": "HP",
        "hit points": "HP",
        "major": MAJOR,
        "major action": MAJOR,
        "major actions": MAJOR,
        "minor": MINOR,
        "minor action": MINOR,
        "minor actions": MINOR,
    },
    payable=(),  # Major and Minor say which action it is
    units={"turn": durations.ROUNDS, **{unit.removesuffix("s"): unit for unit in durations.UNITS}},
    own=(
        ("skill {bonus}", lambda match, dialect: None if match["bonus"] in _NO_SKILL else with_bonus(match, dialect)),
        ("{who} (enters|enter) conflict", own_word(ENTERS)),
        ("enter conflict", own_word(ENTERS)),
        ("{who} (leaves|leave) conflict", own_word(LEAVES)),
        ("leave conflict", own_word(LEAVES)),
        ("{who} (drops|drop|loses|lose|leaves|leave) (its|their|your|the) stance", own_word(DROPS)),
        ("(drop|leave) your stance", own_word(DROPS)),
    ),
    asks=("self", "ally"),
    lacks=(*NO_CONCENTRATION, Again, Attacks, Critical, Most, Reach),
    attacks=lambda kind, deed: (
        kind in ATTACKS or (bool(deed.hit or deed.miss) and kind not in (STANCE, TRICK, RESPONSE, "reaction"))
    ),
)  # fmt: skip


@lru_cache(maxsize=2048)
def _read(source: str, sheet: str, kind: str) -> Reading:
    known = (KIND, FLAVOR, *FIELDS)
    fields = [piece.begins for piece in pieces(source, SPOKEN) if piece.key in known]
    clauses = (clause for clause in parted(source, known, spoken=SPOKEN) if clause.begins not in fields)
    reading = read(clauses, DIALECT, kind="reaction" if kind == RESPONSE else kind, sheet=sheet)
    return Reading(Deed(), {}) if kind == STANCE and reading.deed.aims else reading  # who takes one names nobody


def _reading(ability: Ability) -> Reading:
    return _read(source_of(ability), ability.sheet, ability.kind)


def deed_of(ability: Ability | None) -> Deed:
    """Return what an ability does; nothing if there is none."""
    return Deed() if ability is None else _reading(ability).deed


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability does; nothing if the GM is asked."""
    return _reading(ability).says.get(clause.begins, "")


def number_of(combatant: Combatant, key: str) -> int | None:
    """Return a number of the sheet; None if it says none."""
    value = combatant.fields.get(key.upper())
    return value if isinstance(value, int) else None


class SoulBlows(BlowRules):
    """A skill roll against a number of the target's sheet; nobody is asked anything while a blow goes on."""

    limit_rule = "SW-13"

    def deed_of(self, ability: Ability) -> Deed:
        return deed_of(ability)

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

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        """Rule: SW-16."""
        total, text = step.check(self.dice(step, 0, bonus), who=blow.source, purpose=f"attack {blow.ability.name}"[:60])
        return Rolled(faces=(total - bonus,), added=bonus), text

    def inflict(self, step: Step[Any], blow: Blow, who: str, effect: Inflict) -> None:
        """Put a condition: with a duration it is an effect of its creator; a Stance's ends with it. Rule: SW-12."""
        if effect.unit and effect.left is not None:
            kind = RITUAL if blow.ability.kind == RITUAL else effect.unit
            durations.put(step, blow.source, effect.condition, who, effect.left, kind=kind)
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
        else:
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


def is_rolled(state: SoulState, item: Item) -> bool:
    """Tell whether numbers say how an attack ends; else the GM does. Rule: SW-07, SW-11."""
    if item.aimed is None or item.ambush == "tier-0" or state.find(item.who) is None:
        return False
    known = number_of(state.combatant(item.aimed), DEFENSE)
    return known is not None and skill_of(state.combatant(item.who), deed_of(item.ability).check) is not None


def carry_out(step: Soul, item: Item, degree: Degree = "") -> Degree:
    """Do what the ability of an item says as it completes; return how its check ended. Rule: SW-07, SW-11, SW-16."""
    ability, deed = item.ability, deed_of(item.ability)
    if ability is None or step.state.find(item.who) is None or deed.evolve(answer=None, limit=None) == Deed():
        return degree
    if deed.aims and item.aimed is None:
        leave_whole(step, item.who, ability)
        return degree
    target = item.aimed if deed.aims and item.aimed is not None else item.who
    answer = item.answer or Response()
    answers = {target: answer.evolve(against=answer.against - item.lost)}
    flow.begin(step, flow.Act(item.who, ability, deed, (target,), degree=degree, added=-item.pips, answers=answers))
    blow = last_blow(step.state)
    strike = None if blow is None else blow.strike_at(target)
    return degree if strike is None else strike.degree


def answered_by(state: SoulState, item: Item, reaction: Item) -> Item | None:
    """Return a trigger with what a completed Response changes of it; None if that is nothing. Rule: SW-22."""
    answer, ability, aimed = deed_of(reaction.ability).answer, reaction.ability, item.aimed
    if answer is None or ability is None or aimed is None or None in map(state.find, (item.who, aimed, reaction.who)):
        return None
    if not may_answer(state, item.who, aimed, Answer(who=reaction.who, ability=ability.name, response=answer)):
        return None
    deed = deed_of(item.ability)
    hurts = any(isinstance(each, Damage) and each.whom == "target" for each in (*deed.hit, *deed.always))
    changes = is_attack(item) if answer.against else hurts
    return item.evolve(answer=answer.with_that_of(item.answer)) if changes else None


def in_brief(state: SoulState, who: str, ability: Ability | None) -> str:
    """Return what an ability rolls and does, for its button; nothing of what the GM is asked about."""
    deed = deed_of(ability)
    skill = None if ability is None else skill_of(state.combatant(who), deed.check)
    check = "" if skill is None else plus(option_value(state, "skill"), skill)
    answer = "" if deed.answer is None else answer_words(deed.answer, DEFENSE)
    return ", ".join(words for words in (check, answer, *map(effect_words, (*deed.hit, *deed.always))) if words)
