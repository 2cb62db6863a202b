"""Everything that each person receives from the referee, so that it can be searched for what is not theirs.

A message in a channel reaches everybody there; what answers an interaction privately, a form and the suggestions
while typing reach the one person.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from bot.local.call import Exchange
from tests.e2e.loopback import Table

EPHEMERAL = 64
UPDATE, CHOICES, FORM = 7, 8, 9
_CALLBACK = re.compile(r".*/interactions/(\d+)/[^/]+/callback")
_WEBHOOK = re.compile(r".*/webhooks/\d+/([^/?]+)(?:/messages/([^/?]+))?")
Json = dict[str, Any]


@dataclass
class Eavesdropper:
    """Collects what went out since it was last asked: (who received it, None for everybody; the text)."""

    world: Table
    heard: list[tuple[str | None, str]] = field(default_factory=list)
    known_files: set[tuple[str, str]] = field(default_factory=set)
    frames: int = 0

    def __post_init__(self) -> None:
        self.world.discord.server.observers.append(self._note)

    def since(self) -> list[tuple[str | None, str]]:
        """Return what was received since the last call, attached files included."""
        for channel in self.world.discord.world.channels.values():
            for message in channel.messages.values():
                for attached in message.attachments:
                    key = (message.id, attached.filename)
                    if key not in self.known_files:
                        self.known_files.add(key)
                        reader = message.only_for if message.is_ephemeral else None
                        text = attached.content.decode("utf-8", "ignore")
                        self.heard.append((reader, f"{attached.filename} {attached.description} {text}"))
        found, self.heard = self.heard, []
        return found

    @asynccontextmanager
    async def pages_of(self, names: Iterable[str], channel: str = "tavern") -> AsyncIterator[None]:
        """Keep the local table's page open for these people, and read what its wire brings each."""
        root = self.world.discord.server.root
        place = self.world.place(channel).id
        async with aiohttp.ClientSession() as session:
            readers = []
            for name in names:
                socket = await session.ws_connect(f"{root}/page", origin=root)
                await socket.send_json({"do": "hello", "person": name})
                await socket.send_json({"do": "open", "channel": place})
                readers.append(asyncio.create_task(self._read_page(socket, self.world.person(name).id)))
            try:
                yield
            finally:
                for reader in readers:
                    reader.cancel()
                await asyncio.gather(*readers, return_exceptions=True)

    async def _read_page(self, socket: aiohttp.ClientWebSocketResponse, person: str) -> None:
        async for frame in socket:
            self.heard.append((person, str(frame.data)))
            self.frames += 1

    def _note(self, exchange: Exchange) -> None:
        if exchange.body is None:
            return
        text = json.dumps(exchange.body, ensure_ascii=False)
        self.heard.append((self._reader(exchange), text))

    def _reader(self, exchange: Exchange) -> str | None:
        interactions = self.world.discord.interactions
        callback = _CALLBACK.fullmatch(exchange.path)
        if callback:
            interaction = interactions.by_id[callback[1]]
            kind, data = exchange.body.get("type"), exchange.body.get("data") or {}
            is_source_private = interaction.source is not None and interaction.source.is_ephemeral
            private = (
                kind in (CHOICES, FORM) or data.get("flags", 0) & EPHEMERAL or (kind == UPDATE and is_source_private)
            )
            return interaction.person.id if private else None
        webhook = _WEBHOOK.fullmatch(exchange.path)
        if webhook:
            interaction = interactions.by_token[webhook[1]]
            message = (exchange.reply or {}) if isinstance(exchange.reply, dict) else {}
            return interaction.person.id if message.get("flags", 0) & EPHEMERAL else None
        return None
