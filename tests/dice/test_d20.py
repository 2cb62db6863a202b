"""The operators that we share with Avrae's d20 mean the same: both roll the same faces and agree on the total."""

from __future__ import annotations

import random
import warnings
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice.roll import roll_expression
from rules.dice.source import Dice
from rules.errors import Refusal
from tests.dice.tables import SHARED

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its parser imports a deprecated module
    import d20


class Sequence:
    """The same faces for both: each takes its own from the start."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def face(self, sides: int) -> int:
        return self.random.randint(1, sides)

    def randrange(self, sides: int) -> int:
        return self.face(sides) - 1


def total_of_d20(text: str, seed: int) -> int | None:
    with mock.patch("d20.expression.random.randrange", Sequence(seed).randrange):
        try:
            return int(d20.Roller().roll(text).total)
        except d20.RollError:
            return None


def our_total(text: str, seed: int) -> int | None:
    try:
        return roll_expression(text, Dice(Sequence(seed))).total
    except Refusal:
        return None


@pytest.mark.parametrize("text", SHARED)
def test_a_shared_operator_gives_the_total_of_d20(text: str) -> None:
    for seed in range(40):
        ours = our_total(text, seed)
        assert ours is not None
        assert ours == total_of_d20(text, seed), f"{text} with faces of {seed}"


@st.composite
def selectors(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["", "h", "l", "<", ">"])) + str(draw(st.integers(0, 7)))


@st.composite
def dice_terms(draw: st.DrawFn) -> str:
    names = st.sampled_from(["k", "p", "ro", "ra", "e", "rr"])
    operators = draw(
        st.lists(
            st.tuples(names, selectors()) | st.tuples(st.sampled_from(["mi", "ma"]), st.integers(1, 6).map(str)),
            max_size=3,
        )
    )
    chained = "".join(f"{name}{selector}" for name, selector in operators)
    return f"{draw(st.integers(0, 6))}d{draw(st.integers(1, 8))}{chained}"


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sets = st.tuples(st.lists(inner, min_size=1, max_size=3), st.sampled_from(["", "kh1", "kl2", "p>4", "k3ph1"]))
    return (
        sets.map(lambda parts: f"({', '.join(parts[0])}){parts[1]}")
        | st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "/", "<", ">=", "=="]), inner).map(" ".join)
        | inner.map(lambda text: f"-{text}")
    )


EXPRESSIONS = st.recursive(dice_terms() | st.integers(0, 30).map(str), combined, max_leaves=6)


@settings(max_examples=150, deadline=None)
@given(text=EXPRESSIONS, seed=st.integers(0, 10**6))
def test_any_shared_expression_gives_the_total_of_d20(text: str, seed: int) -> None:
    if (ours := our_total(text, seed)) is not None:
        assert ours == total_of_d20(text, seed)


@pytest.mark.parametrize("text", ["2d6k", "2d6fire", "1d6 +", "4d6mi>2", "(1d6)rr1", "1/0", "1d0", "1d6rr<7"])
def test_what_d20_refuses_is_refused(text: str) -> None:
    assert total_of_d20(text, 1) is None
    assert our_total(text, 1) is None
