"""Refusals that a rule's own test did not compare yet: each is refused by its rule, with what would work instead."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.core.documents import STONES, ability, document, table


@pytest.mark.parametrize(
    ("system", "pool", "value", "rule"),
    [
        ("adventurers", "STAMINA", "much", "AD-16"),
        ("beacon", "FOCUS", "much", "BE-10"),
        ("beacon", "ARMOR", "thick", "BE-26"),
        ("stones", "HAND", "many", "ST-04"),
    ],
)
def test_a_number_that_is_none_is_refused_by_the_rule_that_reads_it(
    system: str, pool: str, value: str, rule: str
) -> None:
    refusal = table(system).refused("Gwen", "gm set", rule=rule, target="Ogre", pool=pool, value=value)
    assert pool in refusal.reason


BEARERS: dict[str, dict[str, Any]] = {
    "beacon": ability("Spear", activation="FIGHT", reach="2"),
    "stones": ability("Ward", text="adds [Shielded]", card="defensive", element="Light", cost="1"),
}


@pytest.mark.parametrize(
    ("system", "pool", "value", "rule"),
    [
        ("beacon", "Spear reach", "far", "BE-16"),
        ("stones", "Ward ticks", "now and then", "ST-14"),
    ],
)
def test_a_field_of_an_ability_is_refused_by_the_rule_that_reads_it(
    system: str, pool: str, value: str, rule: str
) -> None:
    game = table(system, document=document(BEARERS[system]))
    game.refused("Gwen", "gm set", rule=rule, target="Ogre", pool=pool, value=value)


def test_a_range_of_a_d100_that_is_none_is_refused() -> None:
    typo = ability("Blast", text="[On 60-50] adds [Burn]", card="offensive", element="Fire", cost="1")
    refusal = table("stones").refused(
        "Gwen", "gm add", rule="ST-13", name="Borr", sheet=STONES, document=document(typo)
    )
    assert "On 60-50" in refusal.reason
