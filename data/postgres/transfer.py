"""From a SQLite file to PostgreSQL, and back: every row of every table, as of one moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from pydantic import SecretStr

from data import schema as file_schema
from data.marking import marks
from data.postgres import schema
from data.postgres.engine import place_of
from data.postgres.link import connect, words_of
from rules.errors import StoreFailure

_AT_ONCE = 500  # rows in memory


def copy_to_file(url: SecretStr, file: Path) -> None:
    """Fill a new file with what is in PostgreSQL. Raises: StoreFailure, psycopg.Error, sqlite3.Error."""
    with closing(sqlite3.connect(file, isolation_level=None)) as copy, connect(url) as source:
        file_schema.migrate(copy)
        newest, found = file_schema.newest(), schema.version(source)
        if found != newest:
            raise StoreFailure(f"The database has schema {found} instead of {newest}. Start the program once.")
        source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        source.execute("SET LOCAL statement_timeout = 0")
        copy.execute("BEGIN")
        for table, columns in _tables(copy).items():
            copy.execute(f"DELETE FROM {table}")  # noqa: S608 - our own schema's names
            names = ", ".join(f'"{column}"' for column in columns)
            put = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - our own schema's names
            with source.cursor(name="rows") as rows:
                rows.execute(f"SELECT {names} FROM {table}".encode())  # noqa: S608 - our own schema's names
                while some := rows.fetchmany(_AT_ONCE):
                    copy.executemany(put, some)
        copy.execute("COMMIT")
        source.execute("ROLLBACK")


def fill(source: sqlite3.Connection, url: SecretStr) -> None:
    """Fill an empty PostgreSQL, whole or not at all. Raises: StoreFailure."""
    place = place_of(url)
    try:
        source.execute("DELETE FROM meta WHERE key = ?", (marks.KEY,))
        with connect(url) as target, target.transaction():
            target.execute("SET LOCAL statement_timeout = 0")
            target.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            _fill(source, target, place)
    except psycopg.Error as error:
        raise StoreFailure(f"PostgreSQL at {place} cannot be filled: {words_of(error)}.") from None


def _fill(source: sqlite3.Connection, target: psycopg.Connection, place: str) -> None:
    schema.migrate(target)
    running = target.execute("SELECT name FROM process WHERE until > clock_timestamp() ORDER BY name").fetchall()
    if running:
        listed = ", ".join(name for (name,) in running)
        raise StoreFailure(f"A referee runs with the database at {place} ({listed}). Stop it, and name an empty one.")
    tables = _tables(source)
    target.execute(sql.SQL("LOCK TABLE {}").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
    for table in tables:
        if target.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table))).fetchone():
            raise StoreFailure(f"The database at {place} is not empty. Name an empty one in DATABASE_URL.")
    for table, columns in sorted(tables.items(), key=lambda each: _belongs_to_others(source, each[0])):
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        is_bytes = [_type_of(target, table, column) == "bytea" for column in columns]
        quoted = ", ".join(f'"{column}"' for column in columns)
        with target.cursor().copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)) as rows:
            for row in source.execute(f"SELECT {quoted} FROM {table}"):  # noqa: S608 - our own schema's names
                rows.write_row([_value(value, into) for value, into in zip(row, is_bytes, strict=True)])
        _count_on(target, table, columns)


def _value(value: Any, is_bytes: bool) -> Any:
    if isinstance(value, str):
        return value.encode() if is_bytes else value.replace("\0", "")
    return value


def _count_on(target: psycopg.Connection, table: str, columns: tuple[str, ...]) -> None:
    """Let numbers that are given by the database begin after those that are there."""
    for column in columns:
        row = target.execute("SELECT pg_get_serial_sequence(%s, %s)", (f'"{table}"', column)).fetchone()
        if row is not None and row[0] is not None:
            target.execute(
                sql.SQL("SELECT setval(%s, coalesce(max({0}), 0) + 1, false) FROM {1}").format(
                    sql.Identifier(column), sql.Identifier(table)
                ),
                (row[0],),
            )


def _type_of(target: psycopg.Connection, table: str, column: str) -> str:
    row = target.execute(
        "SELECT data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = %s AND column_name = %s",
        (table, column),
    ).fetchone()
    return "" if row is None else str(row[0])


def _belongs_to_others(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute(f"PRAGMA foreign_key_list({table})").fetchone() is not None


def _tables(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Return the schema's tables and their columns."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {
        name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({name})").fetchall())
        for (name,) in names.fetchall()
    }
