"""A PostgreSQL is restarted; then it dies, and a copy that was behind goes on in its place."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr

from data.check import check
from tests.e2e.loopback import local_table
from tests.postgres import Cluster, Server
from tests.relay import relayed
from tests.store.steps import read_rows
from tests.trust.stage.halls import LINES
from tests.trust.stage.play import live_prompts, start_bot
from tests.trust.stage.shared_database import NOWHERE, environment

ROWS = "SELECT seq FROM log ORDER BY seq"
STEP = "/init next"
REFUSED = ("Nothing was done: The database", "Nobody knows yet")
EPOCHS = "SELECT epoch FROM shard"
LONGER_THAN_A_RESTART = "60"
RENEWED_WITHIN_SECONDS = 13.0  # a fifth of the lease, and what other processes left here is looked for meanwhile
READ_ONLY = "Nothing was done: The database could not keep this: it is read-only now"


@pytest.mark.parametrize("reads_first", [False, True], ids=["promoted", "reads first"])
async def test_a_table_outlives_a_restart_of_its_database_and_a_failover_to_a_late_copy(
    tmp_path: Path, postgres_cluster: Cluster, *, reads_first: bool
) -> None:
    """`reads_first`: the name leads to the copy before it is promoted, while it only reads."""
    first = postgres_cluster
    Server(first.url).run("CREATE DATABASE referee")
    with first.copy() as copy:
        place, late = (SecretStr(Server(each.url).of("referee")) for each in (first, copy))
        async with relayed(place) as relay, local_table() as world:
            bot = await start_bot(
                world, NOWHERE, **environment(relay.url, tmp_path, LEASE_SECONDS=LONGER_THAN_A_RESTART)
            )
            gwen = world.person("Gwen")
            for line in LINES:
                await gwen.slash(line)

            epochs = read_rows(place, EPOCHS)
            first.stop()
            assert (await gwen.slash(STEP)).text.startswith(REFUSED)
            first.start()
            assert not (await gwen.slash(STEP)).text.startswith(REFUSED)
            assert read_rows(place, EPOCHS) == epochs, "nobody gave a shard up"

            known = read_rows(place, ROWS)
            await world.until(lambda: read_rows(late, ROWS) == known)
            copy.stop()  # and so it is behind
            assert not (await gwen.slash(STEP)).text.startswith(REFUSED)
            assert not (await gwen.slash(STEP)).text.startswith(REFUSED)

            relay.takes = False
            relay.end()
            first.stop()
            copy.start()
            if reads_first:
                relay.go_to(late)
                relay.takes = True
                for _ in range(2):
                    assert (await gwen.slash(STEP)).text.startswith(READ_ONLY)
                await asyncio.sleep(RENEWED_WITHIN_SECONDS)
            copy.promote()
            relay.go_to(late)
            relay.takes = True
            assert read_rows(late, ROWS) == known, "the last two steps are gone"
            if reads_first:  # what was refused there made the table be read anew
                assert (await gwen.slash(STEP)).text.startswith("Wolf ends the turn.")
            else:
                told = (await gwen.slash(STEP)).text
                assert told.startswith("Nothing was done: The database knows other steps of this channel")
                assert not (await gwen.slash(STEP)).text.startswith(REFUSED)
            assert not (await gwen.slash(STEP)).text.startswith(REFUSED)
            rows = [seq for (seq,) in read_rows(late, ROWS)]
            assert rows == list(range(1, len(known) + 3))
            assert len(live_prompts(world.place("tavern"))) == 1
            assert await check(late) == ()
            bot.terminate()
            assert await asyncio.wait_for(bot.wait(), 300) == 0
