"""The bot's websocket: sessions that outlive a line, and events that come twice."""

import asyncio
import json
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from tests.e2e.loopback import Table, local_table, seated
from tests.local.demo_bot import DemoBot
from tests.local.stand_in import channel_named


@pytest_asyncio.fixture
async def table() -> AsyncIterator[Table]:
    async with seated(DemoBot()) as world:
        yield world
        assert world.discord.faults == []


async def test_after_a_cut_the_bot_resumes_and_gets_what_it_missed(table: Table) -> None:
    ana, gateway = table.person("Ana"), table.discord.gateway
    await ana.slash("/roll dice:d6")
    await table.discord.cut_gateway()
    waiting = ana.begin("/roll dice:d8")
    await table.until(lambda: gateway.resumed)
    assert (await table.answered(waiting)).content == "Rolled d8"
    assert gateway.identified == 1


async def test_a_resume_can_repeat_events_that_were_seen(table: Table) -> None:
    ana = table.person("Ana")
    panel = await ana.slash("/panel")
    await ana.press(panel, "Count")
    await table.settle()
    before = len(table.discord.exchanges)
    await table.discord.cut_gateway(repeat=2)
    await table.until(lambda: table.discord.gateway.resumed)
    await table.settle()
    late = [e for e in list(table.discord.exchanges)[before:] if e.route.endswith("/callback")]
    assert [e.reply["code"] for e in late] == [40060], "the press came again and was answered again"


async def test_an_interaction_can_be_delivered_twice(table: Table) -> None:
    answer = await table.person("Ana").slash("/roll dice:d6")
    table.discord.send_again(answer.interaction)
    await table.settle()
    codes = [e.status for e in table.discord.exchanges if e.route.endswith("/callback")]
    assert codes == [200, 400]


async def test_what_happens_to_channels_threads_and_messages_is_understood(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    world, ana = table.discord.world, table.person("Ana")
    thread = world.open_thread(channel_named(world, "tavern"), "cellar", ana.person)
    assert (await ana.slash("/roll dice:d6", channel="cellar")).content == "Rolled d6"
    table.discord.archive("cellar")
    said = ana.say("oops", channel="dungeon")
    said.message.content = "better"
    world.edited(said.message)
    table.discord.delete_message(said.message)
    table.discord.revoke("send_messages", channel="dungeon")
    table.discord.delete_channel("tavern")
    assert (await ana.slash("/roll dice:d8", channel="dungeon")).content == "Rolled d8"
    assert thread.id not in world.channels
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == []


async def test_an_invalid_session_makes_the_bot_identify_anew(table: Table) -> None:
    table.discord.invalidate_session()
    await table.until(lambda: table.discord.gateway.identified == 2)
    assert (await table.person("Ana").slash("/roll dice:d6")).content == "Rolled d6"


async def test_a_wrong_token_or_a_privileged_intent_is_turned_away() -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        url = world.discord.root + "/gateway?v=10&encoding=json"
        for token, intents, code in (("wrong", 1, 4004), (world.discord.token, 1 << 15, 4014)):
            async with session.ws_connect(url) as socket:
                assert (await socket.receive_json())["op"] == 10
                await socket.send_json({"op": 2, "d": {"token": token, "intents": intents, "properties": {}}})
                closed = await asyncio.wait_for(socket.receive(), 300)
                assert closed.data == code


async def test_events_come_only_as_the_intents_allow() -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        url = world.discord.root + "/gateway"
        async with session.ws_connect(url) as socket:
            await socket.receive_json()
            await socket.send_json({"op": 2, "d": {"token": world.discord.token, "intents": 1 << 12}})
            assert (await socket.receive_json())["t"] == "READY"
            world.person("Ana").say("in the tavern")
            world.person("Ana").say("to the bot", channel="dm")
            event = await socket.receive_json()
            assert (event["t"], event["d"]["content"]) == ("MESSAGE_CREATE", "to the bot")


@pytest.mark.parametrize("compressed", [True, False])
async def test_the_stream_is_compressed_when_asked(compressed: bool) -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        url = world.discord.root + "/gateway" + ("?compress=zlib-stream" if compressed else "")
        async with session.ws_connect(url) as socket:
            message = await socket.receive()
            assert isinstance(message.data, bytes) is compressed
            if not compressed:
                assert json.loads(message.data)["op"] == 10


async def test_a_heartbeat_is_acknowledged_after_the_client_has_noted_it() -> None:
    """Else it looks to the client as late as the heartbeat before: *Can't keep up*."""
    async with (
        local_table() as world,
        aiohttp.ClientSession() as session,
        session.ws_connect(world.discord.root + "/gateway") as socket,
    ):
        await socket.receive_json()
        sent = time.monotonic()
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11
        assert time.monotonic() - sent > 0.2
