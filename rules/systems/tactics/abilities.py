"""What a sheet's abilities say: their fields, their words, and in which phase they are used.

Rule: TA-08, TA-12, TA-13, TA-17, TA-18.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from rules.core import blow, refusals
from rules.core.blow import Check, Damage, Deed, Effect, Go, Healing, Inflict, Lift, Own, Points, Shove, is_for_user
from rules.core.conditions import parse_save
from rules.core.effects.abilities import deed_in, reading_in, says_in
from rules.core.effects.answers import Answering
from rules.core.effects.bonus_forms import bonuses
from rules.core.effects.bonuses import is_good
from rules.core.effects.distances import with_spaces
from rules.core.effects.forms import Dialect, Made, own_word
from rules.core.effects.limits import Trait
from rules.core.effects.moves import MOVE_SLOTS
from rules.core.effects.parts import NO_CHECKS, Most, Reach
from rules.core.effects.targets import every
from rules.core.model import per_state
from rules.core.reach.vision import asks_no_sight
from rules.core.sheets.abilities import FLAVOR, KIND, parted, source_of
from rules.core.sheets.blocks.block import DAMAGE_TYPES
from rules.core.sheets.numbers import dice_of, roll_of
from rules.core.sheets.spoken import Spoken
from rules.core.typed.clauses import Clause
from rules.core.typed.lasting import parse_lasting
from rules.core.typed.names import is_one_name
from rules.core.typed.patterns import whom_of
from rules.core.values import USUAL_CONDITIONS, Ability
from rules.errors import Malformed, Refusal

ENDS = "2d6>=7"
SUSTAINS = "2d6<=6"  # 7 or more sustains: what ends the effect is a 6 or less
RUNNING = "Running"
DISENGAGED = "Disengaged"
DEFENDING = "Defending"
OF_THE_FIGHT = frozenset(map(str.casefold, (RUNNING, DISENGAGED, DEFENDING)))
SLOWED = "Slowed"
CONDITIONS = MappingProxyType(
    {
        SLOWED: "no more squares this turn (TA-10)",
        DEFENDING: "attacks on it have disadvantage (TA-15)",
        DISENGAGED: "its own attacks have disadvantage (TA-16)",
        RUNNING: "attacks on it have advantage (TA-08)",
    }
)
_NO_POWERS = ("item", "bag")
_OF_BATTLE = re.compile(r"\b(?:attack|hit|damage|target|enem|foe|all(?:y|ies)\b)", re.IGNORECASE)
NO = ("no", "none", "off", "false", "0", "never")
_ROUNDS = {"round": 1, "next round": 2}
# What people write for a save (TA-17): of a power's field as of the GM's /condition add
SAVES = {
    **dict.fromkeys(("save", "end", "ends", "yes", "true", "on", "7", "7+", "2d6"), ENDS),
    **dict.fromkeys(("sustain", "sustains"), SUSTAINS),
}

# What a sheet says


def is_item(ability: Ability) -> bool:
    return ability.kind == "item"


def is_movement(ability: Ability) -> bool:
    """Tell whether an ability is used in the Movement Phase: it says so, or all that it does is to move its user."""
    if ability.kind in _NO_POWERS:
        return False
    return _is_of_movement(ability) if ability.field("phase") else _is_of_movement(ability) or _only_moves(ability)


def _is_of_movement(ability: Ability) -> bool:
    phase = ability.field("phase").casefold()
    return phase.startswith("move") if phase else ability.kind == "power" and "distance" in ability.fields


def _only_moves(ability: Ability) -> bool:
    deed = deed_in(ability, OF_MOVEMENT)
    goes = deed.always[0] if deed.always else None
    goes_on_foot = isinstance(goes, Go) and goes.goes != "teleport"
    return goes_on_foot and is_for_mover(deed) and _OF_BATTLE.search(_words(ability, OF_MOVEMENT)[1]) is None


def is_for_mover(deed: Deed) -> bool:
    """Tell whether what words say of a movement happens to its user alone, who goes somewhere once."""
    is_plain = deed.check is None and deed.answer is None and deed.moment is None and not deed.starts
    return is_plain and all(map(is_for_user, deed.always)) and sum(isinstance(each, Go) for each in deed.always) < 2


def is_battle(ability: Ability) -> bool:
    return not is_movement(ability) and ability.kind != "bag"


def is_attack(ability: Ability) -> bool:
    """Tell whether a power is rolled against DEF; one that does nobody harm is used without a roll. Rule: TA-12."""
    return is_battle(ability) and not is_item(ability) and deed_of(ability).check is not None


def is_used(ability: Ability) -> bool:
    """Tell whether a power is used in the Battle Phase without a roll."""
    deed = deed_of(ability)
    is_plain = deed.check is None and deed.answer is None and deed.moment is None and not deed.is_passive
    return is_battle(ability) and not is_item(ability) and is_plain


def inflict(name: str, left: int | None = None, save: str | None = None) -> Inflict:
    """Return a condition that somebody gets. `left` counts the ends of rounds, the present one first. Rule: TA-18."""
    return Inflict(condition=name, left=left, save=save, ticks=None if left is None and save is None else "round-end")


def read_effect(ability: Ability) -> Inflict | None:
    """Return the effect of an ability. Raises: Malformed if its save or its duration cannot be read."""
    name = ability.field("effect")
    if not is_one_name(name):
        return None
    save = _read_save(ability.field("save") or "ends") if "save" in ability.fields else None
    return inflict(name, _read_lasting(ability), save)


def _read_save(text: str) -> str | None:
    folded = text.casefold()
    if folded in NO:
        return None
    if folded not in SAVES:
        parse_save(text, is_typed=True)
    return SAVES.get(folded, text)


def _read_lasting(ability: Ability) -> int | None:
    text = (ability.field("lasts") or ability.field("duration")).casefold()
    if not text or text in NO:
        return None
    if text in ("save", "ends"):
        return None
    if text in _ROUNDS:
        return _ROUNDS[text]
    try:
        lasts = parse_lasting(text, None)
    except Malformed:
        lasts = None
    if lasts is None or lasts.unit == "turn" or lasts.moment not in (None, "round-end"):
        instead = "lasts round, lasts next round, or a number of rounds."
        raise refusals.no_duration(ability.name, text[:40], instead=instead)
    return lasts.left


NO_POWER = "no power: the GM applies the damage"
FIELDS = ("phase", "distance", "provokes", "line", "damage", "heal", "uses", "range", "reach")
_ENDING = ("effect", "save", "lasts", "duration")  # fields of the condition that a power puts on its target


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return what an ability's fields come to, and those of them that no rule carries out."""
    effects: list[Effect] = []
    asked = {key for key in ("damage", "heal") if key in ability.fields}
    is_of_battle = ability.kind != "bag" and not _is_of_movement(ability)
    if is_item(ability) and (healing := roll_of(ability, "heal")):
        effects.append(Healing(healing=dice_of(healing)[0]))
        asked.discard("heal")
    if is_of_battle and (damage := roll_of(ability, "damage")):
        dice, kind = dice_of(damage)
        effects.append(Damage(damage=dice, type=kind))
        asked.discard("damage")
    effect = None
    with suppress(Refusal):
        effect = read_effect(ability)
    if effect is None or not is_of_battle:
        asked |= set(_ENDING)
    else:
        effects.append(effect)
    return Deed(always=tuple(effects)), frozenset(asked)


