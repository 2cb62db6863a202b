"""From the file to PostgreSQL with a game under way, and back: the same prompt, the same buttons, the same log."""

from __future__ import annotations

import asyncio
from pathlib import Path

from data.backup import backup
from data.check import check
from data.postgres.transfer import restore
from tests.e2e.loopback import local_table
from tests.e2e.neighbours import referee_of
from tests.e2e.referee import duel, export, prompts, quiet, referee_at
from tests.postgres import Server


async def test_a_game_under_way_goes_on_in_postgres_and_in_the_file_again(tmp_path: Path, postgres: Server) -> None:
    before, after = tmp_path / "before.sqlite3", tmp_path / "after.sqlite3"
    with postgres.database(empty=True) as url:
        async with local_table() as world:
            gwen, ana = world.person("Gwen"), world.person("Ana")
            async with referee_at(world, before) as client:
                first = await duel(world, client)
            await restore(before, url)
            async with referee_of(world, url, "one") as (client, tenure):
                running = asyncio.create_task(client.run_until_closed())
                await world.until(lambda: tenure.held == {0} and client.is_connected)
                await ana.press(first, "End turn")
                await quiet(world, client)
                assert "Goblin" in prompts(gwen)[0].content
                await backup(url, after)
                await client.close()
                await running
            async with referee_at(world, after) as client:
                (prompt,) = prompts(gwen)
                await gwen.press(prompt, "End turn")
                await quiet(world, client)
                assert "round 2" in prompts(gwen)[0].content
                assert prompts(gwen)[0].pings == ("Ana",)
                told = await export(gwen)
                assert [row["seq"] for row in told["log"]] == list(range(1, len(told["log"]) + 1))
            assert world.faults() == []
        assert await check(url) == ()
    for file in (before, after):
        assert await check(file) == ()
