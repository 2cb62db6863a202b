"""The sample of `python -m tests.trust.chisquare` that runs with every test."""

from __future__ import annotations

import pytest

from tests.trust.chisquare import SUSPICIOUS, against_even, measure, upper_gamma


def test_dice_and_shuffles_of_the_source_are_even() -> None:
    for table in measure(40_000, seed=7):
        assert table.p > SUSPICIOUS, str(table)


def test_the_measure_finds_a_die_that_is_loaded() -> None:
    assert against_even("loaded", (10_000, 10_000, 10_000, 10_000, 10_000, 10_700)).p < SUSPICIOUS


@pytest.mark.parametrize(
    ("freedom", "statistic", "p"), [(1, 3.841, 0.05), (5, 11.070, 0.05), (19, 36.191, 0.01), (99, 98.334, 0.5)]
)
def test_p_agrees_with_the_printed_tables(freedom: int, statistic: float, p: float) -> None:
    assert upper_gamma(freedom / 2, statistic / 2) == pytest.approx(p, rel=0.002)
