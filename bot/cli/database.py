from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from bot.settings import SettingsError, load_settings
from data import backup as copying
from data import check as checking
from data.restoring import restore as restoring
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
    """Put a copy in the database's place: a file, which keeps the old one, or an empty PostgreSQL."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    try:
        done = asyncio.run(restoring.restore(Path(file), database, datetime.now(UTC).date()))
    except StoreFailure as failure:
        return _say(str(failure), FAILED)
    newest = f", the newest of {done.newest}" if done.newest else ""
    _say(f"{_name(database)} is restored from {file}: {done.channels} channels, {done.steps} steps{newest}.")
    if done.before is not None:
        _say(f"The database that was there before is kept as {done.before}.")
    for fault in done.faults:
        _say(fault)
    return FAILED if done.faults else DONE


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
