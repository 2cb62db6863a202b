"""The first ten minutes at an empty table, to the third round, with what the README says alone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.newcomer import FORM, PLAYERS, Newcomer, settle
from tests.e2e.referee import drawn, refereed

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SCREENSHOTS")
MOST_OF_THE_GM = 12


@pytest.fixture
async def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Newcomer]:
    """Somebody new at the page of an empty table."""
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 1280, 800) as page,
    ):
        yield Newcomer(page, partial(drawn, page, world, client))
        assert page.complaints == []
        assert world.faults() == []


async def test_a_newcomer_is_in_the_third_round_with_a_cast_of_five_and_four_players(newcomer: Newcomer) -> None:
    page = newcomer.page
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


@pytest.mark.parametrize("width", [390, 1280])
async def test_a_player_is_in_with_a_whole_character_in_three(width: int, newcomer: Newcomer) -> None:
    page = newcomer.page
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