def _attacks(kind: str, deed: Deed) -> bool:
    """Tell whether a power does to somebody what they may not wish. Rule: TA-12."""
    if kind in _NO_POWERS or deed.answer is not None or deed.starts:
        return False
    rolls = deed.hit or deed.miss or not {_ROLL, _STRIKE}.isdisjoint(deed.traits)
    return bool(rolls) or not all(map(_is_welcome, deed.always))


def _is_welcome(effect: Effect) -> bool:
    if isinstance(effect, Go | Shove):
        return is_for_user(effect) or (effect.goes != "slide" if isinstance(effect, Go) else effect.shoves == "swap")
    if isinstance(effect, Inflict):
        return is_for_user(effect) or is_good(effect.condition)
    helps = isinstance(effect, Healing | Lift | Own) or (isinstance(effect, Points) and effect.gains)
    return helps or is_for_user(effect)


SPOKEN = Spoken(
    (
        ("[a] {phase} [(power|action|phase)]", {"phase": "{phase}"}),
        ("item", {"kind": "item"}),
        ("attack", {"phase": "battle"}),
        ("(range|ranged) {number} [squares]", {"range": "{number}"}),
        ("reach {number} [squares]", {"reach": "{number}"}),
        ("melee", {"reach": "1"}),
    ),
    {"phase": "battle|movement", "number": "[0-9]{1,3}"},
)
_UNPROVOKED = (
    "[and] [(you|this [movement])] [(do not|don't|does not|doesn't)] (provoke|provokes) [no] [opportunity attacks]"
    " [((during|with|for) this movement|while doing so)]"
)
EACH_ROUND = "each round"
SAVES_NOW = "makes a saving throw"
_ROLL, _STRIKE = "2d6+ATK against DEF", "an attack"


def _far(match: re.Match[str], _dialect: Dialect) -> Reach:
    return Reach(f"reach {match.groupdict().get('number') or 1}")


def _ongoing(match: re.Match[str], _dialect: Dialect) -> Inflict | None:
    """Read damage that somebody takes as each round ends, until a saving throw ends it."""
    kind = match.groupdict().get("type") or ""
    if kind not in ("", *DAMAGE_TYPES) or whom_of(match) == "self":
        return None
    name = f"{match['number']} {kind} damage {EACH_ROUND}".replace("  ", " ")
    return Inflict(condition=name, save=ENDS, ticks="round-end")


