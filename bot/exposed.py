"""Files that hold secrets and that others on this machine may read: each is named at the start."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from bot.settings import ENV_FILE, Settings


def exposed(settings: Settings, env_file: Path = ENV_FILE) -> Iterator[str]:
    """Say which of the database's files, its copies beside it and `.env` others may read, and how that is mended."""
    if os.name != "posix":
        return
    database = settings.database_path if settings.database_url is None else None
    for path in (env_file, *(() if database is None else _of_database(database))):
        if _is_exposed(path):
            holds = "the token" if path == env_file else "hands, secret rolls and the seeds of the dice"
            yield f"Other users of this machine may be able to read {path}, which holds {holds}: chmod o-rwx {path}"


def _of_database(database: Path) -> list[Path]:
    """Return the database, what belongs to it, and the copies that lie beside it."""
    try:
        beside = sorted(database.parent.iterdir())
    except OSError:
        return []
    return [each for each in beside if each.name.startswith(database.name) or ".sqlite3" in each.name]


def _is_exposed(path: Path) -> bool:
    if path.suffix in {".lock", ".mark", ".alive"}:
        return False
    try:
        status = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and bool(status.st_mode & (stat.S_IROTH | stat.S_IWOTH))
