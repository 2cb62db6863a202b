"""A relay between a program and its server: it can stop passing bytes and keep its sockets, or end them on request."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

PIECE = 1 << 16
PREPARED = re.compile(rb"P.{4}(_pg3_\d+)\x00([^\x00]*)\x00", re.DOTALL)  # a statement, and the name it has from then on


class Relay:
    """`ends_at`: the word at which a connection ends; `passes_it`: the server hears it, and its answer is held back."""

    def __init__(self, url: SecretStr) -> None:
        self._parts = urlsplit(url.get_secret_value())
        self.port = 0
        self.passing = asyncio.Event()
        self.passing.set()
        self.takes = True  # new connections
        self.ends_at: bytes | None = None
        self.passes_it = True
        self.silent_at: bytes | None = None  # the word that makes each connection hang, old or new
        self.silenced = 0
        self.delay = 0.0
        self.host: bytes | None = None  # what a server that looks at it reads in the header `Host`
        self.ended = 0
        self._serving: set[asyncio.Task[None] | None] = set()  # kept: nobody else remembers one that hangs
        self._writers: set[asyncio.StreamWriter] = set()
        self._unanswered: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> SecretStr:
        user = f"{self._parts.username}@" if self._parts.username else ""
        return SecretStr(urlunsplit(self._parts._replace(netloc=f"{user}127.0.0.1:{self.port}")))

    def go_to(self, url: SecretStr) -> None:
        """Lead new connections to another server."""
        self._parts = urlsplit(url.get_secret_value())

    def stand_still(self) -> None:
        """Let today's connections hang without a byte; new ones pass."""
        self.passing.clear()
        self.passing = asyncio.Event()
        self.passing.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.takes:
            writer.close()
            return
        there = await asyncio.open_connection(self._parts.hostname, self._parts.port)
        self._writers |= {writer, there[1]}
        self._serving.add(asyncio.current_task())
        passing = self.passing
        both = (writer, there[1])
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(
                self._pass(reader, there[1], passing, both, asking=True),
                self._pass(there[0], writer, passing, both, asking=False),
            )
        self._serving.discard(asyncio.current_task())

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        passing: asyncio.Event,
        both: tuple[asyncio.StreamWriter, ...],
        *,
        asking: bool,
    ) -> None:
        names: dict[bytes, bytes] = {}  # what a session says often it says by name
        while piece := await reader.read(PIECE):
            if asking:
                names.update(PREPARED.findall(piece))
            await passing.wait()
            if self.delay:
                await asyncio.sleep(self.delay)
            if asking and self.host is not None:
                piece = piece.replace(f"127.0.0.1:{self.port}".encode(), self.host, 1)
            if asking and self.silent_at is not None and _says(piece, self.silent_at, names):
                self.silenced += 1
                self._unanswered.update(both)
                continue
            if not asking and writer in self._unanswered:
                continue  # the answer is held back
            if asking and self.ends_at is not None and _says(piece, self.ends_at, names):
                self.ends_at = None
                self.ended += 1
                self._unanswered.update(both)
                if self.passes_it:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0.2)  # it is carried out
                for each in both:
                    each.transport.abort()
                return
            writer.write(piece)
            await writer.drain()
        writer.close()

    def end(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        for task in self._serving:
            if task is not None:
                task.cancel()


def _says(piece: bytes, word: bytes, names: dict[bytes, bytes]) -> bool:
    return word in piece or any(b"\x00%b\x00" % name in piece for name, text in names.items() if word in text)


@asynccontextmanager
async def relayed(url: SecretStr) -> AsyncIterator[Relay]:
    relay = Relay(url)
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()
        relay.end()
