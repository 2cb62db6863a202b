from __future__ import annotations

import asyncio
from pathlib import Path

from bot.settings import SettingsError, load_settings
from data import backup as copying
from data import check as checking
from rules.core.errors import StoreFailure

DONE, FAILED, WRONG_SETTING = 0, 1, 2


def backup(path: str | Path) -> int:
    """Copy the database at `DATABASE_PATH` to a new file, also while the bot runs."""
    database = _database()
    if database is None:
        return WRONG_SETTING
    try:
        asyncio.run(copying.backup(database, Path(path)))
    except StoreFailure as failure:
        return _say(str(failure), FAILED)
    return _say(f"{database} is copied to {path}.", DONE)


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
