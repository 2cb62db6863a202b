"""What an ability does here: what its fields say, and its words. Rule: AD-08, AD-10, AD-22, AD-28."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.blow import Check, Damage, Deed, Effect, Healing, Inflict, Lift, Points
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.forms import Dialect
from rules.core.effects.parts import NO_CHECKS
from rules.core.sheets.numbers import dice_of, roll_of
from rules.core.sheets.spoken import Spoken
from rules.core.typed.clauses import Clause
from rules.core.typed.names import is_one_name
from rules.core.values import Ability
from rules.systems.adventurers.creatures import (
    ASSIST,
    ATTACK,
    ITEM,
    STAMINA,
    SUPPORT,
    WEAPON,
    WILLPOWER,
    number_field,
    type_of,
)
from rules.systems.adventurers.grid import tables_of

ANY_AILMENT = "any"
FIELDS = ("type", "specialty", "rebound", "cell", "targets", "extra", "uses", "bag", "effect")
_DOES = ("damage", "ailment", "heal", "willpower", "cure")
_COMPARES = frozenset("<>=")  # dice that are counted stay together
_NO_NAMES = ("everything", "nothing")


def is_ailment_name(text: str) -> bool:
    """Tell whether a text names one ailment.

    >>> is_ailment_name("Off Balance"), is_ailment_name("nothing"), is_ailment_name("not Burning")
    (True, False, False)
    """
    return is_one_name(text) and text.strip().casefold() not in _NO_NAMES


def listed_ailments(text: str) -> tuple[str, ...]:
    """Return the ailments of a list; none if one of them says more than a name."""
    found = tuple(part.strip() for part in text.replace("+", ",").split(",") if part.strip())
    return found if all(map(is_ailment_name, found)) else ()


def is_cure(text: str) -> bool:
    """Tell whether a text names one ailment that is cured, or any of them."""
    return text.casefold() == ANY_AILMENT or ("+" not in text and is_ailment_name(text))


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return what an ability's fields come to, and those of them that no rule carries out."""
    kind, effects = type_of(ability), list[Effect]()
    strikes = kind in (ATTACK, WEAPON, SUPPORT)
    asked = {key for key in _DOES if ability.field(key)}
    if (strikes or kind in (ASSIST, ITEM)) and (damage := roll_of(ability, "damage")):
        dice, what = dice_of(damage)
        effects.append(Damage(damage=dice, type=what))
        asked.discard("damage")
    if (strikes or kind in (ASSIST, ITEM)) and (names := listed_ailments(ability.field("ailment"))):
        effects += (Inflict(condition=name) for name in names)
        asked.discard("ailment")
    if strikes:
        return Deed(check=Check(), hit=tuple(effects)), frozenset(asked)
    if kind in (ASSIST, ITEM):
        good = _good(ability)
        effects += good.values()
        asked -= good.keys()
    return Deed(always=tuple(effects)), frozenset(asked)


def _good(ability: Ability) -> dict[str, Effect]:
    """Return what fields of an Assist or an item do good, by their keys."""
    found: dict[str, Effect] = {}
    if healing := roll_of(ability, "heal"):
        found["heal"] = Healing(healing=dice_of(healing)[0])
    if points := number_field(ability, "willpower"):
        found["willpower"] = Points(points=str(points), pool=WILLPOWER, gains=True)
    if is_cure(cure := ability.field("cure").strip()):
        found["cure"] = Lift(lifts=ANY_AILMENT if cure.casefold() == ANY_AILMENT else cure)
    return found


SPOKEN = Spoken(
    (
        ("[an] {type} [ability]", {"type": "{type}"}),
        ("{specialty} [check]", {"specialty": "{name}"}),
        ("(costs|cost) [a] rebound [of] {number}", {"rebound": "{number}"}),
        ("rebound {number}", {"rebound": "{number}"}),
        ("up to {number} (targets|enemies|foes)", {"targets": "{number}"}),
        ("{number} (targets|enemies|foes)", {"targets": "{number}"}),
        ("(all|every|each) (targets|enemies|foes|target|enemy|foe)", {"targets": "all"}),
        ("[add] {dice} [more] damage", {"damage": "{dice}"}),
        ("(the attack|it) (deals|does) {dice} (more|extra|additional) damage", {"damage": "{dice}"}),
        ("add {dice} to the damage [of the attack] [(this is combined with|that this joins|it joins)]",
         {"damage": "{dice}"}),
    ),
    {
        "type": f"{ATTACK}|{SUPPORT}|{ASSIST}|equip",
        "specialty": r"<(?P<name>[a-z' -]{2,24})>",
        "number": "[0-9]{1,3}",
        "dice": r"[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,3}",
    },
)  # fmt: skip
DIALECT = Dialect(
    conditions=tuple(tables_of({}).ailments),
    saves={},
    pools={"stamina": STAMINA, "willpower": WILLPOWER},
    lacks=NO_CHECKS,
    fields=(*FIELDS, *_DOES),
    fields_do=_fields_do,
    spoken=SPOKEN,
    brackets=True,
)


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does."""
    return deed_in(ability, DIALECT)


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    is_used = type_of(ability) in (ATTACK, WEAPON, SUPPORT, ASSIST, ITEM)
    return says_in(ability, clause, DIALECT) if is_used else ""


def effects_of(ability: Ability) -> tuple[Effect, ...]:
    """Return all that an ability does, whatever it hangs on."""
    deed = deed_of(ability)
    return (*deed.hit, *deed.miss, *deed.always)


def harms(ability: Ability) -> bool:
    """Tell whether a thing hurts or afflicts its target, so that nobody uses it on themselves unasked."""
    says_more = ability.field("damage") or ability.field("ailment")  # however it goes on
    return bool(says_more) or any(is_harm(effect) for effect in effects_of(ability))


def is_harm(effect: Effect) -> bool:
    """Tell whether an effect is bad for the target that it is aimed at."""
    if isinstance(effect, Points) and effect.gains:
        return False
    return isinstance(effect, Damage | Inflict | Points) and effect.whom == "target"


def deed_of_attack(parts: Iterable[Ability], more: Iterable[Effect] = ()) -> Deed:
    """Return what an attack and all that joins it do together, and what its check adds. Rule: AD-08, AD-22."""
    hit, miss, always = list[Effect](), list[Effect](), list[Effect]()
    for part in parts:
        deed = deed_of(part)
        hit += (*deed.hit, *(each for each in deed.always if type_of(part) == ASSIST and is_harm(each)))
        miss += deed.miss
        always += deed.always if type_of(part) != ASSIST else ()
    return Deed(check=Check(), hit=_together((*hit, *always, *more)), miss=_together((*miss, *always)), most=None)


def own_good(ability: Ability) -> Deed:
    """Return what an Assist that joins an attack does for its user. Rule: AD-22."""
    return Deed(always=tuple(each for each in deed_of(ability).always if not is_harm(each)))


def _together(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Add up the damage of one attack: it calls for one body part at most. Rule: AD-16."""
    whole = [each for each in effects if isinstance(each, Damage) and each.whom == "target" and not each.half]
    if len(whole) < 2:
        return effects
    types = {each.type for each in whole}
    dice = " + ".join(each.damage if _COMPARES.isdisjoint(each.damage) else f"({each.damage})" for each in whole)
    summed = Damage(damage=dice, type=whole[0].type if len(types) == 1 else "")
    return (summed, *(each for each in effects if each not in whole))
