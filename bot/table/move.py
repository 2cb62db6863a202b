"""Moving a table to another channel, or fetching one whose channel is gone."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from bot.clock import utc_text
from bot.discord.caller import Caller
from bot.reminders.waits import Moment, people_of
from bot.table.room import Room, encounter_bytes, encounter_key
from bot.table.service import Tables, dump_lines
from data.rows import Commit, DocumentChange, EncounterRow, LogWrite, RepeatedInteraction
from rules.core.encounter import Encounter
from rules.core.errors import Illegal, Malformed
from rules.core.lines import Line
from rules.core.names import resolve_name, shown
from rules.core.registry import read_encounter

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
            raise Malformed("The table is in that channel already.")
        rows = await self.tables.store.encounters(channel=caller.channel, statuses=OPEN)
        return await self._move(caller, _chosen(rows, name, caller), target)

    async def fetch(self, caller: Caller, name: str | None) -> tuple[Room, Room, Encounter]:
        """Bring an encounter whose channel is gone to the caller's channel. Raises: Refusal."""
        if caller.guild is None:
            raise Illegal("A table lives in a server's channel.", instead="Use this in the channel it shall move to.")
        rows = await self.tables.store.encounters(guild=caller.guild, statuses=OPEN)
        lost = [row for row in rows if row.channel != caller.channel and not await self.exists(row.channel)]
        if not lost:
            raise Illegal("No table has lost its channel.", instead="channel: moves this channel's table elsewhere.")
        return await self._move(caller, _chosen(tuple(lost), name, caller), caller.channel)

    async def _move(self, caller: Caller, row: EncounterRow, target: str) -> tuple[Room, Room, Encounter]:
        source_room = await self.tables.room_of(row.channel, row.guild)
        target_room = await self.tables.room_of(target, caller.guild)
        first, second = sorted((source_room, target_room), key=lambda room: room.channel)
        async with first.lock, second.lock:
            before = await self.tables.answered(caller.interaction)
            if before is not None:
                raise RepeatedInteraction(before)
            active = target_room.table.active
            if active is not None and row.status != "paused":
                raise Illegal(f"{active.name} is {active.status} there.", instead="Pause it first, or move elsewhere.")
            return source_room, target_room, await self._commit(caller, row, source_room, target_room)

    async def _commit(self, caller: Caller, row: EncounterRow, source: Room, target: Room) -> Encounter:
        stored = await self.tables.store.load_encounter(row.id)
        if stored is None:
            raise Illegal(f"{row.name} is gone.")
        old = read_encounter(stored[1], row.system)
        moved = old.evolve(channel=target.channel)
        now = self.tables.clock()
        focus = moved if target.table.active is None else target.table.encounter
        words = Line(words="{by} moves {name} here.", facts={"by": caller.name, "name": moved.name})
        left = Line(words="{by} moves {name} to another channel.", facts={"by": caller.name, "name": moved.name})
        source_focus = None if source.encounter is None or source.encounter.id == moved.id else source.encounter
        answer = json.dumps({"seq": source.next_seq if caller.channel == source.channel else target.next_seq})
        left_behind = source.table.evolve(encounter=source_focus)
        arrived = target.table.evolve(encounter=focus)
        await self.tables.people.load(people_of(moved))
        gone = Commit(
            log=_row(source, caller, moved, now, left),
            channel=source.channel,
            guild=source.guild,
            interaction=caller.interaction,
            answer=answer,
            at=now,
            focus=None if source_focus is None else source_focus.id,
            prompt_version=source.next_seq,
            drops_redo=True,
            waits=self.tables.waits_after(source, left_behind, Moment(source.next_seq, now, caller.interaction)),
        )
        key = encounter_key(moved)
        commit = Commit(
            log=_row(target, caller, moved, now, words),
            channel=target.channel,
            guild=target.guild,
            interaction=caller.interaction,
            answer=answer,
            at=now,
            documents=(DocumentChange(key=key, before=stored[1], after=encounter_bytes(moved)),),
            focus=None if focus is None else focus.id,
            encounter=self.tables.encounter_row(target, moved),
            prompt_version=target.next_seq,
            drops_redo=True,
            waits=self.tables.waits_after(target, arrived, Moment(target.next_seq, now, caller.interaction)),
            remind=source.remind.settings,  # the table brings its reminders where the channel has none
            beside=(gone,),
        )
        await self.tables.store.commit(commit)
        self.tables.settle(source, gone, left_behind, None)
        self.tables.settle(target, commit, arrived, None)
        self.tables.note_answer(caller.interaction, answer)
        return moved


def _row(room: Room, caller: Caller, moved: Encounter, now: float, line: Line) -> LogWrite:
    return LogWrite(
        channel=room.channel,
        seq=room.next_seq,
        at=utc_text(now),
        kind="move",
        by=caller.user,
        interaction=caller.interaction,
        encounter=moved.id,
        command=json.dumps({"action": "encounter move"}),
        lines=dump_lines((line,)),
    )


def _chosen(rows: tuple[EncounterRow, ...], name: str | None, caller: Caller) -> EncounterRow:
    own = {row.name: row for row in rows if caller.user in row.gms}
    if not own:
        raise Illegal("None of your encounters is there to move.", instead="Only its GM moves a table.")
    if name is not None:
        return own[resolve_name(name, tuple(own), "encounter")]
    running = [row for row in own.values() if row.status != "paused"]
    if len(running) == 1 or len(own) == 1:
        return running[0] if running else next(iter(own.values()))
    raise Malformed("Several could move.", instead=f"Say which (option name): {shown(own)}.")
