"""Make the README's pictures from the running program: `make pictures`, or `python -m tests.e2e.page.pictures`."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from tests.e2e.page.chromium import Page, browser_page
from tests.e2e.page.newcomer import Newcomer, settle

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
WIDTH, HEIGHT = 1180, 900
PHONE = 390, 800
PHONES = (
    ("odds", "classic", "Ana", ("/odds dice:2d6; 1d12; 3d4 at_least:7",)),
    ("hand", "stones", "Ana", ("/hand show",)),
    ("grid", "adventurers", "Gwen", ("/gm set target:Wren pool:damaged value:Eyes", "/board show target:Wren")),
    ("phases", "beacon", "Ana", ("/act action:plan note:brawl character:Kes", "/board show target:Kes")),
)
STARTED = re.compile(r"http://127\.0\.0\.1:\d+/\S*")


async def take() -> None:
    """Start the program with an empty database, set encounters up by clicks, and take the page's pictures."""
    async with started() as address, browser_page(address, WIDTH, HEIGHT) as page:
        await _try(page, "classic", "Gwen")
        newcomer = Newcomer(page, partial(settle, page))
        await newcomer.click(await newcomer.acting(), "End turn", "#log button")
        await newcomer.be("Gwen")
        await page.screenshot(DOCS / "table.png")
        await _try(page, "tactics", "Ana")
        await _board(page)
        await page.screenshot(DOCS / "bridge.png")
        for name, system, person, lines in PHONES:
            await _try(page, system, person)
            await _phone(page, DOCS / f"{name}.png", lines)
    async with started() as address, browser_page(address, WIDTH, HEIGHT) as page:
        await Newcomer(page, partial(settle, page)).set_up()
        await page.screenshot(DOCS / "newcomer.png")
        await page.resize(*PHONE, mobile=True)
        await settle(page)
        await page.run("document.getElementById('log').scrollTop = 1e9")
        await settle(page)
        await page.screenshot(DOCS / "newcomer-phone.png")


@asynccontextmanager
async def started() -> AsyncIterator[str]:
    """Start the program with an empty database, as somebody does who has just cloned it; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_PATH": f"{folder}/referee.sqlite3", "LOCAL_PORT": "0", "DICE_SEED": "5ea7" * 16}
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DISCORD_")} | settings
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=ROOT,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            yield await _address(program)
        finally:
            program.terminate()
            await program.wait()


async def _address(program: asyncio.subprocess.Process) -> str:
    assert program.stdout is not None
    async with asyncio.timeout(30):
        async for line in program.stdout:
            found = STARTED.search(line.decode())
            if found:
                return found[0]
    raise RuntimeError("the program did not start")


async def _try(page: Page, system: str, person: str) -> None:
    """Set a system's small encounter up, and be somebody in it."""
    await page.until(f"document.querySelector('[data-script={system}]')")
    await page.run(f"document.querySelector('[data-script={system}]').click()")
    await page.until("document.getElementById('log').innerText.includes('turn: round')", 30)
    await settle(page)
    await page.click(f"[data-person={person}]")
    await settle(page)


async def _phone(page: Page, path: Path, lines: tuple[str, ...]) -> None:
    """Type lines and take the newest message at a phone's width."""
    for line in lines:
        before = await page.run("document.querySelectorAll('#log .message').length")
        await page.run("document.getElementById('line').focus()")
        await page.type(line)
        await page.press("Enter")
        await page.until(f"document.querySelectorAll('#log .message').length > {before}", 15)
        await settle(page)
    await page.resize(*PHONE, mobile=True)
    await settle(page)
    await page.run("document.getElementById('log').scrollTop = 1e9")
    await settle(page)
    await page.screenshot(path)
    await page.resize(WIDTH, HEIGHT)
    await settle(page)


async def _board(page: Page) -> None:
    await page.run("document.getElementById('line').focus()")
    await page.type("/board show")
    await page.press("Enter")
    await page.until("document.querySelector('#log .message img[src*=png]')", 15)
    await settle(page)
    await page.run("document.getElementById('log').scrollTop = 1e9")
    await settle(page)


if __name__ == "__main__":
    asyncio.run(take())
