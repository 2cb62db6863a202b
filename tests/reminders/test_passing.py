"""Nobody waits for somebody who has nothing to decide: passes count at once, or at one moment of the event (play 8)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.waiting.people import People
from bot.waiting.waits import SOON_SECONDS, Arming, Reminding, wanted
from rules.core.values import Question
from rules.errors import Malformed
from tests.reminders.silence import PLAYERS, table_of
from tests.rules.table import Game

_NO_STORE: Any = None
NOBODY = People(_NO_STORE, lambda: 0.0)
NOW = 1000.0


def moments(game: Game) -> set[float]:
    """Return when those pass who let an event pass that all players are asked about."""
    asked = tuple(
        Question(id=900 + number, who=who, about="", words="?", choices=(), window=9, silent=True, quiet=True)
        for number, who in enumerate(PLAYERS)
    )
    state = game.state.evolve(questions=asked)
    arm = Arming(NOBODY, state, "900", Reminding())
    armed = [arm(each, NOW) for each in wanted(state) if each.kind == "pass"]
    assert len(armed) == len(PLAYERS)
    return {each[0] for each in armed if each is not None and each[0] is not None}


@pytest.mark.parametrize("system", ["classic", "tactics", "adventurers", "beacon", "stones"])
def test_if_nothing_hidden_decides_standing_passes_count_within_five_seconds(system: str) -> None:
    assert moments(table_of(system)) == {NOW + SOON_SECONDS}
    assert SOON_SECONDS < 5


@pytest.mark.parametrize(("option", "longest"), [("", 120), ("pass_within=30s", 30), ("pass_within=1h", 3600)])
def test_if_a_hidden_fact_decides_one_moment_is_drawn_for_the_event(option: str, longest: int) -> None:
    game = table_of("soulweaver", option)
    drawn = [moments(game) for _ in range(100)]
    assert all(len(each) == 1 for each in drawn)
    assert all(10 <= moment - NOW <= longest for each in drawn for moment in each)
    assert len({moment for each in drawn for moment in each}) > 50


@pytest.mark.parametrize("value", ["9s", "25h", "m", "2", "soon", ""])
def test_a_time_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(Malformed):
        table_of("classic", f"pass_within={value}")
