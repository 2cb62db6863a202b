"""What this system reads of a sheet. Rule: CL-01, CL-08."""

from __future__ import annotations

from rules.core.sheets.fields import WALKING, Field, SheetTable, health
from rules.core.sheets.forms import ReadBy, Text, Whole, value_text
from rules.core.values import Ability, Combatant
from rules.errors import Malformed
from rules.systems.classic.abilities import done_words, points_spent
from rules.systems.classic.forms import ATTRIBUTES
from rules.systems.classic.house_rules import check_die

SHEET = SheetTable(
    keys=(
        health(example=20),
        Field(
            "INITIATIVE",
            ReadBy(check_die, "a bonus, or dice such as 2d20kh1+3"),
            "the bonus to the initiative roll, or the dice to roll instead",
            rule="CL-01",
            also=("BONUS", "INI"),
        ),
        Field("AC", Text("a number"), "what attacks against it have to reach", rule="CL-11", example=12),
        *(
            Field(key, Text("types of damage"), f"damage that {verb}", rule="CL-12", also=also)
            for key, verb, also in (
                ("RESISTANT", "is halved", ("RESIST", "RESISTANCE", "RESISTANCES")),
                ("IMMUNE", "does nothing", ("IMMUNITY", "IMMUNITIES")),
                ("VULNERABLE", "is doubled", ("VULNERABILITY", "VULNERABILITIES")),
            )
        ),
        Field("ATTACKS", Whole(1, 20), "how many attacks it makes in a turn", rule="CL-18"),
        Field("SAVE", Whole(), "what is added to a save", rule="CL-13", named=True),
        Field("DC", Whole(1, 50), "what saves against it have to reach, if an ability says no number", rule="CL-13"),
        *(Field(key, Whole(), "what is added to its saves", rule="CL-13") for key in ATTRIBUTES.values()),
        *WALKING,
    ),
    abilities=(Ability(name="Sword", kind="weapon", fields={"hit": "5", "damage": "1d8+2 slashing"}),),
    kinds=("player", "npc"),
    takes_blocks=True,
    says=done_words,
    spent=points_spent,
)


def require_read_initiative(combatant: Combatant) -> None:
    """Refuse to roll without what was meant as `INITIATIVE`: `INIT 3`, `INITIATIVE attack +5`. Rule: CL-01."""
    for key, value in combatant.fields.items():
        if "INITIATIVE" not in combatant.fields and SHEET.near_key(key) == "INITIATIVE":
            raise Malformed(
                f"{combatant.name}: no rule reads {key}, so initiative would be rolled without it.",
                rule="CL-01",
                instead=f"The roll uses INITIATIVE {value_text(value)} from the sheet; to change it this once, use "
                "bonus or dice.",
            )
