from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.cogs.table import Client, client_on


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with client_on(tmp_path) as opened:
        yield opened
