"""What other processes tell (LISTEN), on a connection of its own.

A notice only says *look*: what counts is in a row.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
from pydantic import SecretStr

from data.postgres.link import SILENT_SECONDS, connect, cut
from data.postgres.pauses import Pauses

LEASE, INBOX, PERSON, DELETED = "lease", "inbox", "person", "deleted"
LOOK_SECONDS = 5.0  # a notice that was lost is harmless after so long


class Listener:
    """Calls `heard` with a topic and what was said, and `missed` whenever it has connected: something may be lost."""

    def __init__(
        self, url: SecretStr, name: str, heard: Callable[[str, str], object], missed: Callable[[], object]
    ) -> None:
        self._url = url
        self._name = name
        self._heard, self._missed = heard, missed
        self._loop = asyncio.get_running_loop()
        self._ended = threading.Event()
        self._connection: psycopg.Connection | None = None
        self._asked_at: float | None = None
        self._thread = threading.Thread(target=self._run, name="listening", daemon=True)
        self._thread.start()

    # In the thread

    def _run(self) -> None:
        pauses = Pauses()
        while not self._ended.is_set():
            with contextlib.suppress(psycopg.Error), connect(self._url, self._name) as self._connection:
                self._asked_at = time.monotonic()
                for topic in (LEASE, INBOX, PERSON, DELETED):
                    self._connection.execute(f"LISTEN {topic}".encode())
                self._asked_at = None
                self._tell(self._missed)
                pauses.end()
                self._listen(self._connection)
            self._connection = self._asked_at = None
            self._ended.wait(pauses.taken())

    def _listen(self, connection: psycopg.Connection) -> None:
        """Listen until the connection ends. Raises: psycopg.Error."""
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=LOOK_SECONDS):
                self._tell(self._heard, notice.channel, notice.payload)
            self._asked_at = time.monotonic()
            connection.execute("SELECT 1")  # a silent connection may be cut
            self._asked_at = None

    def _tell(self, what: Callable[..., object], *words: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program ends
            self._loop.call_soon_threadsafe(what, *words)

    # Out of the thread

    def cut_if_silent(self) -> None:
        """End a connection whose answer is overdue, so that another is made."""
        asked_at = self._asked_at
        if asked_at is not None and time.monotonic() - asked_at > SILENT_SECONDS:
            self._cut()

    def _cut(self) -> None:
        connection = self._connection
        if connection is not None:
            cut(connection)

    async def close(self) -> None:
        self._ended.set()
        self._cut()
        await asyncio.to_thread(self._thread.join, SILENT_SECONDS)
