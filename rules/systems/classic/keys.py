"""What this system reads of a sheet. Rule: CL-01, CL-08."""

from __future__ import annotations

from rules.core.sheets.fields import WALKING, Field, SheetTable, health
from rules.core.sheets.forms import ReadBy, Text
from rules.core.values import Ability
from rules.dice.reading import one_roll


def check_die(text: str) -> str:
    """Return dice of initiative. Raises: Malformed where it is no single roll."""
    one_roll(text)
    return text


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
        Field("AC", Text("a number"), "nothing is rolled against it; it is shown, and /roll knows it", example=12),
        *WALKING,
    ),
    abilities=(Ability(name="Sword", kind="weapon", fields={"damage": "1d8+2"}),),
    kinds=("player", "npc"),
    takes_blocks=True,
)
