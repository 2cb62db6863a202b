"""A process that hung and wakes up does not go on with work for shards that it has lost."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from data.postgres import inbox
from tests.store.postgres.processes import LONG, change, lived, process


async def test_a_process_that_hung_does_not_take_what_was_left_for_the_next_holder(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start()
        first.stand_still()
        await change(second.store, "UPDATE lease SET owner = ?, until = until + INTERVAL '1 hour'", second.tenure.owner)
        await second.store.engine.write(inbox.put, 0, inbox.INTERACTION, "pressed")
        assert await first.store.engine.write(inbox.take, first.tenure.owner, (0,)) == ()
        assert await second.store.engine.write(inbox.take, second.tenure.owner, (0,)) == (
            (inbox.INTERACTION, "pressed"),
        )


async def test_at_its_end_nothing_is_held_before_any_timer_says_so(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.start()
        assert first.tenure.served == {0}
        first.tenure._until = 0.0
        assert first.tenure.served == frozenset()


async def test_a_shard_that_went_while_it_was_left_is_not_given_back_a_second_time(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be served here again by then, behind a new fence."""
    async with process(postgres_place, "first", LONG) as first:
        await first.start(2)
        async with process(postgres_place, "second", LONG) as second:
            came_back: list[int] = []

            async def leave(shard: int) -> None:
                first.tenure._lose({shard})
                await first.tenure._take(2)  # as after a round in which the database had freed it
                came_back.append(shard)

            async def freed(shard: int) -> None:
                await change(first.store, "UPDATE lease SET owner = NULL WHERE shard = ?", shard)
                await leave(shard)

            monkeypatch.setattr(first, "leave", freed)
            await second.tenure.settle(None, 2)
            await lived(second.store, 3 * LONG)
            standing = await first.tenure._renew()
            await first.tenure._give(standing)
            assert came_back == [1]
            assert first.tenure.served == {0, 1} == first.served


async def test_a_process_that_has_lost_its_shards_while_it_asked_gives_none(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(postgres_place, "first", LONG) as first:
        await first.start(2)
        async with process(postgres_place, "second", LONG) as second:

            async def stood_still() -> bool:
                first.tenure._lose({0, 1})
                return True

            monkeypatch.setattr(first, "may_move", stood_still)
            await second.tenure.settle(None, 2)
            await lived(second.store, 3 * LONG)
            await first.tenure._give(await first.tenure._renew())
            assert first.left == []
