"""Make the README's pictures from the running program: `make pictures`, or `python -m tests.e2e.page.pictures`.

The machine needs a font with emoji (Noto Color Emoji): without one ⏳ and 🎲 are boxes.
"""

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

from PIL import Image

from tests.e2e.page.chromium import Page, browser_page
from tests.e2e.page.newcomer import Newcomer, settle

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
WIDTH, HEIGHT = 1180, 1260
# Narrow, so that a phone shows it legibly, and with two pixels of the screen for each of the page.
SHOWN = 560, 1400
PLAYED_BY = {"Rhea": "Ana", "Pip": "Bo", "Ogre": "Gwen"}
MOVES = {"Rhea": "/act action:move using:Run to:G4"}
BLOWS = {"Rhea": "/act action:attack target:Ogre"}
MOST_TRIES = 12
COLOURS = 128
# The message with the buttons
LIVE = """[...document.querySelectorAll('#log .message')].filter(each => [...each.querySelectorAll('button')]
    .some(button => button.innerText.trim() === 'My turn')).at(-1)?.innerText ?? ''"""
STARTED = re.compile(r"http://127\.0\.0\.1:\d+/\S*")


async def take() -> None:
    """Take the picture when a blow has hit: the dice decide that, so it may need several fights."""
    for _ in range(MOST_TRIES):
        async with started() as address, browser_page(address, WIDTH, HEIGHT) as page:
            await _try(page, "tactics", "Ana")
            told = await _strike(Newcomer(page, partial(settle, page)))
            if ", hit" in told and "Round 2" not in told:  # else the next round's rolls fill the picture
                await _scroll(page)
                await page.screenshot(DOCS / "desktop.png")
                await page.resize(*SHOWN, mobile=True, pixels=2)
                await settle(page)
                await _scroll(page)
                await page.screenshot(DOCS / "bridge.png", "#log .message:last-child")
                await asyncio.to_thread(_shrink, "desktop.png", "bridge.png")
                return
    raise RuntimeError(f"in {MOST_TRIES} fights no blow hit")


async def _scroll(page: Page) -> None:
    await page.run("document.getElementById('log').scrollTop = 1e9")
    await settle(page)


def _shrink(*names: str) -> None:
    """Write pictures anew in few colours: a third of the size, and no eye sees it."""
    for name in names:
        with Image.open(DOCS / name) as picture:
            picture.convert("RGB").quantize(COLOURS).save(DOCS / name, optimize=True)


async def _strike(newcomer: Newcomer) -> str:
    """Play until Rhea has crossed the bridge and attacked; return what the channel reads then."""
    while True:
        await settle(newcomer.page)
        live = await newcomer.page.run(LIVE)
        (who,) = re.findall(r"▶ \d+ (\w+)", live)
        lines, otherwise = (MOVES, "/act action:skip") if "Movement\n" in live else (BLOWS, "/act action:defend")
        line = lines.get(who, otherwise)
        await newcomer.type(PLAYED_BY[who], line)
        if line == BLOWS["Rhea"]:
            await settle(newcomer.page)
            return str(await newcomer.page.run(LIVE))


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


if __name__ == "__main__":
    asyncio.run(take())
