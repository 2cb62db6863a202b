"""What PostgreSQL's engine promises besides the contract that both keep."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from data import schema
from data.connection import Connection, InDoubt
from data.postgres import engine, link
from data.postgres.engine import Postgres
from data.rows import OutboxMessage, RepeatedInteraction
from data.store import Store
from rules.errors import StoreFailure
from tests.postgres import Server
from tests.relay import Relay, relayed
from tests.store.steps import commit, opened, read_rows

SAID_OFTEN = 60  # by eight writers: psycopg prepares what a session says more than five times


def count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - the test's own


async def until_lost(store: Store, relay: Relay, seq: int) -> None:
    """Commit steps until the answer to a commit was held back."""
    await store.commit(commit(seq))
    relay.ends_at = b"COMMIT"
    await store.commit(commit(seq + 1, outbox=(OutboxMessage(f"n{seq}", "c", "{}"),)))
    assert relay.ended == 1


async def test_a_commit_whose_answer_was_lost_is_found_and_counts_once(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        await until_lost(store, relay, 1)
        assert [row.seq for row in await store.log("c")] == [1, 2]
        assert await store.answered("c:2") == '{"seq": 2}'
        await store.commit(commit(3))


async def test_a_commit_of_a_session_that_says_it_by_name_is_found_too(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        for seq in range(1, SAID_OFTEN):
            await store.commit(commit(seq))
        await until_lost(store, relay, SAID_OFTEN)
        assert [row.seq for row in await store.log("c")] == list(range(1, SAID_OFTEN + 2))


async def test_a_commit_that_never_came_is_made_on_a_new_connection(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        relay.passes_it = False
        await until_lost(store, relay, 1)
        assert [row.seq for row in await store.log("c")] == [1, 2]


async def test_a_step_that_another_did_meanwhile_is_no_success_of_this_one(postgres_place: SecretStr) -> None:
    async with relayed(postgres_place) as relay, opened(relay.url) as store, opened(postgres_place) as other:
        await store.commit(commit(1))
        relay.ends_at, relay.passes_it = b"COMMIT", False
        await other.remember("c:2", '{"seq": 77}', 1.0)
        with pytest.raises(RepeatedInteraction):
            await store.commit(commit(2))


async def test_what_nobody_knows_is_said_so_and_never_that_nothing_was_done(
    postgres_place: SecretStr,
) -> None:
    async with opened(postgres_place) as other, relayed(postgres_place) as relay, opened(relay.url) as store:
        await store.commit(commit(1))
        relay.ends_at, relay.takes = b"COMMIT", False
        with pytest.raises(InDoubt, match="Nobody knows yet"):
            await store.commit(commit(2))
        assert [row.seq for row in await other.log("c")] == [1, 2]
        with pytest.raises(StoreFailure, match="cannot be reached"):
            await store.commit(commit(1, channel="d"))
        relay.takes = True
        await store.commit(commit(3))  # it comes back by itself


async def test_a_connection_that_hangs_is_given_up_and_the_call_goes_on(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "SILENT_SECONDS", 1.0)
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        await store.commit(commit(1))
        relay.stand_still()
        began = time.monotonic()
        assert [row.seq for row in await store.log("c")] == [1]
        await store.commit(commit(2))
        assert time.monotonic() - began < 10
        assert [row.seq for row in await store.log("c")] == [1, 2]


async def test_a_server_that_takes_connections_and_never_answers_is_given_up_at_the_second_silence(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "SILENT_SECONDS", 1.0)
    monkeypatch.setattr(link, "CONNECT_SECONDS", 1)
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        await store.commit(commit(1))
        relay.silent_at = b"READ ONLY"
        with pytest.raises(StoreFailure, match="was lost; nothing was kept"):
            await store.log("c")
        assert relay.silenced == 2
        relay.silent_at = None
        assert [row.seq for row in await store.log("c")] == [1]  # it comes back by itself


async def test_a_session_that_is_taken_and_not_answered_as_it_begins_is_given_up(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does a pooler whose sessions are all in use."""
    monkeypatch.setattr(link, "CONNECT_SECONDS", 1)
    async with relayed(postgres_place) as relay, opened(relay.url) as store:
        relay.silent_at = b"statement_timeout"
        try:
            async with asyncio.timeout(180):
                with pytest.raises(StoreFailure, match="cannot be reached"):
                    await store.commit(commit(1))
        finally:
            relay.silent_at = None
            relay.end()  # else closing the store would wait for ever
        await store.commit(commit(1))  # it comes back by itself


