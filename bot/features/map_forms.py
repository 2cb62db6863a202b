"""The forms in which a map is typed, and in which it is said how many columns a picture has."""

from __future__ import annotations

from collections.abc import Mapping

from bot.custom_ids import MAP, Pressed
from bot.render.payload import Field, FileField, Form
from rules.core.space.cells import MAX_SIDE
from rules.errors import Malformed

READ, SIZED = "f", "z"  # of the presses that send them
PICTURE, COLUMNS_KEY = "picture", "columns"  # their fields
_EXAMPLE = "#######\n#..A..+\n#.....#\n#######\n\nA = Altar"


def columns_of(fields: Mapping[str, str]) -> int:
    """Return how many columns lie across a picture. Raises: Malformed."""
    text = fields.get(COLUMNS_KEY, "").strip()
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= MAX_SIDE and len(text) < 3):
        raise Malformed(f"{text[:20] or '(nothing)'} is not a number of columns.", instead=f"From 1 to {MAX_SIDE}.")
    return int(text)


def _columns_field(*, required: bool) -> Field:
    return Field(COLUMNS_KEY, "Columns across the picture", hint="24", required=required)


def columns_form() -> Form:
    fields = (_columns_field(required=True),)
    return Form(Pressed(MAP, "", 0, (SIZED, "")).written(), "How many columns?", fields)


def map_form(size: str, text: str) -> Form:
    return Form(
        custom_id=Pressed(MAP, "", 0, (READ, size)).written(),
        title="A map: a sign for each cell",
        fields=(
            Field("name", "Name", hint="Crypt"),
            Field(
                "text", "Map, an empty line, then the legend", long=True, required=False, value=text, hint=_EXAMPLE,
            ),
            FileField(PICTURE, "A picture for under the board", hint="PNG, JPEG or WebP (may be left out)"),
            _columns_field(required=False),
        ),
    )  # fmt: skip
