"""A process's hold on its shards: renewed all the time, shared fairly, and given up at its end to the moment.

That end does not wait for the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from data.connection import Connection, Engine
from data.postgres import inbox, leases, listening
from data.postgres.engine import Postgres
from data.postgres.pauses import Pauses
from rules.errors import StoreFailure

P = ParamSpec("P")
T = TypeVar("T")
LOG = logging.getLogger(__name__)
_EARLY_SECONDS = 1.0  # it believes less than the database
_LAST_SECONDS = 1.0  # of what is under way at the end: so long it is waited for
_RENEWALS = 5  # in the length of a lease
_AFTER_END_SECONDS = 0.1  # a lease that has ended is looked for so much later
_LONG_LEASES = 2  # so long a shard may be away from Discord, and so long a newcomer has lived before others give to it


@dataclass(frozen=True, slots=True)
class Process:
    """How a process is called in the database. `seconds` is the length of its leases."""

    name: str
    version: str
    seconds: float


class Service(Protocol):
    """Who serves the shards that a tenure takes."""

    def begin(self, shard: int) -> None:
        """Serve a shard from now on."""
        ...

    def drop(self, shard: int) -> None:
        """Do nothing more for a shard, at once: another process may serve it."""
        ...

    async def leave(self, shard: int) -> None:
        """Finish what is under way for a shard, then do nothing more for it."""
        ...

    def away_seconds(self, shard: int) -> float:
        """Return how long a shard has been without its connection; 0 if it has one."""
        ...

    @property
    def takes_from_living(self) -> bool:
        """Tell whether a shard may be taken that a process which lives has given back."""
        ...

    async def reaches_discord(self) -> bool:
        """Ask Discord for something; tell whether it answered."""
        ...

    async def may_move(self) -> bool:
        """Tell whether there are connections enough left today for moving a shard without need."""
        ...

    def deliver(self, event: str) -> None:
        """Take an event as it came to another process."""
        ...

    def heard(self, topic: str, what: str) -> None:
        """Look at what another process told: `PERSON` or `DELETED`, and who."""
        ...

    def missed(self) -> None:
        """Look at all of it: something may have been told that was not heard."""
        ...


class Tenure:
    """The leases of one process, from `begin` to `end`."""

    def __init__(self, engine: Engine, process: Process) -> None:
        if not isinstance(engine, Postgres):
            raise TypeError("a file has a lock, and no lease")
        self._engine = engine
        self._process = process
        self.owner = leases.owner_of(process.name, engine.key)
        self._service: Service | None = None
        self.count = 1
        self._served: set[int] = set()
        self._leaving: set[int] = set()
        self._until = 0.0  # monotonic: the end of all leases, as far as this process believes
        self._returning: asyncio.Task[None] | None = None  # while Discord cannot be reached
        self._ends_in = math.inf  # seconds after the last renewal: the first end of another one's lease
        self._look = asyncio.Event()
        self._mail = asyncio.Event()
        self._collects = True
        self._collecting: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._moving: asyncio.Task[None] | None = None
        self._under_way: set[asyncio.Future[Any]] = set()  # what writes to the leases and turns

    async def settle(self, wanted: int | None, recommended: int) -> int:
        """Return the number of shards that all processes serve. Raises: OtherCount, StoreFailure."""
        await self._renew()
        self.count = await self._engine.write(leases.settle_count, wanted, recommended, self.owner)
        return self.count

    async def begin(self, service: Service) -> None:
        """Take this process's share, now and whenever there is more of it. Raises: StoreFailure."""
        self._service = service
        self._engine.share(self.count, self._fenced)
        self._engine.listen(self._heard, self._missed)
        await self._round()
        self._collecting = asyncio.create_task(self._go_on_collecting())
        self._tasks = [asyncio.create_task(work()) for work in (self._go_on_renewing, self._watch)]

    @property
    def served(self) -> frozenset[int]:
        """Return what is served here: nothing once the leases have ended, even if no timer has run yet."""
        return frozenset(self._served) if self.is_renewed else frozenset()

    @property
    def seconds(self) -> float:
        """Return the length of its leases."""
        return self._process.seconds

    @property
    def is_renewed(self) -> bool:
        """Tell whether its leases, or its place among the processes, were renewed within the length of a lease."""
        return time.monotonic() < self._until

    def look(self) -> None:
        """Look now whether a shard is free: another process said so."""
        self._look.set()

    async def pass_on(self, shard: int, event: str) -> None:
        """Leave an event, as it came, for the process that serves a shard. Raises: StoreFailure."""
        await self._engine.write(inbox.put, shard, inbox.INTERACTION, event)

    def alone(self, key: int) -> AbstractAsyncContextManager[None]:
        """Let no other process do meanwhile what goes by the same key. Raises: StoreFailure."""
        return self._engine.alone(key)

    def _heard(self, topic: str, what: str) -> None:
        if topic == listening.LEASE:
            self.look()
        elif topic == listening.INBOX:
            if what.isdecimal() and int(what) in self._served:
                self._mail.set()
        elif self._service is not None:
            self._service.heard(topic, what)

    def _missed(self) -> None:
        self.look()
        self._mail.set()
        if self._service is not None:
            self._service.missed()

    async def _go_on_collecting(self) -> None:
        """Take what other processes have left here, when they say so, and every so often."""
        while self._collects:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(listening.LOOK_SECONDS):
                    await self._mail.wait()
            self._mail.clear()
            if not self._served or self._service is None or not self._collects:
                continue
            try:
                for kind, event in await self._engine.write(inbox.take, self.owner, tuple(self._served)):
                    if kind == inbox.INTERACTION:
                        self._service.deliver(event)
            except StoreFailure as failure:
                LOG.warning("what other processes left here cannot be read: %s", failure)

    async def collect_no_more(self) -> None:
        """Leave to the next process what comes from now on; what is being taken now is still delivered here."""
        self._collects = False
        self._mail.set()
        if self._collecting is not None:
            await asyncio.wait((self._collecting,), timeout=_LAST_SECONDS)

    async def take_turn(self, bucket: int, apart_seconds: float) -> datetime | None:
        """Take the turn to IDENTIFY; None while another process has it. Raises: StoreFailure.

        If nobody waits for it any more it is given back, so that no other shard waits for nothing.
        """
        taking = asyncio.ensure_future(self._engine.write(leases.take_turn, bucket, apart_seconds))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            self._keep(asyncio.create_task(self._give_back_what_comes(bucket, taking)))
            raise

    async def _give_back_what_comes(self, bucket: int, taking: asyncio.Future[datetime | None]) -> None:
        with contextlib.suppress(StoreFailure):  # then it is over by itself
            turn = await taking
            if turn is not None:
                await self.give_turn_back(bucket, turn)

    async def give_turn_back(self, bucket: int, turn: datetime) -> None:
        """Let the next one have a turn that is not used. Raises: StoreFailure."""
        await self._engine.write(leases.give_turn_back, bucket, turn)

    async def _renew(self) -> leases.Standing:
        process = self._process
        return await self._write(
            leases.renew, self.owner, process.name, process.version, process.seconds, is_away=self._is_away
        )

    async def _write(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job on the leases, which the end waits for. Raises: StoreFailure."""
        work = asyncio.ensure_future(self._engine.write(job, *args, **kwargs))
        self._keep(work)
        return await asyncio.shield(work)

    def _keep(self, work: asyncio.Future[Any]) -> None:
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)

    @property
    def _is_away(self) -> bool:
        """Tell whether it has given a shard back for want of a connection, and still does not reach Discord."""
        return self._returning is not None and not self._returning.done()

    async def _return(self) -> None:
        """Wait until Discord answers: until then every shard is better served elsewhere."""
        while self._service is not None and not await self._service.reaches_discord():  # noqa: ASYNC110 - Discord tells nobody that it is back
            await asyncio.sleep(listening.LOOK_SECONDS)

    async def _go_on_renewing(self) -> None:
        pauses, again_in = Pauses(), math.inf
        while True:
            pause = min(self._process.seconds / _RENEWALS, self._ends_in + _AFTER_END_SECONDS, again_in)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._look.wait()
            self._look.clear()
            self._ends_in = math.inf
            try:
                await self._round()
            except StoreFailure as failure:
                LOG.warning("the leases are not renewed: %s", failure)
                again_in = pauses.taken()
            else:
                pauses.end()
                again_in = math.inf

    async def _round(self) -> None:
        """Renew what is served, and take or give what is fair."""
        began = time.monotonic()
        standing = await self._renew()
        self._ends_in = standing.ends_in
        self._lose(self._served - standing.served)
        self._until = max(self._until, began + self._process.seconds - _EARLY_SECONDS)
        if not self.is_renewed:  # the answer came late: what would be taken now were given up at once
            self.look()
            return
        given_up = standing.served - self._served - self._leaving
        if given_up:  # at their end, while the database did not answer; taken again they have a new fence
            await self._engine.write(leases.give_back, self.owner, tuple(given_up))
        share = math.ceil(self.count / standing.living)
        if len(self._served) < share and (standing.free or given_up) and not self._is_away:
            await self._take(share - len(self._served))
        elif self._moving is None or self._moving.done():
            self._moving = asyncio.create_task(self._give(standing))

    async def _take(self, at_most: int) -> None:
        from_living = self._service is None or self._service.takes_from_living
        for fence in await self._write(
            leases.take, self.owner, self._process.seconds, at_most, from_living=from_living
        ):
            LOG.info("shard %d is served here now", fence.shard)
            self._engine.hold(fence)
            self._served.add(fence.shard)
            if self._service is not None:
                self._service.begin(fence.shard)

    async def _give(self, standing: leases.Standing) -> None:
        """Give one shard back: one that Discord cannot be reached for, or one that is above the share."""
        service = self._service
        if service is None or standing.living == 1:
            return
        long = self._process.seconds * _LONG_LEASES
        away = {shard: service.away_seconds(shard) for shard in self._served}
        lost = next((shard for shard, seconds in away.items() if seconds > long), None)
        share = math.ceil(self.count / standing.settled)
        above = len(self._served) > share and not standing.free and not any(away.values())
        if lost is not None:
            if not self._is_away:
                self._returning = asyncio.create_task(self._return())
        elif not above or not await service.may_move() or len(self._served) <= share:  # they may have gone meanwhile
            return
        shard = max(self._served) if lost is None else lost
        LOG.info("shard %d is given to another process", shard)
        self._leaving.add(shard)
        try:
            if lost is None:
                await service.leave(shard)
            if shard not in self._leaving:  # it went meanwhile, and may be served here again
                return
            self._served.discard(shard)
            self._engine.let_go(shard)
            if lost is not None:  # nothing could be finished, and the next one looks for what was not told
                service.drop(shard)
            await self._engine.write(leases.give_back, self.owner, (shard,))
        except StoreFailure as failure:
            LOG.warning("shard %d is not given back: %s", shard, failure)
        finally:
            self._leaving.discard(shard)

    async def _watch(self) -> None:
        """Give all up to the moment, whatever the renewal waits for."""
        while True:
            await asyncio.sleep(max(self._until - time.monotonic(), 0.05))
            if time.monotonic() >= self._until:
                self._lose(self._served)

    def _fenced(self, shard: int) -> None:
        self._lose({shard} & self._served)
        self.look()

    def _lose(self, shards: Collection[int]) -> None:
        for shard in tuple(shards):
            LOG.error("shard %d is lost: another process may serve it now", shard)
            self._served.discard(shard)
            self._leaving.discard(shard)
            self._engine.let_go(shard)
            if self._service is not None:
                self._service.drop(shard)

    async def end(self) -> None:
        """Give everything back; nobody needs to wait for it."""
        for task in (*self._tasks, self._collecting, self._moving, self._returning):
            if task is not None:
                task.cancel()
        for shard in tuple(self._served):
            self._engine.let_go(shard)
        self._served.clear()
        if self._under_way:  # it would write again what is given back here, or take what nobody serves then
            await asyncio.wait(self._under_way, timeout=_LAST_SECONDS)
        with contextlib.suppress(StoreFailure):  # then the leases end by themselves
            await self._engine.write(leases.leave, self.owner)
