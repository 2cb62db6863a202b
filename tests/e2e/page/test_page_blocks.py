"""Somebody new pastes three stat blocks and fights at once, on a wide page and on a telephone."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.loopback import Seat
from tests.e2e.page.chromium import IN_A_BROWSER, browser_page
from tests.e2e.page.newcomer import FORM, Newcomer, settle
from tests.e2e.referee import export, quiet, refereed

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SCREENSHOTS")
MOST_PRESSES = 12
# Of three kinds; their attacks miss only on a 1
BLOCKS = """Mire Gobbler
Small humanoid, neutral evil
Armor Class 11 (hide)
Hit Points 9 (2d6 + 2)
Speed 30 ft.
Hooked Blade. Melee Weapon Attack: +14 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.
Tomb Sentinel
Creature 4
Perception +10; darkvision
AC 12; Fort +8, Ref +10, Will +11
HP 55
Melee ◆ longsword +14 (versatile P), Damage 1d8+8 slashing
Bramble Cat CR 2
Init +4; Perception +6
AC 13, touch 13, flat-footed 11
hp 19 (3d8+6)
Fort +5, Ref +5, Will +2
Melee bite +14 (1d6+2)"""
HERO = "HP 40, AC 12, INITIATIVE +2, Longsword +14 1d8+3 slashing"
ATTACK = """[...document.querySelectorAll('#log button')]
    .filter(b => b.innerText.trim().startsWith('Attack') && !b.disabled).at(-1)?.innerText.trim() ?? ''"""


async def health(gwen: Seat) -> dict[str, int]:
    combatants = (await export(gwen))["combatants"]
    return {name: each["pools"]["HP"][0] for name, each in combatants.items()}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 700)])
async def test_three_pasted_stat_blocks_fight_at_once(tmp_path: Path, width: int, height: int) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, 1280, 800) as page,
    ):
        gwen = world.person("Gwen")
        new = Newcomer(page, partial(settle, page))
        await page.until("document.querySelector('.welcome')")
        if width < 1000:
            await page.resize(width, height, mobile=True)
        await new.type("Gwen", "/init start name:Mire")
        await new.click("Gwen", "Paste a cast")
        await new.fill(BLOCKS)
        await new.click("Gwen", "Submit", FORM)
        if SHOTS:
            await page.screenshot(Path(SHOTS) / f"blocks-read-{width}.png")
        await new.click("Gwen", "Add all 3")
        await new.type("Ana", f"/character add name:Ana system:classic sheet:{HERO}")
        await new.type("Ana", "/init join")
        await new.type("Gwen", "/init next")
        await quiet(world, client)
        full = {"Mire Gobbler": 9, "Tomb Sentinel": 55, "Bramble Cat": 19, "Ana": 40}
        while (left := await health(gwen)) == full:
            assert sum(new.presses.values()) < MOST_PRESSES
            await new.be("Gwen")
            acting = await new.acting()
            await new.be(acting)
            await new.press(acting, await page.run(ATTACK), "#log button")
            await quiet(world, client)
        assert left.keys() == full.keys()
        assert sum(left.values()) < sum(full.values())
        if SHOTS:
            await page.screenshot(Path(SHOTS) / f"blocks-fought-{width}.png")
        assert page.complaints == []
        assert world.faults() == []
