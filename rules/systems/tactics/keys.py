"""What this system reads of a sheet. Rule: TA-05, TA-08, TA-12, TA-13, TA-17."""

from __future__ import annotations

from rules.core.sheets.fields import Field, SheetTable, always, health
from rules.core.sheets.forms import YES_NO, Known, OneOf, Rolls, Text, Whole
from rules.core.sheets.numbers import if_alone
from rules.core.typed.names import is_one_name
from rules.core.values import Ability, Combatant
from rules.systems.tactics.abilities import NO, SPOKEN, done_words, is_battle, is_item, is_movement
from rules.systems.tactics.powers import MOST_SQUARES, check_ability


def _has_effect(ability: Ability) -> bool:
    return is_one_name(ability.field("effect"))


def _figure(key: str, reads: str, example: int, form: Whole | None = None, rule: str | None = None) -> Field[Combatant]:
    return Field(key, form or Whole(), reads, rule=rule, example=example, needed=always)


SHEET = SheetTable(
    keys=(
        _figure("INT", "initiative: 2d6 + INT + AGI", 1, rule="TA-05"),
        _figure("AGI", "initiative: 2d6 + INT + AGI", 2, rule="TA-05"),
        _figure("ATK", "attacks: 2d6 + ATK", 3, rule="TA-12"),
        _figure("DEF", "what attacks on it must reach", 9, rule="TA-12"),
        _figure("TIER", "a source of advantage over each lower one", 1, Whole(1, 3), "TA-12"),
        health(example=12, needed=always),
        _figure("SPD", "the squares of a Walk", 5, Whole(0, MOST_SQUARES), "TA-08"),
    ),
    fields=(
        Field(
            "kind",
            Known(("power", "item", "weapon", "bag")),
            "an item is activated, all else is a power",
            says="its kind is {}",
        ),
        Field(
            "phase",
            OneOf(("movement", "battle"), ("move", "movement phase", "battle phase")),
            "when a power is used",
            rule="TA-04",
            says="is used in the {} phase",
        ),
        Field(
            "distance",
            Text("squares: 4, SPD, 1.5 SPD, SPD+2"),
            "how far a movement goes",
            only=is_movement,
            says="moves {} squares",
        ),
        Field(
            "provokes",
            YES_NO,
            "whether a movement provokes",
            rule="TA-11",
            only=is_movement,
            says=lambda value: "provokes nothing" if value.casefold() in NO else "provokes",
        ),
        Field(
            "line",
            YES_NO,
            "whether it goes in a line toward a foe, as a Charge",
            rule="TA-08",
            only=is_movement,
            says=lambda value: "goes anywhere" if value.casefold() in NO else "goes in a line toward a foe",
        ),
        Field(
            "damage",
            Rolls(),
            "what a hit, or an item on its target, takes off HP",
            rule="TA-12",
            only=is_battle,
            says=if_alone("{} damage"),
        ),
        Field(
            "heal",
            Rolls(),
            "what an item gives back",
            rule="TA-13",
            only=is_item,
            says=if_alone("heals {} HP"),
        ),
        Field("uses", Whole(0), "how often an item is activated", rule="TA-13", only=is_item, says="{} uses"),
        Field(
            "range",
            Text("squares, or any"),
            "how far it reaches (1 if it does not say)",
            only=is_battle,
            says="reaches {}",
        ),
        Field(
            "reach",
            Text("squares, or any"),
            "the same as range",
            only=lambda ability: is_battle(ability) and not ability.field("range"),
            says="reaches {}",
        ),
        Field(
            "effect",
            Text("the name of a condition"),
            "what a hit puts on the target, a movement on the mover",
            says=lambda value: (
                f"puts {value} on everybody it hits, or on the one who moves" if is_one_name(value) else ""
            ),
        ),
        Field(
            "save",
            Text("ends, sustains, or a check as 2d6>=7"),
            "how the effect ends",
            rule="TA-17",
            only=_has_effect,
            says=lambda value: f"its effect ends by a save ({value or 'ends'})",
            bare=True,
        ),
        Field(
            "lasts",
            Text("round, next round, or rounds"),
            "how long the effect lasts",
            rule="TA-18",
            only=_has_effect,
            says="its effect lasts {}",
        ),
        Field(
            "duration",
            Text("round, next round, or rounds"),
            "the same as lasts",
            rule="TA-18",
            only=lambda ability: _has_effect(ability) and not ability.field("lasts"),
            says="its effect lasts {}",
        ),
    ),
    abilities=(
        Ability(name="Sword", kind="power", fields={"phase": "battle", "damage": "1d6+2"}),
        Ability(
            name="Hobbling Shot",
            kind="power",
            fields={"phase": "battle", "range": "6", "damage": "1d4", "effect": "Slowed", "save": "ends"},
        ),
        Ability(name="Tumble", kind="power", fields={"phase": "movement", "distance": "SPD", "provokes": "no"}),
        Ability(name="Draught", kind="item", fields={"heal": "1d6", "uses": "2"}),
    ),
    kinds=("adventurer", "monster"),
    read_whole=check_ability,
    says=done_words,
    spoken=SPOKEN,
)
