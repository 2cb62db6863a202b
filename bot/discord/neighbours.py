"""What one of several processes hears from the others, and what it leaves to them (scale 8)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import discord

from bot import custom_ids
from bot.features.privacy import Privacy
from bot.reminders.commands import Reminders
from bot.table.service import Tables
from data.connection import home_of
from rules.errors import StoreFailure

if TYPE_CHECKING:
    from data.postgres.tenure import Tenure  # a file need not wait for psycopg to be loaded

log = logging.getLogger(__name__)
PERSON = "person"  # somebody's settings were changed; the other topic: they were deleted
_PRESSES = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)


class Neighbours:
    """The other processes. `take` handles an interaction here, as it came from Discord."""

    def __init__(
        self,
        tables: Tables,
        reminders: Reminders,
        privacy: Privacy,
        tenure: Tenure,
        take: Callable[[dict[str, Any]], None],
    ) -> None:
        self.tables = tables
        self.reminders = reminders
        self.privacy = privacy
        self.tenure = tenure
        self._take = take
        self._tasks: set[asyncio.Task[None]] = set()

    # Presses in direct messages reach the first shard, and act in their encounter's channel

    def may_serve(self, data: dict[str, Any]) -> bool:
        """Tell whether an interaction may be another process's to answer: a press in a direct message on a table."""
        if data.get("guild_id") is not None or data.get("type") not in _PRESSES:
            return False
        is_ours = len(self.tenure.served) == self.tenure.count
        return not is_ours and custom_ids.parse_id(_custom_id(data)) is not None

    def leave(self, data: dict[str, Any]) -> None:
        """Leave an interaction to the process that serves its encounter, or take it if that is this one."""
        self._begin(self._leave(data), "whose table it is")

    async def _leave(self, data: dict[str, Any]) -> None:
        press = custom_ids.parse_id(_custom_id(data))
        shard = None if press is None else await self._shard_of(press.encounter)
        if shard is None or shard in self.tenure.served:
            self._take(data)
        else:
            await self.tenure.pass_on(shard, json.dumps(data))

    async def _shard_of(self, encounter: str) -> int | None:
        try:
            stored = await self.tables.store.load_encounter(encounter)
        except StoreFailure:
            return None  # the person who pressed reads what is wrong
        return None if stored is None else home_of(stored[0].guild) % self.tenure.count

    def deliver(self, event: str) -> None:
        """Answer an interaction that another process got."""
        self._take(json.loads(event))

    # What others have changed

    def heard(self, topic: str, what: str) -> None:
        if topic == PERSON:
            self._begin(self._read_anew((what,)), f"settings of {what}")
        else:
            self._begin(self.privacy.deletion.of_people_elsewhere(), f"the deletion of {what}")

    def missed(self) -> None:
        self._begin(self._read_anew(None), "everybody's settings")

    async def _read_anew(self, users: tuple[str, ...] | None) -> None:
        self.reminders.scheduler.expect(self.tables.clock())  # somebody's digest may be due at another time
        for user in await self.tables.people.read_anew(users):
            await self.reminders.hand_on(user)
            self.reminders.refresh(user)

    def _begin(self, work: Coroutine[Any, Any, None], what: str) -> None:
        task = asyncio.create_task(self._guarded(work, what), name=what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None], what: str) -> None:
        try:
            await work
        except StoreFailure as failure:
            log.warning("%s: %s", what, failure)
        except Exception:
            log.exception("%s", what)

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()


def _custom_id(data: dict[str, Any]) -> str:
    return str((data.get("data") or {}).get("custom_id", ""))
