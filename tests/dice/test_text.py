"""What a roll looks like in the chat."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from tests.dice.script import ScriptedFaces


def text_of(source: str, *faces: tuple[int, int]) -> str:
    return roll_expression(source, Dice(ScriptedFaces(faces))).text()


def test_kept_faces_are_bold_and_dropped_ones_struck_through() -> None:
    assert text_of("2d20kh1+5", (20, 4), (20, 11)) == "2d20kh1 (~~4~~, **11**) + 5 = **16**"


def test_a_reroll_shows_both_faces() -> None:
    assert text_of("2d6ro1", (6, 1), (6, 3), (6, 5)) == "2d6ro1 (~~1~~, **5**, **3**) = **8**"


def test_an_explosion_shows_what_exploded() -> None:
    assert text_of("1d6!", (6, 6), (6, 2)) == "1d6! (**6!**, **2**) = **8**"


def test_a_minimum_shows_the_face_before() -> None:
    assert text_of("2d6mi3", (6, 1), (6, 5)) == "2d6mi3 (**1→3**, **5**) = **8**"


def test_fate_dice_show_their_signs() -> None:
    assert text_of("3dF", (3, 1), (3, 2), (3, 3)) == "3dF (**-1**, **0**, **+1**) = **0**"


def test_a_dropped_element_of_a_set_is_struck_through_as_a_whole() -> None:
    assert text_of("(2d6, 1d8)kh1", (6, 1), (6, 2), (8, 5)) == "(~~2d6 (1, 2)~~, 1d8 (**5**))kh1 = **5**"


def test_products_are_no_italics_and_a_remainder_is_no_format() -> None:
    assert text_of("1d6 * 2 % 7", (6, 4)) == "1d6 (**4**) × 2 % 7 = **1**"


def test_a_fraction_is_told() -> None:
    assert text_of("7 / 2") == "7 / 2 = **3** (3.5)"


def test_repeats_are_numbered_and_added_up() -> None:
    assert text_of("2x(1d6)", (6, 1), (6, 2)) == "1. (1d6 (**1**)) = **1**\n2. (1d6 (**2**)) = **2**\nTogether **3**"


def test_notes_and_comments_cannot_break_the_markdown_or_ping() -> None:
    shown = text_of("1d6 [**@everyone** 100%] # <@123> ~~x~~", (6, 1))
    assert "**@" not in shown
    assert "@everyone" not in shown
    assert "<@123>" not in shown
    assert "~~x" not in shown
    assert shown.endswith(" = **1**")
    assert "100%" in shown


def test_the_comment_is_kept() -> None:
    assert roll_expression("1 # for luck", Dice(ScriptedFaces([]))).comment == "for luck"


def test_long_runs_of_faces_are_shortened_with_a_count() -> None:
    rolled = roll_expression("200d6", Dice(SeededFaces(b"S", "1")))
    assert len(rolled.text(5000).split(", ")) == 200
    short = rolled.text(300)
    assert len(short) <= 300
    found = re.search(r"… and (\d+) more", short)
    assert found is not None
    assert int(found[1]) + short.count("**, ") == 200
    assert short.endswith(f"= **{rolled.total}**")


@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(["300d6", "20d20kh3", "5d6!", "(1d6, 2d8)kh1", "3d6 [*note*]", "7", "1d6ro<5", "4dF"]),
        min_size=1,
        max_size=20,
    ),
    times=st.integers(1, 20),
    limit=st.integers(120, 1500),
)
def test_a_roll_fits_into_its_limit_and_still_tells_the_total(parts: list[str], times: int, limit: int) -> None:
    try:
        rolled = roll_expression(" + ".join(parts), Dice(SeededFaces(b"S", "1")), times=times)
    except Refusal:
        return
    shown = rolled.text(limit)
    assert len(shown) <= limit
    assert f"**{rolled.total}**" in shown
    assert shown.count("~~") % 2 == 0
    assert shown.count("**") % 2 == 0


@pytest.mark.parametrize("source", ["1d20 + 5", "4d6kh3", "(1d6, 1d8)kh1 + 2", "10d10ro<3"])
def test_every_face_that_was_drawn_is_shown(source: str) -> None:
    dice = Dice(SeededFaces(b"S", "2"))
    shown = roll_expression(source, dice).text()
    numbers = [number for inside in re.findall(r"\(([^()]*)\)", shown) for number in re.findall(r"\d+", inside)]
    faces = [str(die.face) for die in dice.records if hasattr(die, "face")]
    for face in faces:
        assert numbers.count(face) >= faces.count(face)
