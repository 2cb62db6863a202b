"""Make the pictures of README.md and the manual: `make pictures`, or `python -m tests.e2e.page.rounds stones`.

The machine needs a font with emoji (Noto Color Emoji): without one ⏳ and 🎲 are boxes.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from PIL import Image

from bot.posting import prompts
from tests.e2e.loopback import local_table
from tests.e2e.page.chromium import Page, browser_page, write
from tests.e2e.page.newcomer import Newcomer
from tests.e2e.referee import drawn, referee_at

DOCS = Path(__file__).parents[3] / "docs"
WIDTH, HEIGHT = 390, 2600  # a phone's width, and a page so high that no message is cut
DESKTOP = 1180, 1260
MOST_TRIES = 90
COLOURS = 128
LAST = ".message:last-child"
PROMPT = "[data-prompt]"
MARK_PROMPT = """(() => {
    document.querySelectorAll('[data-prompt]').forEach((each) => each.removeAttribute('data-prompt'));
    [...document.querySelectorAll('.message:not(.private)')].filter((each) => [...each.querySelectorAll('button')]
        .some((button) => button.innerText.trim() === 'My turn')).at(-1)?.setAttribute('data-prompt', ''); })()"""


class OtherDiceError(Exception):
    """The dice fell otherwise: the picture needs a round in which the blow hits."""


class Round:
    """A round that people play on the page. Its pictures are written once all of them are there."""

    def __init__(self, page: Page, system: str, settled: Callable[[], Awaitable[None]]) -> None:
        self.page = page
        self.system = system
        self.people = Newcomer(page, settled)
        self.taken: list[tuple[Path, bytes]] = []
        self._folder = tempfile.TemporaryDirectory()

    async def begin(self) -> None:
        """Set up the system's small encounter."""
        await self.page.until("document.querySelector('[data-script]')")
        await self.page.run(f"document.querySelector('[data-script={self.system}]').click()")
        await self.page.until("!document.getElementById('tip').hidden")
        await self.people.settled()

    async def type(self, *lines: str) -> None:
        """Type lines, each as `who: line`."""
        for line in lines:
            who, _, words = line.partition(": ")
            await self.people.type(who, words)

    async def press(self, who: str, label: str) -> None:
        await self.people.click(who, label, "#log button")

    async def show(self, what: str, *wanted: str) -> None:
        """Take a picture of the prompt or of the last message. Raises: OtherDiceError without the wanted words."""
        await self.page.run(MARK_PROMPT)
        words = await self.page.text_of(what)
        missing = [each for each in wanted if each not in words]
        if missing:
            raise OtherDiceError(f"{missing} not in: {words}")
        await self._take(DOCS / "rounds" / f"{self.system}-{len(self.taken) + 1}.png", what)

    async def show_desktop(self) -> None:
        """Take a picture of the whole page, as wide as on a desk."""
        await self.page.resize(*DESKTOP)
        await self.page.run("document.getElementById('log').scrollTop = 1e9")
        await self.people.settled()
        await self._take(DOCS / "desktop.png", "body")

    async def _take(self, path: Path, what: str) -> None:
        await self.page.until("document.getAnimations().length === 0")  # a new message has another colour at first
        kept = Path(self._folder.name) / "picture.png"
        await self.page.screenshot(kept, what)
        self.taken.append((path, kept.read_bytes()))

    def write(self) -> None:
        """Write the pictures in few colours: a third of the size, and no eye sees it."""
        for path, content in self.taken:
            write(path, content)
            with Image.open(path) as picture:
                picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


async def classic(on: Round) -> None:
    await on.type(
        "Gwen: /init start name:Ambush",
        "Ana: /init join name:Ayla hp:20 result:6",
        "Bo: /character add name:Bran sheet:HP 24, AC 14; Longsword: +5 to hit, 1d8+3 slashing",
        "Bo: /join character:Bran",
        "Gwen: /init add name:Goblin count:2 result:3 sheet:HP 7, AC 13; Knife: +3 to hit, 1d4+1 piercing",
        "Gwen: /init next",
    )
    await on.show(PROMPT, "Bo, your turn")
    await on.press("Bo", "My turn")
    await on.show(LAST)
    await on.type("Bo: /act action:attack using:Longsword target:Goblin 1")
    await on.show(PROMPT, "a hit", "slashing")


