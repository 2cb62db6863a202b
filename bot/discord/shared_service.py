"""Serves the shards that a lease gives to this process, each from its beginning to its end (scale 5, 6)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.discord.neighbours import Neighbours
from bot.discord.responses import Responses
from bot.discord.shards import IDENTIFY_APART_SECONDS, Shards
from bot.posting.prompts import Publisher
from bot.reminders.scheduler import Scheduler
from bot.replies.recovery import Recovery
from bot.requests.api import Api
from bot.requests.blocked_channels import BlockedChannels
from bot.requests.pace import Requests
from bot.requests.places import Places
from bot.table.room import Room
from bot.table.service import Tables
from data.connection import Fenced, home_of
from rules.errors import StoreFailure

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit  # it cannot be imported by itself at run time

    from data.postgres.tenure import Tenure  # a file need not wait for psycopg to be loaded

log = logging.getLogger(__name__)
TURN_LOOK_SECONDS = 0.25
BEGIN_AGAIN_SECONDS = 1.0
LEAVE_SECONDS = 3.0
FEW_STARTS = 20  # connections to Discord that are left today
STARTS = "starts"  # in `meta`: how many were left, of how many, and when all of them come back (Unix seconds)
# A limit's second may still hold what the process before has sent.
GROW_AFTER_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class PerShard:
    """What has something of each shard in memory, or does something for it."""

    gateway: Shards
    requests: Requests
    api: Api
    places: Places
    tables: Tables
    blocked_channels: BlockedChannels
    publisher: Publisher
    responses: Responses
    recovery: Recovery
    scheduler: Scheduler
    keep_commands: Callable[[], None]
    neighbours: Neighbours


class SharedService:
    """What one process of several does. It follows a `Tenure`."""

    def __init__(self, per_shard: PerShard, tenure: Tenure) -> None:
        self.per_shard = per_shard
        self.tenure = tenure
        self._beginning: dict[int, asyncio.Task[None]] = {}
        self._begun: set[int] = set()  # shards whose servers have come
        self._starts_left = FEW_STARTS
        self._is_stopped = False
        per_shard.requests.pace.share(0.0)

    async def settle(self, wanted: int | None, recommended: int) -> int:
        """Return the number of shards that all processes serve. Raises: OtherCount, StoreFailure."""
        return await self.tenure.settle(wanted, recommended)

    async def start(self) -> None:
        """Serve what is this process's share, from now on."""
        await self.tenure.begin(self)

    def stop(self) -> None:
        """Begin nothing more, even if a shard is taken before the tenure ends."""
        self._is_stopped = True
        for task in self._beginning.values():
            task.cancel()
        self.per_shard.neighbours.stop()

    def serves(self, guild: str | None) -> bool:
        """Tell whether a server's events are this process's to answer; None: those of direct messages."""
        return self.shard_of(guild or "") in self.tenure.served

    def shard_of(self, guild: str) -> int:
        return home_of(guild) % self.tenure.count

    async def take_turn(self, shard: int, bucket: int) -> None:
        """Wait until a shard may IDENTIFY. Raises: ConnectionError if its lease went meanwhile."""
        try:
            while (turn := await self.tenure.take_turn(bucket, IDENTIFY_APART_SECONDS)) is None:  # noqa: ASYNC110 - the row is another process's
                await asyncio.sleep(TURN_LOOK_SECONDS)
            if shard not in self.tenure.served:
                await self.tenure.give_turn_back(bucket, turn)
                raise ConnectionError("its lease has gone")
        except StoreFailure as failure:
            raise ConnectionError(str(failure)) from failure

    async def note_starts(self, limit: SessionStartLimit) -> None:
        """Note how many connections are left today, for `status` too."""
        left = limit["remaining"]
        if left < FEW_STARTS <= self._starts_left:
            log.warning("%d of the day's connections are left: no shard is taken but from the dead", left)
        self._starts_left = left
        ends = self.per_shard.tables.clock() + limit["reset_after"] / 1000
        try:
            await self.per_shard.tables.store.set_meta(STARTS, json.dumps([left, limit["total"], ends]))
        except StoreFailure as failure:
            log.warning("how many connections are left is not noted: %s", failure)

    # What the tenure asks for

    @property
    def takes_from_living(self) -> bool:
        return self._starts_left >= FEW_STARTS

    def begin(self, shard: int) -> None:
        if self._is_stopped:
            return
        self._beginning[shard] = asyncio.create_task(self._begin(shard), name=f"begin shard {shard}")

    async def _begin(self, shard: int) -> None:
        per_shard = self.per_shard
        self._forget(shard)  # what was read for others' use may be old
        per_shard.tables.repeats.started_at = per_shard.tables.clock()
        asyncio.get_running_loop().call_later(GROW_AFTER_SECONDS, self._share)
        while True:
            try:
                await per_shard.recovery.remember(shard)
                break
            except StoreFailure as failure:
                log.warning("shard %d cannot begin: %s", shard, failure)
                await asyncio.sleep(BEGIN_AGAIN_SECONDS)
        per_shard.gateway.connect(shard)

    async def is_there(self, shard: int) -> None:
        """Do what was left undone, once the servers of a shard have come."""
        if shard in self._begun or shard not in self.tenure.served:
            return
        self._begun.add(shard)
        if shard == 0:
            self.per_shard.keep_commands()
        task = self._beginning[shard] = asyncio.create_task(self._catch_up(shard), name=f"catch up in shard {shard}")
        await asyncio.wait((task,))

    async def _catch_up(self, shard: int) -> None:
        per_shard = self.per_shard
        for work in (
            partial(per_shard.recovery.tell, shard),
            per_shard.tables.carry_out_orders_left_due,
            per_shard.publisher.catch_up,
        ):  # what fails holds up none of the others: they look at all shards
            try:
                await work()
            except Fenced:  # another process took one meanwhile, and looks itself
                log.info("catching up in shard %d: another process took a shard", shard)
            except Exception:
                log.exception("what was left undone in shard %d", shard)
        per_shard.scheduler.expect(per_shard.tables.clock())

    def drop(self, shard: int) -> None:
        self._share()
        for task, caller in tuple(self.per_shard.responses.under_way.items()):
            if self.shard_of(caller.guild or "") == shard:
                task.cancel()
        for room in self._rooms(shard):
            for work in (room.publishing, room.striking):
                if work is not None:
                    work.cancel()
        self._forget(shard)
        self._end(shard)
        self.per_shard.gateway.cut(shard)

    async def leave(self, shard: int) -> None:
        per_shard = self.per_shard
        self._share(without=shard)
        self._end(shard)
        await per_shard.gateway.disconnect(shard)
        answering = [
            task for task, caller in per_shard.responses.under_way.items() if self.shard_of(caller.guild or "") == shard
        ]
        if answering:
            await asyncio.wait(answering, timeout=LEAVE_SECONDS)
        await per_shard.publisher.stop(self._rooms(shard))
        await per_shard.recovery.note_end(shard)
        self._forget(shard)

    def away_seconds(self, shard: int) -> float:
        gateway = self.per_shard.gateway.get(shard)
        return 0.0 if gateway is None else gateway.away_seconds

    def deliver(self, event: str) -> None:
        self.per_shard.neighbours.deliver(event)

    def heard(self, topic: str, what: str) -> None:
        self.per_shard.neighbours.heard(topic, what)

    def missed(self) -> None:
        self.per_shard.neighbours.missed()

    async def reaches_discord(self) -> bool:
        return await self.per_shard.api.starts_left() is not None

    async def may_move(self) -> bool:
        limit = await self.per_shard.api.starts_left()
        if limit is None:
            return False
        await self.note_starts(limit)
        if limit["remaining"] >= max(2 * self.tenure.count, FEW_STARTS):
            return True
        log.warning("no shard is moved: %d of the day's connections are left", limit["remaining"])
        return False

    # What is kept for each shard

    def _share(self, without: int | None = None) -> None:
        """Send no more than this process's part of what the token may."""
        self.per_shard.requests.pace.share(len(self.tenure.served - {without}) / self.tenure.count)

    def _end(self, shard: int) -> None:
        self._begun.discard(shard)
        beginning = self._beginning.pop(shard, None)
        if beginning is not None:
            beginning.cancel()

    def _rooms(self, shard: int) -> tuple[Room, ...]:
        return tuple(room for room in self.per_shard.tables.rooms() if self.shard_of(room.guild) == shard)

    def _forget(self, shard: int) -> None:
        """Keep nothing in memory of a shard that others change."""
        per_shard = self.per_shard
        for room in self._rooms(shard):
            per_shard.tables.forget(room.channel)
            per_shard.tables.store.drop(room.channel)
        per_shard.blocked_channels.forget(lambda channel: self._is_of(shard, channel))
        per_shard.places.forget_servers(lambda server: self.shard_of(server) == shard)

    def _is_of(self, shard: int, channel: str) -> bool:
        """Tell whether a channel may be one of a shard's: of one that is unknown nobody can say that it is not."""
        place = self.per_shard.places.channel(channel)
        return place is None or self.shard_of(str(place.guild.id)) == shard
