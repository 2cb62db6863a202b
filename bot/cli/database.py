from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import SettingsError, load_settings
from data import backup as copying
from data import check as checking
from rules.core.errors import StoreFailure

DONE, FAILED, WRONG_SETTING = 0, 1, 2


def backup(target: str | Path, keep: int | None = None) -> int:
    """Copy the database at `DATABASE_PATH`, also while the bot runs: to a file, or to the day's file in a folder."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    try:
        if keep is None:
            asyncio.run(copying.backup(database, Path(target)))
            return _say(f"{database} is copied to {target}.", DONE)
        today = datetime.now(UTC).date()
        copy, gone = asyncio.run(copying.backup_daily(database, Path(target), today, keep))
    except StoreFailure as failure:
        return _say(str(failure), FAILED)
    older = f" {gone} older cop{'y is' if gone == 1 else 'ies are'} deleted." if gone else ""
    return _say(f"{database} is copied to {copy}.{older}", DONE)


def check() -> int:
    """Look whether the database at `DATABASE_PATH` is sound; print a line for each fault."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    faults = asyncio.run(checking.check(database))
    for fault in faults:
        _say(fault)
    return FAILED if faults else _say(f"{database} is sound.", DONE)


def _database() -> Path | None:
    try:
        return load_settings().database_path
    except SettingsError as error:
        _say(str(error))
        return None


def _say(words: str, code: int = DONE) -> int:
    print(words)  # noqa: T201 - the command's answer
    return code
