"""Who is deleted is deleted everywhere, though each process may only write to the channels of its own shards."""

from __future__ import annotations

import time

from pydantic import SecretStr

from bot.features.deletion import ELSEWHERE, Deletion
from tests.store.postgres.processes import GUILDS, Holder, process
from tests.store.steps import commit, read_rows
from tests.wire import Wire


async def keep_the_first_alone(holder: Holder) -> None:
    """Let a process have the first of two shards for long, as when another has the second."""
    holder.stand_still()
    holder.tenure._lose({1})
    for statement in (
        "UPDATE lease SET owner = NULL WHERE shard = 1",
        "UPDATE lease SET until = until + INTERVAL '1 hour'",
        "UPDATE process SET until = until + INTERVAL '1 hour'",
    ):
        await holder.store.engine.write(lambda connection, words=statement: connection.execute(words))  # type: ignore[misc] # mypy knows no default in a lambda


async def test_each_process_deletes_a_person_from_the_shards_it_may_write(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start(2)
        await keep_the_first_alone(first)
        await second.start(2)
        await second.until(lambda: second.served == {1})
        await first.store.commit(commit(1, channel="a", guild=GUILDS[0], by="7777"))
        await second.store.commit(commit(1, channel="b", guild=GUILDS[1], by="7777"))
        deletions = [Deletion(Wire(each.store, None, time.time).tables) for each in (first, second)]
        await deletions[0].of_person("7777", "Ana")
        rows = "SELECT channel FROM log WHERE \"by\" = '7777' ORDER BY channel"
        assert read_rows(postgres_place, rows) == [("b",)], "the other process's to write"
        assert list(await second.store.find_metas(ELSEWHERE)) == [ELSEWHERE + "7777"]
        for deletion in reversed(deletions):
            await deletion.of_people_elsewhere()
        assert read_rows(postgres_place, rows) == []
        assert await second.store.find_metas(ELSEWHERE) == {}
