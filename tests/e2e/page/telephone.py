"""What a telephone shows of the page: whole words, and nothing wider than the screen."""

from __future__ import annotations

import os
from pathlib import Path

from tests.e2e.page.chromium import Page
from tests.e2e.page.newcomer import settle

SHOTS = os.environ.get("SCREENSHOTS")
CUT = """[...document.querySelectorAll('#log .components button, .choice-list .option-text')]
    .filter(each => each.offsetParent && each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"""
WIDE = "document.documentElement.scrollWidth > innerWidth"
NEWEST = (
    "(() => { const all = [...document.querySelectorAll('#log .message')]; return all[all.length - 1].innerText })()"
)


async def shot(page: Page, name: str) -> None:
    await settle(page)
    if SHOTS:
        await page.screenshot(Path(SHOTS) / f"panel-{name}-390.png")
    assert not await page.run(WIDE), name
    assert await page.run(CUT) == [], name
