"""No test waits for the disk: what SQLite was given outlives a process that is killed, and no test cuts the power."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from data import database

PROMISED = database.SYNCHRONOUS  # the program's own


@contextmanager
def quick_disk() -> Iterator[None]:
    """Let stores of this process acknowledge what the system will write."""
    with patch.object(database, "SYNCHRONOUS", "OFF"):
        yield
