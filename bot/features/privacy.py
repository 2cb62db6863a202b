"""`/privacy`: everything that is stored about a person, as a file, or deleted after one more question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.discord import custom_ids
from bot.discord.caller import Caller
from bot.features.exports import packed, parts_words
from bot.reminders.people import People
from bot.render.lists import privacy_summary
from bot.render.payload import Payload, Reply
from bot.render.words import DANGER, SECONDARY, button, rows_of
from data.store import Store
from rules.core.errors import Illegal, Malformed

YES, NO = "yes", "no"
FILE = "my-data.json"
NAMES: Mapping[str, str] = {
    "settings": "settings",
    "macros": "saved rolls",
    "characters": "characters",
    "waited_for_in": "encounters that wait for you",
    "log": "commands in logs",
}


class Privacy:
    """One's own data: a copy of it, or its deletion."""

    def __init__(self, store: Store, people: People) -> None:
        self.store = store
        self.people = people

    async def export(self, caller: Caller) -> Reply:
        """Give everything that is stored as a private file."""
        stored = await self.store.export_person(_user(caller))
        payload = privacy_summary(counts(stored))
        payload.files = packed(FILE, json.dumps(stored, ensure_ascii=False, indent=2).encode(), caller.upload_limit)
        payload.content += parts_words(payload.files, FILE)
        return Reply(private=payload)

    async def delete(self, caller: Caller) -> Reply:
        """Ask once more; nothing is deleted yet."""
        user = _user(caller)
        stored = counts(await self.store.export_person(user))
        payload = privacy_summary(stored)
        if not any(stored.values()):
            return Reply(private=payload)
        payload.content += (
            "\nDelete your characters, saved rolls and settings, in every server? In logs *deleted* will stand "
            "for you; encounters that you are in keep your seat until they end. **This cannot be undone.**"
        )
        payload.components = rows_of(
            [
                button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (YES,)).written(), "Delete my data", DANGER),
                button(custom_ids.Pressed(custom_ids.PRIVACY, user, 0, (NO,)).written(), "Keep it", SECONDARY),
            ]
        )
        return Reply(private=payload)

    async def pressed(self, caller: Caller, pressed: custom_ids.Pressed) -> Reply:
        """Do what the question's buttons say; they are the asker's alone. Raises: Refusal."""
        user = _user(caller)
        if pressed.encounter != user:
            raise Illegal("That question is somebody else's.", instead="/privacy delete asks you.")
        if pressed.parts != (YES,):
            return Reply(private=Payload(content="Nothing was deleted."), update=True)
        stored = counts(await self.store.export_person(user))
        await self.store.delete_person(user)
        self.people.forget(user)
        stored.pop(NAMES["waited_for_in"], None)
        return Reply(private=privacy_summary(stored, deleted=True), update=True)


def counts(stored: Mapping[str, Any]) -> dict[str, int]:
    """Return how many of each kind are stored."""
    return {words: _count(stored.get(key)) for key, words in NAMES.items()}


def _count(value: object) -> int:
    return len(value) if isinstance(value, list | tuple | dict) else int(bool(value))


def _user(caller: Caller) -> str:
    if caller.user is None:
        raise Malformed("Nobody asks here.")
    return caller.user
