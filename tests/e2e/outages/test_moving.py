"""From the file to PostgreSQL with a game under way, and back: the same prompt, the same buttons, the same log.

And from one process to another, with a line that is still to be struck through.
"""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.posting import strikes
from data.backup import backup
from data.check import check
from data.restoring.restore import restore
from tests.bench._hands import TOKENS_END_SECONDS
from tests.e2e.loopback import local_table
from tests.e2e.neighbours import all_quiet, referee_of, serve, two_referees
from tests.e2e.referee import duel, export, prompts, quiet, referee_at
from tests.postgres import Server
from tests.store.steps import read_rows

THERE = "hall-1"  # of the second shard

TODAY = date(2026, 3, 1)


async def test_a_game_under_way_goes_on_in_postgres_and_in_the_file_again(tmp_path: Path, postgres: Server) -> None:
    before, after = tmp_path / "before.sqlite3", tmp_path / "after.sqlite3"
    with postgres.database(empty=True) as url:
        async with local_table() as world:
            gwen, ana = world.person("Gwen"), world.person("Ana")
            async with referee_at(world, before) as client:
                first = await duel(world, client)
            await restore(before, url, TODAY)
            async with referee_of(world, url, "one") as (client, tenure):
                running = asyncio.create_task(client.run_until_closed())
                await world.until(lambda: tenure.served == {0} and client.is_connected)
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


async def test_what_is_still_to_be_struck_through_goes_with_the_shard_and_is_struck_once(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strikes, "PAUSE_SECONDS", 60.0)
    async with two_referees(postgres_place) as (world, first, second):
        before = await duel(world, second, THERE)
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/gm set target:Goblin pool:HP value:7", channel=THERE)
        await ana.press(before, "End turn")
        await all_quiet(world, first, second)
        world.discord.advance(TOKENS_END_SECONDS)
        undone = await gwen.slash("/encounter undo steps:2", channel=THERE)
        await all_quiet(world, first, second)
        (room,) = second.tables.rooms()
        assert room.late
        assert room.striking is not None
        assert "~~" not in before.content

        monkeypatch.setattr(strikes, "PAUSE_SECONDS", 0.0)
        assert second.tenure is not None
        second.tenure._lose({1})
        await asyncio.wait((room.striking,), timeout=5)
        assert room.striking.done(), "it would change a message of a table that another serves"
        await second.close()
        await second.tenure.end()
        await world.until(lambda: serve(first, {0, 1}))
        await world.until(lambda: "~~" in before.content)
        await all_quiet(world, first)

        shown, log = before.content, read_rows(postgres_place, "SELECT seq, kind, state FROM log ORDER BY seq")
        world.discord.send_again(undone.interaction)
        await all_quiet(world, first)
        assert before.content == shown
        assert read_rows(postgres_place, "SELECT seq, kind, state FROM log ORDER BY seq") == log
        assert await first.store.struck_channels() == ()
        assert len(prompts(gwen, THERE)) == 1
        assert world.faults() == []
