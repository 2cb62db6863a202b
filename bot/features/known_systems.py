"""The systems that a place knows by an id: the program's own, and kits (kits 12).

A kit is known in its encounter, in the server that keeps it, and everywhere if it ships. What is played comes
first: an encounter has its own copy, and its characters are made for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bot.caller import Caller
from bot.features.kits import kept_tables
from bot.table.service import Tables
from rules.core.registry import made_from, start_ids, started_as, system_of, systems
from rules.core.system import SystemOfAny
from rules.core.typed.names import resolve_name
from rules.errors import Malformed

Known = Mapping[str, Callable[[], SystemOfAny]]


class KnownSystems:
    """Finds the system of a template, and of a saved sheet."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def named(self, caller: Caller, text: str) -> SystemOfAny:
        """Return the system that somebody typed, by its id or its beginning. Raises: Refusal."""
        known = await self._known(caller)
        return known[resolve_name(text, tuple(known), "system")]()

    async def find(self, caller: Caller, system_id: str) -> SystemOfAny | None:
        """Return the system of exactly that id; None if none is known, or its kit can no longer be read."""
        if not system_id or system_id in systems():
            return systems().get(system_id)
        known = await self._known(caller)
        try:
            return known[system_id]() if system_id in known else None
        except Malformed:
            return None

    async def here(self, caller: Caller) -> SystemOfAny | None:
        """Return what the channel plays."""
        active = (await self.tables.room_of(caller.channel, caller.guild)).table.active
        return None if active is None else system_of(active)

    async def _known(self, caller: Caller) -> Known:
        makers: dict[str, Callable[[], SystemOfAny]] = {each: partial(started_as, each) for each in start_ids()}
        for row in await self.tables.store.kits(caller.guild or ""):
            makers[row.id] = partial(_kept, row.file)
        here = await self.here(caller)
        if here is not None:
            makers[here.started_id] = lambda: here
        return makers


def _kept(file: str) -> SystemOfAny:
    """Return the system of a kit that a server keeps. Raises: Malformed with its mistakes."""
    return made_from(kept_tables(file))
