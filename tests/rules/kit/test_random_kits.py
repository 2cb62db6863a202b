"""Kits that nobody wrote are played at random: the library's invariants hold for every valid file."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.dry_run import MOST_STEPS, dry_run
from rules.kits.library import kit_of, library
from rules.kits.schema import ActionPart, CheckPart, ConditionPart, KitPart, Part, PhasePart, PoolPart, ReactionPart
from tests.rules.kit.random_play import play_valid
from tests.rules.kit.valid import valid_kit

SEEDS = 4
KITS = tuple(valid_kit(random.Random(f"keys {number}")) for number in range(600))
TABLES: dict[str, tuple[type[Part], tuple[dict[str, Any], ...]]] = {
    "kit": (KitPart, KITS),
    "phase": (PhasePart, tuple(each for kit in KITS for each in (*kit.get("phase", ()), kit.get("order", {})))),
    **{
        key: (model, tuple(each for kit in KITS for each in kit.get(key, {}).values()))
        for key, model in (
            ("pool", PoolPart),
            ("check", CheckPart),
            ("action", ActionPart),
            ("reaction", ReactionPart),
            ("condition", ConditionPart),
        )
    },
}
# What a reaction shares with an action is written of actions
SHARED = {name for name in ReactionPart.model_fields if name in ActionPart.model_fields}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_random_valid_kit_breaks_no_invariant(seed: int) -> None:
    play_valid(seed, steps=20)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_random_valid_kit_takes_another_s_place_in_mid_fight(seed: int) -> None:
    play_valid(1000 + seed, steps=20, changes=True)


@pytest.mark.parametrize("name", sorted(library()))
def test_a_kit_of_the_library_is_tried_without_a_refusal(name: str) -> None:
    content = library()[name].content
    found = dry_run(kit_of(content), content)
    assert found.steps <= MOST_STEPS
    assert "refused" not in found.stopped
    assert "nobody" not in found.stopped


@pytest.mark.parametrize("table", TABLES)
def test_every_key_of_the_format_is_in_a_random_kit_that_is_played(table: str) -> None:
    model, parts = TABLES[table]
    keys = {field.alias or name for name, field in model.model_fields.items()}
    keys -= SHARED if model is ReactionPart else set()
    assert sorted(keys - {key for part in parts for key in part}) == []


def test_every_random_kit_is_read() -> None:
    for kit in KITS[:60]:
        compile_kit(kit)
