"""A table without a network: the services over a real store, a GM who types, and the prompt that a step brings."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.caller import Caller
from bot.render.payload import Payload
from bot.table.room import Room
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import systems
from rules.core.sheets.sheet import parse_character_json
from tests.wire import Wire

GM = "5"
CHANNEL = "77"
GUILD = "88"
NOW = 1_800_000_000.0
NEXT = Command(action="next")


class Unsent:
    """Nothing was sent, and nothing waits to be confirmed."""

    async def make_sure(self, room: Room) -> None:
        """Leave the room as it is."""


class Paper:
    """Takes every message as Discord would, written and unsent."""

    edits_first = True

    def __init__(self) -> None:
        self._ids = itertools.count(10**18)

    async def post(self, payload: Payload) -> tuple[str, None]:
        json.dumps(payload.to_json())
        return str(next(self._ids)), None

    async def edit(self, message: str, payload: Payload) -> None:
        json.dumps(payload.to_json())

    async def close(self, message: str, record: Payload) -> None:
        json.dumps(record.to_json())


class Bench(Wire):
    """Steps at full durability, each with everything that it brings but the requests."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, bytes(range(32)), lambda: NOW)
        self.tables.after_commit.clear()
        publisher: Any = Unsent()
        self.referee.publisher = publisher
        self._live = self.publisher.live
        self._paper = Paper()
        self._ids = itertools.count(10**17)

    def caller(self, channel: str = CHANNEL) -> Caller:
        return Caller(
            user=GM, name="Gwen", interaction=str(next(self._ids)), channel=channel, guild=GUILD, can_post=True
        )

    async def do(self, action: str, channel: str = CHANNEL, **args: Any) -> None:
        await self.referee.step(self.caller(channel), Command(action=action, args=args))

    async def fight(self, combatants: int = 30, channel: str = CHANNEL, *, system: str = "classic") -> None:
        """Start a fight of so many; the first turn is given."""
        await self.do("encounter start", channel, system=system, name="Ambush")
        for name in ("Goblin", "Orc", "Wolf"):
            await self.do("gm add", channel, name=name, sheet="HP 20, AC 12", count=combatants // 3)
        await self.do("encounter begin", channel)

    async def brawl(self, system: str, combatants: int = 30) -> None:
        """Start a fight of two sides in any system, everybody as its template has them."""
        await self.do("encounter start", system=system, name="Ambush")
        written = json.dumps({"name": "Fighter", "system": system, **systems()[system].sheet.template()})
        sheet = parse_character_json(written, owner=GM).model_dump(mode="json", exclude_defaults=True)
        for side, name in zip(systems()[system].sides, ("Hero", "Foe"), strict=True):
            await self.do("gm add", name=name, document=sheet, count=combatants // 2, side=side)
        await self.do("encounter begin")

    @property
    def state(self) -> Encounter:
        room = self.tables.loaded(CHANNEL)
        assert room is not None
        assert room.encounter is not None
        return room.encounter

    async def step(self, channel: str = CHANNEL, command: Command = NEXT) -> None:
        """Take a step, by default the end of a turn: decided, kept, answered, the live message written and noted."""
        await self.referee.step(self.caller(channel), command)
        room = self.tables.loaded(channel)
        assert room is not None
        change = self._live.change_for(room)
        if change is not None:
            await self._live.bring(room, self._paper, change)

    async def undo(self, steps: int, channel: str = CHANNEL) -> None:
        await self.referee.undo(self.caller(channel), steps)

    async def redo(self, steps: int, channel: str = CHANNEL) -> None:
        await self.referee.redo(self.caller(channel), steps)


@asynccontextmanager
async def bench_at(path: Path) -> AsyncIterator[Bench]:
    """Open a database, made anew if there is none."""
    store = await Store.open(path)
    try:
        yield Bench(store)
    finally:
        await store.close()
