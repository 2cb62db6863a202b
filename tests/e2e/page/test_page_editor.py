"""The editor of kits on the page: mistakes as one types, what the file says, and a fight by it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.page.chromium import IN_A_BROWSER, Page, browser_page
from tests.e2e.referee import refereed

pytestmark = IN_A_BROWSER
SIZES = [(390, 844), (1440, 900)]
SHOTS = os.environ.get("SHOTS")


async def shot(page: Page, name: str) -> None:
    """Keep a picture in a folder that somebody named."""
    if SHOTS:
        await page.screenshot(Path(SHOTS) / f"{name}.png")


async def opened(page: Page, url: str, width: int) -> None:
    await page.open(url)
    await page.until("document.querySelector('.welcome .tries button')")
    hand = page.tap if width < 760 else page.click
    if width < 760:
        await hand("#side-open")
    await hand("#editor-open")
    await page.until("document.getElementById('kit-verdict').textContent === 'No mistakes. It says:'")


async def type_over(page: Page, before: str, after: str) -> None:
    """Mark a part of the text and type over it, as a hand does."""
    start = f"t.value.indexOf({json.dumps(before)})"
    await page.run(
        "(() => { const t = document.getElementById('kit-text'); t.focus();"
        f" t.setSelectionRange({start}, {start} + {len(before)}); }})()"
    )
    await page.type(after)


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_kit_is_written_mended_and_tried_on_the_page(width: int, height: int, tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, _client),
        browser_page(world.discord.page_url, width, height) as page,
    ):
        await page.resize(width, height, mobile=width < 760)
        await opened(page, world.discord.page_url, width)
        hand = page.tap if width < 760 else page.click
        assert "attack" in await page.text_of("#kit-said")
        assert "Dry run:" in await page.text_of("#kit-said")
        await shot(page, f"editor-{width}")
        await type_over(
            page, 'id = "high-first"\ntitle = "High first"', 'id = "our-own"\ntitle = "Ours"\nprefix = "HF"'
        )
        await type_over(page, 'target = "foe"', 'target = "enemy"')
        await page.until("document.querySelectorAll('.mistake').length === 1")
        assert "action.attack.target: enemy is not one of" in await page.text_of("#kit-said")
        assert await page.run("document.getElementById('kit-try').disabled")
        await hand(".mistake")
        await shot(page, f"editor-mistake-{width}")
        selected = "((t) => t.value.slice(t.selectionStart, t.selectionEnd))(document.getElementById('kit-text'))"
        assert await page.run(selected) == "target"
        await type_over(page, 'target = "enemy"', 'target = "foe"')
        await page.until("!document.getElementById('kit-try').disabled")
        assert not await page.run("document.documentElement.scrollWidth > innerWidth")
        await hand("#kit-try")
        await page.until("document.getElementById('place').textContent === '↳ Ours'")
        await page.until("document.getElementById('waits-text').textContent.includes('wait')")
        assert await page.run("document.getElementById('editor').hidden") == (width < 1100)
        await shot(page, f"editor-tried-{width}")
        assert page.complaints == []
        assert world.faults() == []


async def test_the_text_is_kept_and_a_kit_of_the_library_is_taken_to_begin_with(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, _client),
        browser_page(world.discord.page_url, 1440, 900) as page,
    ):
        await opened(page, world.discord.page_url, 1440)
        await page.run(
            "(() => { const s = document.getElementById('kit-from'); s.value = 'fast-slow';"
            " s.dispatchEvent(new Event('change')); })()"
        )
        await page.until("document.getElementById('kit-said').textContent.includes('1 BEAT')")
        await type_over(page, "kit = 1", "kit =")
        await page.until("document.getElementById('kit-said').textContent.includes('Line 1')")
        await page.click("#editor-close")
        await opened_again(page, world.discord.page_url)
        assert (await page.run("document.getElementById('kit-text').value")).startswith("kit =\nid")
        assert page.complaints == []


async def opened_again(page: Page, url: str) -> None:
    await page.open(url)
    await page.until("document.querySelector('.welcome .tries button')")
    await page.click("#editor-open")


MISTAKEN = """kit = 1
id = "mistaken"
about = "The pool of HP says who starts; to guard is an action with a cost."
phase = [ { name = "move", actions = ["walk"] }, { name = "fight", typ = "list" } ]
[action.strike]
check = "hit"
cost = "1 ACT"
[action.guard]
cost = "1 ACTS"
[action]
walk = { do = ["self moves 6", "selff moves 6"] }
[pool]
ACT = { start = 1, refill = "turn" }
HP = { start = "ten" }
[check]
hit = { roll = "1d20", againts = "10" }
[condition]
prone = { forbids = ["walk"], check = 2 }
"""
PHASES = """kit = 1
id = "parts"
[[phase]]
name = "move"
turns = 2
[[phase]]
name = "fight"
turns = "two"
"""


async def test_a_mistake_that_is_tapped_leads_to_its_own_line(tmp_path: Path) -> None:
    selected = (
        "((t) => [t.value.slice(0, t.selectionStart).split('\\n').length,"
        " t.value.slice(t.selectionStart, t.selectionEnd)])(document.getElementById('kit-text'))"
    )
    expected = {
        MISTAKEN: {
            "phase[2].typ": [4, "typ"],
            "action.guard.cost": [9, "cost"],
            "action.walk.do[2]": [11, "do"],
            "pool.HP.start": [14, "start"],
            "check.hit.againts": [16, "againts"],
            "condition.prone.check": [18, "check"],
        },
        PHASES: {"phase[2].turns": [8, "turns"]},
    }
    async with (
        refereed(tmp_path / "referee.sqlite3") as (_world, _client),
        browser_page(_world.discord.page_url, 390, 844) as page,
    ):
        await page.resize(390, 844, mobile=True)
        await opened(page, _world.discord.page_url, 390)
        for text, places in expected.items():
            before = await page.run("document.getElementById('kit-text').value")
            await type_over(page, before, text)
            await page.until(f"document.querySelectorAll('.mistake').length === {len(places)}")
            told = await page.run("[...document.querySelectorAll('.mistake')].map(each => each.innerText)")
            found = {}
            for number, words in enumerate(told, 1):
                await page.tap(f".mistakes li:nth-child({number}) .mistake")
                found[words.split(": ")[0]] = await page.run(selected)
            assert found == places
        assert page.complaints == []


LONG = (
    """kit = 1
