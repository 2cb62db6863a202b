"""What the rules of belongings, death, fate and ailments refuse."""

from __future__ import annotations

import pytest

from tests.rules.adventurers.scene import duel, table, trio


def test_ad_13_nothing_is_exchanged_if_there_is_no_ally() -> None:
    duel().refused("Ana", "exchange", rule="AD-13")


def test_ad_19_somebody_who_is_dead_acts_no_more() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Rhea", name="Dead")
    assert "is dead" in str(game.refused("Ana", "pass", rule="AD-19"))


@pytest.mark.parametrize(
    ("tables", "rule"),
    [
        ({"hit-critical": ["one", "two"]}, "AD-26"),
        ({"evasion-fumble": ["one"] * 7}, "AD-26"),
        ({"ailments": ["Burn"]}, "AD-28"),
        ({"ailments": {f"Ailment {number}": "hurts" for number in range(61)}}, "AD-28"),
    ],
)
def test_a_table_of_another_size_is_refused(tables: dict[str, object], rule: str) -> None:
    game = table()
    game.refused("Gwen", "encounter options", rule=rule, tables=tables)
