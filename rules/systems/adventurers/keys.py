"""What this system reads of a sheet. Rule: AD-01, AD-08, AD-10, AD-12, AD-18, AD-22, AD-27, AD-28, AD-30."""

from __future__ import annotations

from rules.core.refusals import cannot_be
from rules.core.sheets.fields import WALKING, Field, SheetTable, always, full
from rules.core.sheets.forms import EachBy, Known, OneOf, Points, ReadBy, Rolls, Text, Whole, meant
from rules.core.sheets.numbers import if_alone
from rules.core.values import Ability, Combatant
from rules.errors import Malformed
from rules.systems.adventurers import creatures
from rules.systems.adventurers.abilities import HELD, SAYS_ATTACK, SPOKEN, done_words, is_cure, listed_ailments
from rules.systems.adventurers.grid import parse_cell, parse_gap
from rules.systems.adventurers.state import AdventurersState

_TYPES = ("attack", "support", "assist", "equip")
_GRID = "/encounter options shows the grid; your table can replace it."


def _has_will(combatant: Combatant) -> bool:
    return combatant.kind != creatures.ENEMY


def _is_boss(combatant: Combatant) -> bool:
    return combatant.kind == creatures.BOSS


def _attacks(ability: Ability) -> bool:
    return creatures.type_of(ability) in (creatures.ATTACK, creatures.WEAPON)


def _needs_specialty(ability: Ability) -> bool:
    """Tell whether a check has nothing else to be on: what is made with the weapon in hand has that of the weapon."""
    if ability.kind == creatures.WEAPON or not ability.source:
        return _attacks(ability)
    return _attacks(ability) and not ability.field("with") and SAYS_ATTACK.search(ability.source) is not None


def _strikes(ability: Ability) -> bool:
    return creatures.type_of(ability) in (creatures.ATTACK, creatures.WEAPON, creatures.SUPPORT)


def _helps(ability: Ability) -> bool:
    return creatures.type_of(ability) in (creatures.ASSIST, creatures.ITEM)


def _is_item(ability: Ability) -> bool:
    return ability.kind == creatures.ITEM


def _is_goods(ability: Ability) -> bool:
    return ability.kind in (creatures.ITEM, creatures.WEAPON)


def _is_ability(ability: Ability) -> bool:
    return ability.kind not in (creatures.ITEM, creatures.WEAPON, creatures.BAG)


def _afflicts(ability: Ability) -> bool:
    return _strikes(ability) or _helps(ability)


def _require_specialty(state: AdventurersState, text: str) -> None:
    held = creatures.tables(state)
    if held.name(text) is None:
        near = meant(text, tuple(name for area in held.grid for name in area))
        raise Malformed(f"{text[:40]} is not on the grid.", rule="AD-01", instead=f"{near} {_GRID}".strip())


def _require_part(state: AdventurersState, text: str) -> None:
    parts = creatures.tables(state).parts
    if not any(part.casefold().startswith(text.casefold()) for part in parts):
        raise Malformed(
            f"{text[:40]} is not a body part of the grid.", rule="AD-17", instead=meant(text, parts) or _GRID
        )


def _require_cell(text: str) -> None:
    if parse_cell(text) is None:
        raise Malformed(
            f"{text[:20]} is not a cell of the grid.",
            instead="Write A to F for the area and 2 to 12 for the row, such as C7.",
        )


def _require_gap(text: str) -> None:
    if parse_gap(text) is None:
        raise Malformed(f"{text[:40]} is not a gap.", instead="For example GAPS 1-2 + 3-4.")


def _require_targets(text: str) -> None:
    if text.casefold() != "all" and not (text.isdecimal() and int(text) > 0):
        raise cannot_be(text, instead="Write a number from 1, or all.")


