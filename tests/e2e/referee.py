"""The whole referee at a local table: the real client, the real store, people who type."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.clock import Clock, system_clock
from bot.discord import responses
from bot.discord.client import RefereeClient
from bot.settings import Settings
from bot.table.room import Room
from data.postgres.tenure import Tenure
from data.store import Store
from rules.core.registry import every_system
from tests.e2e.loopback import Answer, Seat, Shown, Table, local_table
from tests.e2e.page.chromium import Page

SEED = b"\x5e" * 32


def client_of(
    world: Table, store: Store, clock: Clock = system_clock, tenure: Tenure | None = None, **settings: Any
) -> RefereeClient:
    """Return the real client for a table, which is to be run."""
    given = {"DISCORD_TOKEN": SecretStr(world.discord.token), "DISCORD_API_URL": world.discord.api_url, **settings}
    every_system()  # as the program does before it connects
    return RefereeClient(Settings.model_validate(given), store, clock=clock, tenure=tenure)


@asynccontextmanager
async def referee_at(
    world: Table, database: Path, *, seed: bytes | None = SEED, clock: Clock = system_clock, shards: int | None = None
) -> AsyncIterator[RefereeClient]:
    """Run the referee at a table until the block ends; what it is owed is sent before."""
    store = await Store.open(database)
    dice = None if seed is None else SecretStr(seed.hex())
    client = client_of(world, store, clock, DATABASE_PATH=database, SHARD_COUNT=shards, DICE_SEED=dice)
    async with AsyncExitStack() as ends:
        ends.push_async_callback(store.close)
        await ends.enter_async_context(client)
        running = asyncio.create_task(client.run_until_closed())
        ends.push_async_callback(lambda: running)
        ends.push_async_callback(client.close)
        await client.wait_until_ready()
        await world.discord.bot_connected()
        yield client
        await quiet(world, client)


@asynccontextmanager
async def refereed(database: Path) -> AsyncIterator[tuple[Table, RefereeClient]]:
    """A table with the referee at it, from an empty database."""
    async with local_table() as world, referee_at(world, database) as client:
        yield world, client


async def quiet(world: Table, client: RefereeClient) -> None:
    """Wait until every answer is given and every prompt is posted."""
    await world.settle()
    for room in client.tables.rooms():
        for _ in range(100):
            owed = await client.store.pending_outbox(room.channel)
            if is_shown(room) and room.remind.nudge is None and not owed:
                break
            await asyncio.sleep(0.02)
    await world.settle()


async def drawn(page: Page, world: Table, client: RefereeClient) -> None:
    """Wait until the referee has done all that was asked of it on a page, and the page shows it."""
    await page.echo()
    await rest(world, client)
    await page.echo()


async def rest(world: Table, client: RefereeClient) -> None:
    """Wait until nothing is under way, however long it takes: no answer, no request, no message, no edit."""
    seen = -1
    while seen != (seen := world.discord.traffic) or not is_at_rest(world, client):  # noqa: ASYNC110 - rooms and requests have no one event
        await asyncio.sleep(0.02)


def is_at_rest(world: Table, client: RefereeClient) -> bool:
    """Tell whether every act is answered and every channel shows what happened."""
    acts = world.discord.people.interactions.by_id.values()
    answered = all(each.answered.is_set() and each.filled.is_set() for each in acts)
    rooms = client.tables.rooms()
    is_done = not any(room.is_busy or room.lock.locked() or room.remind.nudge for room in rooms)
    return answered and is_done and all(map(is_shown, rooms)) and world.discord.in_flight == 0


def is_shown(room: Room) -> bool:
    """Tell whether the channel shows what happened, and its live message who is asked now."""
    prompt = room.prompt
    told = all(row.seq <= prompt.told for row in room.story if row.text)
    return told and not room.struck and (prompt.posted, prompt.called) == (prompt.wanted, prompt.calls)


async def duel(world: Table, client: RefereeClient, channel: str = "tavern") -> Shown:
    """Start a fight of Ana (20) and the GM's Goblin (10), and return its first prompt."""
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await gwen.slash("/init start", channel=channel)
    await quiet(world, client)  # the seed's commitment comes before the first prompt, as when people type
    await ana.slash("/init join result:20", channel=channel)
    await gwen.slash("/init add name:Goblin result:10", channel=channel)
    await gwen.slash("/encounter begin", channel=channel)
    await quiet(world, client)
    (prompt,) = prompts(ana, channel)
    return prompt


async def export(seat: Seat, channel: str = "tavern") -> dict[str, Any]:
    """Return what `/encounter export` gives this person."""
    answer = await seat.slash("/encounter export", channel=channel)
    (data,) = answer.files.values()
    content: dict[str, Any] = json.loads(data)
    return content


def prompts(seat: Seat, channel: str = "tavern") -> list[Shown]:
    """Return the messages for everybody with a *My turn* button that still lives."""
    return [message for message in seat.sees(channel) if "My turn" in message.buttons and not message.ephemeral]


def told(seat: Seat, channel: str = "tavern") -> str:
    """Return all that the channel's messages tell everybody, oldest first."""
    return "\n".join(message.text for message in seat.sees(channel) if not message.ephemeral)


def steps(client: RefereeClient) -> int:
    """Return how many rows the logs hold: what was accepted added one, a refusal none."""
    return sum(room.next_seq - 1 for room in client.tables.rooms())


async def accepted(client: RefereeClient, seat: Seat, text: str) -> Answer:
    """Type what must be accepted; its answer is public if it brings the live message, else private."""
    before = steps(client)
    answer = await seat.slash(text)
    assert steps(client) > before, answer.text
    return answer


async def put_forward(world: Table, client: RefereeClient, hours: float) -> None:
    """Let hours go by in one leap, and all that is due happen."""
    before = client.clock

    def later() -> float:
        return before() + hours * 3600

    tables = client.tables
    for part in (client, tables, tables.people, tables.writer, tables.repeats, client.scheduler, client.reminders):
        part.clock = later
    await client.scheduler.fire_due()
    await quiet(world, client)


def dies(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    """Let the program die after its next commit: nothing more is answered or sent."""

    async def nothing(*_args: object, **_given: object) -> None:
        """Do not come to it: the program is dead by then."""

    client.tables.after_commit.clear()
    patch.setattr(responses.Response, "_send", nothing)
    patch.setattr(client.publisher, "_publish", nothing)
