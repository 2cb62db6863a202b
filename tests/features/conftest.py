from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.features.channel import Place


@pytest_asyncio.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    opened = await Place.open(tmp_path)
    yield opened
    await opened.store.close()