id = "long"
about = "A kit whose lines are longer than a telephone is wide, as the lines of most kits are; so they go on below."
[action]
"""
    + "\n".join(
        f'walk-{number} = {{ hint = "{"one step and " * 5}", do = ["self moves 6"] }}' for number in range(1, 21)
    )
    + """
[action.last]
cost = "1 NOTHING"
"""
)
# The marked word's place in the visible text, reckoned by a copy of the text as a plain element
MARKED = """((text) => {
  const [copy, mark] = [document.createElement('div'), document.createElement('i')];
  const [style, width] = [getComputedStyle(text), text.clientWidth + 2 + 'px'];
  for (const name of ['font', 'padding', 'border', 'boxSizing', 'overflowWrap', 'lineHeight'])
    copy.style[name] = style[name];
  Object.assign(copy.style, { whiteSpace: 'pre-wrap', width, position: 'absolute', top: 0 });
  mark.textContent = text.value.slice(text.selectionStart, text.selectionEnd);
  copy.append(text.value.slice(0, text.selectionStart), mark, text.value.slice(text.selectionEnd));
  document.body.append(copy);
  const at = mark.offsetTop - text.scrollTop;
  copy.remove();
  return [mark.textContent, at > 0 && at < text.clientHeight - 20];
})(document.getElementById('kit-text'))"""


async def test_long_lines_go_on_below_on_a_telephone_and_a_mistake_is_found_in_them(tmp_path: Path) -> None:
    async with (
        refereed(tmp_path / "referee.sqlite3") as (world, _client),
        browser_page(world.discord.page_url, 390, 844) as page,
    ):
        await page.resize(390, 844, mobile=True)
        await opened(page, world.discord.page_url, 390)
        await type_over(page, await page.run("document.getElementById('kit-text').value"), LONG)
        await page.until("document.querySelectorAll('.mistake').length === 1")
        await page.run("document.getElementById('kit-text').scrollTop = 0")
        await page.tap(".mistake")
        await shot(page, "editor-wrapped-390")
        assert await page.run("((t) => t.scrollWidth <= t.clientWidth)(document.getElementById('kit-text'))")
        assert await page.run(MARKED) == ["cost", True]
        assert page.complaints == []
