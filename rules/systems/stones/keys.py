"""What this system reads of a sheet. Rule: ST-06, ST-09, ST-10, ST-11, ST-12, ST-13."""

from __future__ import annotations

from rules.core.sheets.fields import Field, SheetTable, always, health
from rules.core.sheets.forms import Known, OneOf, Text, Whole, meant
from rules.core.typed.names import shown
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Ability, Combatant
from rules.errors import Malformed
from rules.systems.stones.abilities import MAX_COST, done_words, puts_conditions, read_ability
from rules.systems.stones.paying import elements_of
from rules.systems.stones.players import OBJECT, is_object
from rules.systems.stones.state import StonesState
from rules.systems.stones.words import NUMBERS, SPOKEN, is_fused

CHARACTER = "character"


def _acts(combatant: Combatant) -> bool:
    return not is_object(combatant)


def _needs_armor(combatant: Combatant) -> bool:
    return _acts(combatant) and not {"ARMP", "ARMS"} <= set(combatant.fields)


def _has_cost(ability: Ability) -> bool:
    return ability.field("cost").strip(" 0") != ""


def _require_element(state: StonesState, text: str) -> None:
    elements = elements_of(state)
    if not any(same(text, element) for element in elements):
        near = meant(text, elements)
        raise Malformed(
            f"cannot be {text[:40]}: the deck has no such element.",
            rule="ST-01",
            instead=f"{near} Possible: {shown(elements)}.".strip(),
        )


SHEET = SheetTable(
    keys=(
        health(example=20, needed=always),
        Field("ATK", Whole(), "the damage of a standard attack", rule="ST-11", example=6, needed=_acts),
        Field("ARM", Whole(), "what it takes off damage", rule="ST-11", example=2, needed=_needs_armor),
        Field("MOV", Whole(0), "the spaces of a movement", rule="ST-09", example=4, needed=_acts),
        Field("RNG", Whole(0), "how far it reaches", rule="ST-10", example=1, needed=_acts),
        Field("CRT", Whole(0, 100), "d100 up to this is critical", rule="ST-11", example=20, needed=_acts),
        Field(
            "TYPE",
            OneOf(("Physical", "Spirit")),
            "the type of its damage",
            rule="ST-11",
            example="Physical",
            needed=_acts,
        ),
        Field("ARMP", Whole(), "armor against Physical, instead of ARM", rule="ST-11"),
        Field("ARMS", Whole(), "armor against Spirit, instead of ARM", rule="ST-11"),
        Field("HAND", Whole(), "how much more its player can hold", rule="ST-04"),
        Field("KIND", OneOf((CHARACTER, OBJECT)), "an object is a target, and nobody's character", rule="ST-11"),
    ),
    fields=(
        Field("kind", Known(("offensive", "defensive")), "the same as card", says="is {}"),
        Field(
            "card",
            OneOf(("offensive", "defensive")),
            "who an ability is for; [Fuse] is defensive",
            rule="ST-06",
            says="is {}",
        ),
        Field(
            "element",
            Text("an element of the deck"),
            "which stones pay",
            "ST-01",
            "Fire",
            needed=_has_cost,
            here=_require_element,
            says="is paid with {} stones",
        ),
        Field(
            "cost",
            Whole(0, MAX_COST),
            "the stars that pay for it; 0 is free",
            "ST-12",
            3,
            needed=always,
            says=lambda stars: f"costs {stars} {'star' if stars == '1' else 'stars'}",
        ),
        Field(
            "duration",
            Text("a number of turns, or of rounds"),
            "how long its conditions last",
            rule="ST-14",
            says="its conditions last {}",
            only=puts_conditions,
        ),
        Field(
            "lasts",
            Text("a number of turns, or of rounds"),
            "the same as duration",
            rule="ST-14",
            says="its conditions last {}",
            only=puts_conditions,
        ),
        Field("ticks", OneOf(TICKS), "when a turn of it is counted", rule="ST-14", says="its turns are counted at {}"),
        Field("range", OneOf(("any", "any range")), "whether it ignores RNG", rule="ST-10", says="ignores RNG"),
        *(
            Field(
                key.lower(),
                Whole(-9999, 9999),
                f"what it adds to {key} while fused",
                rule="ST-06",
                only=is_fused,
                says=f"{key} {{}} while fused",
            )
            for key in NUMBERS
        ),
    ),
    abilities=(
        Ability(
            name="Searing Blow",
            fields={"card": "offensive", "element": "Fire", "cost": "3", "duration": "2"},
            text="[Standard Attack], [On 1-50] adds [Burn]",
        ),
        Ability(
            name="Stone Skin",
            fields={"card": "defensive", "element": "Earth", "cost": "2", "arm": "+1"},
            text='[Fuse] "Armor is higher while this lasts."',
        ),
    ),
    kinds=(CHARACTER, CHARACTER),
    read_whole=read_ability,
    says=done_words,
    spoken=SPOKEN,
)