async def tactics(on: Round) -> None:
    await on.begin()
    await on.show(PROMPT)
    await on.type("Gwen: /act action:skip")
    for _ in range(2):
        words = await on.page.text_of("#waits")
        if "Ana" in words:
            await on.press("Ana", "Move")
            await on.show(LAST, "where to?")
            await on.type("Ana: /act action:move using:Run to:G4")
        else:
            await on.type("Bo: /act action:skip")
    if "Bo" in await on.page.text_of("#waits"):
        await on.type("Bo: /act action:delay")
    await on.type("Ana: /act action:attack target:Ogre")
    await on.show(PROMPT, ", hit", "Ogre: ")
    await on.show_desktop()


async def stones(on: Round) -> None:
    await on.begin()
    await on.press("Ana", "My hand")
    await on.show(LAST, "Wind")
    await on.type("Ana: /act action:activate character:Ayla")
    await on.show(PROMPT)
    await on.type("Ana: /act action:move character:Ayla to:F2", "Ana: /act action:attack character:Ayla target:Borr")
    await on.show(PROMPT, "Borr: HP 20")


async def adventurers(on: Round) -> None:
    await on.begin()
    await on.show(PROMPT, "Ana, your turn")
    await on.press("Ana", "My turn")
    await on.press("Ana", "Specialty grid")
    await on.show(LAST)
    await on.type("Ana: /act action:attack target:Troll")
    await on.show(PROMPT, "Evade")


async def beacon(on: Round) -> None:
    await on.begin()
    await on.show(PROMPT)
    await on.press("Ana", "My turn")
    await on.press("Ana", "Phases")
    await on.show(LAST)
    await on.press("Ana", "Plan skirmish")
    await on.type("Bo: /act action:plan note:reposition")
    await on.type("Gwen: /act action:begin character:Ardent", "Gwen: /act action:end character:Ardent")
    await on.type("Ana: /act action:begin", "Ana: /act action:volley using:Bow target:Ogre")
    await on.show(PROMPT, "Ogre: ")  # said of a hit alone


async def soulweaver(on: Round) -> None:
    await on.begin()
    await on.press("Ana", "Enter Conflict")
    await on.show(PROMPT, "Ana, your turn")
    await on.type("Ana: /act action:attack target:Hound note:a low swing")
    await on.press("Gwen", "Hit")
    await on.press("Gwen", "Enter Conflict")
    await on.type("Ana: /act action:end", "Bo: /act action:attack target:Hound note:a thrown net")
    await on.show(PROMPT, "(Sella), a question", "React…")
    await on.type("Ana: /act action:react target:a thrown net note:a shout of warning")
    await on.show(PROMPT, "2. a shout")


async def kit(on: Round) -> None:
    await on.begin()
    await on.show(PROMPT)
    await on.type("Ana: /act action:attack target:Ogre 1")
    await on.show(PROMPT, "success", "Ogre 1: ")


ROUNDS = {play.__name__: play for play in (classic, tactics, stones, adventurers, beacon, soulweaver, kit)}


async def take(system: str) -> None:
    """Play until the dice tell the story that the manual tells."""
    last = OtherDiceError()
    for number in range(MOST_TRIES):
        async with AsyncExitStack() as ends:
            folder = ends.enter_context(tempfile.TemporaryDirectory())
            world = await ends.enter_async_context(local_table())
            seeded = referee_at(world, Path(folder) / "referee.sqlite3", seed=number.to_bytes(32))
            client = await ends.enter_async_context(seeded)
            page = await ends.enter_async_context(browser_page(world.discord.page_url, WIDTH, HEIGHT))
            await page.resize(WIDTH, HEIGHT, pixels=2)
            on = Round(page, system, partial(drawn, page, world, client))
            try:
                await ROUNDS[system](on)
            except OtherDiceError as error:
                last = error
                continue
            on.write()
            return
    raise RuntimeError(f"{system}: {MOST_TRIES} rounds, and the dice told none of the story") from last


async def main(wanted: list[str]) -> None:
    prompts.EDIT_AFTER_SECONDS = 0.0
    for system in wanted or ROUNDS:
        await take(system)
        print(system)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
