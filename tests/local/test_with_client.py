"""The real discord.py client at the local table."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.local.people import NotPossible
from tests.e2e.loopback import Table, seated
from tests.local.demo_bot import DemoBot


@pytest_asyncio.fixture
async def table() -> AsyncIterator[Table]:
    async with seated(DemoBot()) as world:
        yield world
        assert world.faults() == []


async def test_buttons_selects_and_forms_work(table: Table) -> None:
    ana, bo = table.person("Ana"), table.person("Bo")
    panel = await ana.slash("/panel")
    assert panel.buttons == ("Count", "Ask me")
    assert (await bo.press(panel, "Count")).content == "Counted 1"
    assert panel.content == "Counted 1"
    assert (await bo.select(panel, "Blue", menu="A colour")).content == "You chose b"
    greeted = await bo.select(panel, "Cai", menu="Somebody")
    await table.settle()
    assert greeted.followups[0].content == f"Hello {table.person('Cai').mention}"
    form = await ana.press(panel, "Ask me")
    assert form.modal is not None
    welcome = await ana.submit(form, {"Name": "Ayla", "Side": "Foes"})
    assert welcome.content == "Welcome, Ayla of B!"
    with pytest.raises(NotPossible, match="switched off"):
        await ana.press(panel, "Off")
    with pytest.raises(NotPossible, match="Name is required"):
        await ana.submit(form, {"Side": "Foes"})
