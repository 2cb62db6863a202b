"""Before it starts, a process has all its connections once: too few, or shared ones, are said in one line."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from pydantic import SecretStr

from bot.running import _serve, _shared_store
from bot.settings import load_settings
from data.postgres import sessions
from data.postgres.engine import READERS, WRITERS
from data.postgres.link import connect
from data.postgres.sessions import CONNECTIONS, require_sessions
from rules.errors import StoreFailure
from tests.postgres import Server
from tests.store.steps import read_rows

ROLE = "few"


@pytest.fixture
def limited(postgres: Server, postgres_place: SecretStr) -> Iterator[SecretStr]:
    """The address of a user who may have one connection too few."""
    parts = urlsplit(postgres_place.get_secret_value())
    postgres.run(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{ROLE}' CONNECTION LIMIT {CONNECTIONS - 1}")
    yield SecretStr(urlunsplit(parts._replace(netloc=f"{ROLE}:{ROLE}@{parts.netloc.rpartition('@')[2]}")))
    postgres.run(f"DROP ROLE {ROLE}")


def test_too_few_connections_are_said_in_one_line(limited: SecretStr) -> None:
    with pytest.raises(StoreFailure) as caught:
        require_sessions(limited)
    words = str(caught.value)
    assert f"gives {CONNECTIONS - 1} connections, and a process holds {CONNECTIONS}. Raise" in words
    assert f"{ROLE}:" not in words
    assert "\n" not in words


async def test_a_process_that_has_too_few_does_not_start(limited: SecretStr) -> None:
    given = {"DATABASE_URL": limited.get_secret_value(), "DISCORD_TOKEN": "abc.def"}
    with pytest.raises(StoreFailure, match=f"gives {CONNECTIONS - 1} connections"):
        await _serve(load_settings(given, None))


def test_a_session_that_is_not_ones_own_is_said_in_one_line(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does a pooler that gives it away at the end of a transaction."""
    shared = connect(postgres_place)

    def given(_url: SecretStr) -> psycopg.Connection:
        return shared

    monkeypatch.setattr(sessions, "connect", given)
    with pytest.raises(StoreFailure, match="gives a session to more than one"):
        require_sessions(postgres_place)


async def test_a_process_holds_its_connections_before_it_needs_them(postgres_place: SecretStr) -> None:
    own = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'referee %' AND datname = current_database()"
    )
    store = await _shared_store(postgres_place)
    try:
        assert read_rows(postgres_place, own) == [(WRITERS + READERS,)]
    finally:
        await store.close()


def test_a_database_that_gives_none_is_left_to_the_store_to_tell_of(postgres: Server) -> None:
    require_sessions(SecretStr(postgres.of("nowhere")))
