"""Moving a table to another channel, or fetching one whose channel is gone."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace

from bot.caller import Caller
from bot.table.room import Room, encounter_bytes, encounter_key
from bot.table.service import Tables
from bot.table.writer import Entry, index_entry
from data.rows import DocumentChange, EncounterRow
from rules.core.encounter import Encounter
from rules.core.registry import read_encounter
from rules.core.seen.lines import Line
from rules.core.typed.names import resolve_name, shown
from rules.errors import Illegal, Malformed

Exists = Callable[[str], Awaitable[bool]]
OPEN = ("gathering", "running", "paused")


class Moving:
    """Takes an encounter from one channel to another; undo does not cross the move."""

    def __init__(self, tables: Tables, exists: Exists) -> None:
        self.tables = tables
        self.exists = exists

    async def to_channel(self, caller: Caller, target: str, name: str | None) -> tuple[Room, Room, Encounter]:
        """Move an encounter of the caller's channel to the channel `target`. Raises: Refusal."""
        if target == caller.channel:
            raise Malformed("The table is already in that channel.")
        await self.tables.require_step(caller)  # what was moved before is no longer there to be selected
        rows = await self.tables.store.encounters(channel=caller.channel, statuses=OPEN)
        return await self._move(caller, _chosen(rows, name, caller), target)

    async def fetch(self, caller: Caller, name: str | None) -> tuple[Room, Room, Encounter]:
        """Bring an encounter whose channel is gone to the caller's channel. Raises: Refusal."""
        if caller.guild is None:
            raise Illegal(
                "A table needs a server's channel.", instead="Type this in the channel that it should move to."
            )
        await self.tables.require_step(caller)
        rows = await self.tables.store.encounters(guild=caller.guild, statuses=OPEN)
        lost = [row for row in rows if row.channel != caller.channel and not await self.exists(row.channel)]
        if not lost:
            raise Illegal(
                "No table has lost its channel.", instead="channel: moves this channel's table somewhere else."
            )
        return await self._move(caller, _chosen(tuple(lost), name, caller), caller.channel)

    async def _move(self, caller: Caller, row: EncounterRow, target: str) -> tuple[Room, Room, Encounter]:
        async with AsyncExitStack() as locks:
            guilds = {row.channel: row.guild, target: caller.guild}
            rooms = {
                channel: await locks.enter_async_context(self.tables.locked(channel, guilds[channel]))
                for channel in sorted(guilds)
            }
            await self.tables.require_step(caller)
            active = rooms[target].table.active
            if active is not None and row.status != "paused":
                raise Illegal(
                    f"{active.name} is {active.status} there.", instead="Pause it first, or choose another channel."
                )
            return rooms[row.channel], rooms[target], await self._write(caller, row, rooms[row.channel], rooms[target])

    async def _write(self, caller: Caller, row: EncounterRow, source: Room, target: Room) -> Encounter:
        stored = await self.tables.store.load_encounter(row.id)
        if stored is None:
            raise Illegal(f"{row.name} is gone.")
        moved = read_encounter(stored[1], row.system).evolve(channel=target.channel)
        facts = {"by": caller.name, "name": moved.name}
        leaves = Entry(
            kind="move",
            command=json.dumps({"action": "encounter move"}),
            lines=(Line(words="{by} moves {name} to another channel.", facts=facts),),
            encounter=moved.id,
            table=source.table.evolve(encounter=_without(source, moved)),
            wants_prompt=True,
            drops_redo=True,
        )
        arrives = replace(
            leaves,
            lines=(Line(words="{by} moves {name} here.", facts=facts),),
            table=target.table.evolve(encounter=moved if target.table.active is None else target.table.encounter),
            documents=(DocumentChange(key=encounter_key(moved), before=stored[1], after=encounter_bytes(moved)),),
            index=index_entry(target.guild, moved),
            remind=source.remind.settings,  # the table brings its reminders if the channel has none
        )
        await self.tables.writer.write(caller, (target, arrives), (source, leaves))
        return moved


def _without(room: Room, moved: Encounter) -> Encounter | None:
    return None if room.encounter is None or room.encounter.id == moved.id else room.encounter


def _chosen(rows: tuple[EncounterRow, ...], name: str | None, caller: Caller) -> EncounterRow:
    own = {row.name: row for row in rows if caller.user in row.gms}
    if not own:
        raise Illegal("There is no encounter of yours to move there.", instead="Only its GM can move a table.")
    if name is not None:
        return own[resolve_name(name, tuple(own), "encounter")]
    running = [row for row in own.values() if row.status != "paused"]
    if len(running) == 1 or len(own) == 1:
        return running[0] if running else next(iter(own.values()))
    raise Malformed("You could mean several tables.", instead=f"Say which with the option name: {shown(own)}.")
