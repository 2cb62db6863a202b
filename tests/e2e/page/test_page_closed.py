"""The page while the table is closed: what was written is not lost, and goes out once it is open again."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.page.chromium import IN_A_BROWSER, Page, browser_page
from tests.e2e.referee import refereed

pytestmark = IN_A_BROWSER
KEPT = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(url) { super(url); window.sockets.push(this); } };"""
CLOSE = "Object.defineProperty(window.sockets.at(-1), 'readyState', { value: 3, configurable: true })"
OPEN = "delete window.sockets.at(-1).readyState"
LINE = "document.getElementById('line').value"
LOG = "document.getElementById('log').innerText"


async def _write(page: Page, text: str) -> None:
    await page.run("document.getElementById('line').focus()")
    await page.type(text)
    await page.press("Enter")


async def test_what_is_written_while_the_table_is_closed_stays_and_is_sent_once_it_is_open(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, _), browser_page(world.discord.page_url) as page:
        await page.send("Page.addScriptToEvaluateOnNewDocument", source=KEPT)
        await page.open(world.discord.page_url)
        await page.until("!document.getElementById('line').disabled")
        await page.run(CLOSE)
        await _write(page, "Who goes first?")
        await page.until("document.body.innerText.includes('The table is closed just now.')")
        assert await page.run(LINE) == "Who goes first?"
        await page.run(OPEN)
        await page.press("Enter")
        await page.until(f"{LOG}.includes('Who goes first?') && {LINE} === ''")
        await page.run("document.getElementById('line').focus()")
        await page.type("I do.")
        await page.run("window.sockets.at(-1).close()")
        await page.until("window.sockets.length === 2 && window.sockets[1].readyState === 1")
        await page.until(f"document.getElementById('banner').hidden && {LINE} === 'I do.'")
        await page.press("Enter")
        await page.until(f"{LOG}.includes('I do.')")
        assert world.faults() == []


async def test_a_form_stays_open_while_the_table_is_closed(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, _), browser_page(world.discord.page_url) as page:
        await page.send("Page.addScriptToEvaluateOnNewDocument", source=KEPT)
        await page.open(world.discord.page_url)
        await page.until("!document.getElementById('line').disabled")
        await world.person("Gwen").slash("/init start name:Cellar")
        await page.click_text("Paste a cast", "button")
        await page.until("document.querySelector('#form textarea')")
        await page.run("document.querySelector('#form textarea').focus()")
        await page.type("Ogre HP 59 AC 11 +2")
        await page.run(CLOSE)
        await page.run("document.getElementById('form-submit').click()")
        await page.until("document.getElementById('form-problems').innerText.includes('The table is closed just now.')")
        assert await page.run("document.getElementById('form').open")
        assert await page.run("document.querySelector('#form textarea').value") == "Ogre HP 59 AC 11 +2"
        await page.run(OPEN)
        await page.run("document.getElementById('form-submit').click()")
        await page.until(f"!document.getElementById('form').open && {LOG}.includes('Ogre')")
        assert world.faults() == []
