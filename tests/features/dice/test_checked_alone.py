"""A player checks revealed dice alone: with the page of `/help topic:fair`, or with the programs of the manual."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.features.help.guide import DICE_PAGE, Guide
from tests.e2e.page.chromium import Page, browser_page, find_chromium
from tests.features.channel import Place

ROOT = Path(__file__).parents[3]
MANUAL = ROOT / "docs" / "fair-dice.md"
PROGRAMS = {"python": (sys.executable, "check.py"), "javascript": ("node", "check.mjs")}
NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js found, which runs the JavaScript")
LANGUAGES = (pytest.param("python"), pytest.param("javascript", marks=NEEDS_NODE))


async def played(place: Place) -> dict[str, Any]:
    """Return the export of a channel with a thousand dice of all sizes, and two shuffled decks, all revealed."""
    for sides in (2, 3, 6, 7, 10, 20, 100, 999_983):
        await place.roll("Ana", f"25d{sides}", times=5)
    await place.do("Ana", "deck new", kind="standard52")
    await place.do("Bo", "hand draw", count=3)
    await place.do("Ana", "deck shuffle")
    await place.do("Ana", "deck clear")
    await place.fairness.reveal(place.caller("Mod"))
    await place.roll("Ana", "3d6")
    return await place.proof("Ana")


@pytest.fixture(params=LANGUAGES)
def check(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[dict[str, Any]], str]:
    """Return the manual's program as a function: an export → what it prints."""
    program, name = PROGRAMS[request.param]
    (source,) = re.findall(rf"```{request.param}\n(.*?)```", MANUAL.read_text("utf-8"), re.DOTALL)
    (tmp_path / name).write_text(source, "utf-8")

    def run(export: dict[str, Any]) -> str:
        (tmp_path / "fair.json").write_text(json.dumps(export), "utf-8")
        done = subprocess.run([program, name, "fair.json"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    return run


async def test_the_manuals_programs_find_the_changed_die_alone(
    place: Place, check: Callable[[dict[str, Any]], str]
) -> None:
    export = await played(place)
    assert check(export) == ""
    row = next(row for row in export["log"] if len(row["dice"]) > 7)
    die = row["dice"][7]
    shown = die["face"]
    die["face"] = shown % die["sides"] + 1
    (line,) = check(export).splitlines()
    assert f"Row {row['seq']}" in line
    assert line.rstrip(".").endswith(f" {shown}")


async def test_help_brings_the_page_that_checks_an_export(place: Place) -> None:
    reply = await Guide(place.tables).show(place.caller("Ana"), "fair")
    assert reply.private is not None
    assert [(each.name, each.data) for each in reply.private.files] == [(DICE_PAGE.name, DICE_PAGE.read_bytes())]


@pytest.mark.browser
@pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (set CHROMIUM to its program)")
async def test_the_page_marks_what_holds_and_what_does_not(place: Place) -> None:
    export = await played(place)
    async with browser_page(DICE_PAGE.as_uri(), 390, 700) as page:
        dice, shuffles = await checked(page, gzip.compress(json.dumps(export).encode()))
        assert (dice, shuffles) == (1000, 2)
        export["log"][2]["dice"][4]["face"] += 1
        shuffle = next(each for row in export["log"] for each in row["dice"] if "shuffle" in each)
        shuffle["cards"][:2] = shuffle["cards"][1::-1]
        del export["log"][5]
        await checked(page, json.dumps(export).encode())
        assert "✗" in await page.text_of("#verdict")
        wrong = await page.run("[...document.querySelectorAll('.die.bad')].map(each => each.innerText)")
        assert len(wrong) == 2
        assert await page.run("document.documentElement.scrollWidth") == 390


async def checked(page: Page, file: bytes) -> tuple[int, int]:
    """Choose a file on the page, and return how many dice and shuffles it has checked."""
    await page.run(
        f"""(() => {{
            const held = new DataTransfer(), bytes = Uint8Array.from(atob({json.dumps(b64encode(file).decode())}),
                (each) => each.charCodeAt(0));
            held.items.add(new File([bytes], "fair.json"));
            const input = document.getElementById("file");
            input.files = held.files;
            input.dispatchEvent(new Event("change"));
        }})()"""
    )
    await page.until("/checked/.test(document.getElementById('verdict').innerText)")
    dice, shuffles = re.findall(r"(\d+) (?:dice|shuffles)", await page.text_of("#verdict"))
    return int(dice), int(shuffles)


def test_the_page_asks_nothing_of_anybody() -> None:
    asking = r"https?://|src=|href=|fetch\(|XMLHttpRequest|WebSocket|import\("
    assert not re.search(asking, DICE_PAGE.read_text("utf-8"))
