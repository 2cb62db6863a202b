"""The finished page: from an empty database to the second round of a fight with three people, and what it shows."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from tests.e2e.loopback import Seat, Table
from tests.e2e.page.chromium import IN_A_BROWSER, Page, PageError, browser_page
from tests.e2e.referee import export, prompts, quiet, refereed

pytestmark = IN_A_BROWSER
ONE_END_TURN = "[...document.querySelectorAll('button')].filter(b => b.innerText.trim() === 'End turn').length === 1"
SHOTS = os.environ.get("SCREENSHOTS")


def _is_new(seat: Seat, before: tuple[str, ...]) -> bool:
    return tuple(each.id for each in prompts(seat)) not in ((), before)


async def type_as(page: Page, world: Table, person: str, text: str) -> None:
    await page.click(f"[data-person={person}]")
    await page.until(f"document.querySelector('[data-person={person}]').getAttribute('aria-checked') === 'true'")
    await page.until("document.querySelector('.log-space')")
    before = world.discord.traffic
    await page.run("document.getElementById('line').focus()")
    await page.type(text)
    await page.press("Enter")
    await world.until(lambda: world.discord.traffic > before)


async def test_three_people_fight_into_the_second_round_on_the_page(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 1280, 800) as page,
    ):
        await page.until("document.querySelector('.welcome')")
        gwen = world.person("Gwen")
        for person, text in (
            ("Gwen", "/init start name:Ambush"),
            ("Ana", "/init join bonus:3"),
            ("Bo", "/init join bonus:1"),
            ("Cai", "/init join"),
            ("Gwen", "/init next"),
        ):
            await type_as(page, world, person, text)
            await quiet(world, client)
        for turn in range(3):
            content = await export(gwen)
            assert content["round"] == 1, f"turn {turn}"
            await page.click(f"[data-person={content['turn'][0]}]")
            before = (prompts(gwen)[0].id,)
            await page.until(ONE_END_TURN)
            for _ in range(5):  # the list may move under the mouse, as it does under a thumb
                try:
                    await page.click_text("End turn", "button")
                    await world.until(partial(_is_new, gwen, before), 4)
                except (TimeoutError, PageError):
                    continue
                break
            await quiet(world, client)
            await world.until(lambda: len(prompts(gwen)) == 1)
        content = await export(gwen)
        assert content["round"] == 2
        assert len(prompts(gwen)) == 1
        if SHOTS:
            await page.screenshot(Path(SHOTS) / "fight-1280.png")
            await page.resize(360, 740, mobile=True)
            await page.screenshot(Path(SHOTS) / "fight-360.png")
        assert page.complaints == []
        assert world.faults() == []
