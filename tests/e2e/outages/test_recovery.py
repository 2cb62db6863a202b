"""What was done right before a death, and told to nobody, is read in the channel after the restart."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.discord.client import RefereeClient
from bot.discord.responses import Response
from bot.replies.recovery import Recovery
from data.database import open_to_read
from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import dies, duel, prompts, quiet, referee_at

WORDS = "Ana ends the turn"


async def nothing(*_args: Any, **_given: Any) -> None:
    """Do not come to it: the program is dead by then."""


def told(seat: Seat, words: str) -> int:
    return sum(message.text.replace("**", "").count(words) for message in seat.sees())


def _is_posted(client: RefereeClient) -> bool:
    prompt = client.tables.rooms()[0].prompt
    return prompt.wanted == prompt.posted


async def _begun(world: Table, client: RefereeClient) -> Seat:
    await duel(world, client)
    await quiet(world, client)
    return world.person("Ana")


async def _nothing_is_told(world: Table, database: Path, seat: Seat) -> None:
    """Start the referee once more: the channel stays as it is."""
    before = [message.id for message in seat.sees()]
    async with referee_at(world, database) as client:
        await asyncio.sleep(0.3)
        await quiet(world, client)
        assert [message.id for message in seat.sees()] == before


async def test_a_step_whose_answer_died_with_the_program_is_told_once_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            ana = await _begun(world, client)
            monkeypatch.setattr(client.recovery, "note_end", nothing)
            with monkeypatch.context() as patched:
                dies(client, patched)
                ana.begin("/init next")
                await world.until(lambda: not _is_posted(client))
                await asyncio.sleep(0.05)
            assert told(ana, WORDS) == 0
        async with referee_at(world, database) as client:
            await world.until(lambda: told(ana, WORDS) == 1)
            await world.until(lambda: "Goblin" in prompts(ana)[-1].content)
            shown = [message.text.replace("**", "") for message in ana.sees()]
            assert WORDS in shown[-1]  # the prompt itself tells it
            monkeypatch.setattr(client.recovery, "note_end", nothing)
        await _nothing_is_told(world, database, ana)
        assert world.faults() == []


async def test_a_life_that_ends_before_it_has_told_leaves_it_to_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            ana = await _begun(world, client)
            seq = client.tables.rooms()[0].next_seq
            monkeypatch.setattr(client.recovery, "note_end", nothing)
            with monkeypatch.context() as patched:
                patched.setattr(Response, "_send", nothing)
                ana.begin("/roll dice:3d6 reason:luck")
                await world.until(lambda: client.tables.rooms()[0].next_seq > seq)
                await asyncio.sleep(0.05)
        with monkeypatch.context() as patched:
            looking = asyncio.Event()

            async def look(*_args: Any) -> None:
                looking.set()
                await asyncio.Event().wait()

            patched.setattr(Recovery, "_tell_one", look)
            async with referee_at(world, database):
                await looking.wait()
        assert told(ana, "luck") == 0
        async with referee_at(world, database):
            await world.until(lambda: told(ana, "luck") == 1)
        assert world.faults() == []


async def test_a_step_that_was_taken_back_before_the_death_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            ana = await _begun(world, client)
            monkeypatch.setattr(client.recovery, "note_end", nothing)
            seq = client.tables.rooms()[0].next_seq
            with monkeypatch.context() as patched:
                patched.setattr(Response, "_send", nothing)
                world.person("Bo").begin("/init join bonus:2")
                await world.until(lambda: client.tables.rooms()[0].next_seq > seq)
                await asyncio.sleep(0.05)
            await world.person("Gwen").slash("/encounter undo")
            await quiet(world, client)
        await _nothing_is_told(world, database, ana)
        assert world.faults() == []


async def test_a_channel_that_cannot_be_looked_at_keeps_no_other_from_being_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            await _begun(world, client)
            monkeypatch.setattr(client.recovery, "note_end", nothing)

        async def broken(*_args: Any) -> None:
            raise RuntimeError("nobody thought of it")

        monkeypatch.setattr(Recovery, "_missing", broken)
        async with referee_at(world, database) as client:
            await world.person("Ana").slash("/init next")
            await quiet(world, client)
            housekeeping = next(task for task in client._tasks if task.get_name() == "housekeeping")
            assert not housekeeping.done()


async def test_what_was_told_before_a_death_is_not_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            ana = await _begun(world, client)
            await ana.slash("/init next")
            await ana.slash("/roll dice:3d6 reason:luck")
            await world.person("Gwen").slash("/encounter undo")
            await quiet(world, client)
            monkeypatch.setattr(client.recovery, "note_end", nothing)
        await _nothing_is_told(world, database, ana)
        assert world.faults() == []


async def test_after_a_clean_stop_nothing_is_looked_for(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            await _begun(world, client)
        with closing(open_to_read(database)) as connection:
            assert connection.execute("SELECT value FROM meta WHERE key = 'ended'").fetchone() == ("cleanly",)
        before = len(world.discord.exchanges)
        async with referee_at(world, database) as client:
            await quiet(world, client)
            asked = [each.path for each in list(world.discord.exchanges)[before:] if each.method == "GET"]
            assert not any(path.endswith("/messages") for path in asked), json.dumps(asked)
