"""The channel's one live message is below whatever other people have written."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord.client import RefereeClient
from bot.discord.responses import BUSY_WITH
from bot.local.world import TEXT, Channel
from bot.posting import strikes
from bot.requests.pace import Spacing
from tests.bench._counts import Counts
from tests.e2e.loopback import Shown, Table, local_table
from tests.e2e.referee import duel, prompts, quiet, referee_at, refereed, told
from tests.e2e.systems.beacon_table import table as tower
from tests.e2e.systems.beacon_table import to_brawl
from tests.trust.stage.scene import ANY_EDIT, FOLLOW_UP


async def test_a_step_below_other_peoples_words_brings_the_prompt_to_the_bottom(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        before = await duel(world, client)
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        quietly = await gwen.slash("/condition add target:Ana name:Slowed")
        await quiet(world, client)
        assert quietly.ephemeral, "nobody wrote: the live prompt is only edited"
        assert [each.id for each in prompts(ana)] == [before.id]
        bo.say("Does it see me?")
        counts = Counts(world)
        with counts.step("/condition add", "Gwen", "typed"):
            answer = await gwen.slash("/condition add target:Goblin name:Prone")
            await quiet(world, client)
        counts.close()
        assert (counts.since(0).after_full, counts.since(0).calling_nobody) == (0, 1), "not for want of room"
        (prompt,) = prompts(ana)
        assert (prompt.id, prompt.id) == (answer.shown.id, ana.sees()[-1].id)
        assert "Goblin has Prone." in prompt.content
        assert prompt.pings == (), "nothing became anybody's that was not before"
        assert "Ana has Slowed." in before.content
        assert before.components == ()
        assert told(ana).count("Goblin has Prone.") == 1
        assert world.faults() == []


async def test_a_turn_of_more_than_1500_characters_goes_on_in_a_new_message_and_loses_no_line(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        before = await duel(world, client)
        gwen, ana = world.person("Gwen"), world.person("Ana")
        names = [f"{at}{'a' * 30}" for at in range(10, 50)]
        counts = Counts(world)
        for at in range(0, len(names), 4):
            with counts.step("/condition add", "Gwen", "typed"):
                for name in names[at : at + 4]:
                    answer = await gwen.slash(f"/condition add target:Ana name:{name}")
                await quiet(world, client)
            if prompts(ana)[0].id != before.id:
                break
        counts.close()
        assert (counts.since(0).after_full, counts.since(0).calling_nobody) == (1, 0), "it calls nobody, and may"
        (prompt,) = prompts(ana)
        assert (prompt.id, answer.ephemeral) != (before.id, True), "the last line would have been one too many"
        assert 1300 < len(before.content) <= 1500
        assert before.components == ()
        assert prompt.id == ana.sees()[-1].id
        assert prompt.pings == (), "it is still Ana's turn"
        assert len(prompt.content) < 300
        assert [told(ana).count(f"Ana has {name}.") for name in names[: at + 4]] == [1] * (at + 4)
        assert "earlier (/encounter log)" not in told(ana)
        await ana.press(prompt, "End turn")
        await quiet(world, client)
        assert world.faults() == []


async def test_a_press_on_a_prompt_above_other_peoples_words_goes_on_below_them(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        before = await duel(world, client)
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        bo.say("Does it see me?")
        await ana.press(before, "End turn")
        await quiet(world, client)
        (prompt,) = prompts(gwen)
        assert prompt.id == gwen.sees()[-1].id
        assert prompt.pings == ("Gwen",)
        assert before.components == ()
        assert world.faults() == []


async def test_while_many_wait_their_answers_come_first_and_several_edits_are_one(tmp_path: Path) -> None:
    tables, turns = 2 * BUSY_WITH, 4
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        here, gwen = world.discord.world, world.person("Gwen")
        rooms = [Channel(here.ids.fresh(), TEXT, f"room-{at}", position=10 + at) for at in range(tables)]
        here.channels |= {room.id: room for room in rooms}
        for room in rooms:
            for line in ("/init start", "/gm add name:Goblin sheet:HP 20 count:3", "/init next"):
                await gwen.slash(line, channel=room.name)
        await quiet(world, client)
        before = len(world.discord.exchanges)

        async def play(room: Channel) -> None:
            for _ in range(turns):
                await gwen.slash("/init next", channel=room.name)

        await asyncio.gather(*map(play, rooms))
        await quiet(world, client)
        edits = [each for each in tuple(world.discord.exchanges)[before:] if each.method == "PATCH"]
        assert tables <= len(edits) < tables * turns
        for room in rooms:
            (prompt,) = prompts(gwen, room.name)
            assert prompt.content.count("ends the turn") == turns, "each line is told all the same"
        assert world.faults() == []


def test_edits_that_a_busy_moment_put_off_leave_one_after_the_other() -> None:
    edits = Spacing(0.25)
    assert [edits.next_from(moment) for moment in (10.0, 10.0, 10.125, 12.0)] == [10.0, 10.25, 10.5, 12.0]


async def test_whom_an_order_lets_act_at_once_is_called_by_no_message(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        await gwen.slash("/init start")
        await quiet(world, client)
        await ana.slash("/init join result:20")
        await bo.slash("/init join result:10")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        assert (await bo.slash("/act action:next when:my-turn")).ephemeral
        (before,) = prompts(ana)
        await ana.press(before, "End turn")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert prompt.id == before.id, "Ana goes on: Bo's turn was over before anybody could look"
        assert "As ordered" in prompt.content
        assert world.faults() == []


@pytest.mark.parametrize("cai", ["is asked", "lets it pass", "lets it pass and sleeps"])
async def test_a_question_to_those_alone_who_let_it_pass_before_is_told_by_the_prompt_that_is_there(
    cai: str, tmp_path: Path
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, other = await tower(world, client)
        for seat in (ana, bo) if cai == "is asked" else (ana, bo, other):
            assert (await seat.slash("/act action:decline when:this-fight")).ephemeral
        await to_brawl(world, client, ana, bo, other)
        if cai.endswith("sleeps"):  # a message comes as it does to any sleeper, so that it tells no more
            await other.slash("/remind away until:2d")
        (before,) = prompts(ana)
        await gwen.slash("/act action:move to:H4")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert (prompt.id == before.id) is (cai == "lets it pass")
        assert prompt.pings == (("Cai",) if cai == "is asked" else ())
        assert "Rhea, Pip, Cat may react." in prompt.content, "they are named like all who are asked"
        assert world.faults() == []


async def test_what_an_older_message_tells_is_struck_there_at_no_cost_of_the_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strikes, "PAUSE_SECONDS", 60.0)
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        before = await duel(world, client)
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/gm damage target:Goblin amount:1")
        await ana.press(before, "End turn")
        await quiet(world, client)
        (room,) = client.tables.rooms()
        counts = Counts(world)
        with counts.step("undo", "Gwen", "typed") as undo:
            await gwen.slash("/encounter undo steps:2")
            await quiet(world, client)
        with counts.step("struck", "", "timer") as struck:
            await client.publisher.strikes.hurry(room)
            await quiet(world, client)
        counts.close()
        assert (len(undo.requests), len(struck.requests)) == (0, 2), "the first prompt, and Join on the opening message"
        assert "~~" in before.content
        assert world.faults() == []


async def undone_late(world: Table, client: RefereeClient) -> Shown:
    """Undo what a record tells; return the record."""
    before = await duel(world, client)
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await gwen.slash("/gm damage target:Goblin amount:1")
    await ana.press(before, "End turn")
    await quiet(world, client)
    await gwen.slash("/encounter undo steps:2")
    await quiet(world, client)
    return before


async def test_a_stop_strikes_through_what_was_still_to_be(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with refereed(database) as (world, client):
        before = await undone_late(world, client)
        await client.publisher.stop()
        assert "~~" in before.content


async def test_a_death_loses_no_line_that_was_still_to_be_struck_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strikes, "PAUSE_SECONDS", 60.0)
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            before = await undone_late(world, client)
            (room,) = client.tables.rooms()
            assert room.late
            room.late.clear()  # the program dies
        assert "~~" not in before.content
        monkeypatch.setattr(strikes, "PAUSE_SECONDS", 0.0)
        async with referee_at(world, database) as client:
            await world.until(lambda: "~~" in before.content)
            await quiet(world, client)
            for _ in range(500):  # it is noted after it is shown
                if not await client.store.struck_channels():
                    break
                await asyncio.sleep(0.02)
            assert await client.store.struck_channels() == ()
        assert world.faults() == []


@pytest.mark.parametrize("how", ["pressed", "typed"])
async def test_what_is_undone_while_its_message_becomes_a_record_is_struck_there(how: str, tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        before = await duel(world, client)
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/gm set target:Goblin pool:HP value:7")
        await quiet(world, client)
        go_on = asyncio.Event()
        held = world.discord.sabotage(FOLLOW_UP if how == "pressed" else ANY_EDIT, until=go_on)
        if how == "pressed":  # it is a record, and the message below it is on its way
            ana.begin_press(before, "End turn")
        else:  # the message below it is there, and the record is on its way
            ana.begin("/init next")
        await world.until(lambda: held.met)
        undo = gwen.begin("/encounter undo steps:2")
        await world.answered(undo)
        assert "~~" not in before.content
        go_on.set()
        await world.until(lambda: "~~" in before.content)
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert prompt.pings == ("Ana",)
        assert world.faults() == []


@pytest.mark.parametrize("ends", ["/encounter end", "/encounter pause"])
async def test_an_end_that_is_undone_is_struck_in_its_own_message(ends: str, tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        gwen = world.person("Gwen")
        await gwen.slash(ends)
        await quiet(world, client)
        over = gwen.sees()[-1]
        assert not over.buttons
        await gwen.slash("/encounter undo steps:1")
        await world.until(lambda: "~~" in over.content)
        (prompt,) = prompts(gwen)
        assert prompt.pings == ("Ana",)
        assert world.faults() == []
