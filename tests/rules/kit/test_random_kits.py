"""Kits that nobody wrote are played at random: the library's invariants hold for every valid file."""

from __future__ import annotations

import json
import random

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.document import read_document
from rules.kits.dry_run import MOST_STEPS, dry_run
from rules.kits.library import kit_of, library
from tests.rules.kit.tables import KitGame, begun
from tests.rules.kit.valid import valid_kit
from tests.rules.table import play_randomly

SAMPLE = 12


def play_valid(number: int, steps: int) -> str:
    """Play one random kit; return how it came out: `played`, or `stuck` where its rules let nobody act."""
    text = json.dumps(valid_kit(random.Random(f"valid {number}")))
    compile_kit(read_document(text.encode(), "made.json").content)
    game = begun(KitGame(text, is_json=True), "Ogre", "Rat")
    for part in range(steps // 10):
        if game.state.is_stuck and game.state.over is None:
            standing = next(name for name in game.state.names if game.state.combatant(name).pools["HP"].now > 0)
            game.do("Gwen", "gm turn", target=standing)
            assert game.waits_for() == (standing,), f"kit {number}: /gm turn gives nobody the turn"
        try:
            play_randomly(game, seed=number * 100 + part, steps=10)
        except AssertionError:
            if not game.state.is_stuck:
                raise
    return "stuck" if game.state.is_stuck else "played"


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_random_valid_kit_breaks_no_invariant(number: int) -> None:
    assert play_valid(number, steps=20) in ("played", "stuck")


@pytest.mark.parametrize("name", sorted(library()))
def test_a_kit_of_the_library_is_tried_without_a_refusal(name: str) -> None:
    content = library()[name].content
    found = dry_run(kit_of(content), content)
    assert found.steps <= MOST_STEPS
    assert "refused" not in found.stopped
    assert "nobody" not in found.stopped
