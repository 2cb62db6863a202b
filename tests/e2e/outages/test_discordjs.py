"""The stand-in is no friend of one library: the unmodified discord.js lives at it as at Discord."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.e2e.loopback import Table, local_table
from tests.e2e.page.npm import FOLDER, needs

pytestmark = needs("discord.js")
Heard = Callable[[str], list[dict[str, Any]]]


@asynccontextmanager
async def visited() -> AsyncIterator[tuple[Table, Heard]]:
    """A table with the discord.js bot at it, and what it tells of itself."""
    told: list[dict[str, Any]] = []
    async with local_table() as world:
        environment = os.environ | {"API_URL": world.discord.api_url, "TOKEN": world.discord.token}
        program = await asyncio.create_subprocess_exec(
            "node", "bot.cjs", cwd=FOLDER, env=environment, stdout=asyncio.subprocess.PIPE
        )
        assert program.stdout is not None

        async def listen(lines: asyncio.StreamReader) -> None:
            while line := await lines.readline():
                told.append(json.loads(line))

        listening = asyncio.create_task(listen(program.stdout))

        def heard(what: str) -> list[dict[str, Any]]:
            assert not [each for each in told if each["heard"] == "error"], told
            return [each for each in told if each["heard"] == what]

        try:
            await world.until(lambda: heard("ready"))
            yield world, heard
            assert world.faults() == []
        finally:
            program.terminate()
            await program.wait()
            await listening


async def test_discord_js_logs_in_and_hears_the_table() -> None:
    async with visited() as (world, heard):
        (ready,) = heard("ready")
        assert ready["guild"] == world.discord.world.guild_name
        assert {"tavern", "dungeon", "campaigns"} <= set(ready["channels"])
        ana = world.person("Ana")
        await world.until(lambda: set(ana.commands()) == {"hi", "slow"})
        bot = world.discord.world.application_id
        ana.say("hello all")
        ana.say(f"hello <@{bot}>", channel="dungeon")
        await world.until(lambda: len(heard("message")) == 2)
        plain, called = heard("message")
        assert plain == {"heard": "message", "by": "ana", "in": "tavern", "text": "", "calls": False}, "no such intent"
        assert (called["in"], called["calls"]) == ("dungeon", True)
        assert called["text"] == f"hello <@{bot}>", "who calls the bot is read by it"
        world.discord.people.open_thread(ana.person, world.place("tavern"), "The cellar", "")
        await world.until(lambda: heard("thread"))
        assert heard("thread")[0] == {"heard": "thread", "name": "The cellar", "parent": "tavern"}


async def test_discord_js_answers_commands_buttons_selects_and_forms() -> None:
    async with visited() as (world, heard):
        ana, mo = world.person("Ana"), world.person("Mo")
        await world.until(ana.commands)
        assert await ana.autocomplete("/hi to:ev", focused="to") == ("everybody here",)
        answer = await ana.slash("/hi to:all")
        assert (answer.content, answer.embeds[0]["description"]) == ("Hi", "Hi all")
        await mo.slash("/hi to:Ana")
        assert [each["manages"] for each in heard("command")] == [False, True]
        await world.until(lambda: len(heard("replied")) == 2)
        assert heard("replied")[0]["id"] == answer.shown.id, "its reply is given back to it"
        pressed = await ana.press(answer, "Count")
        assert pressed.content == "Counted"
        await world.until(lambda: pressed.followups)
        assert pressed.followups[0].ephemeral
        chosen = await ana.select(answer, "b")
        assert (chosen.content, chosen.ephemeral) == ("You chose b", True)
        form = await ana.press(answer, "Ask me")
        welcomed = await ana.submit(form, {"Name": "Ayla"})
        assert welcomed.content == "Welcome, Ayla"
        slow = await ana.slash("/slow")
        assert (slow.content, slow.ephemeral) == ("Thought.", True)
        await world.until(lambda: heard("fetched"))
        assert heard("fetched")[0]["text"] == "It was asked"
        await world.settle()
        assert all("asked" not in each.content for each in mo.sees()), "it took its own message away again"
