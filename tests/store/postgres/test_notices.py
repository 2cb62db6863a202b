"""What processes tell each other, and what they do not: a step tells nothing, and a lease waits for no step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import psycopg
import pytest
from pydantic import SecretStr

from data.connection import Connection
from data.postgres.engine import Postgres
from data.postgres.listening import DELETED, INBOX, LEASE, PERSON
from data.rows import OutboxMessage, PersonRow, PromptRow, WaitChanges
from data.store import Store
from tests.store.fights import a_wait
from tests.store.postgres.processes import GUILDS, LONG, lived, process
from tests.store.steps import commit, opened, read_rows

OWED = OutboxMessage("n", "c", "{}")


async def note_prompt(store: Store) -> None:
    store.prompt_posted("c", PromptRow(message="5"))
    await store.unsent_prompts()


WRITES: tuple[Callable[[Store], Awaitable[object]], ...] = (
    lambda store: store.commit(commit(1, prompt_version=2, outbox=(OWED,))),
    lambda store: store.remember("7", "{}", 1.0),
    lambda store: store.change_waits("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1)),
    lambda store: store.claim_nudge("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1), "{}"),
    lambda store: store.nudged("c", None),
    lambda store: store.set_remind("c", GUILDS[0], "{}", 5.0),
    lambda store: store.claim_digest("c", None, 1, None),
    lambda store: store.prompted_round("c", 2),
    lambda store: store.outbox_sent(OWED),
    note_prompt,
)


async def test_no_step_tells_other_processes_anything_and_changed_settings_do(postgres_place: SecretStr) -> None:
    """Whatever tells something waits at its commit for all others that do."""
    async with opened(postgres_place) as store:
        with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as other:
            for topic in (LEASE, INBOX, PERSON, DELETED):
                other.execute(f"LISTEN {topic}".encode())
            for write in WRITES:
                await write(store)
            await store.save_person(PersonRow("5", "{}"))
            (told,) = await asyncio.to_thread(lambda: list(other.notifies(timeout=10.0, stop_after=1)))
    assert (told.channel, told.payload) == (PERSON, "5")


async def test_a_lease_is_renewed_while_a_step_holds_its_fence(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.start()
        go_on: list[bool] = []

        def long(connection: Connection) -> None:
            while not go_on:
                connection.execute("SELECT pg_sleep(0.05)").fetchall()

        writing = asyncio.create_task(first.store.engine.write_to({"c": GUILDS[0]}, long))
        try:
            await first.renewals(2)
            assert not writing.done()
        finally:
            go_on.append(True)
        await writing
        assert first.served == {0}


async def test_leases_and_the_row_of_their_process_are_renewed_in_one_transaction(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.start(2)
        await first.renewals(2)
        written = (
            "WITH renewed AS (SELECT xmin FROM process UNION ALL SELECT xmin FROM lease)"
            " SELECT DISTINCT CAST(xmin AS TEXT) FROM renewed"
        )
        assert len(read_rows(postgres_place, written)) == 1


async def test_a_shard_gets_its_new_fence_and_its_lease_in_one_transaction(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start()
        await first.tenure.end()
        await second.start()
        written = "SELECT epoch, owner, s.xmin = l.xmin FROM shard AS s JOIN lease AS l ON shard = number"
        assert read_rows(postgres_place, written) == [(2, second.tenure.owner, True)]


async def test_a_process_holds_twelve_connections_at_most(postgres_place: SecretStr) -> None:
    """Hosts count on it: as many must its database, or its pooler, allow."""
    own = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'referee%' AND datname = current_database()"
    )
    async with process(postgres_place, "first") as first:
        await first.start()
        await first.until(lambda: first.missed_times > 0)  # it listens
        engine = first.store.engine
        assert isinstance(engine, Postgres)
        async with engine.alone(5):
            writes = (first.store.commit(commit(1, channel=str(number))) for number in range(40))
            await asyncio.gather(*writes, *(first.store.log(str(number)) for number in range(10)))
            assert read_rows(postgres_place, own) == [(12,)]


@pytest.mark.parametrize("away", [False, True], ids=["all connected", "one without its connection"])
async def test_a_shard_is_given_to_a_newcomer_only_while_all_others_are_served(
    postgres_place: SecretStr, *, away: bool
) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.start(2)
        await second.start(2)
        if away:
            first.away[0] = 0.5
        await lived(second.store, LONG * 2)
        if away:
            await first.renewals(3)
            assert first.tenure._moving is not None
            await asyncio.wait((first.tenure._moving,))
            assert first.left == []
            first.away.clear()
        await first.until(lambda: first.left == [1] and second.served == {1})
