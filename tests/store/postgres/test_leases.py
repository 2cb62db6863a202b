"""Each shard is served by one process: by its lease, behind the fence, and shared fairly."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest
from pydantic import SecretStr

from data.connection import Connection, Fenced, OtherCount
from data.postgres import inbox, leases
from data.postgres.engine import Postgres
from data.rows import OutboxMessage, PromptRow, WaitChanges
from data.store import Store
from tests.relay import relayed
from tests.store.fights import a_wait
from tests.store.postgres.processes import GUILDS, LONG, change, lived, process
from tests.store.steps import commit, everything, opened, read_rows

SECONDS = 2.0  # of a lease whose end is waited for


async def take(store: Store, *shards: int) -> None:
    """Take what is held elsewhere (all of it, by default), as if that lease had ended.

    A renewal of the one before may be under way and come first: once more then.
    """
    those = f" WHERE shard IN ({', '.join(map(str, shards))})" if shards else ""
    async with asyncio.timeout(300):
        while True:
            await change(store, f"UPDATE lease SET owner = NULL{those}")  # noqa: S608 - numbers alone
            if await store.engine.write(leases.take, "second", 60.0, 9, from_living=True):
                return
            await asyncio.sleep(0.05)


async def test_a_second_process_waits_while_the_first_serves_the_only_shard(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start()
        await second.start()
        await asyncio.gather(first.renewals(), second.renewals())
        assert (first.served, second.served) == ({0}, set())
        await first.store.commit(commit(1))
        with pytest.raises(Fenced):
            await second.store.commit(commit(2))


async def test_two_processes_of_one_name_are_two(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "one") as first, process(postgres_place, "one") as second:
        await first.start()
        await second.start()
        await second.renewals()
        assert (first.served, second.served) == ({0}, set())
        assert first.tenure.owner != second.tenure.owner


async def test_after_a_clean_end_nobody_waits(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", 60.0) as first:
        await first.start()
    async with process(postgres_place, "second") as second:
        await second.start()
        assert second.served == {0}
        assert read_rows(postgres_place, "SELECT epoch FROM shard") == [(2,)]


async def test_a_dead_process_is_replaced_when_its_lease_ends(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", SECONDS) as first, process(postgres_place, "second") as second:
        began = time.monotonic()
        await first.start()
        first.stand_still()
        await second.start()
        await second.until(lambda: second.served == {0})
        assert time.monotonic() - began > SECONDS


async def test_a_lease_that_ends_is_taken_at_its_end_and_not_at_the_next_renewal(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", SECONDS) as first, process(postgres_place, "second", 120.0) as second:
        await first.start()
        await second.start()
        first.stand_still()
        async with asyncio.timeout(120.0 / 5 - SECONDS - 2.0):  # the second renews its leases every 24 s
            while not second.served:  # noqa: ASYNC110 - it shall look by itself
                await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "written", ["SELECT 1 FROM shard WHERE number = 0 FOR SHARE", "UPDATE lease SET until = until WHERE shard = 0"]
)
async def test_a_write_that_hangs_for_ever_keeps_nobody_from_taking_its_shard(
    postgres_place: SecretStr, written: str
) -> None:
    """A network that is cut in the middle of a write leaves a session that nobody ends, with its locks."""
    async with process(postgres_place, "first", SECONDS) as first, process(postgres_place, "second") as second:
        await first.start(2)
        await second.start(2)
        engine = first.store.engine
        assert isinstance(engine, Postgres)
        name = leases.session_name(engine.key)
        with closing(psycopg.connect(postgres_place.get_secret_value(), application_name=name)) as writing:
            writing.execute(written.encode())
            first.stand_still()
            await second.until(lambda: second.served == {0, 1})


async def test_two_share_the_shards_and_the_one_that_is_left_takes_all(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.start(4)
        assert first.served == {0, 1, 2, 3}
        async with process(postgres_place, "second") as second:
            await second.start(4)
            await lived(second.store, LONG)
            await asyncio.gather(first.renewals(), second.renewals())
            assert first.left == [], "a newcomer has lived for two leases"
            await lived(second.store, LONG)
            await first.until(lambda: len(second.served) == len(first.served) == 2)
            assert first.left == [3, 2], "one at a time"
            assert first.served | second.served == {0, 1, 2, 3}
            await first.store.commit(commit(1, channel="a", guild=GUILDS[min(first.served)]))
            with pytest.raises(Fenced):
                await first.store.commit(commit(1, channel="b", guild=GUILDS[min(second.served)]))
        await first.until(lambda: first.served == {0, 1, 2, 3})


async def test_a_shard_without_a_connection_is_given_to_another_process(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start()
        await second.start()
        first.away[0] = LONG * 3
        await first.until(lambda: second.served == {0})
        assert first.served == set()


async def test_who_does_not_reach_discord_gets_no_shard_until_it_does(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.postgres.listening.LOOK_SECONDS", 0.1)
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        for each in (first, second):
            await each.tenure.settle(2, 2)
        for each in (first, second):
            await each.start(2)
        assert (first.served, second.served) == ({0}, {1})
        first.away[0], first.has_discord = LONG * 3, False
        await first.until(lambda: second.served == {0, 1})
        first.away.clear()
        await lived(second.store, LONG * 2)
        await asyncio.gather(first.renewals(), second.renewals())
        assert (first.served, second.served) == (set(), {0, 1})
        first.has_discord = True
        reaching = "SELECT count(*) FROM process WHERE isfinite(since)"
        await first.until(lambda: read_rows(postgres_place, reaching) == [(2,)])
        await lived(second.store, LONG * 2)
        await second.until(lambda: len(first.served) == len(second.served) == 1)


async def test_all_serve_the_count_of_shards_that_the_first_one_took(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start(4)
        assert await second.tenure.settle(None, 9) == 4
        with pytest.raises(OtherCount, match="serve 4 shards, not 5"):
            await second.tenure.settle(5, 9)
    async with process(postgres_place, "third") as third:
        assert await third.tenure.settle(5, 9) == 5


async def test_a_process_that_is_told_to_look_as_it_ends_renews_nothing_more(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start(1)
        await second.start(1)
        await asyncio.sleep(0.1)
        first.tenure.look()
        await asyncio.sleep(0)  # its loop is woken and has not run yet
        await first.tenure.end()
        assert all(task.done() for task in first.tenure._tasks)


async def test_who_still_writes_by_another_count_writes_no_more(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", SECONDS) as first, process(postgres_place, "second") as second:
        await first.start(4)
        await first.store.commit(commit(1, channel="d", guild=GUILDS[3]))
        first.stand_still()
        await asyncio.sleep(SECONDS + 0.5)
        await second.start(2)
        await second.until(lambda: second.served == {0, 1})
        with pytest.raises(Fenced):
            await first.store.commit(commit(2, channel="d", guild=GUILDS[3]))


WRITES: dict[str, Callable[[Store], object]] = {
    "commit": lambda store: store.commit(commit(2)),
    "change_waits": lambda store: store.change_waits("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1)),
    "claim_nudge": lambda store: store.claim_nudge("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1), "{}"),
    "nudged": lambda store: store.nudged("c", None),
    "set_remind": lambda store: store.set_remind("c", "g", "{}", 5.0),
    "claim_digest": lambda store: store.claim_digest("c", 5.0, 1, OutboxMessage("n", "c", "{}")),
    "prompted_round": lambda store: store.prompted_round("c", 3),
    "prompt_owed": lambda store: store.prompt_owed("c", PromptRow(1, 0, "5")),
    "delete_channel": lambda store: store.delete_channel("c"),
    "set_meta": lambda store: store.set_meta("ended:0", "cleanly", 0),
    "outbox_sent": lambda store: store.outbox_sent(OutboxMessage("n", "c", "{}")),
}


@pytest.mark.parametrize("name", WRITES)
async def test_a_process_that_hung_while_another_took_over_writes_nothing(postgres_place: SecretStr, name: str) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start()
        await first.store.commit(commit(1, outbox=(OutboxMessage("n", "c", "{}"),)))
        first.stand_still()
        await take(second)
        before = everything(postgres_place)
        with pytest.raises(Fenced):
            await WRITES[name](first.store)  # type: ignore[misc] # each is a coroutine of the store's
        assert everything(postgres_place) == before
        assert first.lost.is_set()


async def test_the_prompt_of_a_shard_that_went_holds_no_other_up(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start(2)
        for channel, guild in (("a", GUILDS[0]), ("b", GUILDS[1])):
            await first.store.commit(commit(1, channel=channel, guild=guild, prompt_version=2))
        first.stand_still()
        await take(second, 1)
        for channel in ("b", "a"):
            first.store.prompt_posted(channel, PromptRow(2, 2, f"message {channel}"))
        assert await first.store.unsent_prompts() == ()
        noted = read_rows(postgres_place, "SELECT channel, prompt_message FROM channel ORDER BY channel")
        assert noted == [("a", "message a"), ("b", None)]
        assert first.store._posted == {}


async def test_without_the_fence_what_nothing_else_guards_would_be_written(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start()
        await first.store.commit(commit(1))
        first.stand_still()
        await take(second)
        engine = first.store.engine
        assert isinstance(engine, Postgres)
        engine._count = None
        await first.store.claim_nudge("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1), "{}")
        assert await second.claimed_nudges() == ("c",)


async def test_a_takeover_waits_for_who_writes_behind_the_old_fence(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start()
        await first.store.commit(commit(1))
        first.stand_still()
        await change(second, "UPDATE lease SET owner = NULL")
        order: list[str] = []

        def slowly(connection: Connection) -> None:
            connection.execute("SELECT pg_sleep(0.5)").fetchall()
            order.append("written")

        writing = asyncio.create_task(first.store.engine.write_to(("c",), slowly))
        await asyncio.sleep(0.2)
        await second.engine.write(leases.take, "second", 60.0, 9, from_living=True)
        order.append("taken")
        await writing
        assert order == ["written", "taken"]


async def test_who_cannot_reach_the_database_gives_up_before_another_may_take_over(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, process(relay.url, "first", SECONDS + 1.0) as first:
        await first.start()
        relay.takes = False
        relay.stand_still()
        await first.until(first.lost.is_set)
        ((until,),) = read_rows(postgres_place, "SELECT CAST(extract(epoch FROM until) AS DOUBLE PRECISION) FROM lease")
        assert first.lost_at < until
        with pytest.raises(Fenced):
            await first.store.commit(commit(1))
        relay.takes = True
        relay.end()


async def test_who_has_given_up_serves_again_once_the_database_answers(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, process(relay.url, "first", SECONDS + 1.0) as first:
        await first.start()
        relay.takes = False
        relay.stand_still()
        await first.until(first.lost.is_set)
        await asyncio.sleep(1.0)  # the renewal that waits for its answer is older than a lease then
        relay.takes = True
        relay.end()
        await first.until(lambda: first.served == {0})
        await first.renewals()
        assert first.served == {0}
        await first.store.commit(commit(1))
        assert read_rows(postgres_place, "SELECT epoch FROM shard") == [(2,)], "it was taken once"


async def test_a_lease_that_is_renewed_stays(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start()
        for seq in range(1, 4):
            await first.renewals(1)
            await first.store.commit(commit(seq))
            assert await second.engine.write(leases.take, "second", 60.0, 9, from_living=True) == ()
        assert not first.lost.is_set()


async def test_a_turn_to_identify_is_one_processs_alone(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        for _ in range(2):
            taken = await asyncio.gather(*(each.tenure.take_turn(0, 60.0) for each in (first, second)))
            assert sorted(turn is not None for turn in taken) == [False, True]
            assert await first.tenure.take_turn(0, 60.0) is None
            assert await second.tenure.take_turn(1, 60.0), "another bucket"
            await change(first.store, "UPDATE identify SET free_at = free_at - INTERVAL '60 seconds'")


async def test_a_turn_for_which_nobody_waits_any_more_is_the_next_ones(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        assert await first.tenure.take_turn(0, 0.0) is not None
        waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%identify%'"
        with psycopg.connect(postgres_place.get_secret_value()) as slow:
            slow.execute("SELECT 1 FROM identify FOR UPDATE")
            taking = asyncio.create_task(first.tenure.take_turn(0, 600.0))
            await first.until(lambda: read_rows(postgres_place, waits) == [(1,)])
            taking.cancel()
            await asyncio.wait((taking,))
        async with asyncio.timeout(300):
            while await second.tenure.take_turn(0, 600.0) is None:  # noqa: ASYNC110 - it is given back when it comes
                await asyncio.sleep(0.05)


async def test_only_a_turn_of_ones_own_is_given_back(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        old = await first.tenure.take_turn(0, 0.0)
        assert old is not None
        assert await second.tenure.take_turn(0, 600.0) is not None
        await first.tenure.give_turn_back(0, old)
        assert await first.tenure.take_turn(0, 600.0) is None


async def test_what_the_living_gave_back_is_left_alone_while_few_connections_are_left(
    postgres_place: SecretStr,
) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start(2)
        first.stand_still()
        await first.store.engine.write(leases.give_back, first.tenure.owner, (1,))
        assert await second.engine.write(leases.take, "second", 60.0, 9, from_living=False) == ()
        await change(second, "UPDATE lease SET until = clock_timestamp() - INTERVAL '1 second'")
        taken = await second.engine.write(leases.take, "second", 60.0, 9, from_living=False)
        assert [fence.shard for fence in taken] == [0, 1], "a lease that has ended is nobody's"


async def test_what_a_process_left_at_its_end_is_free_at_once(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.start()
        await first.tenure.end()
        assert await second.engine.write(leases.take, "second", 60.0, 9, from_living=False)


async def test_what_a_process_was_just_taking_at_its_end_is_free_too(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", 60.0) as first, process(postgres_place, "second", 60.0) as second:
        await first.start()
        await second.start()
        with psycopg.connect(postgres_place.get_secret_value()) as slow:
            slow.execute("SELECT 1 FROM shard WHERE number = 0 FOR UPDATE")
            await first.tenure.end()
            taking = (
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE shard%'"
            )
            await second.until(lambda: read_rows(postgres_place, taking) == [(1,)])
            ending = asyncio.create_task(second.tenure.end())
            await asyncio.sleep(0.2)
        await ending
        assert read_rows(postgres_place, "SELECT owner FROM lease") == [(None,)]


async def test_who_ends_serves_what_it_was_just_taking_and_leaves_the_rest(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first", 60.0) as first, opened(postgres_place) as other:
        await first.start()
        taking = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM inbox%'"
        )
        with psycopg.connect(postgres_place.get_secret_value()) as slow:
            slow.execute("LOCK TABLE inbox IN SHARE MODE")
            first.tenure._mail.set()
            await first.until(lambda: read_rows(postgres_place, taking) == [(1,)])
            ending = asyncio.create_task(first.tenure.collect_no_more())
            await asyncio.sleep(0.2)
            slow.execute("INSERT INTO inbox (shard, kind, event) VALUES (0, 'interaction', 'now')")
        await ending
        assert first.delivered == ["now"]
        await other.engine.write(inbox.put, 0, inbox.INTERACTION, "later")
        await asyncio.sleep(0.3)
        assert read_rows(postgres_place, "SELECT event FROM inbox") == [("later",)]
