"""The page in the states that people meet, before axe-core: nothing serious on a dark desktop or a light phone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.hands import Mouse
from tests.e2e.page.chromium import IN_A_BROWSER, Page, browser_page
from tests.e2e.page.npm import needs, packaged
from tests.e2e.referee import quiet, refereed

pytestmark = [
    *IN_A_BROWSER,
    needs("axe-core"),
]
SHOTS = os.environ.get("SCREENSHOTS")
AUDIT = """axe.run(document, {resultTypes: ['violations']}).then((found) => JSON.stringify(
    found.violations.map((each) => ({rule: each.id, impact: each.impact,
        at: each.nodes.slice(0, 4).map((node) => node.html.slice(0, 160))}))))"""
# What turns and blinks for ever is never settled.
SETTLED = """document.getAnimations()
    .every((each) => each.playState !== 'running' || each.effect.getTiming().iterations === Infinity)"""
SAID = (
    "# Session 4\nWelcome **everyone** ~~late~~ `1d20+5` ||the dragon||\n- one\n> quoted\n-# small print\n"
    "<t:1900000000:R> in <#{place}>, <@{person}>\n```\ncode\n```[link](https://example.org)"
)


class Auditor:
    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.found: list[str] = []

    async def look_at(self, state: str) -> None:
        await self.page.until(SETTLED)
        if SHOTS:
            await self.page.screenshot(Path(SHOTS) / f"{self.name}-{state.replace(' ', '-')}.png")
        violations: list[dict[str, Any]] = json.loads(await self.page.run(AUDIT))
        self.found += [f"{state}: {each}" for each in violations if each["impact"] in {"serious", "critical"}]


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)], ids=["wide, dark", "narrow, light"])
async def test_no_state_of_the_page_has_a_serious_finding(tmp_path: Path, width: int, *, dark: bool) -> None:
    axe = packaged("axe-core", "axe.min.js").read_text("utf-8")
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, client),
        browser_page(world.discord.page_url, width, 740) as page,
    ):
        await page.resize(width, 740, dark=dark)
        await page.until("document.querySelector('.welcome .tries button')")
        await page.run(f"{axe}; 0")
        hands, auditor = Mouse(page), Auditor(page, f"audit-{width}-{'dark' if dark else 'light'}")
        await auditor.look_at("welcome")

        gwen, ana = world.person("Gwen"), world.person("Ana")
        ana.say(SAID.format(place=world.place("dungeon").id, person=gwen.id))
        await ana.slash("/roll dice:2d20kh1+3 reason:hit")
        await gwen.slash("/odds dice:2d6")
        ana.say("nobody has read this yet", channel="dungeon")
        await page.until("document.querySelector('.picture img')?.naturalWidth")
        await auditor.look_at("messages and a picture")
        await hands.use(".picture")
        await auditor.look_at("picture enlarged")
        await hands.use("#zoom-close")

        if width == 360:
            await hands.use("#side-open")
            await auditor.look_at("channels")
        await hands.use("#keys-open")
        await auditor.look_at("keys")
        await hands.use("#keys-close")
        await hands.use("#tryit-box summary")
        await auditor.look_at("the list of what to try")
        await hands.use("[data-script=classic]")
        await page.until("!document.getElementById('tip').hidden")
        await quiet(world, client)
        await auditor.look_at("somebody is waited for")
        if await page.run("Boolean(document.querySelector('#waits [data-be]'))"):
            await hands.use("#waits [data-be]")
            await page.until("document.getElementById('waits-show')")
        await hands.use(".row .button", "Ready")
        await page.until("document.getElementById('form').open")
        await auditor.look_at("form")
        await hands.use("#form .form-foot button", "Submit")
        await page.until("document.getElementById('form-problems').innerText || !document.getElementById('form').open")
        await auditor.look_at("form sent without what it needs")
        await page.press("Escape")

        await hands.write("#line", "/roll times:99 show:")
        await page.until("document.querySelectorAll('#completions li').length > 1")
        await page.until("document.querySelector('#mirror mark')")
        await auditor.look_at("composer with suggestions and an error")
        assert auditor.found == []
        assert page.complaints == []
        assert world.faults() == []
