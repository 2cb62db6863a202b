"""The sample of `python -m tests.trust.canary` that runs with every test: nobody receives what is others'.

Rule: G-04, G-08
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.features.log_rows import Logbook
from rules.core.commands import standing_orders
from rules.core.encounter import Encounter
from rules.core.seen import lines
from rules.core.step import Step
from rules.core.views import view
from rules.systems.kit import planning
from tests.trust.canary import on_the_wire
from tests.trust.stage.loopback_stage import at_the_loopback
from tests.trust.stage.marks import Heard, Ledger
from tests.trust.stage.plans import PLAN
from tests.trust.stage.rulings import without_canary
from tests.wire import wired


@pytest.mark.parametrize("system", ["beacon", "classic", "stones", "kit-hidden-plans"])
async def test_nobody_receives_a_secret_that_is_not_theirs(system: str, tmp_path: Path) -> None:
    evening = await on_the_wire(system, 7, 20, tmp_path, lookers=("Ana", "Sol"))
    assert evening.leaks == []
    assert evening.ledger.secrets > 7
    assert evening.searched > 200


async def test_nor_does_any_page_through_the_real_client(tmp_path: Path) -> None:
    evening = await at_the_loopback("classic", 8, 15, tmp_path, lookers=("Bo",))
    assert evening.leaks == []
    assert evening.searched > 500


def _tells_plans_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody read what somebody plans."""
    monkeypatch.setattr(planning, "_readers", lambda _play, _who: None)


async def test_words_of_a_secret_plan_are_marked_and_a_hole_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = await on_the_wire("kit-three-beats", 2, 24, tmp_path, lookers=())
    assert evening.leaks == []
    assert any(mark.what == PLAN for mark in evening.ledger.marks.values())
    _tells_plans_to_all(monkeypatch)
    (tmp_path / "hole").mkdir()
    leaky = await on_the_wire("kit-three-beats", 2, 24, tmp_path / "hole", lookers=())
    assert any(leak.startswith(PLAN) for leak in leaky.leaks)


def _sees_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "sees_hand", lambda _table, _user, _seat: True)


def _reads_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "may_see", lambda _seen_by, _seat: True)


def _knows_the_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def every_name(state: Encounter, _seat: Any) -> tuple[str, ...]:
        return tuple(each.name for each in state.cast)

    monkeypatch.setattr(Encounter, "visible_names", every_name)


def _reads_every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_pool_view", lambda now, top, _shown, _rests: view.PoolView(now=now, top=top))


def _logs_what_a_gm_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Logbook, "_says_a_number", lambda _book, _row, _action: False)


def _shows_dice_on_the_gms(monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = Step.roll

    def openly(step: Step[Any], expression: str, *, on: Any = (), **given: Any) -> Any:
        return rolled(step, expression, **given)

    monkeypatch.setattr(Step, "roll", openly)


def _tells_orders_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing_orders, "readers", lambda _state, _order: None)


@pytest.mark.trust
@pytest.mark.parametrize(
    ("hole", "what", "moves"),  # what is there from the beginning needs no moves
    [
        (_sees_every_hand, "card", 0),
        (_reads_every_line, "secret die", 80),
        (_knows_the_hidden, "hidden combatant", 0),
        (_reads_every_number, "GM's number", 0),
        (_logs_what_a_gm_typed, "a row of the GM", 80),
        (_shows_dice_on_the_gms, "GM's number", 80),
        (_tells_orders_to_all, "order", 80),
    ],
)
async def test_a_bot_with_a_hole_is_caught(
    hole: Callable[[pytest.MonkeyPatch], None], what: str, moves: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hole(monkeypatch)
    moves = (
        80 if what in {"secret die", "order", "a row of the GM", "GM's number"} else 0
    )  # the others are there at once
    for seed in range(5, 24):
        folder = tmp_path / str(seed)
        folder.mkdir()
        evening = await on_the_wire("classic", seed, moves, folder, lookers=("Sol",))
        if any(leak.startswith(what) for leak in evening.leaks):
            return
    raise AssertionError(f"no {what} was found")


async def test_every_option_of_every_command_of_a_gm_has_a_canary(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        assert without_canary(wire.every_command(), wire.read) == set()


def test_the_search_finds_a_mark_however_it_is_written() -> None:
    ledger = Ledger()
    ledger.hide("Zyq001hid", "hidden combatant", ["1"])
    ledger.hide("123456", "secret die", ["1"])
    for text in ("zyq001hid waits", "(**123,456**) = 123,456", json.dumps({"face": 123456}), "-123456"):
        assert ledger.leaks(Heard(None, "the channel", text)), text
        assert ledger.leaks(Heard(frozenset({"2"}), "a private answer", text)), text
        assert not ledger.leaks(Heard(frozenset({"1"}), "a private answer", text)), text
        assert ledger.leaks(Heard(frozenset(), "the log", text)), text
    for text in ("1234567", "9123456", "aZyq001hid", "ab123456cd"):
        assert not ledger.leaks(Heard(None, "the channel", text)), text
    ledger.publish("123456")
    assert not ledger.leaks(Heard(None, "the channel", "123456"))
