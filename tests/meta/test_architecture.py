"""`docs/architecture.svg` shows the code as it is."""

from __future__ import annotations

from tests.meta.architecture import PICTURE, PRESS, drawn, floors, room_of
from tests.meta.sources import ROOT


def test_the_picture_is_drawn_from_the_code_as_it_is() -> None:
    assert PICTURE.read_text("utf-8") == drawn(), "python -m tests.meta.architecture draws it anew"


def test_each_step_of_a_press_is_a_file_in_a_room_of_the_picture() -> None:
    rooms = {room for floor in floors() for room in floor}
    assert [file for file, _ in PRESS if not (ROOT / file).is_file() or room_of(ROOT / file) not in rooms] == []


def test_the_rules_are_the_ground() -> None:
    assert floors()[0][0].startswith("rules/")
    assert "cogs" in floors()[-1] or "cogs" in floors()[-2]
