"""What the tests of this folder are given."""

from collections.abc import AsyncIterator

import aiohttp
import pytest_asyncio

from tests.local.any_bot import Bot
from tests.local.stand_in import StandIn


@pytest_asyncio.fixture
async def bot() -> AsyncIterator[Bot]:
    local = StandIn()
    await local.start()
    async with aiohttp.ClientSession() as session:
        yield Bot(local, session)
    await local.stop()