async def test_writes_to_one_channel_run_in_the_order_of_the_calls(postgres_place: SecretStr) -> None:
    done: list[int] = []

    def slowly(connection: Connection, number: int) -> None:
        connection.execute("SELECT pg_sleep(?)", (0.02 * (5 - number),)).fetchall()
        done.append(number)

    async with opened(postgres_place) as store:
        engine = store._database
        both = ("a", "b")
        await asyncio.gather(*(engine.write_to((both[number % 2], "c"), slowly, number) for number in range(6)))
        assert done == list(range(6))


WAITING = {"a 2": ("a",), "b": ("b",), "a, c": ("a", "c"), "a 3": ("a",), "c": ("c",)}


async def test_no_waiting_write_overtakes_an_older_one_that_shares_a_channel_with_it(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "WRITERS", 2)
    begun: list[str] = []
    has_begun, go_on = threading.Event(), threading.Event()

    def note(_connection: Connection, name: str) -> None:
        begun.append(name)

    def wait(connection: Connection, name: str) -> None:
        note(connection, name)
        has_begun.set()
        go_on.wait(20)

    async with opened(postgres_place) as store:
        write = store.engine.write_to
        first = asyncio.create_task(write(("a",), wait, "a 1"))
        try:
            await asyncio.to_thread(has_begun.wait, 20)
            waiting = {name: asyncio.create_task(write(channels, note, name)) for name, channels in WAITING.items()}
            await waiting["b"]  # for it nobody waits
            assert begun == ["a 1", "b"]
        finally:
            go_on.set()
        await asyncio.gather(first, *waiting.values())
    assert [name for name in begun if "a" in name] == ["a 1", "a 2", "a, c", "a 3"]
    assert begun.index("a, c") < begun.index("c")


async def test_a_result_that_a_job_does_not_read_is_not_waited_for(postgres_place: SecretStr) -> None:
    """A step makes some ten round trips and not twice as many."""
    said: list[str] = []

    def job(connection: Connection) -> None:
        connection.execute("SELECT 1 / CAST(? AS BIGINT)", (0,))
        said.append("sent")
        connection.execute("SELECT 1").fetchone()
        said.append("read")

    async with opened(postgres_place) as store:
        with pytest.raises(StoreFailure, match="division by zero"):
            await store.engine.write(job)
    assert said == ["sent"]


async def test_two_jobs_that_want_what_the_other_holds_are_both_done(postgres_place: SecretStr) -> None:
    def change(connection: Connection, first: str, second: str) -> None:
        for key in (first, second):
            connection.execute("UPDATE meta SET value = value || '!' WHERE key = ?", (key,))
            connection.execute("SELECT pg_sleep(0.1)").fetchall()

    async with opened(postgres_place) as store:
        for key in ("a", "b"):
            await store.set_meta(key, "")
        write = store._database.write
        await asyncio.gather(write(change, "a", "b"), write(change, "b", "a"))
        assert [await store.get_meta(key) for key in ("a", "b")] == ["!!", "!!"]


