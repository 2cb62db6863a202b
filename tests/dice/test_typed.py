"""What people type: the case file, place marks, hints, and one reading of what is written in another way."""

from __future__ import annotations

import pytest

from rules.dice.meanings import SeveralMeanings
from rules.dice.reading import parse_expression, parse_rolls, plus, require_together, stored_expression
from rules.dice.refused import RefusedDice, UnreadableDice
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, Die, SeededFaces
from rules.dice.tree import Expression
from rules.errors import Refusal
from tests.dice.script import ScriptedFaces
from tests.dice.tables import FILE, NUMBERS, ROLLED

ASKED = [row for section in FILE.values() for row in section.get("asked", [])]
OFFERED = [row for section in FILE.values() for row in section.get("offered", [])]


def test_the_case_file_holds_three_hundred_lines() -> None:
    typed = [row[0] for row in (*ROLLED, *ASKED, *OFFERED)]
    assert len(set(typed)) == len(typed) >= 300


@pytest.mark.parametrize(("typed", "means", "faces", "totals"), ROLLED, ids=lambda part: str(part)[:30])
def test_a_text_is_rolled_as_its_author_means_it(typed: str, means: str, faces: str, totals: str) -> None:
    rolls = parse_rolls(typed, NUMBERS)
    assert "; ".join(roll.text for roll in rolls) == means
    drawn = [tuple(map(int, die.split("="))) for die in faces.split()]
    script = ScriptedFaces([(sides, face) for sides, face in drawn])
    dice = Dice(script)
    assert [str(roll_expression(roll, dice).total) for roll in rolls] == totals.split()
    assert script.leftover() == ()
    assert [(die.sides, die.face) for die in dice.records if isinstance(die, Die)] == drawn


@pytest.mark.parametrize(("typed", "means"), [row[:2] for row in ROLLED], ids=lambda part: str(part)[:30])
def test_what_a_text_is_read_as_reads_the_same(typed: str, means: str) -> None:
    for roll in parse_rolls(typed, NUMBERS):
        again = stored_expression(roll.text)
        assert again == roll
        assert not again.warnings


def roll_of(roll: Expression) -> list[str]:
    """Return what a roll comes to with some dice, whether or not it is written with parentheses."""
    return [str(roll_expression(roll.bare, Dice(SeededFaces(b"seed", str(at)))).values) for at in range(9)]


@pytest.mark.parametrize("row", ASKED, ids=lambda row: str(row[0])[:30])
def test_a_text_of_several_meanings_is_asked_about_and_each_answer_is_plain(row: list[str]) -> None:
    typed, *meanings = row
    with pytest.raises(SeveralMeanings) as asked:
        parse_rolls(typed, NUMBERS)
    assert [each.text for each in asked.value.meanings] == meanings
    for each in asked.value.meanings:
        plain = parse_rolls(each.text, NUMBERS)
        if each.kind != "words":
            chosen = parse_rolls(typed, NUMBERS, {each.kind: each.choice})
            assert [roll_of(roll) for roll in chosen] == [roll_of(roll) for roll in plain]


def roll_all(typed: str) -> None:
    dice = Dice(SeededFaces(b"seed", "1"))
    rolls = parse_rolls(typed, NUMBERS)
    require_together(rolls, "; ".join(each.text for each in rolls))
    for roll in rolls:
        roll_expression(roll, dice)


@pytest.mark.parametrize("row", OFFERED, ids=lambda row: str(row[0])[:30])
def test_a_text_that_cannot_be_rolled_is_answered_with_one_that_can(row: list[str]) -> None:
    typed, offered, *others = row
    with pytest.raises(Refusal) as refused:
        roll_all(typed)
    if offered:
        assert isinstance(refused.value, RefusedDice)
        assert refused.value.nearest == offered
        assert f"Did you mean {' or '.join([offered, *others])}?" in str(refused.value)
        assert refused.value.others == tuple(others)
        for each in (offered, *others):
            rolls = parse_rolls(each, NUMBERS)
            require_together(rolls, "; ".join(roll.text for roll in rolls))
    else:
        assert getattr(refused.value, "nearest", None) is None


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("adv 1d20 + * 3", "adv 1d20 + »*« 3"),
        ("6 4d6hk3 stats", "6 4d6»hk3« stats"),
        ("1d20+5 to hit 2d6", "1d20+5 to hit »2d6«"),
        ("１d20 + foo", "１d20 + »foo«"),
        ("(1d20+5", "(1d20+5»«"),
    ],
)
def test_a_refusal_marks_the_place_in_the_text_as_typed(typed: str, marked: str) -> None:
    with pytest.raises(UnreadableDice) as refused:
        parse_expression(typed)
    assert f": {marked}" in str(refused.value)
    assert refused.value.position == marked.index("»") + 1


