"""A database that does not answer is asked again soon, then less and less often, and every ten seconds at last."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from data.postgres import link, listening
from data.postgres.listening import Listener
from data.postgres.pauses import LONGEST_SECONDS, Pauses
from rules.errors import StoreFailure
from tests.relay import relayed
from tests.store.postgres.processes import process

LONGEST_LEASE = 120.0  # which is renewed every 24 seconds
FAILURES = 4


def test_pauses_grow_up_to_ten_seconds_and_begin_anew() -> None:
    pauses = Pauses()
    taken = [pauses.taken() for _ in range(9)]
    assert all(later == 2 * earlier for earlier, later in pairwise(taken[:7]))
    assert taken[-2:] == [LONGEST_SECONDS, LONGEST_SECONDS] == [10.0, 10.0]
    pauses.end()
    assert pauses.taken() == taken[0]


async def test_a_process_that_failed_to_renew_a_long_lease_tries_again_before_the_next_renewal(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(postgres_place, "first", LONGEST_LEASE) as first:
        await first.start()
        own = first.tenure._round
        failed: list[bool] = []
        came_back = asyncio.Event()

        async def renew() -> None:
            if len(failed) < FAILURES:
                failed.append(True)
                raise StoreFailure("The database cannot be reached.")
            await own()
            came_back.set()

        monkeypatch.setattr(first.tenure, "_round", renew)
        first.tenure.look()
        await asyncio.wait_for(came_back.wait(), LONGEST_LEASE / 5)
        assert len(failed) == FAILURES


async def test_a_process_that_listens_in_vain_knocks_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0

    def refused(*_given: Any, **_named: Any) -> None:
        nonlocal tries
        tries += 1
        raise psycopg.OperationalError("nobody is there")

    monkeypatch.setattr(listening, "connect", refused)
    listener = Listener(SecretStr("postgresql://nowhere.invalid/x"), "first", lambda *_: None, lambda: None)
    try:
        await asyncio.sleep(2.0)
    finally:
        await listener.close()
    assert 2 <= tries <= 6, "0.1, 0.2, 0.4 and 0.8 seconds: twenty in vain would be a knocking"


@pytest.mark.parametrize("word", [b"statement_timeout", b"LISTEN"], ids=["as it begins", "as it begins to listen"])
async def test_a_session_that_listens_and_is_not_answered_at_first_is_made_anew(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch, word: bytes
) -> None:
    monkeypatch.setattr(link, "CONNECT_SECONDS", 1)
    monkeypatch.setattr(listening, "SILENT_SECONDS", 0.2)
    connected = asyncio.Event()
    async with relayed(postgres_place) as relay:
        relay.silent_at = word
        listener = Listener(relay.url, "first", lambda *_: None, connected.set)
        try:
            async with asyncio.timeout(180):
                while not relay.silenced:  # noqa: ASYNC110 - a relay tells nobody
                    await asyncio.sleep(0.01)
                relay.silent_at = None
                while not connected.is_set():
                    await asyncio.sleep(0.05)
                    listener.cut_if_silent()  # as the engine does each second
        finally:
            relay.end()
            await listener.close()