def forgotten(session: link.Link, statement: str) -> None:
    """Let a statement be prepared behind one that fails: the session believes in it, the server never heard of it."""

    def fail(connection: Connection) -> None:
        connection.execute("SELECT 1 / (random() * 0)::int FROM pg_sleep(0.1)")
        connection.execute(statement)

    session.write([lambda connection: connection.execute("SELECT 1 / 0").fetchall()])
    for _ in range(5):
        session.write([lambda connection: connection.execute(statement).fetchall()])
    (outcome,) = session.write([fail])
    assert outcome.failure is not None
    assert "division by zero" in str(outcome.failure)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_statement_that_the_server_forgot_costs_nobody_a_step(postgres_place: SecretStr, jobs: int) -> None:
    statement = "SELECT count(*) FROM log"
    sessions = set()

    def step(connection: Connection) -> int:
        sessions.add(connection.execute("SELECT pg_backend_pid()").fetchone()[0])
        connection.execute("INSERT INTO meta (key, value) VALUES (gen_random_uuid()::text, '')")
        return int(connection.execute(statement).fetchone()[0])

    session = link.Link(postgres_place)
    try:
        forgotten(session, statement)
        assert [each.failure for each in session.write([step] * jobs)] == [None] * jobs
        assert len(sessions) == 2  # the first was of no more use
        forgotten(session, statement)
        assert session.read(lambda connection: connection.execute(statement).fetchone()) == (0,)
        assert len(read_rows(postgres_place, "SELECT 1 FROM meta WHERE value = ''")) == jobs
    finally:
        session.close()


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_session_with_a_copy_that_only_reads_is_renewed(postgres_place: SecretStr, jobs: int) -> None:
    """After a failover a name may lead to the copy for a moment; the session with it lasts longer than that."""

    def step(connection: Connection) -> None:
        connection.execute("INSERT INTO meta (key, value) VALUES (gen_random_uuid()::text, '')")

    with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as other:
        only_reads = f"ALTER DATABASE {other.info.dbname} SET default_transaction_read_only = "
        other.execute(f"{only_reads}on".encode())
        session = link.Link(postgres_place)
        try:
            for outcome in session.write([step] * jobs):
                assert "read-only" in str(outcome.failure)
            other.execute(f"{only_reads}off".encode())
            assert [each.failure for each in session.write([step] * jobs)] == [None] * jobs
        finally:
            session.close()


def test_a_read_that_ends_its_session_each_time_is_given_up(postgres_place: SecretStr) -> None:
    runs: list[int] = []

    def look(connection: Connection) -> None:
        runs.append(1)
        assert len(runs) < 20
        connection.execute("SELECT pg_terminate_backend(pg_backend_pid())").fetchall()

    session = link.Link(postgres_place)
    try:
        with pytest.raises(StoreFailure, match="was lost"):
            session.read(look)
        assert len(runs) == 5
    finally:
        session.close()


async def test_all_statements_of_a_read_see_one_moment(postgres_place: SecretStr) -> None:
    async with opened(postgres_place) as store, opened(postgres_place) as other:
        await store.commit(commit(1))
        loop = asyncio.get_running_loop()

        def look(connection: Connection) -> tuple[int, int]:
            before = count(connection, "log")
            asyncio.run_coroutine_threadsafe(other.commit(commit(2)), loop).result(5)
            return before, count(connection, "log")

        assert await store._database.read(look) == (1, 1)
        assert len(await store.log("c")) == 2


async def test_a_job_that_reads_cannot_write(postgres_place: SecretStr) -> None:
    async with opened(postgres_place) as store:
        with pytest.raises(StoreFailure, match="read-only"):
            await store._database.read(lambda connection: connection.execute("DELETE FROM log").rowcount)


async def test_two_processes_that_start_at_once_make_one_schema(postgres: Server) -> None:
    with postgres.database(empty=True) as url:
        stores = await asyncio.gather(*(Store.open(url) for _ in range(4)))
        for store in stores:
            await store.close()
        assert read_rows(url, "SELECT count(*) FROM migration") == [(len(schema.migrations()),)]


async def test_every_text_is_sorted_by_its_bytes_and_every_number_is_whole(postgres_place: SecretStr) -> None:
    columns = read_rows(
        postgres_place,
        "SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns"
        " WHERE table_schema = 'public'",
    )
    assert len(columns) > 80
    assert [row for row in columns if row[2] == "text" and row[3] != "C"] == []
    assert [row for row in columns if row[2] in ("real", "integer", "character varying")] == []


