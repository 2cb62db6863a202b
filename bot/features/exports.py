"""An encounter as files and pages: the JSON export, the log, the story (design 10)."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.caller import Caller
from bot.features.log_rows import Logbook, elsewhere, encounter_by_id
from bot.pieces import in_pieces, json_bytes
from bot.render.lists import log_page
from bot.render.payload import FILE_LIMIT, Attachment, Payload, Reply, fit
from bot.render.story import entries_of, story
from bot.render.words import escape
from bot.table.room import Room
from bot.table.service import Tables
from data.rows import LogRow
from rules.core import refusals
from rules.core.encounter import Encounter, Table
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import View, view_of
from rules.errors import Illegal

ROWS_ON_PAGE = 15
MOST_PARTS = 10
_NOT_IN_FILE_NAMES = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class _Read:
    """An encounter as somebody reads it: the table with it in focus, their seat, its rows."""

    table: Table
    encounter: Encounter
    seat: Seat
    view: View
    rows: tuple[LogRow, ...]
    book: Logbook


class Exports:
    """What can be taken away from a table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def encounter(self, caller: Caller) -> Reply:
        """Give the encounter as a private JSON file, as far as this person may see it. Raises: Refusal."""
        data, read = await self._export(caller)
        name = file_name(read.encounter.name)
        files = await asyncio.to_thread(packed, f"{name}.json", await json_bytes(data), FILE_LIMIT)
        whole = "everything except the deck's order" if read.seat.gm else "without the hands and secrets of others"
        words = f"{escape(read.encounter.name)} as JSON, {whole}.{parts_words(files, f'{name}.json')}"
        return Reply(private=fit(Payload(content=words, files=files)))

    async def _export(self, caller: Caller) -> tuple[dict[str, Any], _Read]:
        async with self.tables.locked(caller.channel, caller.guild) as room:  # state and log of one moment
            read = await self._read(room, caller)
        data = export_view(read.table, read.seat)
        data["log"] = read.book.entries(read.rows)
        gaps = elsewhere(read.rows)
        if gaps:
            data["elsewhere"] = gaps
        data["fairness"] = read.book.fairness()
        return data, read

    async def log(self, caller: Caller, page: int = 1, file: bool = False) -> Reply:
        """Show a page of the log, the newest first, or give the whole story as a file. Raises: Refusal."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            read = await self._read(room, caller)
        rows = read.rows
        if file:
            told = [read.book.readable(row) async for row in in_pieces(rows)]
            text = await asyncio.to_thread(_story, read, told)
            name = f"{file_name(read.encounter.name)}.md"
            files = await asyncio.to_thread(packed, name, text, FILE_LIMIT)
            words = f"The story of {escape(read.encounter.name)}.{parts_words(files, name)}"
            return Reply(private=fit(Payload(content=words, files=files)))
        pages = max(1, -(-len(rows) // ROWS_ON_PAGE))
        if page > pages:
            raise Illegal(
                f"The log has {pages} page{'' if pages == 1 else 's'}.", instead="Page 1 has the newest lines."
            )
        last = len(rows) - (page - 1) * ROWS_ON_PAGE
        shown = [read.book.readable(row) for row in rows[max(0, last - ROWS_ON_PAGE) : last]]
        message = log_page(
            entries_of(shown, read.encounter.people),
            read.seat,
            number=page,
            pages=pages,
            name=read.encounter.name,
            plain=read.view.plain,
        )
        return Reply(private=message)

    async def _read(self, room: Room, caller: Caller) -> _Read:
        encounter = await self._encounter(room)
        table = room.table if encounter is room.encounter else room.table.evolve(encounter=encounter)
        gm = caller.user is not None and caller.user in encounter.gms
        seat = Seat(user=caller.user, name=caller.name, gm=gm)
        view = view_of(table, seat)
        assert view is not None  # noqa: S101 - the table has an encounter
        rows = await self.tables.store.log(room.channel, encounter=encounter.id)
        book = await Logbook.open(self.tables, room, caller.user, rows)
        return _Read(table=table, encounter=encounter, seat=seat, view=view, rows=rows, book=book)

    async def _encounter(self, room: Room) -> Encounter:
        """Return the encounter in focus, else the channel's last one. Raises: Illegal."""
        if room.encounter is not None:
            return room.encounter
        for row in reversed(await self.tables.store.encounters(channel=room.channel)):
            found = await encounter_by_id(self.tables, room, row.id)
            if found is not None:
                return found
        raise refusals.no_encounter_yet(instead="Open one with /encounter start.")


def _story(read: _Read, rows: Sequence[LogRow]) -> bytes:
    return story(read.view, entries_of(rows, read.encounter.people, read.encounter), read.seat).encode()


def packed(name: str, data: bytes, limit: int) -> list[Attachment]:
    """Return a file for Discord: as it is, else compressed, else compressed and in parts. Raises: Illegal."""
    if len(data) <= limit:
        return [Attachment(name, data)]
    squeezed = gzip.compress(data, mtime=0)
    if len(squeezed) <= limit:
        return [Attachment(f"{name}.gz", squeezed)]
    parts = [squeezed[at : at + limit] for at in range(0, len(squeezed), limit)]
    if len(parts) > MOST_PARTS:
        raise Illegal(
            f"That file is {len(squeezed) // 2**20} MiB even when compressed; I send {MOST_PARTS} parts at most.",
            instead="The host can copy the database with python -m bot backup.",
        )
    return [Attachment(f"{name}.gz.{number:02}", part) for number, part in enumerate(parts, 1)]


def parts_words(files: Sequence[Attachment], name: str) -> str:
    """Return how to put a file together again; nothing if it came whole."""
    if len(files) > 1:
        return f" It comes in {len(files)} parts: `cat {name}.gz.* | gunzip > {name}` puts them together."
    return f" It is compressed: `gunzip {name}.gz`." if files[0].name != name else ""


def file_name(text: str) -> str:
    """Return a name as a file can have it."""
    return _NOT_IN_FILE_NAMES.sub("-", text).strip("-").lower()[:40] or "encounter"
