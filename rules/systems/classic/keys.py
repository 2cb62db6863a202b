"""What this system reads of a sheet. Rule: CL-01, CL-08."""

from __future__ import annotations

import re

from rules.core.sheets.fields import WALKING, Field, SheetTable, health
from rules.core.sheets.forms import ReadBy, Text, Whole, value_text
from rules.core.values import Ability, Combatant
from rules.dice.reading import one_roll
from rules.errors import Malformed
from rules.systems.classic.blows import ATTRIBUTES, done_words

LEAST_SIDES = 4


def check_die(text: str) -> str:
    """Return dice of initiative. Raises: Malformed where it is no single roll."""
    one_roll(text)
    return text


def check_attack(text: str) -> str:
    """Return the die of an attack. Raises: Malformed where it is not a single one."""
    found = re.fullmatch(r"1?d([1-9][0-9]{0,2})", text.strip().casefold())
    if found is None or int(found[1]) < LEAST_SIDES:
        raise Malformed(f"{text[:20]} is no single die.", instead="1d20 or 1d12, for example.")
    return f"1d{found[1]}"


def check_against(text: str) -> str:
    """Return the key of the number that an attack has to reach. Raises: Malformed."""
    key = text.strip().upper()
    if not re.fullmatch(r"[A-Z][A-Z_]{0,23}", key):
        raise Malformed(f"{text[:20]} is no key of a sheet.", instead="AC or DEFENSE, for example.")
    return key


SHEET = SheetTable(
    keys=(
        health(example=20),
        Field(
            "INITIATIVE",
            ReadBy(check_die, "a bonus, or dice as in 2d20kh1+3"),
            "the bonus to the initiative roll, or the dice that are rolled instead",
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
        *(Field(key, Whole(), "what is added to its saves", rule="CL-13") for key in ATTRIBUTES.values()),
        *WALKING,
    ),
    abilities=(Ability(name="Sword", kind="weapon", fields={"hit": "5", "damage": "1d8+2 slashing"}),),
    kinds=("player", "npc"),
    takes_blocks=True,
    says=done_words,
)


def require_read_initiative(combatant: Combatant) -> None:
    """Refuse to roll without what was meant as `INITIATIVE`: `INIT 3`, `INITIATIVE attack +5`. Rule: CL-01."""
    for key, value in combatant.fields.items():
        if "INITIATIVE" not in combatant.fields and SHEET.near_key(key) == "INITIATIVE":
            raise Malformed(
                f"{combatant.name}: no rule reads {key}, and so initiative would be rolled without it.",
                rule="CL-01",
                instead=f"INITIATIVE {value_text(value)} on the sheet is rolled with; bonus and dice say it for once.",
            )
