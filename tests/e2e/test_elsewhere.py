"""Nobody makes the referee write in a channel that they may not write in: `/encounter move`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.world import Channel
from bot.requests.members import KEPT_SECONDS
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import duel, quiet, referee_at, refereed, told

ASKED = r"GET /channels/\d+/thread-members/\d+$"


def marks(world: Table) -> dict[str, int]:
    """Return the number of messages in each channel."""
    return {channel.id: len(channel.messages) for channel in world.discord.world.channels.values()}


async def moved(world: Table, where: str) -> bool:
    """Let Gwen move her table; tell whether it went, and make sure that a refusal wrote nothing anywhere."""
    before = marks(world)
    answer = await world.person("Gwen").slash(f"/encounter move channel:{where}")
    await world.settle()
    if answer.ephemeral:
        place = world.discord.world.channels[answer.interaction.channel_id]
        assert marks(world) == {**before, place.id: before[place.id] + 1}, "the private refusal alone"
    return not answer.ephemeral


@pytest.mark.parametrize("denied", ["view_channel", "send_messages"])
async def test_a_table_moves_only_where_its_gm_may_read_and_write(tmp_path: Path, denied: str) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        world.discord.deny("Gwen", denied, channel="dungeon")
        dungeon = world.place("dungeon")
        assert not await moved(world, dungeon.id)
        world.discord.deny("Gwen", channel="dungeon")
        assert await moved(world, dungeon.id)
        await quiet(world, client)
        assert "Ana" in told(world.person("Bo"), "dungeon")
        assert world.faults() == []


async def test_in_a_thread_it_is_writing_in_threads_that_counts(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        world.discord.deny("Gwen", "send_messages_in_threads", channel="tavern")
        assert not await moved(world, "side-quest")
        world.discord.deny("Gwen", channel="tavern")
        world.place("side-quest").locked = True
        assert not await moved(world, "side-quest"), "locked"
        world.discord.world.named("Gwen").roles = world.discord.world.named("Mo").roles
        world.place("side-quest").locked = False
        assert await moved(world, "side-quest")


def cellar(world: Table, *members: str, bot: bool = True) -> Channel:
    return world.discord.open_private_thread("cellar", *members, bot=bot)


async def test_a_private_thread_is_for_its_members_and_for_who_manages_threads(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        thread = cellar(world, "Bo", "Ana")
        await world.until(lambda: client.get_channel(int(thread.id)) is not None)
        assert not await moved(world, thread.id)
        thread.thread_members.add(world.person("Gwen").id)
        now = client.tables.clock()
        client.tables.clock = lambda: now + KEPT_SECONDS + 1
        assert await moved(world, thread.id)


async def test_without_an_answer_about_a_private_thread_it_is_refused(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        thread = cellar(world, "Gwen")
        await world.until(lambda: client.get_channel(int(thread.id)) is not None)
        world.discord.sabotage(ASKED, status=403, code=50001)
        assert not await moved(world, thread.id)
        assert await moved(world, thread.id)


async def test_somebody_who_manages_threads_need_not_be_in_it(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await duel(world, client)
        world.discord.world.named("Gwen").roles = world.discord.world.named("Mo").roles
        thread = cellar(world, "Bo")
        await world.until(lambda: client.get_channel(int(thread.id)) is not None)
        assert await moved(world, thread.id)


async def test_a_private_thread_that_the_referee_is_not_in_says_how_it_is_brought_in(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3") as client:
        await duel(world, client)
        thread = cellar(world, "Gwen", bot=False)
        answer = await world.person("Gwen").slash(f"/encounter move channel:{thread.id}")
        assert answer.ephemeral
        assert "private thread" in answer.text
        assert "View Channel" not in answer.text
