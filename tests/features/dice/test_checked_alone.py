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


SIZES = (2, 3, 4, 6, 7, 10, 12, 20, 100, 999_983)


async def rolled(place: Place) -> dict[str, Any]:
    """Return the export of a channel with a thousand rolls of all sizes, and two shuffled decks."""
    for sides in SIZES:
        for _ in range(5):
            await place.roll("Ana", f"2d{sides}", times=20)
    await place.do("Ana", "deck new", kind="standard52")
    await place.do("Bo", "hand draw", count=3)
    await place.do("Ana", "deck shuffle")
    await place.do("Ana", "deck clear")
    return await place.proof("Ana")


async def revealed(place: Place) -> dict[str, Any]:
    """Return the export after the reveal, and after a roll with the next seed."""
    await place.fairness.reveal(place.caller("Mod"))
    await place.roll("Ana", "3d6")
    return await place.proof("Ana")


Check = Callable[[dict[str, Any]], tuple[int, list[str]]]


@pytest.fixture(params=LANGUAGES)
def check(request: pytest.FixtureRequest, tmp_path: Path) -> Check:
    """Return the manual's program as a function: an export → its exit code, and the lines that it prints."""
    program, name = PROGRAMS[request.param]
    (source,) = re.findall(rf"```{request.param}\n(.*?)```", MANUAL.read_text("utf-8"), re.DOTALL)
    (tmp_path / name).write_text(source, "utf-8")

    def run(export: dict[str, Any]) -> tuple[int, list[str]]:
        (tmp_path / "fair.json").write_text(json.dumps(export), "utf-8")
        done = subprocess.run([program, name, "fair.json"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert not done.stderr
        return done.returncode, done.stdout.splitlines()

    return run


def numbers(line: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\b\d[\d,]*", line)]


async def test_the_manuals_programs_find_the_changed_die_among_a_thousand_rolls(place: Place, check: Check) -> None:
    await rolled(place)
    export = await revealed(place)
    code, lines = check(export)
    assert code == 0
    assert export["fairness"][0]["commitment"] in lines[0]
    assert numbers(lines[1]) == [2000, 0, 3]
    row = next(row for row in export["log"] if len(row["dice"]) > 7)
    die = row["dice"][7]
    shown = die["face"]
    die["face"] = shown % die["sides"] + 1
    code, (line, _, total) = check(export)
    assert code == 1
    assert f"Row {row['seq']}" in line
    assert line.rstrip(".").endswith(f" {shown}")
    assert numbers(total) == [1999, 1, 3]


async def test_before_the_reveal_the_manuals_programs_say_that_they_checked_nothing(place: Place, check: Check) -> None:
    code, (line,) = check(await rolled(place))
    assert code == 0
    assert numbers(line) == [0, 0, 2000]
    assert "/fair reveal" in line


async def test_help_brings_the_page_that_checks_an_export(place: Place) -> None:
    reply = await Guide(place.tables).show(place.caller("Ana"), "fair")
    assert reply.private is not None
    assert [(each.name, each.data) for each in reply.private.files] == [(DICE_PAGE.name, DICE_PAGE.read_bytes())]


@pytest.mark.browser
@pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (set CHROMIUM to its program)")
async def test_the_page_says_in_one_screen_what_holds_and_what_does_not(place: Place) -> None:
    sealed = await rolled(place)
    export = await revealed(place)
    async with browser_page(DICE_PAGE.as_uri(), 390, 700) as page:
        assert await checked(page, {"log": [], "fairness": []}) == ("open", [])
        assert await checked(page, sealed) == ("open", [2000, 2])
        assert "/fair reveal" in await page.text_of("#next")
        assert await page.text_of("#wrong") == ""
        assert await checked(page, export) == ("good", [2000, 2, 3])
        assert await page.run("document.documentElement.scrollHeight") < 1000
        export["log"][2]["dice"][4]["face"] += 1
        shuffle = next(entry for row in export["log"] for entry in row["dice"] if "shuffle" in entry)
        shuffle["cards"][:2] = shuffle["cards"][1::-1]
        del export["log"][5]
        assert await checked(page, export) == ("bad", [1, 1, 1, 6])
        assert await page.run("document.querySelectorAll('#wrong .die.bad').length") == 2
        assert await checked(page, {"log": []}) == ("bad", [])
        assert await page.run("document.documentElement.scrollWidth") == 390


async def checked(page: Page, export: dict[str, Any]) -> tuple[str, list[int]]:
    """Choose a file on the page, and return how its verdict looks, and the numbers in it."""
    file = json.dumps(b64encode(gzip.compress(json.dumps(export).encode())).decode())
    await page.run(
        f"""(() => {{
            const box = new DataTransfer(), bytes = Uint8Array.from(atob({file}), (sign) => sign.charCodeAt(0));
            box.items.add(new File([bytes], "fair.json"));
            const input = document.getElementById("file");
            input.files = box.files;
            input.dispatchEvent(new Event("change"));
        }})()"""
    )
    await page.until("document.getElementById('verdict').className")
    return await page.run("document.getElementById('verdict').className"), numbers(await page.text_of("#verdict"))


def test_the_page_asks_nothing_of_anybody() -> None:
    asking = r"https?://|src=|href=|fetch\(|XMLHttpRequest|WebSocket|import\("
    assert not re.search(asking, DICE_PAGE.read_text("utf-8"))
