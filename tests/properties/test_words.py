"""Random play with abilities in plain words: areas, answers, calls, stones that change hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.sheets.abilities import parse_ability
from tests.properties import turmoil
from tests.properties.turmoil import Turmoil
from tests.reminders import silence
from tests.rules.table import Game

STEPS = 80
WORDS: Mapping[str, tuple[str, ...]] = {
    "tactics": (
        "Burst 2: each enemy takes 1d6 damage and is Slowed (save ends).",
        "An ally within 5 squares regains 1d8 HP. Once per encounter.",
        "Shift 3 squares. Once per round.",
        "When you are hit, reduce the damage by 1d6. 1/round.",
        "When an adjacent ally is hit, you take the damage instead.",
        "When an enemy enters a square next to you, it takes 2 damage.",
        "1d6 damage; the target takes 3 ongoing acid damage (save ends).",
        "An ally gains advantage on their next attack.",
        "Swap places with an adjacent ally.",
    ),
    "stones": (
        "card offensive; cost 0; Draw 2 Speaking Stones.",
        "card offensive; cost 0; Steal 1 Speaking Stone from the defending player.",
        "card offensive; cost 0; The opposing player discards 2 Speaking Stones at random.",
        "card offensive; cost 0; [Standard Attack] twice.",
        "card offensive; cost 0; Deal ATK damage to each opposing character within 3 spaces and push them 1 space.",
        "card offensive; cost 0; The target can't use abilities until the end of its next turn.",
        "card defensive; cost 0; An ally recovers 5 HP.",
        "card defensive; cost 0; [Fuse] At the start of your turn, this character regains 1 HP.",
    ),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", sorted(WORDS))
def test_whatever_is_written_in_words_turns_and_stones_are_as_the_rules_say(
    system: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = silence.document_of

    def in_words(game: Game, name: str, owner: str | None) -> dict[str, Any]:
        document = plain(game, name, owner)
        more = (parse_ability(f"Knack {number}", words) for number, words in enumerate(WORDS[system]))
        return {**document, "abilities": [*document.get("abilities", ()), *(each.model_dump() for each in more)]}

    for module in (silence, turmoil):
        monkeypatch.setattr(module, "document_of", in_words)
    table = Turmoil(system, seed)
    for number in range(STEPS):
        try:
            table.happens()
        except AssertionError as wrong:
            raise AssertionError(f"{system}, seed {seed}, step {number}: {wrong}") from wrong
        if table.is_over:
            break
    assert any("Knack" in told for told in table.told)
    table.next_fight()
