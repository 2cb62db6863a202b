"""Kits on the page, as narrow as a telephone: taken from the list, and readable while several are waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.page.chromium import browser_page, find_chromium
from tests.e2e.referee import refereed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (set CHROMIUM to its program)"),
]


@pytest.mark.parametrize("kit", ["hidden-plans", "token-bag"])
async def test_a_kit_is_taken_from_the_list_and_says_whom_it_waits_for_in_words_not_letters(
    kit: str, tmp_path: Path
) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, _client),
        browser_page(world.discord.page_url, 390, 844) as page,
    ):
        await page.resize(390, 844, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelector('.welcome .tries button')")
        await page.tap(f".tries [data-try=kit-{kit}]")
        await page.until("document.getElementById('waits-text').textContent.includes('waits for')", 20)
        text = "document.getElementById('waits-text').getBoundingClientRect()"
        await page.until(f"{text}.width > 130 && {text}.height < 70", 20)
        assert not await page.run("document.documentElement.scrollWidth > innerWidth")
        assert page.complaints == []
        assert world.faults() == []