def test_a_number_among_the_words_is_told_to_change_nothing() -> None:
    assert "changes the roll" in parse_expression("1d20 stealth 5").warnings[0]
    assert "6 rolls" in parse_expression("6#4d6kh3").warnings[0]
    assert parse_expression("1d20 stealth").warnings == ()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (" + ".join(["1d20"] * 80), " + ".join(["1d20"] * 71)),
        ("1d20+5 " + "stealthy " * 60, "1d20+5 " + "stealthy " * 54),
        ("1d20+5 # " + "why " * 130, "1d20+5"),
        ("(" * 60 + "1d6" + ")" * 60, "1d6"),
    ],
    ids=["many dice", "many words", "a long comment", "deep"],
)
def test_a_text_that_is_too_long_is_answered_with_its_beginning(typed: str, offered: str) -> None:
    with pytest.raises(RefusedDice) as refused:
        parse_expression(typed)
    assert refused.value.nearest == offered.strip()
    parse_expression(offered)


def test_rolls_that_are_too_many_together_are_answered_with_fewer() -> None:
    rolls = parse_rolls("100d6 fire; 4d6")
    require_together(rolls, "100d6 fire; 4d6", times=9)
    with pytest.raises(RefusedDice) as refused:
        require_together(rolls, "100d6 fire; 4d6", times=20)
    assert refused.value.nearest == "46d6 fire; 4d6"


@pytest.mark.parametrize("typed", ["2d6>=7", "1d20>=15", "1d100<=45", "4d6kh3>=4", "4d6kh3", "(6d10) >= 7", "2d6 != 3"])
def test_what_means_one_thing_alone_is_rolled_at_once(typed: str) -> None:
    parse_expression(typed)


def test_a_modifier_comes_before_the_words() -> None:
    assert plus("1d20 adv", 3) == "2d20kh1 + 3"
    assert plus("2d6 fire", 2) == "2d6 + 2 # fire"
    assert plus("1d20>=15", -1) == "(1d20 >= 15) - 1"


def test_semicolons_part_rolls_and_stay_in_notes_and_comments() -> None:
    assert [roll.text for roll in parse_rolls("1d20 [a; b]; 2d6 # c; d")] == ["1d20 [a; b]", "2d6 # c; d"]
    with pytest.raises(Refusal, match="20 different rolls"):
        parse_rolls(";".join(["1d6"] * 21))


def test_advantage_and_disadvantage_on_one_die_are_refused() -> None:
    with pytest.raises(UnreadableDice, match="cancel"):
        parse_expression("1d20adv dis")


def text_of(typed: str, *faces: tuple[int, int]) -> str:
    return roll_expression(typed, Dice(ScriptedFaces(faces))).text()


def test_a_comparison_says_success_or_failure_and_by_how_much() -> None:
    assert text_of("1d20+5>=15", (20, 12)) == "1d20 (**12**) + 5 = **17** against 15: **success** by 2"
    assert text_of("1d20+5>=15", (20, 2)) == "1d20 (**2**) + 5 = **7** against 15: **failure** by 8"
    assert text_of("1d20>=15", (20, 15)) == "1d20 (**15**) = **15** against 15: **success**"
    assert text_of("1d20>15", (20, 15)) == "1d20 (**15**) = **15** against more than 15: **failure**"
    assert text_of("1d100<=45", (100, 30)) == "1d100 (**30**) = **30** against at most 45: **success** by 15"
    assert text_of("2x 1d20>=15", (20, 15), (20, 3)).splitlines()[-1] == "Together **1** of 2 succeed"


def test_counted_successes_are_shown_as_dice() -> None:
    assert text_of("4d10 t7 f1", (10, 9), (10, 1), (10, 7), (10, 4)) == (
        "4d10s>=7f<=1 (**9✓**, 1✗, **7✓**, 4) = **1** success"
    )
    assert text_of("2d10t9", (10, 9), (10, 10)).endswith("= **2** successes")
    assert text_of("3d10t7>=2", (10, 9), (10, 1), (10, 7)).endswith("= **2** successes against 2: **success**")
