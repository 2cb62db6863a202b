"""What this system reads of a sheet. Rule: SW-01, SW-02, SW-08, SW-09, SW-13."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.sheets.abilities import DOES
from rules.core.sheets.fields import WALKING, Field, SheetTable, always, health
from rules.core.sheets.forms import YES_NO, Known, OneOf, Points, Rolls, Text, Whole
from rules.core.sheets.sheet import pool_from
from rules.core.values import Ability, Pool, SheetValue
from rules.systems.soulweaver.abilities import SPOKEN, done_words
from rules.systems.soulweaver.blows import DEFENSE
from rules.systems.soulweaver.creatures import MAJOR, MINOR, TRIGGER, is_conflict_action


def _actions(value: SheetValue | None) -> Mapping[str, Pool]:
    """Return the Major Pool of 1 and the Minor Pool of the sheet, both full. Rule: SW-13."""
    minor = pool_from(value)
    top = 0 if minor is None or minor.top is None else minor.top
    return {MAJOR: Pool(now=1, top=1), MINOR: Pool(now=top, top=top)}


def _conflict_said(text: str) -> str:
    is_one = is_conflict_action(Ability(name="conflict", fields={"conflict": text}), None)
    return f"is {'a' if is_one else 'no'} Conflict Action"


def _tags_said(text: str) -> str:
    return "is a Conflict Action" if is_conflict_action(Ability(name="tags", fields={"tags": text}), None) else ""


SHEET = SheetTable(
    does=(*DOES, "hit", "skill"),
    keys=(
        health(example=None),
        Field("ZEAL", Rolls(), "the bonus to Priority, or the dice of it", rule="SW-02", example=2, needed=always),
        Field("POISE", Rolls(), "the bonus to keep out of Conflict, or to leave it", rule="SW-08", example=1),
        Field("MINOR", Points(), "the size of the Minor Action Pool", "SW-13", 1, needed=always, pools=_actions),
        replace(WALKING[0], example=5),
        *WALKING[1:],
        Field("GRIT", Points(), "the Grit Pips that make leaving Conflict harder", rule="SW-09", example=0),
        Field(
            DEFENSE,
            Whole(),
            "what the skill roll of an attack against it has to reach",
            rule="SW-07",
            also=("DEFENCE", "DEF"),
        ),
        Field(
            "OPINION",
            Whole(),
            "the tier of an opinion: 7 or more is an Ally, 3 or less an Enemy",
            rule="SW-01",
            example=8,
            named=True,
        ),
    ),
    fields=(
        Field(
            "kind",
            Known(("trick", "stance", "response")),
            "how it is used; all else is a Major or Minor Action",
            says="its kind is {}",
        ),
        Field(
            "action",
            OneOf(("major", "minor")),
            "which action it costs",
            rule="SW-13",
            says="is a {} action",
        ),
        Field(
            "conflict",
            YES_NO,
            "whether it puts its user into Conflict",
            rule="SW-07",
            says=_conflict_said,
        ),
        Field(
            TRIGGER,
            Text("words with + between them"),
            "of a Response: the words of an action that it answers",
            rule="SW-21",
            example="move + cast",
            only=lambda ability: ability.kind == "response",
            says="answers actions with the words {}",
        ),
        Field(
            "tags",
            Known(("conflict",)),
            "conflict: the same",
            says=_tags_said,
        ),
    ),
    abilities=(
        Ability(name="Feint", kind="trick"),
        Ability(name="Guard", kind="stance"),
        Ability(name="Dodge", kind="response"),
        Ability(name="Fireball", kind="spell", fields={"conflict": "yes"}),
    ),
    says=done_words,
    spoken=SPOKEN,
)
