"""What no rule carries out of what is used is left to the GM, in every system, no matter who uses it. Rule: G-09."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.sheets.reading import reading_of
from rules.core.views.export import export_view
from tests.effects.used import USED, WORDS, Used, name_of, use


@pytest.mark.parametrize("used", USED, ids=name_of)
def test_what_a_player_uses_asks_the_gm_once(used: Used) -> None:
    game = use(used, "Ayla")
    todo = [each for each in export_view(game.table, game.seat("Gwen"))["todo"] if WORDS in each["text"]]
    assert [(each["who"], each["ability"], each["count"]) for each in todo] == [("Ayla", "Flare", 1)]
    ability = game.state.combatant("Ayla").ability("Flare")
    if ability is not None:
        assert todo[0]["text"] in reading_of(ability, system_of(game.state).sheet).asks
    assert sum(WORDS in line for line in game.lines("Bo")) == 1
    assert sum("Sss!" in line for line in game.lines("Bo")) == 1


@pytest.mark.parametrize("used", USED, ids=name_of)
def test_what_a_creature_of_the_gm_uses_asks_them_alone(used: Used) -> None:
    game = use(used, "Ogre")
    todo = [each for each in export_view(game.table, game.seat("Gwen"))["todo"] if WORDS in each["text"]]
    assert [(each["who"], each["count"]) for each in todo] == [("Ogre", 1)]
    assert any(WORDS in line for line in game.lines("Gwen"))
    assert not any(WORDS in line or "Sss!" in line for line in game.lines("Bo"))


def test_a_title_that_was_pasted_is_shown_on_the_sheet_and_posted_nowhere() -> None:
    used = Used("classic", "Spore Burst (Recharge 5-6). You regain 1d4 HP", (("use", {"using": "Flare"}),))
    game = use(used, "Ayla")
    ability = game.state.combatant("Ayla").ability("Flare")
    assert ability is not None
    assert reading_of(ability, system_of(game.state).sheet).shows[0] == "Spore Burst"
    assert game.state.combatant("Ayla").used == {"Flare": 1}
    assert not any("Spore" in line for line in game.lines("Bo") if "uses" not in line)
