"""Two ways to use the page: with the mouse, and with the keyboard alone. Nothing is done but what a person can do."""

from __future__ import annotations

import json

from tests.e2e.page.chromium import PATIENCE_SECONDS, Page, PageError

MOST_STEPS = 150
AIM = "[data-aim]"
FOCUS = f"""(() => {{ const aim = document.querySelector('{AIM}'), now = document.activeElement;
    if (!aim) return 'gone';
    if (aim === now) return 'there';
    return now.compareDocumentPosition(aim) & Node.DOCUMENT_POSITION_FOLLOWING ? 'after' : 'before'; }})()"""
AREA = f"""(() => {{ const areas = ['side', 'log', 'people', 'composer'].map((id) => document.getElementById(id));
    const here = areas.find((area) => area.contains(document.activeElement));
    return Boolean(here?.contains(document.querySelector('{AIM}'))); }})()"""


async def aim(page: Page, within: str, label: str = "", seconds: float = PATIENCE_SECONDS) -> None:
    """Mark the last control of a kind that can be used and whose text is that, or else begins so."""
    script = f"""(() => {{ const all = [...document.querySelectorAll({json.dumps(within)})]
        .filter((n) => n.innerText.trim().startsWith({json.dumps(label)}) && n.checkVisibility() && !n.disabled);
        document.querySelectorAll('{AIM}').forEach((n) => n.removeAttribute('data-aim'));
        const exact = all.findLast((n) => n.innerText.trim() === {json.dumps(label)});
        (exact ?? all.at(-1))?.setAttribute('data-aim', ''); return all.length > 0; }})()"""
    await page.until(script, seconds)


class Mouse:
    """Clicks alone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def use(self, within: str, label: str = "", seconds: float = PATIENCE_SECONDS) -> None:
        """Press a control. Raises: PageError if it is not there within some seconds."""
        await aim(self.page, within, label, seconds)
        await self.page.click(AIM)

    async def choose(self, within: str, labels: list[str], of: str = "") -> None:
        """Open a list, the last or the one that is called so, and choose in it."""
        await self.use(f"{within} .choice-button", of)
        several = await self.page.run(f"Boolean(document.querySelector('{within} [aria-multiselectable]'))")
        for label in labels:
            await self.use(f"{within} [role=option]:not([aria-selected=true])", label)
        if several:
            await self.use(f"{within} .choice-list > button", "Choose")

    async def write(self, selector: str, text: str) -> None:
        await self.use(selector)
        await self.page.type(text)


class Keyboard(Mouse):
    """Keys alone: F6 from area to area, Tab within it, Enter, and arrows in a list."""

    async def use(self, within: str, label: str = "", seconds: float = PATIENCE_SECONDS) -> None:
        await self._reach(within, label, seconds)
        await self.page.press("Enter")

    async def choose(self, within: str, labels: list[str], of: str = "") -> None:
        await self.use(f"{within} .choice-button", of)
        several = await self.page.run(f"Boolean(document.querySelector('{within} [aria-multiselectable]'))")
        for label in labels:
            wanted = f"document.querySelector('{within} li.active')?.innerText.trim().startsWith({json.dumps(label)})"
            for _ in range(26):
                if await self.page.run(f"Boolean({wanted})"):
                    break
                await self.page.press("ArrowDown")
            else:
                raise PageError(f"no option {label}")
            await self.page.press(" " if several else "Enter")
        if several:
            await self.page.press("Enter")

    async def write(self, selector: str, text: str) -> None:
        await self._reach(selector)
        await self.page.type(text)

    async def _reach(self, within: str, label: str = "", seconds: float = PATIENCE_SECONDS) -> None:
        await aim(self.page, within, label, seconds)
        for _ in range(4):
            if await self.page.run(f"{AREA} || Boolean(document.querySelector('dialog[open]'))"):
                break
            await self.page.press("F6")
        for _ in range(MOST_STEPS):
            where = await self.page.run(FOCUS)
            if where == "there":
                return
            if where == "gone":  # it was drawn anew: look again, as people do
                await aim(self.page, within, label, seconds)
                continue
            await self.page.press("Tab", shift=where == "before")
        raise PageError("Tab does not lead there")