SHEET = SheetTable(
    keys=(
        Field(
            creatures.STAMINA,
            Points(),
            "what it takes off damage",
            "AD-16",
            10,
            needed=always,
            pools=full(creatures.STAMINA),
        ),
        Field(
            creatures.WILLPOWER,
            Points(),
            "what evading and rebound cost",
            "AD-30",
            4,
            needed=_has_will,
            pools=full(creatures.WILLPOWER),
        ),
        Field(
            "KIND",
            OneOf(creatures.KINDS),
            "who checks initiative, and who is a Boss",
            rule="AD-21",
            example=creatures.ADVENTURER,
        ),
        Field(
            "LEVEL", Whole(0), "how many Support and Assist abilities a Boss adds to an attack", "AD-22", only=_is_boss
        ),
        Field(
            "SPECIALTIES",
            Text("names of the grid with + between them"),
            "what checks are counted from",
            rule="AD-01",
            example=("Arm", "Courage", "Eyes", "Run"),
            here=_require_specialty,
        ),
        Field("GAPS", EachBy(_require_gap, "as 1-2 + 3-4"), "gaps between areas that cost no space", "AD-01", ("1-2",)),
        Field(
            creatures.DAMAGED.upper(),
            Text("body parts with + between them, or none"),
            "which body parts are damaged",
            "AD-17",
            here=_require_part,
        ),
        *WALKING,
    ),
    fields=(
        Field(
            "kind",
            Known((creatures.WEAPON, creatures.ITEM, creatures.BAG)),
            "belongings; abilities say their type instead",
            rule="AD-12",
            says="its kind is {}",
        ),
        Field(
            "type",
            Known(("Attack", "Support", "Assist", "Equip")),
            "how an ability is used",
            "AD-08",
            only=_is_ability,
            says=lambda text: f"is of type {text}" if text.casefold() in _TYPES else "",
        ),
        Field("with", OneOf((creatures.WEAPON,)), "what an Attack is made with besides", "AD-08", says=HELD),
        Field(
            "specialty",
            Text("a name of the grid"),
            "what the hit check is on",
            "AD-01",
            "Arm",
            needed=_needs_specialty,
            only=_attacks,
            here=_require_specialty,
            says="is checked on {}",
        ),
        Field(
            "damage",
            Rolls(),
            "what it takes off the target's STAMINA",
            rule="AD-08",
            only=_afflicts,
            says=if_alone("{} damage"),
        ),
        Field(
            "rebound", Whole(0, 9999), "what using it costs", rule="AD-30", only=_is_ability, says="costs {} by rebound"
        ),
        Field("cell", ReadBy(_require_cell, "as C7"), "its cell on the grid", rule="AD-18", says="lies on cell {}"),
        Field(
            "targets",
            ReadBy(_require_targets, "a number, or all"),
            "how many an attack has",
            "AD-08",
            only=_attacks,
            says="targets: {}",
        ),
        Field(
            "ailment",
            Text("names with + between them"),
            "the ailment that it causes",
            rule="AD-28",
            only=_afflicts,
            says=lambda text: f"afflicts with {text}" if listed_ailments(text) else "",
        ),
        Field(
            "heal",
            Rolls(),
            "the STAMINA that it gives back",
            rule="AD-10",
            only=_helps,
            says=if_alone("heals {} STAMINA"),
        ),
        Field(
            "cure",
            Text("an ailment, or any"),
            "what it cures",
            rule="AD-28",
            only=_helps,
            says=lambda text: f"cures {text}" if is_cure(text) else "",
        ),
        Field(
            "willpower",
            Whole(0, 9999),
            "the WILLPOWER that it gives back",
            rule="AD-10",
            only=_helps,
            says="gives {} WILLPOWER back",
        ),
        Field(
            "extra",
            Whole(0, 9999),
            "the extra actions that it brings",
            rule="AD-27",
            only=_afflicts,
            says="brings {} extra actions",
        ),
        Field("uses", Whole(0, 9999), "how often an item can be used", rule="AD-10", only=_is_item, says="{} uses"),
        Field("bag", Text("a bag's name"), "the bag that it is in", rule="AD-14", only=_is_goods, says="is in {}"),
        Field("effect", Text(), "words that I read aloud when it is used", says=None),
    ),
    abilities=(
        Ability(name="Sword", kind=creatures.WEAPON, fields={"specialty": "Arm", "damage": "1d6"}),
        Ability(name="Knife", kind=creatures.WEAPON, fields={"specialty": "Hand", "damage": "1d6-1", "bag": "Pack"}),
        Ability(
            name="Power Throw",
            fields={"type": "Attack", "specialty": "Throw", "rebound": "1", "damage": "2d6", "cell": "B3"},
        ),
        Ability(name="Battle Cry", fields={"type": "Support", "rebound": "1", "damage": "2", "cell": "C3"}),
        Ability(name="First Aid", fields={"type": "Assist", "rebound": "1", "heal": "1d6", "cell": "D6"}),
        Ability(name="Tonic", kind=creatures.ITEM, fields={"cure": "any", "uses": "1", "bag": "Pack"}),
        Ability(name="Pack", kind=creatures.BAG),
    ),
    kinds=(creatures.ADVENTURER, creatures.ENEMY),
    says=done_words,
    spoken=SPOKEN,
)
