"""`python -m tests.trust.takeover` in small; without a guard the same goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.trust.stage.halls import deaf
from tests.trust.stage.two_processes import SHARDS
from tests.trust.stage.unguarded import FENCE, LAST_SEQ, SILENCE, UNIQUE_ID
from tests.trust.takeover import run, running

OVER_TWO_BUCKETS = 2  # connections that begin at once: the waiting for a turn is tried elsewhere
WRITTEN_SECONDS = 60.0  # at most: a busy machine is no guard


async def test_a_process_that_is_killed_or_hangs_loses_and_doubles_nothing(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    figures = await run(postgres_place, tmp_path, kills=1, cuts=False, at_once=OVER_TWO_BUCKETS)
    assert figures.faults == []
    assert figures.acknowledged > 20
    assert figures.reminders == 4


@pytest.mark.trust
async def test_without_a_guard_each_goes_wrong(tmp_path: Path, postgres_place: SecretStr) -> None:
    """The guards are taken away one after the other, from processes that run."""
    async with running(postgres_place, tmp_path, guarded=False, at_once=OVER_TWO_BUCKETS) as own:
        await own.begin()
        halls = own.halls_of("first")
        own.take_away(UNIQUE_ID)
        for hall in halls:
            assert await hall.act()
        events = [hall.done[-1] for hall in halls]
        own.take_away(SILENCE)
        newer, older = await own.woken("first", halls)
        assert not await own.written_by_the_old_one(newer, halls), "the fence alone stops it"

        with deaf(older, SHARDS):
            for event in events:
                own.world.discord.send_again(event)
            await own.world.until(lambda: all(own.rows()[event.id] > 1 for event in events))
        own.give_again(UNIQUE_ID)

        own.take_away(FENCE)
        assert await own.written_by_the_old_one(newer, halls, WRITTEN_SECONDS)

        with deaf(older, SHARDS):  # what the old one has in memory is old again
            for hall in halls:
                while not await hall.act():
                    pass
        assert own.gaps() == []
        own.take_away(LAST_SEQ)
        await own.written_by_the_old_one(newer, halls, WRITTEN_SECONDS)
        await own.world.until(own.gaps)
