"""Each entry of the `Try it` list: a whole round on the page by clicks or by keys alone, as it points out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.discord.client import RefereeClient
from tests.e2e.evening import Evening, Plan
from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.loopback import Table
from tests.e2e.page.chromium import IN_A_BROWSER, Page, browser_page
from tests.e2e.referee import drawn, refereed

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SCREENSHOTS")
PLANS = {
    "classic": Plan(("End turn",)),
    "tactics": Plan(("Let it pass", "Spear", "Hobbling", "Attack", "Walk", "Move", "Defend")),
    "adventurers": Plan(("Initiative", "Evade", "Take it", "Death", "Accept", "Attack", "Pass")),
    "soulweaver": Plan(
        ("React…", "React", "Hit", "Let it pass", "Decline", "Go on", "Stay", "Attack", "End turn"),
        once=frozenset({"React…", "React", "Attack"}),
        written={"What": "a low swing"},
        refusals=4,  # by the dice, one of the players is asked to stay out while the other one has the turn
        own={"Ana": ("Sella",), "Bo": ("Orrin",), "Gwen": ("Hound", "Soulweaver")},
    ),
    "stones": Plan(
        ("Begin", "Attack", "Move", "Activate", "End", "Discard"),
        once=frozenset({"Move", "Attack"}),
        refusals=4,
    ),
    "beacon": Plan(
        (
            "Let it pass",
            "Order",
            "Surge",
            "Begin",
            "Move",
            "Volley",
            "Fight",
            "Channel",
            "Defend",
            "End the turn",
            "Pass",
        ),
        once=frozenset({"Move", "Volley", "Fight", "Channel", "Defend"}),
        selected={"Phase": "no"},
        refusals=2,
    ),
}


async def one_round(page: Page, world: Table, client: RefereeClient, system: str, hands: Mouse) -> None:
    """Come to the page, take an entry of its list, and play until the second round."""

    async def settled() -> None:
        await drawn(page, world, client)

    await page.open(world.discord.page_url)
    await page.until("document.querySelector('.welcome .tries button')")
    if await page.run(f"Boolean(document.querySelector('.more [data-try={system}]'))"):
        await page.still(".more summary")
        await hands.use(".more summary")
    await page.still(f".tries [data-try={system}]")
    await hands.use(f".tries [data-try={system}]")
    await page.until("!document.getElementById('tip').hidden")
    await settled()
    evening = Evening(page, hands, PLANS[system], settled)
    await evening.until_round(2)
    assert len(evening.refused) <= PLANS[system].refusals, "\n".join(evening.told)


# By keys the one with buttons, lists and forms.
@pytest.mark.parametrize(("system", "by"), [(each, Keyboard if each == "soulweaver" else Mouse) for each in PLANS])
async def test_a_round_is_played_by_clicks_alone_or_by_keys_alone(
    system: str, by: type[Mouse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    width = 360 if by is Mouse else 1280
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, width, 740) as page,
    ):
        await page.resize(width, 740, dark=by is Mouse)
        await one_round(page, world, client, system, by(page))
        if SHOTS:
            await page.screenshot(Path(SHOTS) / f"{system}-{by.__name__.lower()}-{width}.png")
        assert not await page.run("document.documentElement.scrollWidth > innerWidth")
        assert page.complaints == []
        assert world.faults() == []
