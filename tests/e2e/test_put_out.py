"""Who left the server, or may not see the channel any more, is shown nothing and plays no more; the GM is told once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.discord.client import RefereeClient
from bot.requests.members import KEPT_SECONDS
from tests.e2e.days import HOUR, Later, begun, table, wait
from tests.e2e.loopback import Answer, Seat, Shown, Table, local_table
from tests.e2e.referee import duel, export, prompts, quiet, referee_at, steps

LOOK = r"GET /guilds/\d+/members/\d+$"
STATE = ("Goblin", "Classic initiative", "round", "Round", "Ana", "initiative")
"""What tells of the table."""


@asynccontextmanager
async def copied(database: Path) -> AsyncIterator[tuple[Table, RefereeClient, Later, Shown]]:
    """A duel whose nudge has gone to Ana as a direct message."""
    async with table(database) as (world, client, clock):
        _, ana, _ = await begun(world, client, "/remind turns after:1h every:1h times:9")
        await ana.slash("/remind me dm:True")
        await wait(world, client, clock, 1.01)
        (copy,) = ana.sees("dm")
        clock.seconds += KEPT_SECONDS + 1
        yield world, client, clock, copy


def put_out(world: Table, name: str, how: str) -> None:
    if how == "left":
        world.discord.put_out(name)
    else:
        world.discord.deny(name, "view_channel", channel="tavern")


def is_refused(answer: Answer) -> bool:
    return not any(word in answer.text for word in STATE)


@pytest.mark.parametrize("how", ["left", "lost the channel"])
async def test_a_copy_of_somebody_who_is_gone_shows_and_does_nothing(tmp_path: Path, how: str) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, clock, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        put_out(world, "Ana", how)
        before = steps(client)
        for button in ("My turn", "End turn", "Not waiting on me"):
            assert is_refused(await ana.press(copy, button)), button
        assert is_refused(await ana.slash("/turn", channel="dm"))
        await quiet(world, client)
        assert steps(client) == before
        (word,) = gwen.sees("dm")
        assert "Ana" in word.content
        clock.seconds += KEPT_SECONDS + 1
        await ana.press(copy, "End turn")
        await quiet(world, client)
        assert len(gwen.sees("dm")) == 1, "once"
        went_on = await gwen.press(word, "Go on without Ana")
        await quiet(world, client)
        assert steps(client) > before, went_on.text
        assert world.faults() == []


async def test_a_gm_who_sleeps_is_told_who_has_left_when_they_wake_and_not_before(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, clock, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        begins, ends = (f"{datetime.fromtimestamp(clock() + hours * HOUR, UTC):%H:%M}" for hours in (-1, 4))
        await gwen.slash(f"/remind me quiet:{begins}-{ends}")
        put_out(world, "Ana", "left")
        await ana.press(copy, "My turn")
        await quiet(world, client)
        assert gwen.sees("dm") == ()
        await wait(world, client, clock, 4.1)
        (word,) = gwen.sees("dm")
        assert "Ana" in word.content
        assert world.faults() == []


async def test_the_seat_of_who_is_gone_is_the_gms_and_theirs_again_when_they_are_back(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, clock, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        put_out(world, "Ana", "left")
        await wait(world, client, clock, 1.01)
        assert len(ana.sees("dm")) == 1, "no further copy"
        assert prompts(gwen)[-1].pings == (gwen.name,), "who is away is acted for"
        world.discord.let_in("Ana")
        await wait(world, client, clock, 1.01)
        assert len(ana.sees("dm")) == 2, "they are back, and nudged"
        await ana.press(copy, "End turn")
        await quiet(world, client)
        assert (await export(gwen))["turn"] == ["Goblin"]


@pytest.mark.parametrize("how", ["away", "left", "taken back"])
async def test_the_order_of_a_player_who_left_counts_and_the_gm_may_take_it_back(tmp_path: Path, how: str) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, clock, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await ana.press(copy, "End turn")
        await ana.slash("/act action:delay when:my-turn")
        if how == "away":
            await ana.slash("/remind away until:3d")
        else:
            put_out(world, "Ana", "left")
            clock.seconds += KEPT_SECONDS + 1
            await ana.press(copy, "My turn")
            await quiet(world, client)
            assert "My turn" in gwen.sees("dm")[-1].content, "the GM is told of the order, and where it is taken back"
        if how == "taken back":
            await gwen.press(await gwen.slash("/turn"), "Remove")
        await gwen.slash("/gm turn target:Ana")
        await quiet(world, client)
        delays = [row for row in (await export(gwen))["log"] if row["command"].get("ordered")]
        assert len(delays) == (how != "taken back")


async def test_who_acts_in_the_channel_is_there_again(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, _, copy):
        ana = world.person("Ana")
        put_out(world, "Ana", "left")
        await ana.press(copy, "End turn")
        await quiet(world, client)
        (channel,) = client.tables.people.get(ana.id).gone_from
        assert client.tables.people.is_away(ana.id, channel)
        world.discord.let_in("Ana")
        await ana.slash("/turn")
        assert not client.tables.people.is_away(ana.id, channel)


@pytest.mark.parametrize("label", ["Undo", "Next", "Pause", "‹ My turn"])
async def test_a_former_gms_panel_does_nothing_even_of_an_old_turn(tmp_path: Path, label: str) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h every:1h times:9")
        await gwen.slash(f"/encounter gm user:{world.person('Mo').mention}")
        await gwen.slash("/remind me dm:True")
        await ana.slash("/init next")
        await wait(world, client, clock, 1.01)
        (copy,) = gwen.sees("dm")
        panel = await gwen.press(copy, "My turn")
        work = await gwen.press(panel, "GM …")
        await world.person("Mo").slash("/init next")
        clock.seconds += KEPT_SECONDS + 1
        put_out(world, "Gwen", "left")
        before = steps(client)
        assert is_refused(await gwen.press(work, label))
        assert is_refused(await gwen.press(panel, panel.buttons[-1]))
        await quiet(world, client)
        assert steps(client) == before
        assert any("Gwen" in each.content for each in world.person("Mo").sees("dm"))


async def test_without_an_answer_nothing_is_shown_and_nobody_is_taken_for_gone(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, _, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        world.discord.sabotage(LOOK, status=403, code=50001)
        before = steps(client)
        assert is_refused(await ana.press(copy, "End turn"))
        await quiet(world, client)
        assert (steps(client), gwen.sees("dm")) == (before, ())
        world.discord.sabotage(LOOK, status=403, code=50001)
        assert is_refused(await ana.slash("/turn", channel="dm"))
        await ana.press(copy, "End turn")
        await quiet(world, client)
        assert steps(client) == before + 1, "the next press is asked about anew"


async def test_one_look_serves_half_a_minute(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, _, _, copy):
        ana = world.person("Ana")
        asked = [each for each in world.discord.exchanges if "/members/" in each.path]
        for _ in range(3):
            await ana.press(copy, "My turn")
        after = [each for each in world.discord.exchanges if "/members/" in each.path]
        assert len(after) == len(asked) + 1


async def test_who_may_only_read_looks_and_takes_no_step(tmp_path: Path) -> None:
    async with copied(tmp_path / "referee.sqlite3") as (world, client, _, copy):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = prompts(ana)[-1]
        world.discord.deny("Ana", "send_messages", channel="tavern")
        before = steps(client)
        assert "Goblin" in (await ana.press(copy, "My turn")).text
        for answer in (
            await ana.press(copy, "End turn"),
            await ana.press(prompt, "End turn"),
            await ana.slash("/init next"),
            await ana.slash("/roll dice:1d20"),
            await ana.slash("/encounter undo"),
        ):
            assert answer.ephemeral or answer.interaction.channel_id == copy.message.channel_id
        assert steps(client) == before
        assert "1d20" in (await ana.slash("/roll dice:1d20 show:me")).text
        await quiet(world, client)
        assert gwen.sees("dm") == (), "they are there"


async def test_a_thread_and_two_tables_each_have_their_own(tmp_path: Path) -> None:
    """Who was put out of a private thread still plays in the channel."""
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h every:1h times:9")
        thread = world.discord.open_private_thread("cellar", "Gwen", "Ana")
        await world.until(lambda: client.get_channel(int(thread.id)) is not None)
        await duel(world, client, "cellar")
        await ana.slash("/remind me dm:True")
        listed = await ana.slash("/turn", channel="dm")
        assert listed.text.count("discord.com/channels") == 2
        thread.thread_members.discard(ana.id)
        clock.seconds += KEPT_SECONDS + 1
        listed = await ana.slash("/turn", channel="dm")
        assert listed.text.count("discord.com/channels") == 1
        await quiet(world, client)
        assert ["cellar" in each.content or thread.id in each.content for each in gwen.sees("dm")] == [True]


async def test_it_is_told_once_though_the_program_dies_and_closed_doors_are_got_around(tmp_path: Path) -> None:
    database, clock = tmp_path / "referee.sqlite3", Later()
    async with local_table() as world:
        gwen, ana = world.person("Gwen"), world.person("Ana")
        gwen.person.accepts_direct_messages = False
        async with referee_at(world, database, clock=clock) as client:
            await begun(world, client, "/remind turns after:1h every:1h times:9")
            await ana.slash("/remind me dm:True")
            await wait(world, client, clock, 1.01)
            (copy,) = ana.sees("dm")
            clock.seconds += KEPT_SECONDS + 1
            put_out(world, "Ana", "left")
            await ana.press(copy, "End turn")
            await quiet(world, client)
            assert gwen.sees("dm") == ()
        async with referee_at(world, database, clock=clock) as client:
            await gwen.slash("/encounter show")
            await quiet(world, client)
            private = [each for each in gwen.sees() if each.ephemeral and "Ana has left" in each.content]
            assert len(private) == 1
            await gwen.slash("/turn")
            await wait(world, client, clock, 30.0 / HOUR)
            assert len([each for each in gwen.sees() if each.ephemeral and "Ana has left" in each.content]) == 1
            assert is_refused(await ana.press(copy, "My turn"))


async def test_the_last_gm_who_goes_is_told_of_to_the_servers_owner(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h every:1h times:9")
        await gwen.slash("/remind me dm:True")
        await ana.slash("/init next")
        await wait(world, client, clock, 1.01)
        (copy,) = gwen.sees("dm")
        put_out(world, "Gwen", "left")
        clock.seconds += KEPT_SECONDS + 1
        assert is_refused(await gwen.press(copy, "End turn"))
        await quiet(world, client)
        owner = Seat(world.discord.world.people[world.discord.world.owner_id], world)
        assert any("/encounter gm" in each.content for each in owner.sees("dm"))
        await wait(world, client, clock, 1.01)
        assert [each.id for each in gwen.sees("dm") if not each.ephemeral] == [copy.id]


async def test_the_list_of_a_servers_turns_leaves_out_what_somebody_may_not_see(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        await duel(world, client, "dungeon")
        mo, dungeon = world.person("Mo"), world.place("dungeon").id
        world.discord.deny("Mo", "view_channel", channel="dungeon")
        assert dungeon not in (await mo.slash("/encounter list server:True")).text
        world.discord.deny("Mo", channel="dungeon")
        listed = await mo.slash("/encounter list server:True")
        assert dungeon in listed.text
        assert "Ana" in listed.text


async def test_an_archived_thread_is_asked_for(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        await duel(world, client, "side-quest")
        ana = world.person("Ana")
        world.discord.archive("side-quest")
        await world.until(lambda: client.get_channel(int(world.place("side-quest").id)) is None)
        assert "discord.com/channels" in (await ana.slash("/turn", channel="dm")).text
        world.discord.deny("Ana", "view_channel", channel="tavern")
        clock.seconds += KEPT_SECONDS + 1
        assert "discord.com/channels" not in (await ana.slash("/turn", channel="dm")).text
