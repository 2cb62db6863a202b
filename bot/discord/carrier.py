"""An interaction that brings a channel's live message up to date: it counts as no request of the bot's own."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Protocol

import aiohttp
import discord

from bot.discord_numbers import Callback
from bot.posting.messages import Messages, edited
from bot.render.payload import Attachment, Payload
from bot.table.room import EditToken, Room

log = logging.getLogger(__name__)
TOKEN_SECONDS = 14 * 60  # Discord keeps it for 15 minutes
SERVER_ERRORS = 500
ALREADY_ANSWERED = 40060


class Carrying(Protocol):
    """What is needed of an answer. Its requests raise what a request may."""

    interaction: discord.Interaction[Any]

    async def call_back(self, data: dict[str, Any], files: list[Attachment], *, wants_message: bool = False) -> Any:
        """Send the first response; `wants_message` asks for what became of it."""
        ...

    async def original(self) -> str:
        """Return the id of the message that was answered with."""
        ...

    async def follow_publicly(self, payload: Payload) -> str:
        """Send a public follow-up and return its id."""
        ...

    async def change(self, payload: Payload) -> None:
        """Edit the message that was answered with, or that has the pressed button."""
        ...


class NotAnsweredError(Exception):
    """The first response did not arrive, or nobody knows whether it did; the interaction carries nothing more."""

    def __init__(self, *, may_be_there: bool, was_before: bool = False) -> None:
        super().__init__("the interaction was not answered")
        self.may_be_there = may_be_there
        self.was_before = was_before  # another answer answered first


class Carrier:
    """An interaction that brings the live message up to date: by its answer, by edits with its token, by follow-ups."""

    def __init__(self, answer: Carrying, room: Room, messages: Messages) -> None:
        self.of = answer
        self.messages = messages
        self.room = room
        message = answer.interaction.message
        self.is_on_live = message is not None and str(message.id) == room.prompt.message
        self.is_answered = False

    @property
    def edits_first(self) -> bool:
        """A press is answered by what becomes of its own message."""
        return self.is_on_live

    async def answer(
        self, data: dict[str, Any], files: Sequence[Attachment] = (), *, wants_message: bool = False
    ) -> Any:
        """Send the first response. Raises: NotAnsweredError."""
        try:
            answered = await self.of.call_back(data, list(files), wants_message=wants_message)
        except discord.HTTPException as error:
            log.warning("answer not delivered: %s %s", error.status, error.code)
            was_before = error.code == ALREADY_ANSWERED  # by a try before, or an earlier life
            may_be_there = error.status >= SERVER_ERRORS or was_before
            raise NotAnsweredError(may_be_there=may_be_there, was_before=was_before) from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.warning("answer not delivered: %s", type(error).__name__)
            raise NotAnsweredError(may_be_there=True) from error
        self.is_answered = True
        return answered

    async def post(self, payload: Payload) -> tuple[str, EditToken | None]:
        if self.is_answered:
            message = await self.of.follow_publicly(payload)
            return message, self._edit_token(message)
        answered = await self.answer(
            {"type": Callback.MESSAGE, "data": payload.to_json()}, payload.files, wants_message=True
        )
        if not answered:  # a server that takes the answer and says nothing of it
            return await self.of.original(), self._edit_token("@original")
        return str(answered["resource"]["message"]["id"]), self._edit_token("@original")

    async def edit(self, message: str, payload: Payload) -> EditToken | None:
        if not self.is_on_live:
            await self.messages.edit_live(self.room, message, payload)
            return None
        if self.is_answered:
            await self.of.change(payload)
        else:
            await self.answer({"type": Callback.UPDATE, "data": edited(payload)}, payload.files)
        return self._edit_token("@original")

    async def close(self, message: str, record: Payload) -> None:
        if self.is_on_live and not self.is_answered:
            await self.edit(message, record)
        else:
            await self.messages.close(self.room, message, record)

    def _edit_token(self, message: str) -> EditToken:
        of = self.of.interaction
        return EditToken(str(of.application_id), of.token, message, of.created_at.timestamp() + TOKEN_SECONDS)
