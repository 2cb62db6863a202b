"""A PostgreSQL dies, and a copy that was behind goes on in its place."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import SecretStr

from data.check import check
from tests.e2e.loopback import local_table
from tests.postgres import Cluster, Server
from tests.relay import relayed
from tests.store.steps import read_rows
from tests.trust.stage.halls import Figures, Hall
from tests.trust.stage.play import live_prompts, start_bot
from tests.trust.stage.shared_database import NOWHERE, environment

ROWS = "SELECT seq FROM log ORDER BY seq"


async def test_after_a_failover_to_a_late_copy_a_table_goes_on_from_what_the_copy_has(
    tmp_path: Path, postgres_cluster: Cluster
) -> None:
    first = postgres_cluster
    Server(first.url).run("CREATE DATABASE referee")
    with first.copy() as copy:
        place, late = (SecretStr(Server(each.url).of("referee")) for each in (first, copy))
        async with relayed(place) as relay, local_table() as world:
            bot = await start_bot(world, NOWHERE, **environment(relay.url, tmp_path))
            hall = Hall(world, "tavern", Figures())
            await hall.open()
            assert await hall.act()
            known = read_rows(place, ROWS)
            await world.until(lambda: read_rows(late, ROWS) == known)
            copy.stop()  # and so it is behind
            assert await hall.act()
            assert await hall.act()

            relay.takes = False
            relay.end()
            first.stop()
            copy.start()
            copy.promote()
            relay.go_to(late)
            relay.takes = True
            assert read_rows(late, ROWS) == known, "the last two steps are gone"
            told = (await hall.gwen.slash("/init next", channel=hall.name)).text
            assert "Nothing was done: The database knows other steps of this channel" in told
            assert await hall.act()
            assert await hall.act()
            assert hall.figures.faults == []
            rows = [seq for (seq,) in read_rows(late, ROWS)]
            assert rows == list(range(1, len(known) + 3))
            assert len(live_prompts(world.place(hall.name))) == 1
            assert await check(late) == ()
            bot.terminate()
            assert await asyncio.wait_for(bot.wait(), 30) == 0
