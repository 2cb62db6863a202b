"""Kits on the page, as narrow as a telephone: taken from the list, and readable while several are waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.referee import quiet, refereed

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SHOTS")


@pytest.mark.parametrize("kit", ["hidden-plans", "token-bag"])
async def test_a_kit_is_taken_from_the_list_and_names_who_it_waits_for_in_words_not_letters(
    kit: str, tmp_path: Path
) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, _client),
        browser_page(world.discord.page_url, 390, 844) as page,
    ):
        await page.resize(390, 844, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("document.querySelector('.welcome .tries button')")
        await page.still(".more summary")
        await page.tap(".more summary")
        await page.still(f".tries [data-try=kit-{kit}]")
        await page.tap(f".tries [data-try=kit-{kit}]")
        await page.until("document.getElementById('waits-text').textContent.includes('waits for')")
        text = "document.getElementById('waits-text').getBoundingClientRect()"
        await page.until(f"{text}.width > 130 && {text}.height < 70")
        assert not await page.run("document.documentElement.scrollWidth > innerWidth")
        assert page.complaints == []
        assert world.faults() == []


FIGHT = (
    ("Gwen", "/encounter start system:high-first"),
    ("Ana", "/init join name:Ayla"),
    ("Bo", "/init join name:Bran"),
    ("Gwen", "/gm add name:Ogre"),
    ("Gwen", "/encounter begin"),
)
BOX = "document.getElementById('{}').getBoundingClientRect()"


async def test_the_word_of_new_messages_covers_nothing_that_can_be_pressed(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 390, 600) as page,
    ):
        for who, line in FIGHT:
            await world.person(who).slash(line)
            await quiet(world, client)
        await page.resize(390, 600, mobile=True)
        await page.open(world.discord.page_url)
        await page.until("[...document.querySelectorAll('#log button')].length > 3")
        await page.run("document.getElementById('log').scrollTop = 0")
        await page.run("new Promise((done) => setTimeout(done, 100))")  # until the page knows that it was scrolled
        await world.person("Bo").slash("/roll dice:1d20")
        await page.until("!document.getElementById('newer').hidden")
        assert await page.run(f"{BOX.format('newer')}.top >= {BOX.format('log')}.bottom")
        assert await page.run("document.getElementById('log').scrollTop") == 0, "what is read stays where it is"
        if SHOTS:
            await page.screenshot(Path(SHOTS) / "new-messages-390.png")
        await page.tap("#newer")
        await page.until("document.getElementById('newer').hidden")
        assert await page.run(
            "((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2)(document.getElementById('log'))"
        )
        assert page.complaints == []
        assert world.faults() == []
