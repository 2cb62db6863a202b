"""Random play at every seam: see `turmoil` for what may happen and what must hold."""

from __future__ import annotations

import pytest

from tests.properties.tables import TABLES
from tests.properties.turmoil import Turmoil

STEPS = 80


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("system", "options"), TABLES)
def test_whatever_happens_turns_and_questions_are_as_the_rules_say(system: str, options: str, seed: int) -> None:
    table = Turmoil(system, seed, options)
    for number in range(STEPS):
        try:
            table.happens()
        except AssertionError as wrong:
            raise AssertionError(f"{system} {options!r}, seed {seed}, step {number}: {wrong}") from wrong
        if table.is_over:
            break
    table.next_fight()