async def test_a_server_that_is_too_old_is_refused(postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_OLDEST", 990000)
    with pytest.raises(StoreFailure, match="is older than 14"):
        await Store.open(postgres_place)


def test_no_session_waits_or_keeps_its_locks_for_long(postgres_place: SecretStr) -> None:
    with link.connect(postgres_place) as session:
        found = {
            name: session.execute(f"SHOW {name}".encode()).fetchone()
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        }
    assert found == {
        "statement_timeout": ("10s",),
        "lock_timeout": ("5s",),
        "idle_in_transaction_session_timeout": ("5s",),
    }


FAULTS = {
    "CREATE TABLE recipes (name TEXT)": "tables of another program",
    "ALTER DATABASE {} SET synchronous_commit = off": "synchronous_commit = off",
}


@pytest.mark.parametrize(("statement", "words"), FAULTS.items(), ids=["another program's", "asynchronous"])
async def test_a_database_that_cannot_be_used_is_refused_and_stays(
    postgres: Server, statement: str, words: str
) -> None:
    with postgres.database(empty=True) as url:
        secret = url.get_secret_value()
        with psycopg.connect(secret, autocommit=True) as session:
            session.execute(statement.format(session.info.dbname).encode())
        before = read_rows(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        with pytest.raises(StoreFailure, match=words):
            await Store.open(url)
        assert read_rows(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == before


async def test_a_clock_that_is_far_from_the_databases_is_said_at_the_start(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = time.time() - 60
    monkeypatch.setattr("data.postgres.engine.time.time", lambda: late)
    with pytest.raises(StoreFailure, match=r"clock is (60|61) s away"):
        await Store.open(postgres_place)


async def test_a_newer_schema_is_refused(postgres_place: SecretStr) -> None:
    with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as session:
        session.execute("INSERT INTO migration (number) VALUES (999)")
    with pytest.raises(StoreFailure, match="newer version of this program"):
        await Store.open(postgres_place)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:s3cret@127.0.0.1:1/referee", "postgresql://me:s3cret@no-such-host.invalid/referee",
        "postgresql://me:s3 cret@[::1/referee", "mysql://me:s3cret@127.0.0.1/referee",
    ],
)  # fmt: skip
async def test_an_address_that_cannot_be_used_is_never_told(address: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StoreFailure) as caught:
        await Store.open(SecretStr(address))
    told: list[Any] = [caught.value, caught.value.__cause__ or "", caplog.text]
    assert not any("s3" in str(each) for each in told), told


async def test_closing_gives_every_connection_back(postgres_place: SecretStr) -> None:
    store = await Store.open(postgres_place)
    assert isinstance(store._database, Postgres)
    await asyncio.gather(*(store.commit(commit(1, channel=f"{number}")) for number in range(40)))
    asking = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'referee%' AND datname = current_database()"
    )
    ((held,),) = read_rows(postgres_place, asking)
    assert 2 <= held <= 10
    await store.close()
    await asyncio.sleep(0.2)
    assert read_rows(postgres_place, asking) == [(0,)]


async def test_a_lock_that_comes_when_nobody_waits_any_more_is_let_go(postgres_place: SecretStr) -> None:
    async with opened(postgres_place) as store, opened(postgres_place) as other:
        first, second = store.engine, other.engine
        assert isinstance(first, Postgres)
        assert isinstance(second, Postgres)

        async def wait_for_it() -> None:
            async with second.alone(5):
                pass

        async with first.alone(5):
            waiting = asyncio.create_task(wait_for_it())
            await asyncio.sleep(0.3)
            waiting.cancel()
            await asyncio.wait((waiting,))
        async with asyncio.timeout(180), first.alone(5):
            locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            assert read_rows(postgres_place, locks) == [(1,)]
