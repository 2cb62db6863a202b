"""The *Ahead* page on a telephone: opened from the live prompt, whose buttons have whole words (play 5)."""

from __future__ import annotations

from pathlib import Path

from bot.local.tryit import everything
from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.telephone import NEWEST, shot
from tests.e2e.referee import quiet, refereed

pytestmark = IN_A_BROWSER


async def test_ahead_on_the_live_prompt_opens_a_page_that_a_telephone_shows_whole(tmp_path: Path) -> None:
    script = next(each for each in everything() if each.id == "beacon")
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 390, 844) as page,
    ):
        for line in script.lines:
            await world.person(line.who).slash(line.text)
            await quiet(world, client)
        await page.resize(390, 844, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelector('[data-person=Bo]')")
        await page.run("document.querySelector('[data-person=Bo]').click()")
        await page.until("document.querySelector('[data-person=Bo]').getAttribute('aria-checked') === 'true'")
        await shot(page, "beacon-prompt")
        await page.click_text("Ahead", "button")
        await page.until(f"{NEWEST}.includes('obody else reads it before')")
        await shot(page, "beacon-ahead")
        assert world.faults() == []
