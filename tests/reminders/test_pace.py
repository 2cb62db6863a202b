"""With people who look in once in eight waking hours a round ends within two waking days (play 5)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.waiting import waits
from tests.reminders.pace import KINDS, SEED, Looks


async def test_a_round_of_orders_ahead_ends_within_two_waking_days(tmp_path: Path) -> None:
    async with Looks("beacon", ahead=True).open(tmp_path / "pace.sqlite3") as table:
        assert [await table.days(number) <= 2 for number in (1, 2, 3)] == [True] * 3


async def test_a_round_of_what_the_prompt_and_its_ahead_button_show_ends_within_two_waking_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waits, "_RANDOM", Random(SEED))
    async with Looks("soulweaver", **KINDS["shown"]).open(tmp_path / "pace.sqlite3") as table:
        assert [await table.days(number) <= 2 for number in (1, 2)] == [True] * 2


async def test_what_is_pressed_with_an_attack_or_a_pass_is_a_look_less_for_the_one_who_is_asked_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waits, "_RANDOM", Random(SEED))
    days = []
    for ends, passes in ((False, False), (True, False), (True, True)):
        table = Looks("soulweaver", ahead=False, ends=ends, passes=passes)
        async with table.open(tmp_path / f"pace {ends} {passes}.sqlite3"):
            days.append(await table.days(1))
    asked, ending, passing = days
    assert ending <= asked - 1.5
    assert passing <= ending - 0.5