_FOES = "creatures?|enem(?:y|ies)|foes?|targets?"
_OWN: tuple[tuple[str, Made], ...] = (
    ("[attack [roll] [(:|,)]] 2d6+atk (vs|against) def [:]", lambda _match, _dialect: Trait(_ROLL, rolls=True)),
    ("[{bearer}] (make|makes) (a|an|one) [(melee|ranged)] attack [roll] [against {whom_struck}]",
     lambda _match, _dialect: Trait(_STRIKE, rolls=True)),
    ("against (each|every|all) {foes} [{which}]", every),
    ("(ranged|range|melee) [{number}] [squares]", _far),
    ("within {number} [squares]", _far),
    ("[{bearer}] (mark|marks) ({whom}|{object})", lambda _match, _dialect: Inflict(condition="Marked")),
    ("[{who}] (takes|take) {number} [ongoing] [{type}] damage [[at the end of] each round] {ending}", _ongoing),
    ("ongoing {number} [{type}] damage {ending}", _ongoing),
    ("([{who}] (make|makes)|{friend} [{which}] makes) a saving throw [(at once|immediately|now)]", own_word(SAVES_NOW)),
)  # fmt: skip
_BONUSES = bonuses(
    ("advantage", "disadvantage"),
    {"def": "DEF", "defense": "DEF"},
    adds=True,
    damage=True,
    saves="any",
    types=DAMAGE_TYPES,
)
DIALECT = Dialect(
    conditions=(*CONDITIONS, *(each for each in USUAL_CONDITIONS if each not in CONDITIONS)),
    saves={},
    pools={"hp": "HP", "hit points": "HP"},
    lacks=tuple(each for each in NO_CHECKS if each not in (Most, Reach, Answering, blow.Response)),
    asks=("self", "ally", "own"),
    calls=True,
    number_to_reach=("def", "defense"),
    attacks=_attacks,
    save_ends=ENDS,
    slots={
        **_BONUSES.slots,
        "foes": _FOES,
        "whom_struck": rf"the target|(?:an?|one) (?:{_FOES})(?: within [0-9]{{1,3}} squares?)?",
    },
    provokes="asked",
    round_ticks="round-end",
    own=(*_OWN, *_BONUSES.forms),
    spoken=SPOKEN,
    fields=(*FIELDS, *_ENDING),
    fields_do=_fields_do,
)


OF_MOVEMENT = replace(
    DIALECT,
    provokes="",
    attacks=lambda _kind, _deed: False,
    own=(*DIALECT.own, (_UNPROVOKED, lambda _match, _dialect: Trait("provokes nothing"))),
    slots={**DIALECT.slots, "speed": rf"{MOVE_SLOTS['speed']}|(?:half |twice )?(?:your )?spd(?:[+-][0-9]{{1,2}})?"},
)


@per_state  # of the ability: every menu asks for it
def deed_of(ability: Ability) -> Deed:
    """Return what an ability does. A power of battle of which nothing is read is an attack. Rule: TA-12."""
    if is_movement(ability):
        return deed_in(ability, OF_MOVEMENT)
    deed = deed_in(ability, DIALECT)
    says_nothing = deed.evolve(limit=None, prices=(), traits=(), reach="", most=1) == Deed()
    return deed.evolve(check=Check()) if says_nothing and ability.kind not in _NO_POWERS else deed


@per_state  # of the ability: every range in every menu asks for it
def _words(ability: Ability, dialect: Dialect) -> tuple[str, str]:
    """Return the clauses of an ability's text that are read, and those that are not."""
    says = reading_in(ability, dialect).says
    clauses = [each for each in parted(source_of(ability), (KIND, FLAVOR, *FIELDS), spoken=SPOKEN) if not each.quoted]
    read, left = ([each.text for each in clauses if (each.begins in says) is is_read] for is_read in (True, False))
    return "; ".join(read), "; ".join(left)


def provokes(ability: Ability) -> bool:
    """Tell whether a movement that its words tell provokes anybody. Rule: TA-11."""
    goes = next((each for each in deed_of(ability).always if isinstance(each, Go)), None)
    return goes is None or (goes.goes == "move" and "provok" not in _words(ability, OF_MOVEMENT)[0])


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    if asks_no_sight(clause):
        return "needs no sight"
    if is_movement(ability):
        goes = sum(isinstance(each, Go) for each in deed_of(ability).always)
        is_done = is_for_mover(deed_of(ability)) and not (goes and "distance" in ability.fields)
        return says_in(ability, clause, OF_MOVEMENT) if is_done else ""
    answer = deed_of(ability).answer
    is_done = is_battle(ability) and (answer is None or not answer.costs)  # there are no points to pay with
    return with_spaces(says_in(ability, clause, DIALECT), clause) if is_done else ""
