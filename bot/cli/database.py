from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from bot.settings import SettingsError, load_settings
from data import backup as copying
from data import check as checking
from rules.errors import StoreFailure

DONE, FAILED, WRONG_SETTING = 0, 1, 2


def backup(target: str | Path, keep: int | None = None) -> int:
    """Copy the database, also while the bot runs: to a file, or to the day's file in a folder."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    name = _name(database)
    try:
        if keep is None:
            asyncio.run(copying.backup(database, Path(target)))
            return _say(f"{name} is copied to {target}.", DONE)
        today = datetime.now(UTC).date()
        copy, gone = asyncio.run(copying.backup_daily(database, Path(target), today, keep))
    except StoreFailure as failure:
        return _say(str(failure), FAILED)
    older = f" {gone} older cop{'y is' if gone == 1 else 'ies are'} deleted." if gone else ""
    return _say(f"{name} is copied to {copy}.{older}", DONE)


def check() -> int:
    """Look whether the database is sound; print a line for each fault."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    faults = asyncio.run(checking.check(database))
    for fault in faults:
        _say(fault)
    return FAILED if faults else _say(f"{_name(database)} is sound.", DONE)


def restore(file: str | Path) -> int:
    """Fill the empty PostgreSQL at `DATABASE_URL` from a referee's SQLite file."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    if isinstance(database, Path):
        return _say(
            "DATABASE_URL is not set. To restore a file, stop the bot and put the copy where DATABASE_PATH points.",
            WRONG_SETTING,
        )
    from data.postgres.transfer import restore as fill  # noqa: PLC0415 - loading psycopg takes time that the others need not wait for

    try:
        asyncio.run(fill(Path(file), database))
    except StoreFailure as failure:
        return _say(str(failure), FAILED)
    return _say(f"{_name(database)} is filled from {file}.", DONE)


def _name(database: Path | SecretStr) -> str:
    return str(database) if isinstance(database, Path) else "The database in DATABASE_URL"


def _database() -> Path | SecretStr | None:
    try:
        return load_settings().place
    except SettingsError as error:
        _say(str(error))
        return None


def _say(words: str, code: int = DONE) -> int:
    print(words)  # noqa: T201 - the command's answer
    return code
