from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator

from pydantic import SecretStr

from bot.discord.shared_service import STARTS
from data.connection import Connection
from data.tables import get_meta
from rules.errors import StoreFailure


def processes(url: SecretStr) -> tuple[str, ...]:
    """Return a line for each process that serves a PostgreSQL, for what nobody serves, and for the starts left.

    Nothing where none lives. Raises: StoreFailure.
    """
    return asyncio.run(_processes(url))


async def _processes(url: SecretStr) -> tuple[str, ...]:
    import psycopg  # noqa: PLC0415 - a file need not wait for psycopg to be loaded

    from data.postgres.engine import Postgres, place_of  # noqa: PLC0415 - it loads psycopg
    from data.postgres.link import words_of  # noqa: PLC0415 - it loads psycopg

    engine = Postgres(url)
    try:
        return tuple(await engine.read(lambda connection: list(_lines(connection))))
    except StoreFailure as failure:
        if not isinstance(failure.__cause__, psycopg.Error):
            raise
        raise StoreFailure(f"PostgreSQL at {place_of(url)} cannot be read: {words_of(failure.__cause__)}.") from None
    finally:
        await engine.close()


def _lines(connection: Connection) -> Iterator[str]:
    from data.postgres.leases import living  # noqa: PLC0415 - it loads psycopg

    if connection.execute("SELECT to_regclass('process')").fetchone()[0] is None:
        return  # no referee has ever started with it
    found, unserved = living(connection)
    if not found:
        return
    for each in found:
        away = ", away from Discord" if each.is_away else ""
        yield f"{each.name}, version {each.version}: {_shards(each.shards)}{away}"
    if unserved:
        yield f"served by nobody: {_shards(unserved)}"
    kept = get_meta(connection, STARTS)
    if kept is not None:
        left, total, ends = json.loads(kept)
        yield f"IDENTIFYs left today: {left if time.time() < ends else total} of {total}"


def _shards(shards: tuple[int, ...]) -> str:
    if not shards:
        return "no shard"
    return f"shard{'' if len(shards) == 1 else 's'} {', '.join(map(str, shards))}"
