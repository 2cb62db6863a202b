"""A process's hold on its shard: renewed all the time, and given up at its end, whether the database answers or not."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from data import leases
from data.connection import Engine
from data.postgres import Postgres
from rules.core.errors import StoreFailure

LOG = logging.getLogger(__name__)
WHOLE = 0  # one process serves all
_EARLY_SECONDS = 1.0  # it believes less than the database
_RENEWALS = 5  # in the length of a lease


@dataclass(frozen=True, slots=True)
class Process:
    """How a process is called in the database. `seconds` is the length of its leases."""

    name: str
    version: str
    seconds: float


class Tenure:
    """From `begin` to `end`, or to `lost`, which is called once when the lease has ended or another took the shard."""

    def __init__(self, engine: Engine, process: Process, lost: Callable[[], object]) -> None:
        if not isinstance(engine, Postgres):
            raise TypeError("a file has a lock, and no lease")
        self._engine = engine
        self._process = process
        self._owner = f"{process.name}:{secrets.token_hex(8)}"
        self._lost = lost
        self.is_lost = False
        self._until = 0.0  # monotonic
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Take the shard; one whose process died is waited for. Raises: StoreFailure, where another lives."""
        process, asked = self._process, time.monotonic()
        await self._renew()
        fence = None
        while fence is None:
            began = time.monotonic()
            fence = await self._engine.write(leases.take, WHOLE, self._owner, process.seconds)
            if fence is None:
                if began - asked > process.seconds + _EARLY_SECONDS:
                    name = await self._engine.read(leases.holder, WHOLE)
                    await self._engine.write(leases.give_back, self._owner)
                    raise StoreFailure(f"Another process serves this database: {name or 'unknown'}. Stop it first.")
                await asyncio.sleep(process.seconds / _RENEWALS)
        self._engine.hold(fence, self._give_up)
        self._until = began + process.seconds - _EARLY_SECONDS
        self._tasks = [asyncio.create_task(work()) for work in (self._go_on_renewing, self._watch)]

    async def _renew(self) -> frozenset[int]:
        process = self._process
        return await self._engine.write(leases.renew, self._owner, process.name, process.version, process.seconds)

    async def _go_on_renewing(self) -> None:
        while True:
            await asyncio.sleep(self._process.seconds / _RENEWALS)
            began = time.monotonic()
            try:
                held = await self._renew()
            except StoreFailure as failure:
                LOG.warning("the lease is not renewed: %s", failure)
                continue
            if WHOLE not in held:
                self._give_up()
                return
            self._until = max(self._until, began + self._process.seconds - _EARLY_SECONDS)

    async def _watch(self) -> None:
        """Give up to the moment, whatever the renewal waits for."""
        while (left := self._until - time.monotonic()) > 0:  # noqa: ASYNC110 - it moves on with each renewal
            await asyncio.sleep(left)
        self._give_up()

    def _give_up(self) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        LOG.error("This process has lost its lease: another may serve this database now.")
        self._engine.let_go()
        self._lost()

    async def end(self) -> None:
        """Give the shard back; the next process need not wait."""
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(StoreFailure):  # then the lease ends by itself
            await self._engine.write(leases.give_back, self._owner)
