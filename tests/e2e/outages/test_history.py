"""What was posted and not noted before a death is found again, however much people have said since."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord.client import RefereeClient
from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import duel, prompts, quiet, referee_at

CHATTER = 200


def _forget_to_note(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    """Let the program die before it notes what it posts."""
    patch.setattr(client.store, "prompt_posted", lambda *_: None)
    patch.setattr(client.store, "outbox_sent", nothing)


async def nothing(*_args: Any, **_given: Any) -> None:
    """Do not come to it: the program is dead by then."""


def _chat(seat: Seat) -> None:
    seat.world.discord.advance(3600)  # the server has forgotten what it knew of nonces
    for number in range(CHATTER):
        seat.say(f"chatter {number}")


def _own(seat: Seat) -> list[str]:
    """Return the referee's messages, so that one that came twice is seen."""
    return [message.id for message in seat.sees() if message.author != "Bo"]


async def _posted_and_not_noted(world: Table, database: Path, patch: pytest.MonkeyPatch) -> Seat:
    """End Ana's turn; the Goblin's prompt is posted, the program dies, and people go on talking."""
    async with referee_at(world, database) as client:
        await duel(world, client)
        await quiet(world, client)
        _forget_to_note(client, patch)
        await world.person("Ana").slash("/init next")
        await world.until(lambda: [each for each in prompts(world.person("Ana")) if "Goblin" in each.content])
        await quiet(world, client)
    _chat(world.person("Bo"))
    return world.person("Gwen")


async def test_a_prompt_is_found_behind_200_messages_of_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        gwen = await _posted_and_not_noted(world, database, monkeypatch)
        before = [message.id for message in prompts(gwen)]
        own = _own(gwen)
        assert len(before) == 1
        async with referee_at(world, database) as client:
            await world.until(client.tables.rooms)
            await quiet(world, client)
            assert [message.id for message in prompts(gwen)] == before
            assert _own(gwen) == own
            await gwen.slash("/init next")
            await quiet(world, client)
            assert len(prompts(gwen)) == 1
        assert world.faults() == []


async def test_if_the_history_may_not_be_read_nothing_is_sent_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        world.discord.revoke("read_message_history", channel="tavern")
        gwen = await _posted_and_not_noted(world, database, monkeypatch)
        own = [message.id for message in gwen.sees() if message.author != "Bo"]
        async with referee_at(world, database) as client:
            await world.until(client.tables.rooms)
            await quiet(world, client)
            await asyncio.sleep(0.2)
            assert [message.id for message in gwen.sees() if message.author != "Bo"] == own
            await gwen.slash("/init next")
            await quiet(world, client)
            assert prompts(gwen)[-1].pings == ("Ana",)
        assert world.faults() == []


async def test_a_prompt_shown_again_and_not_noted_is_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        gwen = world.person("Gwen")
        async with referee_at(world, database) as client:
            prompt = await duel(world, client)
            await asyncio.sleep(1.2)  # until it is noted
            _forget_to_note(client, monkeypatch)
            monkeypatch.setattr(client.publisher.messages, "close", nothing)
            await gwen.slash("/encounter show")
            await world.until(lambda: len(prompts(gwen)) == 2)
            await quiet(world, client)
        _chat(gwen)
        async with referee_at(world, database) as client:
            await world.until(lambda: len(prompts(gwen)) == 1)
            assert prompts(gwen)[0].id != prompt.id
            await quiet(world, client)
        assert world.faults() == []
