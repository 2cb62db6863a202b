"""Exact odds, beside counting by hand and beside the roller over every course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.dice.count import CUT
from rules.dice.odds import Distribution, distribution
from rules.dice.reading import stored_expression
from rules.dice.roll import roll_expression
from rules.dice.source import Dice
from rules.errors import Illegal, Refusal


class Given:
    """Hands out the faces of one course; asks for no more than it has."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)

    def face(self, sides: int) -> int:
        face = self.faces.pop(0)
        assert face <= sides
        return face


def exact(odds: Distribution) -> dict[int, Fraction]:
    return {value: Fraction(ways, odds.total_ways) for value, ways in odds.ways.items()}


def counted(sides: list[int], total: Callable[[tuple[int, ...]], int]) -> dict[int, Fraction]:
    found: Counter[int] = Counter(total(faces) for faces in product(*(range(1, n + 1) for n in sides)))
    everything = sum(found.values())
    return {value: Fraction(number, everything) for value, number in found.items()}


@pytest.mark.parametrize("text", ["()", "()kh1", "()pl", "(())kh1"])
def test_an_empty_set_is_zero_whatever_comes_after_it(text: str) -> None:
    assert exact(distribution(text)) == {0: Fraction(1)}


def test_a_rolled_number_of_dice_is_counted_over_all_its_results() -> None:
    table: Counter[int] = Counter()
    for number in (1, 2, 3):
        for faces in product(range(1, 5), repeat=number):
            table[sum(faces)] += 4 ** (3 - number)
    whole = sum(table.values())
    assert exact(distribution("(1d3)d4")) == {value: Fraction(ways, whole) for value, ways in table.items()}


@pytest.mark.parametrize(("text", "keeps"), [("3d{1, 1, 4}", 3), ("3d{1, 1, 4}kh2", 2), ("3d{-1, 0, 1}kh1", 1)])
def test_own_faces_are_counted_as_often_as_they_are_written(text: str, keeps: int) -> None:
    own = (-1, 0, 1) if "-" in text else (1, 1, 4)
    table = counted([3, 3, 3], lambda faces: sum(sorted([own[face - 1] for face in faces])[3 - keeps :]))
    assert exact(distribution(text)) == table


@pytest.mark.parametrize("text", ["220d20kh10", "150d20kh12", "4d6k6eh6", "90d100kh20"])
def test_odds_that_would_take_more_than_a_second_are_refused(text: str) -> None:
    with pytest.raises(Illegal, match="too long"):
        distribution(text)


EDGES = {"adv": {1: 6, 2: 8, 3: 10, 4: 12}, "dis": {1: 12, 2: 10, 3: 8, 4: 6}}


@pytest.mark.parametrize("word", ["adv", "dis"])
@pytest.mark.parametrize("sources", range(1, 10))
def test_ta_01_and_ta_02_give_the_exact_table_of_advantage(word: str, sources: int) -> None:
    table = counted(
        [6, 6, EDGES[word][min(sources, 4)]],
        lambda faces: sum(sorted(faces)[1:] if word == "adv" else sorted(faces)[:2]),
    )
    assert exact(distribution(f"2d6 {word} {sources}")) == table
    assert exact(distribution(f"2d6 {word} {sources} + 3")) == {value + 3: p for value, p in table.items()}


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("1d20", [20]), ("3d6", [6] * 3), ("4d6kh3", [6] * 4), ("4d6kl2", [6] * 4), ("4d6ph1", [6] * 4),
        ("4d6kh1kl1", [6] * 4), ("4d6ph1pl1", [6] * 4), ("4d6kh3pl1", [6] * 4), ("(4d6)kh2", [6] * 4),
        ("4d6k3", [6] * 4), ("4d6p<3kh2", [6] * 4), ("4d6k3k>4kh1", [6] * 4), ("3d6mi2ma5", [6] * 3),
        ("4d4kh2mi3", [4] * 4), ("4dF", [3] * 4), ("4dFkh2", [3] * 4), ("4dFkh1kl1", [3] * 4), ("d%", [100]),
        ("(1d6, 1d8)kh1 + 2", [6, 8]), ("(1d6, 1d4, 2d4)kh1kl1", [6, 4, 4, 4]), ("(1d6, 2d4, 3)p<4", [6, 4, 4]),
        ("(2d4, 2d4, 2d4)kh2", [4] * 6), ("((1d4, 1d6)kh1, 1d8)kl1", [4, 6, 8]), ("(1d6 + 1)k4", [6]),
        ("(1d6, 1d6)kh1k3", [6, 6]), ("3d6 * 2 - 1d4", [6, 6, 6, 4]), ("1d6 / 1d4", [6, 4]), ("1d6 // 1d4 % 3", [6, 4]),
        ("1d6 * 1d6 - 1d4 >= 5", [6, 6, 4]), ("-1d6 - -1d4", [6, 4]), ("1d6 + 0.5 * 1d4", [6, 4]), ("0d6 + ()", []),
        ("2d6 adv 1", [6, 6, 6]), ("(2d6 adv 2)kh1", [6, 6, 8]), ("1d20 > 10 > 0", [20]), ("4d4k2", [4] * 4),
    ],
)  # fmt: skip
def test_odds_are_what_counting_every_course_gives(text: str, sides: list[int]) -> None:
    by_hand = counted(sides, lambda faces: roll_expression(text, Dice(Given(faces))).total)
    assert exact(distribution(text)) == by_hand


