"""Discord's own menus on a telephone: the app's entries on a message, and on a person."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.telephone import NEWEST, shot
from tests.e2e.referee import quiet, refereed

pytestmark = IN_A_BROWSER


async def test_a_message_and_a_person_have_the_apps_entries_on_a_telephone(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 390, 700) as page,
    ):
        for who, line in (("Gwen", "/init start"), ("Ana", "/init join name:Rhea hp:12"), ("Ana", "/roll dice:1d20+2")):
            await world.person(who).slash(line)
            await quiet(world, client)
        await page.resize(390, 700, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelectorAll('.apps').length > 0")
        await page.run("[...document.querySelectorAll('.apps')].at(-1).click()")
        await page.until("document.querySelectorAll('.app-menu button').length === 2")
        await shot(page, "message-menu")
        await page.click_text("Check this roll", "button")
        await page.until(f"{NEWEST}.includes('Interaction')")
        await shot(page, "checked")
        await page.run("[...document.querySelectorAll('.context .who')].at(0).click()")
        await page.until("document.querySelectorAll('.app-menu button').length === 1")
        await shot(page, "person-menu")
        await page.press("Escape")
        await page.run("[...document.querySelectorAll('.context .who')].find(each => each.innerText === 'Ana').click()")
        await page.click_text("Sheet", "button")
        await page.until(f"{NEWEST}.includes('12/12')")
        await shot(page, "sheet")
        assert world.faults() == []
