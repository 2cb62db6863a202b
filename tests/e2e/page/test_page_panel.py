"""The private panel on a telephone: whole words on its buttons and menus, and a step by its menus alone."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.telephone import NEWEST, shot
from tests.e2e.referee import quiet, refereed

pytestmark = IN_A_BROWSER
OGRE = "Ogre of the Old Northern Gate"
LINES = (
    ("Gwen", "/init start name:Gatehouse"),
    ("Ana", "/init join name:Rhea result:5 hp:12"),
    ("Gwen", f"/init add name:{OGRE} result:9 hp:20"),
    ("Gwen", "/board size size:12x8"),
    ("Gwen", "/board terrain cells:D3 kind:door"),
    ("Gwen", "/board place target:Rhea cells:C3"),
    ("Gwen", f"/board place target:{OGRE} cells:C5"),
    ("Gwen", "/encounter begin"),
)
ORDER = "On my turn: End turn"


async def test_the_panels_menus_and_buttons_are_read_and_pressed_on_a_telephone(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 390, 844) as page,
    ):
        for who, line in LINES:
            await world.person(who).slash(line)
            await quiet(world, client)
        await page.resize(390, 844, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelector('[data-person=Ana]')")
        await page.run("document.querySelector('[data-person=Ana]').click()")
        await page.until("document.querySelector('[data-person=Ana]').getAttribute('aria-checked') === 'true'")
        await page.click_text("My turn", "button")
        await page.until(f"{NEWEST}.includes('Ahead (Rhea)')")
        await page.click_text("Ahead (Rhea) …", "button")
        await shot(page, "ahead")
        await page.click_text(ORDER, "[role=option]")
        await page.until(f"{NEWEST}.includes('Remove')")
        await shot(page, "ordered")
        await page.click_text("My turn", "button")
        await page.until("[...document.querySelectorAll('#log button')].some(each => each.innerText.trim() === 'Door')")
        await page.click_text("Door", "button")
        await page.until(f"{NEWEST}.includes('which door?')")
        await page.click_text("Which door?", "button")
        await shot(page, "door")
        await page.press("Escape")
        await page.click_text("My turn", "button")
        await page.until(f"{NEWEST}.includes('Ahead (Rhea)')")
        await page.click_text("Area", "button")
        await page.until(f"!{NEWEST}.includes('Ahead (Rhea)')")
        await shot(page, "area")
        assert world.faults() == []
