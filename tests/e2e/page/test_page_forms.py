"""A form with a select on a telephone: the GM picks the target and the amount in one form."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.telephone import NEWEST, shot
from tests.e2e.referee import quiet, refereed

pytestmark = IN_A_BROWSER
LINES = (
    ("Gwen", "/init start name:Gatehouse"),
    ("Ana", "/init join name:Rhea result:5 hp:12"),
    ("Gwen", "/init add name:Wolf result:9 hp:20 count:3"),
    ("Gwen", "/encounter begin"),
)


async def test_the_gm_damages_two_of_several_by_one_form_on_a_telephone(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 390, 700) as page,
    ):
        for who, line in LINES:
            await world.person(who).slash(line)
            await quiet(world, client)
        await page.resize(390, 700, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelector('[data-person=Gwen]')")
        await page.click_text("My turn", "button")
        await page.click_text("GM …", "button")
        await page.click_text("Damage", "button")
        await page.until("document.querySelector('#form').open")
        await page.click_text("Choose…", "#form button")
        await page.click_text("Wolf 1", "#form [role=option]")
        await page.click_text("Wolf 3", "#form [role=option]")
        await shot(page, "form-select")
        await page.click_text("Choose", "#form button.primary.small")
        await page.click("#form input")
        await page.type("7")
        await shot(page, "form-filled")
        await page.click("#form-submit")
        await page.until(f"{NEWEST}.includes('13/20')")
        await shot(page, "form-sent")
        await page.click_text("GM …", "button")
        await page.until(f"{NEWEST}.includes('Give to')")
        await shot(page, "gm-work")
        await page.click_text("Give to …", "button")
        await page.until("document.querySelector('#form').open")
        await page.run("[...document.querySelectorAll('#form .choice-button')].at(-1).click()")
        await page.click_text("Ana", "#form [role=option]")
        await shot(page, "form-person")
        await page.press("Escape")
        shown = (await world.person("Gwen").slash("/init list")).text
        assert shown.count("13/20") == 2
        assert world.faults() == []
