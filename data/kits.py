"""Kits that servers keep: a turn system as the file that was given, by its id. Functions of a connection."""

from __future__ import annotations

from data.connection import Connection
from data.rows import KitRow

_COLUMNS = "guild, id, owner, file, saved_at"


def put_kit(connection: Connection, row: KitRow) -> None:
    """Keep a kit under its id; an older one of that id is replaced."""
    connection.execute(
        f"INSERT INTO kit ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)"  # noqa: S608 - our own column names
        " ON CONFLICT (guild, id) DO UPDATE"
        " SET owner = excluded.owner, file = excluded.file, saved_at = excluded.saved_at",
        (row.guild, row.id, row.owner, row.file, row.saved_at),
    )


def delete_kit(connection: Connection, guild: str, kit: str) -> bool:
    """Delete a kit of a server; False if there was none."""
    return connection.execute("DELETE FROM kit WHERE guild = ? AND id = ?", (guild, kit)).rowcount > 0


def kits(connection: Connection, guild: str) -> tuple[KitRow, ...]:
    """Return the kits of a server by id."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM kit WHERE guild = ? ORDER BY id", (guild,))  # noqa: S608 - our own column names
    return tuple(KitRow(*row) for row in rows)


def kits_of(connection: Connection, user: str) -> tuple[KitRow, ...]:
    """Return what somebody has saved, in every server."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM kit WHERE owner = ? ORDER BY guild, id", (user,))  # noqa: S608 - our own column names
    return tuple(KitRow(*row) for row in rows)


def delete_kits_of(connection: Connection, user: str) -> None:
    connection.execute("DELETE FROM kit WHERE owner = ?", (user,))


def delete_kits_in(connection: Connection, guild: str) -> int:
    return connection.execute("DELETE FROM kit WHERE guild = ?", (guild,)).rowcount
