"""What people send along: the inputs of a form, and files, read within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

from bot.lengths import taken
from rules.core.typed.names import clean_name, clean_text
from rules.errors import Malformed

if TYPE_CHECKING:
    from discord.state import ConnectionState

MEGABYTE = 1024 * 1024  # maps and pictures may have some
FETCHED_BYTES = 256 * 1024  # decks, characters, a table's own tables: larger files are refused unread


async def fetched(file: discord.Attachment, what: str, most: int = FETCHED_BYTES) -> bytes:
    """Return a file's bytes; one that is too large is refused before it is fetched. Raises: Malformed."""
    if file.size > most >= MEGABYTE:
        raise Malformed(
            f"That file is {file.size / MEGABYTE:.1f} MB; {what} can be {most // MEGABYTE} MB at most.",
            instead="Export it with 70 pixels a square, or as WebP or JPEG.",
        )
    if file.size > most:
        raise Malformed(
            f"That file is {-(-file.size // 1024)} KB; {what} can be {most // 1024} KB at most.",
            instead="Attach a smaller one. I have read nothing of this one.",
        )
    try:
        data = await file.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError):
        raise Malformed("I could not fetch that file.", instead="Attach it again.") from None
    if len(data) > most:
        raise Malformed("That file is larger than Discord says it is.", instead="Attach it again.")
    return data


def fields_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what a form's text inputs hold, whichever way they are wrapped. Raises: Malformed."""
    form = str(data.get("custom_id", "")).partition("|")[0]
    typed = {str(each["custom_id"]): str(each["value"]) for each in _inputs(data) if "value" in each}
    return {key: taken(form, key, clean_text(text)) for key, text in typed.items()}


def selected_in(data: Mapping[str, Any], key: str) -> list[str]:
    """Return what was selected in one field of a form, or on a message."""
    in_form = [value for each in _inputs(data) if each["custom_id"] == key for value in each.get("values") or ()]
    return [str(value) for value in (*data.get("values", ()), *in_form)]


def is_bot(name: str) -> Malformed:
    """Return the refusal of a bot if a person is meant."""
    return Malformed(f"{name} is a bot.", instead="Name a person.")


def person_in(data: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the person who was selected in a form, by id and name; nothing if it asks for none. Raises: Malformed."""
    sent = data.get("resolved", {})
    for user in selected_in(data, key):
        known = sent.get("users", {}).get(user, {})
        nick = sent.get("members", {}).get(user, {}).get("nick")
        name = clean_name(nick or known.get("global_name") or known.get("username") or "")
        if known.get("bot"):
            raise is_bot(name)
        return {key: user, f"{key}_name": name}
    return {}


def files_of(data: Mapping[str, Any], state: ConnectionState[Any]) -> dict[str, discord.Attachment]:
    """Return the files of a form that was sent, by the keys of their fields."""
    sent = data.get("resolved", {}).get("attachments", {})
    return {
        str(each["custom_id"]): discord.Attachment(data=sent[number], state=state)
        for each in _inputs(data)
        for number in (each.get("values") or ())[:1]
        if number in sent
    }


def _inputs(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for row in data.get("components", []):
        for each in row.get("components") or ([row["component"]] if "component" in row else []):
            if "custom_id" in each:
                yield each