def test_rerolls_have_the_odds_that_a_person_works_out() -> None:
    ro = exact(distribution("1d6ro1"))
    assert ro == {1: Fraction(1, 36), **dict.fromkeys(range(2, 7), Fraction(7, 36))}
    assert exact(distribution("1d6rr<3")) == dict.fromkeys(range(3, 7), Fraction(1, 4))
    assert distribution("1d6rr<3").cut == 0
    ra = distribution("2d6ra6")
    assert ra.mean == pytest.approx(7 + 3.5 * 11 / 36)


@pytest.mark.parametrize("text", ["1d6!", "2d6!", "3d6e>4", "1d20e20 + 2", "2d6mi3!", "2d4!kh1", "4d6!pl1"])
def test_open_ended_dice_are_cut_below_the_limit_and_say_so(text: str) -> None:
    odds = distribution(text)
    assert 0 < odds.cut < CUT
    assert sum(odds.ways.values()) == odds.total_ways - round(odds.cut * odds.total_ways) or odds.cut > 0
    assert sum(odds.outcomes.values()) == pytest.approx(1, abs=1e-12)


def test_an_exploding_die_has_the_mean_of_its_series() -> None:
    assert distribution("1d6!").mean == pytest.approx(3.5 * 6 / 5, abs=1e-9)
    assert distribution("10d10!>5").mean == pytest.approx(10 * 5.5 * 2, abs=1e-8)
    assert distribution("1d6!").probability(6) == 0
    assert distribution("1d6!").probability(7) == pytest.approx(1 / 36)


def test_the_highest_of_exploding_dice_is_judged_among_all_dice() -> None:
    odds = distribution("1d6!kh1")  # a six explodes until something else falls: the best is a six, or the first die
    assert odds.probability(6) == pytest.approx(1 / 6)
    assert odds.probability(5) == pytest.approx(1 / 6)


def test_mean_deviation_and_at_least_are_those_of_the_counts() -> None:
    odds = distribution("2d6")
    assert odds.mean == 7
    assert odds.deviation == pytest.approx((35 / 6) ** 0.5)
    assert odds.at_least(10) == pytest.approx(6 / 36)
    assert odds.at_least(2) == 1
    assert odds.at_least(13) == 0
    assert (odds.lowest, odds.highest) == (2, 12)
    assert list(odds.outcomes) == list(range(2, 13))


def test_a_repeated_expression_has_the_odds_of_one_result() -> None:
    assert distribution("3x(2d6)").ways == distribution("(2d6)").ways


