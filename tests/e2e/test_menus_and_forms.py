"""Discord's own menus and people chosen in forms, with the real client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

from rules.dice.source import SeededFaces
from tests.e2e.loopback import Answer, Seat, Shown, Table, local_table
from tests.e2e.referee import SEED, referee_at

UNDO, CHECK, SHEET = "Undo to here", "Check this roll", "Sheet"


@asynccontextmanager
async def fight(tmp_path: Path) -> AsyncIterator[Table]:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        gwen = world.person("Gwen")
        await gwen.slash("/init start")
        await world.person("Ana").slash("/init join name:Rhea result:20 hp:12")
        await world.person("Bo").slash("/init join name:Kip result:10 hp:9")
        await gwen.slash("/init add name:Wolf result:5 hp:11")
        await gwen.slash("/encounter begin")
        await world.settle()
        yield world
        await world.settle()
        assert world.faults() == []


def prompt_of(world: Table) -> Shown:
    """Return the channel's live message: the newest with buttons that everybody reads."""
    return [each for each in world.person("Sol").sees() if each.buttons][-1]


async def test_the_gm_goes_back_to_a_message_and_reads_first_what_that_takes_back(tmp_path: Path) -> None:
    async with fight(tmp_path) as world:
        gwen, ana = world.person("Gwen"), world.person("Ana")
        begun = prompt_of(world)
        await ana.slash("/init next")
        await gwen.slash("/gm damage target:Rhea amount:3")
        await gwen.slash("/condition add target:Rhea name:Prone")
        await world.settle()
        refused = await ana.menu(begun, UNDO)
        assert refused.ephemeral
        assert "G-05" in refused.text
        asked = await gwen.menu(begun, UNDO)
        assert asked.ephemeral
        assert "Prone" in asked.text
        await gwen.press(asked.shown, "Take it back")
        await world.settle()
        assert "12/12" in (await ana.slash("/init list")).text


async def test_a_step_that_came_between_is_not_taken_back_unseen(tmp_path: Path) -> None:
    async with fight(tmp_path) as world:
        gwen = world.person("Gwen")
        begun = prompt_of(world)
        await world.person("Ana").slash("/init next")
        await gwen.slash("/gm damage target:Rhea amount:3")
        asked = await gwen.menu(begun, UNDO)
        await gwen.slash("/gm damage target:Rhea amount:2")
        refused = await gwen.press(asked.shown, "Take it back")
        assert refused.ephemeral
        assert "7/12" in (await gwen.slash("/init list")).text


async def test_a_message_after_which_nothing_came_or_which_tells_nothing_is_refused_in_private(tmp_path: Path) -> None:
    async with fight(tmp_path) as world:
        gwen = world.person("Gwen")
        said = gwen.say("Let us begin.")
        for message in (said, prompt_of(world)):
            for entry in (UNDO, CHECK):
                refused = await gwen.menu(message, entry)
                assert refused.ephemeral
                assert not refused.buttons


async def test_a_roll_is_checked_before_and_after_the_reveal(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana, bo = world.person("Ana"), world.person("Bo")
        rolled = await ana.slash("/roll dice:1d20+2d6")
        faces = SeededFaces(SEED, rolled.id)
        shown = [f"d{sides} **{faces.face(sides)}**" for sides in (20, 6, 6)]
        sealed = await bo.menu(rolled.shown, CHECK)
        assert sealed.ephemeral
        assert rolled.id in sealed.text
        assert sha256(SEED).hexdigest() in sealed.text
        assert SEED.hex() not in sealed.text
        assert all(f"{at}. {face}" in sealed.text for at, face in enumerate(shown, 1))
        hidden = await ana.slash("/roll dice:1d20 show:me")
        await world.person("Mo").slash("/fair reveal")
        opened = await bo.menu(rolled.shown, CHECK)
        assert SEED.hex() in opened.text
        assert all(f"{at}. {face}" in opened.text for at, face in enumerate(shown, 1))
        assert hidden.ephemeral
        assert world.faults() == []


async def test_a_persons_sheet_shows_others_only_what_they_may_see(tmp_path: Path) -> None:
    async with fight(tmp_path) as world:
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        for who in (gwen, ana, bo):
            sheet = await who.menu(ana, SHEET)
            assert sheet.ephemeral
            assert "Rhea" in sheet.text
            assert "12/12" in sheet.text
        refused = await ana.menu(gwen, SHEET)
        assert refused.ephemeral
        assert "Wolf" not in refused.text


async def form_of(gwen: Seat, what: str) -> Answer:
    panel = await gwen.slash("/turn")
    work = await gwen.press(panel.shown, "GM …")
    return await gwen.press(work.shown, what)


async def test_a_creature_is_given_to_a_person_and_somebody_becomes_a_gm(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        gwen, bo = world.person("Gwen"), world.person("Bo")
        await gwen.slash("/init start")
        await world.person("Ana").slash("/init join name:Rhea result:20 hp:12")
        await gwen.slash("/init add name:Wolf result:10 hp:11")
        await gwen.slash("/encounter begin")
        await gwen.submit(await form_of(gwen, "Give to …"), {"whom": ["Wolf"], "person": ["Bo"]})
        assert "Wolf" in (await bo.menu(bo, "Sheet")).text
        await bo.slash("/gm remove target:Rhea")
        assert "Rhea" in (await gwen.slash("/init list")).text
        bot = await gwen.submit(await form_of(gwen, "Add a GM"), {"person": ["Referee"]})
        assert bot.ephemeral
        await gwen.submit(await form_of(gwen, "Add a GM"), {"person": ["Bo"]})
        await bo.slash("/gm remove target:Rhea")
        assert "Rhea" not in (await gwen.slash("/init list")).text
        await world.settle()
        assert world.faults() == []
