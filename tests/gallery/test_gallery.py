"""Every kind of message of every system, with the worst names and more than thirty combatants, as it is really sent."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot.discord_numbers import Component
from bot.render.payload import Payload
from rules.core.registry import systems
from tests.e2e.page.chromium import IN_A_BROWSER
from tests.e2e.referee import refereed
from tests.gallery.page import markdown, page
from tests.gallery.scenes import Kept, Scene, general
from tests.gallery.story import HEIGHT, TABLES, story
from tests.limits.components import check_components, check_modal
from tests.limits.problems import Problems
from tests.render.worst import assert_sendable

TURNS = 5
SYSTEMS = [
    pytest.param(system, marks=() if system in {"beacon", "classic", "stones"} else pytest.mark.trust)
    for system in sorted(systems())
]
ALWAYS = {"gathering", "prompt", "my turn", "refusal", "ruling", "roll", "list", "log", "undo", "plain text", "help"}
ALWAYS |= {"nudge", "reminders"}


def assert_kept(kept: Kept, people: tuple[str, ...]) -> None:
    if kept.form is not None:
        problems = Problems()
        check_modal(kept.form, problems)
        assert problems.found == []
        return
    if kept.files and not (kept.content or kept.embeds):
        kept.content = kept.files[0][0]
    if any(part["type"] != Component.ROW for part in kept.components):
        problems = Problems()
        check_components({"components": kept.components}, problems, "", laid_out=True)
        assert problems.found == []
    else:
        assert_sendable(Payload(kept.content, kept.embeds, kept.components, mentions=people))
    assert all(len(alt) <= 1024 for _, _, alt in kept.files)
    assert all(alt for name, _, alt in kept.files if name.endswith(".png")), "a picture without its words"


@pytest.mark.parametrize("system", SYSTEMS)
async def test_every_kind_of_message_stays_within_the_limits(system: str, tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        scene = Scene(world, client, system, worst=True, turns=TURNS)
        album = await scene.play()
        room = await client.tables.room_of(world.place("tavern").id, None)
        stored = await client.store.encounters(channel=room.channel)
        assert len(stored) == 1
        assert world.faults() == []
        people = {each.id: each.display for each in world.discord.world.people.values()}
    assert scene.combatants > 30
    assert album.kinds() >= ALWAYS
    for kept in album.kept:
        assert_kept(kept, tuple(people))
    assert_well_formed(page({system: album.kept}, people))


async def test_what_belongs_to_no_system_stays_within_the_limits(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        album = await general(world, client)
        assert world.faults() == []
        people = {each.id: each.display for each in world.discord.world.people.values()}
    assert album.kinds() >= {
        "roll",
        "secret roll",
        "odds",
        "luck",
        "fair dice",
        "help newcomer",
        "help check",
        "refusal",
    }
    for kept in album.kept:
        assert_kept(kept, tuple(people))
    assert_well_formed(page({"everywhere": album.kept}, people))


STORIES = [
    pytest.param(table, marks=IN_A_BROWSER if table == "tactics" else [*IN_A_BROWSER, pytest.mark.trust])
    for table in TABLES
]


@pytest.mark.parametrize("table", STORIES)
async def test_a_prompt_of_thirty_with_nasty_sheets_fits_a_phone(table: str) -> None:
    heights = [height for height, _ in await story(table)]
    assert max(heights) <= HEIGHT


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "img", "html", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_well_formed(text: str) -> None:
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert "\x00" not in text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("**Ana** rolls", "<b>Ana</b> rolls"),
        (r"\*\*Ana\*\* \_x\_", "**Ana** _x_"),
        ("`/act **x**`", "<code>/act **x**</code>"),
        ("<@7>, your turn", "<span class=mention>@Ana</span>, your turn"),
        (r"\<b\> & ~~6~~", "&lt;b&gt; &amp; <s>6</s>"),
    ],
)
def test_the_gallery_reads_markdown_as_discord_does(typed: str, shown: str) -> None:
    assert markdown(typed, {"7": "Ana"}) == shown
