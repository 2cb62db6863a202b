"""A kill and a standstill of `python -m tests.trust.takeover`; without a guard the same run goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.trust.takeover import MOST_A_SECOND, run

WRONG = {
    "unique id": ("unique id", "an acknowledged step is there 2 times", 1),
    "the fence": ("fence,silence", "a process without the lease wrote", 0),
    "last_seq": ("last_seq,fence,silence", "rows up to seq", 0),
}


async def test_who_is_killed_and_who_stood_still_lose_and_double_nothing(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    figures = await run(postgres_place, tmp_path, kills=1)
    assert figures.faults == []
    assert figures.acknowledged > 20
    assert figures.busiest_second <= MOST_A_SECOND
    assert figures.reminders == 2


async def test_the_fence_alone_stops_who_believes_in_its_leases_for_ever(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    figures = await run(postgres_place, tmp_path, kills=0, without=("silence",))
    assert figures.faults == []


@pytest.mark.parametrize("guard", WRONG)
async def test_without_a_guard_the_run_goes_wrong(guard: str, tmp_path: Path, postgres_place: SecretStr) -> None:
    without, fault, kills = WRONG[guard]
    figures = await run(postgres_place, tmp_path, kills=kills, without=without.split(","))
    assert any(fault in each for each in figures.faults), figures.faults
