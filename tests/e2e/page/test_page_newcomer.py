"""The first ten minutes: from the program's start to the third round, with what the README says alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.newcomer import FORM, PLAYERS, Newcomer, settle
from tests.e2e.page.pictures import started

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SCREENSHOTS")
MOST_OF_THE_GM = 12


async def test_a_newcomer_is_in_the_third_round_with_a_cast_of_five_and_four_players() -> None:
    async with started() as address, browser_page(address, 1280, 800) as page:
        newcomer = Newcomer(page)
        await newcomer.set_up()
        assert newcomer.presses["Gwen"] <= MOST_OF_THE_GM
        assert [newcomer.presses[player] for player in PLAYERS] == [1, 1, 1, 1]
        if SHOTS:
            await page.screenshot(Path(SHOTS) / "newcomer-1280.png")
            await page.resize(390, 844, mobile=True)
            await settle(page)
            await page.screenshot(Path(SHOTS) / "newcomer-390.png")
            await page.resize(1280, 800)
        await newcomer.be("Ana")
        shown = await page.run("document.getElementById('log').innerText")
        assert "Assassin" not in shown
        assert "Goblin 3" in shown
        await newcomer.type("Ana", "/roll 1d20+5")
        await page.until("document.getElementById('log').innerText.includes('Ana rolls')")
        await newcomer.type("Gwen", "/gm damage target:Goblin* amount:3")
        await newcomer.play_until("round 3")
        assert page.complaints == []


@pytest.mark.parametrize("width", [390, 1280])
async def test_a_player_is_in_with_a_whole_character_in_three(width: int) -> None:
    async with started() as address, browser_page(address, 1280, 800) as page:
        newcomer = Newcomer(page)
        await page.until("document.querySelector('.welcome')")
        await newcomer.type("Gwen", "/encounter start system:adventurers name:Cellar")
        await newcomer.be("Ana")
        await page.resize(width, 844, mobile=width < 600)
        newcomer.presses.clear()
        await newcomer.write("Ana", "/join")
        await newcomer.press("Ana", "Make a character")
        await page.until("document.querySelector('#form textarea')")
        if SHOTS:
            await page.screenshot(Path(SHOTS) / f"character-{width}.png")
        await newcomer.press("Ana", "Submit", FORM)
        await page.until("document.getElementById('log').innerText.includes('You are in.')")
        assert newcomer.presses == {"Ana": 3}
        assert page.complaints == []
