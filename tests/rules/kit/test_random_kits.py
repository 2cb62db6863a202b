"""Kits that nobody wrote are played at random: the library's invariants hold for every valid file."""

from __future__ import annotations

import pytest

from rules.kits.dry_run import MOST_STEPS, dry_run
from rules.kits.library import kit_of, library
from tests.rules.kit.random_play import play_valid

SAMPLE = 12


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_random_valid_kit_breaks_no_invariant(number: int) -> None:
    play_valid(number, steps=20)


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_random_valid_kit_takes_another_s_place_in_mid_fight(number: int) -> None:
    play_valid(1000 + number, steps=20, changes=True)


@pytest.mark.parametrize("name", sorted(library()))
def test_a_kit_of_the_library_is_tried_without_a_refusal(name: str) -> None:
    content = library()[name].content
    found = dry_run(kit_of(content), content)
    assert found.steps <= MOST_STEPS
    assert "refused" not in found.stopped
    assert "nobody" not in found.stopped
