"""What Discord's permissions, threads and installations do to a table, and what people are told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.discord.client import RefereeClient
from bot.local import world as w
from bot.local.people import walk
from bot.local.world import Change, Channel
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import duel, prompts, quiet, referee_at, refereed
from tests.local.stand_in import channel_named


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[tuple[Table, RefereeClient]]:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        yield world, client
        assert world.faults() == []


Playing = tuple[Table, RefereeClient]


async def _next(world: Table, client: RefereeClient, channel: str = "tavern") -> None:
    await world.person("Gwen").slash("/init next", channel=channel)
    await quiet(world, client)


# Embed Links


async def test_without_embed_links_the_prompt_is_text_alone(table: Playing) -> None:
    world, client = table
    world.discord.revoke("embed_links", channel="tavern")
    prompt = await duel(world, client)
    gwen = world.person("Gwen")
    assert prompt.embeds == ()
    assert "Goblin" in prompt.content, "the order stands in the text"
    assert "Embed Links" in (await gwen.slash("/help topic:check")).text
    world.discord.restore(channel="tavern")
    await _next(world, client)
    assert prompts(gwen)[-1].embeds, "given back, it is used again"


async def test_an_embed_alone_that_is_refused_is_sent_as_text(table: Playing) -> None:
    world, client = table
    channel_named(world.discord.world, "tavern").overwrites.append(
        w.Overwrite(world.discord.world.application_id, 1, deny=1 << 14)
    )
    place = channel_named(world.discord.world, "tavern").id
    sent = await client.publisher.messages.send_json(
        place, {"embeds": [{"title": "Luck", "description": "of *Ana*"}]}, [], "n1"
    )
    assert world.discord.world.channels[place].messages[sent].content == "**Luck**\nof *Ana*"


# Threads


def _private(world: Table) -> Channel:
    places = world.discord.world
    return places.open_thread(channel_named(places, "tavern"), "cellar", places.named("Gwen"), w.PRIVATE_THREAD)


async def test_in_a_private_thread_it_says_how_it_is_brought_in_and_then_goes_on(table: Playing) -> None:
    world, client = table
    thread, gwen = _private(world), world.person("Gwen")
    assert "1d20" in (await gwen.slash("/roll dice:1d20", channel="cellar")).text
    refused = await gwen.slash("/init start name:Ambush", channel="cellar")
    assert "I am not in this private thread" in refused.text
    assert "Mention me here" in refused.text
    assert "View Channel" not in refused.text
    assert "private thread" in (await gwen.slash("/help topic:check", channel="cellar")).text
    gwen.say(f"<@{world.discord.world.application_id}> come in", channel="cellar")
    await world.until(lambda: client.get_channel(int(thread.id)) is not None)
    await gwen.slash("/init start name:Ambush", channel="cellar")
    await gwen.slash("/init add name:Goblin result:10", channel="cellar")
    await gwen.slash("/init next", channel="cellar")
    await quiet(world, client)
    assert len(prompts(gwen, "cellar")) == 1


async def test_put_out_of_a_private_thread_it_goes_on_by_itself_when_it_is_back(table: Playing) -> None:
    world, client = table
    thread, gwen = _private(world), world.person("Gwen")
    world.discord.world.join_thread(thread)
    await world.until(lambda: client.get_channel(int(thread.id)) is not None)
    for line in ("/init start name:Ambush", "/init add name:Goblin result:10", "/init add name:Boss result:9"):
        await gwen.slash(line, channel="cellar")
    await _next(world, client, "cellar")
    world.discord.leave_thread(thread)
    await world.until(lambda: client.get_channel(int(thread.id)) is None)
    client.publisher.show_again(client.tables.loaded(thread.id) or pytest.fail("no room"))
    await world.until(lambda: client.blocked_channels.is_shut(thread.id))
    host = world.person("Host")
    await world.until(lambda: any("a private thread" in m.content for seat in (gwen, host) for m in seat.sees("dm")))
    for line in ("/encounter show", "/encounter move"):
        assert "Mention me here" in (await gwen.slash(line, channel="cellar")).text
    gwen.say(f"<@{world.discord.world.application_id}>", channel="cellar")
    await world.until(lambda: not client.blocked_channels.is_shut(thread.id))
    await quiet(world, client)
    assert len(prompts(gwen, "cellar")) == 1


async def test_put_out_of_a_private_thread_while_it_was_away_it_asks_to_be_brought_in(table: Playing) -> None:
    world, client = table
    thread, gwen = _private(world), world.person("Gwen")
    world.discord.world.join_thread(thread)
    await world.until(lambda: client.get_channel(int(thread.id)) is not None)
    for line in ("/init start name:Ambush", "/init add name:Goblin result:10", "/init add name:Boss result:9"):
        await gwen.slash(line, channel="cellar")
    await _next(world, client, "cellar")
    thread.thread_members.discard(world.discord.world.application_id)  # and no event comes
    client.publisher.show_again(client.tables.loaded(thread.id) or pytest.fail("no room"))
    await world.until(lambda: client.blocked_channels.is_shut(thread.id))
    host = world.person("Host")
    await world.until(lambda: any(seat.sees("dm") for seat in (gwen, host)))
    (word,) = (*gwen.sees("dm"), *host.sees("dm"))
    assert "a private thread" in word.content
    assert "View Channel" not in word.content
    asked = await gwen.slash("/help topic:check", channel="cellar")
    assert "Mention me here" in asked.text


@pytest.mark.parametrize(("archived", "words"), [(False, "is locked, so"), (True, "is closed and locked, so")])
async def test_a_locked_thread_says_what_a_person_must_do(table: Playing, archived: bool, words: str) -> None:
    world, client = table
    gwen = world.person("Gwen")
    for line in ("/init start name:Quest", "/init add name:Goblin result:10", "/init add name:Boss result:9"):
        await gwen.slash(line, channel="side-quest")
    await _next(world, client, "side-quest")
    place = channel_named(world.discord.world, "side-quest")
    place.locked, place.archived = True, archived
    world.discord.world.tell(Change("thread_update", place.id))
    client.publisher.show_again(client.tables.loaded(place.id) or pytest.fail("no room"))
    await world.until(lambda: client.blocked_channels.is_shut(place.id))
    host = world.person("Host")
    await world.until(lambda: any(words in told.content for seat in (gwen, host) for told in seat.sees("dm")))
    place.locked, place.archived = False, False
    world.discord.world.tell(Change("thread_update", place.id))
    await world.until(lambda: not client.blocked_channels.is_shut(place.id))
    await quiet(world, client)
    assert len(prompts(gwen, "side-quest")) == 1


async def test_a_record_in_an_archived_thread_is_edited_and_not_deleted(table: Playing) -> None:
    world, client = table
    gwen, place = world.person("Gwen"), channel_named(world.discord.world, "side-quest")
    for line in ("/init start name:Quest", "/init add name:Goblin result:10", "/init add name:Boss result:9"):
        await gwen.slash(line, channel="side-quest")
    await _next(world, client, "side-quest")
    live = prompts(gwen, "side-quest")[-1]
    place.archived = True
    await client.publisher.messages.strip(place.id, live.id)
    assert live.id in place.messages
    assert prompts(gwen, "side-quest") == []


# Installed in part


async def test_a_server_that_granted_commands_alone_gets_the_link_that_adds_the_bot(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "r.sqlite3") as client:
        hall = world.discord.add_guild("hall", str(4000 << 22))  # the gateway announces no such server
        gwen = world.person("Gwen")
        assert "1d20" in (await gwen.slash("/roll dice:1d20", channel=hall.id)).text
        refused = await gwen.slash("/init start name:Ambush", channel=hall.id)
        assert "added my commands, but not me" in refused.text
        link = next(part["url"] for part in walk(list(refused.components)) if part.get("style") == 5)
        assert f"client_id={client.application_id}" in link
        assert "scope=bot+applications.commands" in link
        assert f"permissions={0x4000 | 0x8000 | 0x10000 | 0x400 | 0x800 | 1 << 38}" in link
        checked = await gwen.slash("/help topic:check", channel=hall.id)
        assert [part["url"] for part in walk(list(checked.components)) if part.get("style") == 5] == [link]
