"""`/privacy`: everything that is stored about a person, as a file, or deleted after one more question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from bot import custom_ids
from bot.caller import Caller
from bot.features.deletion import Deletion
from bot.features.exports import packed, parts_words
from bot.render.components import DANGER, SECONDARY, button, rows_of
from bot.render.lists import privacy_summary
from bot.render.payload import FILE_LIMIT, Attachment, Payload, Reply
from bot.table.repeats import once
from bot.table.service import Tables
from data.shelf_names import server_shelf
from rules.core import refusals
from rules.errors import Illegal, Malformed

YES, NO = "yes", "no"
YES_SERVER, NO_SERVER = "yes-server", "no-server"
FILE = "my-data.json"
NAMES: Mapping[str, str] = {
    "settings": "settings",
    "macros": "saved rolls",
    "characters": "characters",
    "maps": "maps",
    "kits": "kits that you saved for servers",
    "carried_home": "what encounters sent back to characters",
    "waited_for_in": "encounters that wait for you",
    "log": "commands in logs",
}


class Privacy:
    """One's own data: a copy of it, or its deletion."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.deletion = Deletion(tables)

    async def export(self, caller: Caller) -> Reply:
        """Give everything that is stored as a private file."""
        stored = await self.store.export_person(caller.person)
        payload = privacy_summary(counts(stored))
        payload.files = await asyncio.to_thread(_files, stored, FILE_LIMIT)
        payload.content += parts_words(payload.files, FILE)
        return Reply(private=payload)

    async def delete(self, caller: Caller) -> Reply:
        """Ask again; nothing is deleted yet."""
        user = caller.person
        stored = counts(await self.store.export_person(user))
        payload = privacy_summary(stored)
        if not any(stored.values()):
            return Reply(private=payload)
        payload.content += (
            "\nDelete your characters, saved rolls, maps, casts, kits and settings, in every server? In logs and in "
            "everything that has ended, *deleted* will replace your name. Open encounters keep your place until they "
            "end. **This cannot be undone.**"
        )
        payload.components = rows_of(
            [
                button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (YES,)).written(), "Delete my data", DANGER),
                button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (NO,)).written(), "Keep it", SECONDARY),
            ]
        )
        return Reply(private=payload)

    async def server(self, caller: Caller) -> Reply:
        """Ask an administrator again whether all of the server is to be deleted. Raises: Refusal."""
        guild = _administered(caller)
        channels = len(await self.store.channels_in(guild))
        characters = len(await self.store.characters(guild))
        kits = len(await self.store.kits(guild))
        shelf = server_shelf(guild)
        maps = len(await self.store.maps(shelf))
        rolls = len(await self.store.macros(shelf))
        choices_kept = await self.store.person(shelf)
        if not (channels or characters or kits or maps or rolls or choices_kept):
            return Reply(private=Payload(content="Nothing is stored about this server."))
        content = (
            f"Stored about this server: {_many(channels, 'channel')} with all encounters, logs and decks, "
            f"{_many(characters, 'character')} of everybody here, {_many(kits, 'kit')}, {_many(maps, 'map')}, "
            f"{_many(rolls, 'saved roll')}, and what its dice mean.\nDelete it all, running encounters too? **This "
            "cannot be undone.**"
        )
        user = caller.person
        choices = [
            button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (YES_SERVER,)).written(), "Delete it all", DANGER),
            button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (NO_SERVER,)).written(), "Keep it", SECONDARY),
        ]
        return Reply(private=Payload(content=content, components=rows_of(choices)))

    async def _pressed_server(self, caller: Caller, pressed: custom_ids.Pressed) -> Reply:
        if pressed.encounter != caller.user:
            raise refusals.somebody_elses("That question", instead="/privacy server asks you.")
        guild = _administered(caller)
        if pressed.parts != (YES_SERVER,):
            return Reply(private=Payload(content="Nothing was deleted."), update=True)
        return await self._deleted_server(caller, guild)

    @once
    async def _deleted_server(self, caller: Caller, guild: str) -> Reply:
        channels = await self.deletion.of_server(guild)
        words = (
            f"Deleted: everything that was stored about this server, {channels} channel{'' if channels == 1 else 's'}."
        )
        return Reply(private=Payload(content=words), update=True)

    async def pressed(self, caller: Caller, pressed: custom_ids.Pressed) -> Reply:
        """Do what the question's buttons say; they are the asker's alone. Raises: Refusal."""
        user = caller.person
        if pressed.parts[0] in (YES_SERVER, NO_SERVER):
            return await self._pressed_server(caller, pressed)
        if pressed.encounter != user:
            raise refusals.somebody_elses("That question", instead="/privacy delete asks you.")
        if pressed.parts != (YES,):
            return Reply(private=Payload(content="Nothing was deleted."), update=True)
        return await self._deleted(caller)

    @once
    async def _deleted(self, caller: Caller) -> Reply:
        user = caller.person
        stored = counts(await self.store.export_person(user))
        await self.deletion.of_person(user, caller.name)
        stored.pop(NAMES["waited_for_in"], None)
        return Reply(private=privacy_summary(stored, deleted=True), update=True)


def counts(stored: Mapping[str, Any]) -> dict[str, int]:
    """Return how many of each kind are stored."""
    return {words: _count(stored.get(key)) for key, words in NAMES.items()}


def _count(value: object) -> int:
    return len(value) if isinstance(value, list | tuple | dict) else int(bool(value))


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _administered(caller: Caller) -> str:
    """Return the server that somebody administers and asks in. Raises: Malformed, Illegal."""
    if caller.guild is None:
        raise Malformed(
            "That works only in a server.", instead="/privacy delete deletes everything of yours, everywhere."
        )
    if not caller.administrator:
        raise Illegal(
            "Only the server's owner and its administrators can do that.",
            instead="/privacy delete deletes what is yours.",
        )
    return caller.guild


def _files(stored: dict[str, Any], limit: int) -> list[Attachment]:
    return packed(FILE, json.dumps(stored, ensure_ascii=False, indent=2).encode(), limit)
