"""Somebody new with the README alone: three goblins, a boss, a hidden assassin and four players, on the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from tests.e2e.page.chromium import Page, PageError

SETTLED = """(() => { const now = document.body.innerText, same = window.before === now;
    window.before = now; return same; })()"""
CAST = "3 Goblin HP 7 AC 13 +2\nBoss HP 30 AC 16 +1\nAssassin HP 18 +4 hidden"
PLAYERS = {
    "Ana": "/init join hp:24 bonus:3",
    "Bo": "/init join hp:21 bonus:1",
    "Cai": "/init join hp:19 bonus:2",
    "Mo": "/init join hp:17",
}
MOST_TURNS = 40
FORM = "#form button"


class Newcomer:
    """Plays by what the page shows; `presses` counts commands and presses of each person.

    `settled` waits until the referee has said everything, and the page shows it.
    """

    def __init__(self, page: Page, settled: Callable[[], Awaitable[None]]) -> None:
        self.page = page
        self.settled = settled
        self.presses: dict[str, int] = {}

    async def set_up(self) -> None:
        """Play until the fight has begun: all that a GM and four players do before the first blow."""
        await self.page.until("document.querySelector('.welcome')")
        await self.type("Gwen", "/init start name:Cellar")
        await self.click("Gwen", "Paste a cast")
        await self.fill(CAST)
        await self.click("Gwen", "Submit", FORM)
        await self.click("Gwen", "Add all 5")
        for player, line in PLAYERS.items():
            await self.type(player, line)
        await self.type("Gwen", "/init next")
        await self.page.until("document.getElementById('log').innerText.includes('round 1')")
        await self.settled()

    async def play_until(self, words: str) -> None:
        """End turns until the page shows these words."""
        for _ in range(MOST_TURNS):
            if await self.page.run(f"document.getElementById('log').innerText.includes({json.dumps(words)})"):
                return
            await self.be("Gwen")
            acting = await self.acting()
            await self.click(acting, "End turn", "#log button")
        raise PageError(f"{words} never came")

    async def acting(self) -> str:
        """Return who must press: the first one that the live prompt names."""
        text = await self.page.run(
            "[...document.querySelectorAll('#log .message')].filter(m => [...m.querySelectorAll('button')]"
            ".some(b => b.innerText.trim() === 'End turn')).at(-1)?.innerText ?? ''"
        )
        line = next((each for each in text.splitlines() if "turn: round" in each), "")
        return next((name for name in ("Gwen", *PLAYERS) if line.lstrip("@").startswith(name)), "Gwen")

    async def be(self, person: str) -> None:
        await self.page.click(f"[data-person={person}]")
        await self.page.until(
            f"document.querySelector('[data-person={person}]').getAttribute('aria-checked') === 'true'"
        )
        await self.settled()

    async def type(self, person: str, line: str) -> None:
        await self.be(person)
        await self.write(person, line)

    async def write(self, person: str, line: str) -> None:
        """Type a line as the person that you already are."""
        self._count(person)
        await self.page.run("document.getElementById('line').focus()")
        await self.page.type(line)
        await self.page.press("Enter")
        await self.settled()

    async def click(self, person: str, label: str, within: str = "button") -> None:
        if within != FORM:
            await self.be(person)
        await self.press(person, label, within)

    async def press(self, person: str, label: str, within: str = "button") -> None:
        """Press a button as the person that you already are."""
        self._count(person)
        await self.page.click_text(label, within)
        await self.settled()

    async def fill(self, text: str) -> None:
        """Type into the form's first field."""
        await self.page.until("document.querySelector('#form textarea')")
        await self.page.run("document.querySelector('#form textarea').focus()")
        await self.page.type(text)

    def _count(self, person: str) -> None:
        self.presses[person] = self.presses.get(person, 0) + 1


async def settle(page: Page) -> None:
    """Wait until nothing on the page changes any more."""
    for _ in range(3):
        await asyncio.sleep(0.4)
        await page.until(SETTLED)
