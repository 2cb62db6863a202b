from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from bot.discord.shared_service import STARTS
from bot.numbers import served_shards, values_of, words_of
from bot.settings import Settings, SettingsError, load_settings
from data.connection import Connection
from data.tables import get_meta
from rules.errors import StoreFailure

RUNS, NOTHING_RUNS, WRONG_SETTING = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Process:
    """A process that serves shards."""

    name: str
    version: str
    shards: tuple[int, ...]
    is_away: bool = False  # from Discord


@dataclass(frozen=True, slots=True)
class Shared:
    """What a PostgreSQL's processes serve; nothing lives if there are none."""

    processes: tuple[Process, ...] = ()
    unserved: tuple[int, ...] = ()
    starts_left: tuple[int, int] | None = None  # and of how many, today


@dataclass(frozen=True, slots=True)
class Heart:
    """The numbers that a process has written, and how long ago."""

    text: str
    age_seconds: float


def status(*, as_json: bool = False) -> int:
    """Say the numbers of a running referee, to a person or to a program."""
    try:
        settings = load_settings()
        heart = _heart(settings)
        shared = _of_file(settings, heart) if settings.database_url is None else processes(settings.database_url)
    except SettingsError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the command's answer
        return WRONG_SETTING
    except StoreFailure as failure:
        return _say([str(failure)], NOTHING_RUNS)
    code = RUNS if shared.processes else NOTHING_RUNS
    if as_json:
        return _say([json.dumps(_as_json(shared, heart))], code)
    lines = list(_lines(shared)) if settings.database_url is not None else []
    if heart is not None:
        lines += [f"Referee, {heart.age_seconds:.0f} s ago:", *words_of(heart.text)]
    elif lines:
        lines.append("To see the numbers of one process, set PROCESS_NAME to its name on its own machine.")
    else:
        lines.append("No referee is connected to this database.")
    return _say(lines, RUNS if heart is not None else code)


def _heart(settings: Settings) -> Heart | None:
    try:
        written = settings.heart.stat().st_mtime
        return Heart(settings.heart.read_text("utf-8"), max(0.0, time.time() - written))
    except OSError:
        return None


def _of_file(settings: Settings, heart: Heart | None) -> Shared:
    """Return the one process of a SQLite file."""
    if heart is None:
        return Shared()
    version, shards = served_shards(heart.text)
    return Shared((Process(settings.database_path.name, version, shards),))


def _as_json(shared: Shared, heart: Heart | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "processes": [
            {"name": each.name, "version": each.version, "shards": list(each.shards), "connected": not each.is_away}
            for each in shared.processes
        ],
        "unserved": list(shared.unserved),
        "starts": None,
        "numbers": None,
    }
    if shared.starts_left is not None:
        left, total = shared.starts_left
        fields["starts"] = {"left": left, "total": total}
    if heart is not None:
        fields["numbers"] = {"age_seconds": round(heart.age_seconds, 1), **values_of(heart.text)}
    return fields


def processes(url: SecretStr) -> Shared:
    """Return the processes that serve a PostgreSQL, what nobody serves, and the starts left. Raises: StoreFailure."""
    return asyncio.run(_processes(url))


async def _processes(url: SecretStr) -> Shared:
    import psycopg  # noqa: PLC0415 - a file need not wait for psycopg to be loaded

    from data.postgres.engine import Postgres, place_of  # noqa: PLC0415 - it loads psycopg
    from data.postgres.link import words_of  # noqa: PLC0415 - it loads psycopg

    engine = Postgres(url)
    try:
        return await engine.read(_shared)
    except StoreFailure as failure:
        if not isinstance(failure.__cause__, psycopg.Error):
            raise
        raise StoreFailure(f"PostgreSQL at {place_of(url)} cannot be read: {words_of(failure.__cause__)}.") from None
    finally:
        await engine.close()


def _shared(connection: Connection) -> Shared:
    from data.postgres.leases import living  # noqa: PLC0415 - it loads psycopg

    if connection.execute("SELECT to_regclass('process')").fetchone()[0] is None:
        return Shared()  # no referee has ever started with it
    alive, unserved = living(connection)
    if not alive:
        return Shared()
    kept, starts = get_meta(connection, STARTS), None
    if kept is not None:
        left, total, ends = json.loads(kept)
        starts = (left if time.time() < ends else total, total)
    return Shared(
        tuple(Process(each.name, each.version, each.shards, is_away=each.is_away) for each in alive), unserved, starts
    )


def _lines(shared: Shared) -> Iterator[str]:
    for each in shared.processes:
        away = ", away from Discord" if each.is_away else ""
        yield f"{each.name}, version {each.version}: {_shards(each.shards)}{away}"
    if shared.unserved:
        yield f"no process serves: {_shards(shared.unserved)}"
    if shared.starts_left is not None:
        left, total = shared.starts_left
        yield f"IDENTIFYs left today: {left} of {total}"


def _shards(shards: tuple[int, ...]) -> str:
    if not shards:
        return "no shards"
    return f"shard{'' if len(shards) == 1 else 's'} {', '.join(map(str, shards))}"


def _say(lines: list[str], code: int) -> int:
    for line in lines:
        print(line)  # noqa: T201 - the command's answer
    return code