def test_a_thousand_dice_are_exact() -> None:
    odds = distribution("1000d20")
    assert odds.ways[1000] == odds.ways[20000] == 1
    assert odds.counted == 20**1000
    assert odds.mean == 10500


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("100d20kh50", "40d20kh20"),
        ("1d1000000", "200,000 different results"),
        ("10d6eh1", "20,000 courses"),
        ("1d1000 * 1d10000", "pairs of results"),
        ("500d6 + 500d6 + 0", "exact numbers"),
        ("1d20!>1", "explosions"),
        ("1d6 / (1d6 - 1)", "divide by zero"),
    ],
)
def test_odds_beyond_the_limits_are_refused_with_the_limit(text: str, says: str) -> None:
    with pytest.raises(Illegal) as refused:
        distribution(text)
    assert says in str(refused.value)


FACES = st.integers(1, 5)


@st.composite
def terms(draw: st.DrawFn) -> str:
    number, sides = draw(st.integers(0, 3)), draw(st.integers(1, 4))
    names = st.sampled_from(["k", "p", "mi", "ma", "kh", "kl", "dh", "dl"])
    chained = "".join(f"{name}{face}" for name, face in draw(st.lists(st.tuples(names, FACES), max_size=3)))
    return f"{number}d{sides}{chained}"


SMALL = st.tuples(terms(), st.sampled_from(["+", "-", "*", ">", "=="]), terms() | FACES.map(str)).map(" ".join)


@settings(max_examples=60, deadline=None)
@example("0d1 + 1d1p1kh1")
@given(SMALL)
def test_random_small_expressions_agree_with_every_course(text: str) -> None:
    sides: list[int] = []

    class Sizes:
        def face(self, size: int) -> int:
            sides.append(size)
            return 1

    roll_expression(text, Dice(Sizes()))
    assert exact(distribution(text)) == counted(sides, lambda faces: roll_expression(text, Dice(Given(faces))).total)


@st.composite
def open_terms(draw: st.DrawFn) -> str:
    number, sides = draw(st.integers(1, 30)), draw(st.integers(2, 30))
    names = st.sampled_from(["k", "p>", "mi", "ma", "kh", "kl", "ro", "rr", "ra", "e", "e>", "ro<", "rr<"])
    chained = "".join(f"{name}{face}" for name, face in draw(st.lists(st.tuples(names, st.integers(1, 9)), max_size=3)))
    return f"{number}d{sides}{chained}"


@settings(max_examples=80, deadline=None)
@given(st.lists(open_terms(), min_size=1, max_size=3).map(" + ".join))
def test_odds_add_up_to_one_or_are_refused(text: str) -> None:
    try:
        odds = distribution(stored_expression(text))
    except Refusal:
        return
    assert sum(odds.outcomes.values()) == pytest.approx(1, abs=1e-9)
    assert -1e-15 < odds.cut <= 1.01 * CUT
    assert odds.lowest <= odds.mean <= odds.highest


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("4d6 t5", [6] * 4), ("4d6 t5 f1", [6] * 4), ("4d6kh3 t4", [6] * 4), ("3d6s6s1f3", [6] * 3), ("4dF.1", [6] * 4),
        ("4d6kh1kl1 t4", [6] * 4), ("3d6mi2 t2f2", [6] * 3), ("4d6k>2 t5", [6] * 4), ("3d6t5 + 1d4", [6, 6, 6, 4]),
        ("3d6t5 >= 2", [6] * 3), ("floor(1d6 / 2) + ceil(1d4 / 3)", [6, 4]), ("abs(1d6 - 1d8)", [6, 8]),
        ("max(1d6, 1d8, 3)", [6, 8]), ("min(2d4, 1d8) * 2", [4, 4, 8]), ("{2d4, 1d6}kh1", [4, 4, 6]),
        ("max(3)", []), ("4d6 drop lowest", [6] * 4), ("1d20 adv", [20, 20]), ("2d6 adv stealth", [6, 6, 6]),
    ],
)  # fmt: skip
def test_odds_of_what_people_type_are_those_of_the_roller(text: str, sides: list[int]) -> None:
    expression = stored_expression(text)
    assert exact(distribution(expression)) == counted(
        sides, lambda faces: roll_expression(expression, Dice(Given(faces))).total
    )


def test_exploding_successes_are_counted_up_to_the_cut() -> None:
    odds = distribution("2d6 ie6 t5")
    each = Fraction(2, 5)  # 5 or 6, and a 6 throws again: s = (1 + 1 + s) / 6
    assert abs(odds.mean - float(2 * each)) < 1e-9
