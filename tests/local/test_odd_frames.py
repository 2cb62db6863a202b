"""What no page and no client sends: one refused message, and nothing in the log."""

from __future__ import annotations

import aiohttp
import pytest

from tests.e2e.loopback import local_table

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [DEEP, "[", "7", "[]", "{}", '{"do": []}', '{"do": "open", "channel": ' + DEEP])
async def test_an_odd_frame_of_the_page_is_one_refused_message(text: str) -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        root = world.discord.root
        async with session.ws_connect(f"{root}/page", origin=root) as socket:
            await socket.send_str(text)
            assert (await socket.receive_json(timeout=300))["t"] == "problem"
            await socket.send_json({"do": "hello", "person": "Bo"})
            assert (await socket.receive_json(timeout=300))["t"] == "world"


@pytest.mark.parametrize("text", [DEEP[:60_000], "["])
async def test_an_odd_frame_of_a_client_ends_its_line(text: str) -> None:
    async with (
        local_table() as world,
        aiohttp.ClientSession() as session,
        session.ws_connect(world.discord.root + "/gateway") as socket,
    ):
        assert (await socket.receive_json(timeout=300))["op"] == 10
        await socket.send_str(text)
        await socket.receive(timeout=300)
        assert socket.close_code == 4002


async def test_an_odd_body_of_a_request_is_refused() -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        address = f"{world.discord.api_url}/channels/1/messages"
        headers = {"Authorization": f"Bot {world.discord.token}", "Content-Type": "application/json"}
        async with session.post(address, data=DEEP, headers=headers) as response:
            assert response.status == 400
