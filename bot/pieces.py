"""Long work in pieces, so that everybody else's three seconds go on meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")
PIECE_SECONDS = 0.004


async def in_pieces(items: Iterable[T]) -> AsyncIterator[T]:
    """Give the items one by one, and the loop to others whenever what was done with them has taken a moment."""
    began = perf_counter()
    for item in items:
        yield item
        if perf_counter() - began >= PIECE_SECONDS:
            await asyncio.sleep(0)
            began = perf_counter()


async def json_bytes(data: Mapping[str, Any]) -> bytes:
    """Write an object as JSON; of its lists each entry is a piece, since one call for all of it would stop the loop.

    A value may be entries that are made one by one: they are in the file as a list, and never all in memory.
    """
    whole = bytearray(b"{")
    for key, value in data.items():
        whole += b", " if len(whole) > 1 else b""
        whole += _written(key) + b": "
        if not isinstance(value, list | AsyncIterator):
            whole += _written(value)
            continue
        whole += b"["
        start = len(whole)
        async for entry in in_pieces(value) if isinstance(value, list) else value:
            whole += b", " if len(whole) > start else b""
            whole += _written(entry)
        whole += b"]"
    whole += b"}"
    return bytes(whole)


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
