"""Discord's HTTP interface, as far as the referee asks it by itself. Its limits are kept in `requests`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from aiohttp.abc import AbstractStreamWriter
from discord.http import Route

from bot.render.payload import Attachment
from bot.requests.pace import Requests

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit  # it cannot be imported by itself at run time

PIECE_BYTES = 256 * 1024


class _InPieces(aiohttp.Payload):
    """A file's bytes, written piece by piece: in one piece they hold the event loop up. A second try begins again."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, content_type="application/octet-stream")
        self._size = len(data)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return str(self._value, encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        view = memoryview(self._value)
        for at in range(0, len(view), PIECE_BYTES):
            await writer.write(view[at : at + PIECE_BYTES])


class NoBodyError(aiohttp.ClientError):
    """A request was taken, and the answer says nothing of what came of it: it is to be looked for."""


def sent_id(answer: Any) -> str:
    """Return the id of what a request made. Raises: NoBodyError."""
    if not isinstance(answer, dict) or "id" not in answer:
        raise NoBodyError("the answer has no body")
    return str(answer["id"])


class Api:
    """Requests through discord.py's client: its rate limits and retries hold.

    Each raises, unless it says otherwise: discord.HTTPException, OSError (TimeoutError too), aiohttp.ClientError.
    """

    def __init__(self, client: discord.Client, requests: Requests) -> None:
        self._client = client
        self._requests = requests

    @property
    def own_id(self) -> str | None:
        """Return the referee's own user id, None before it has logged in."""
        return None if self._client.user is None else str(self._client.user.id)

    @property
    def own_name(self) -> str | None:
        """Return the name that people mention, None before it has logged in."""
        return None if self._client.user is None else self._client.user.name

    @property
    def application(self) -> str | None:
        """Return the id that an invitation names, None before it has logged in."""
        return None if self._client.application_id is None else str(self._client.application_id)

    async def read(self, route: Route, params: dict[str, Any]) -> Any:
        return await self._requests.request(self._client.http, route, params=params)

    async def request(self, route: Route, data: dict[str, Any] | None, files: Sequence[Attachment] = ()) -> Any:
        """Send one request with a body, and files beside it."""
        if not files:
            return await self._requests.request(self._client.http, route, **({} if data is None else {"json": data}))
        form: list[dict[str, Any]] = [
            {"name": "payload_json", "value": json.dumps(data), "content_type": "application/json"}
        ]
        form.extend(
            {
                "name": f"files[{number}]",
                "value": _InPieces(file.data),
                "filename": file.name,
                "content_type": "application/octet-stream",
            }
            for number, file in enumerate(files)
        )
        return await self._requests.request(self._client.http, route, form=form)

    async def starts_left(self) -> SessionStartLimit | None:
        """Ask how many connections are left today; None if nobody answers."""
        try:
            _, _, limit = await self._client.http.get_bot_gateway()
        except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError):
            return None
        return limit

    async def take_back_commands(self, server: str) -> None:
        """Leave a server no commands of its own."""
        await self._client.http.bulk_upsert_guild_commands(self._client.application_id or 0, int(server), [])

    async def open_direct(self, user: str) -> str:
        """Return the channel of somebody's direct messages; whether they take any shows when one is sent."""
        opened = await self.request(Route("POST", "/users/@me/channels"), {"recipient_id": user})
        return sent_id(opened)
