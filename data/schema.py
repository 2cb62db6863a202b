"""The schema: numbered SQL files, each applied in one transaction together with its number.

They are written for SQLite and translated for PostgreSQL. A file that one engine alone needs says so in its name; the
other counts it and does nothing.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from data import failures
from rules.errors import StoreFailure

MIGRATIONS = Path(__file__).parent / "migrations"
APPLICATION = 0x52454645  # "REFE" in the file's header, so that another program's database is not taken for ours
SQLITE, POSTGRES = "sqlite", "postgres"
FIRST = 101  # numbers below it were those of databases that development versions wrote before 1.0
_FILE = re.compile(rf"(\d{{4}})_\w+(?:\.({SQLITE}|{POSTGRES}))?\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    path: Path
    engine: str | None = None  # the only one that it is for

    def statements(self, engine: str) -> tuple[str, ...]:
        """Return what that engine is to run."""
        return () if self.engine not in (None, engine) else statements(self.path.read_text(encoding="utf-8"))


def migrations(folder: Path = MIGRATIONS) -> tuple[Migration, ...]:
    """Return the migrations that this program knows, in order. Raises: StoreFailure for a gap."""
    read_files = tuple(
        Migration(int(match[1]), path, match[2])
        for path in sorted(folder.iterdir())
        if (match := _FILE.fullmatch(path.name)) is not None
    )
    if [each.number for each in read_files] != list(range(FIRST, FIRST + len(read_files))):
        raise StoreFailure(f"The migrations in {folder} are not numbered {FIRST:04}, {FIRST + 1:04} and so on.")
    return read_files


def newest(folder: Path = MIGRATIONS) -> int:
    """Return the number of the schema that this program writes. Raises: StoreFailure."""
    return migrations(folder)[-1].number


def require_known(stored: int, newest: int, place: str) -> None:
    """Refuse a schema that this program does not read. Raises: StoreFailure."""
    if 0 < stored < FIRST:
        raise StoreFailure(f"{place} was written by a development version before 1.0. Start with a new database.")
    if stored > newest:
        raise StoreFailure(
            f"{place} was written by a newer version of this program (schema {stored}; this one knows {newest}). "
            "Update the program, or restore a backup made before the update."
        )


def version(connection: sqlite3.Connection) -> int:
    """Return the number of the last migration that was applied; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def require_ours(connection: sqlite3.Connection, newest: int, path: Path) -> None:
    """Read, and only read, whether this program may open the file. Raises: StoreFailure."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION and (tables or application):
        raise StoreFailure(f"{path} is the database of another program. Set DATABASE_PATH to another file.")
    require_known(version(connection), newest, str(path))


def migrate(connection: sqlite3.Connection, folder: Path = MIGRATIONS) -> None:
    """Bring the schema up to date. Raises: StoreFailure; a migration that fails leaves nothing behind."""
    for migration in migrations(folder):
        if migration.number <= version(connection):
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in migration.statements(SQLITE):
                connection.execute(statement)
            # PRAGMA takes no parameters; both are numbers of ours
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {migration.number}")
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise failures.not_migrated(migration.path.name, error) from error
            raise


def statements(script: str) -> tuple[str, ...]:
    """Part a script into statements (`executescript` would end the transaction that it runs in).

    Raises: StoreFailure if the last one has no end.
    """
    parts: list[str] = []
    rest = ""
    for line in script.splitlines(keepends=True):
        rest += line
        if sqlite3.complete_statement(rest):
            parts.append(rest.strip())
            rest = ""
    if any(line.strip() and not line.startswith("--") for line in rest.splitlines()):
        raise StoreFailure(f"A migration ends in the middle of a statement: {rest.strip()[:80]}")
    return tuple(parts)
