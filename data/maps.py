"""Maps that people and servers keep: each is stored once, and names point at it. Functions of a connection."""

from __future__ import annotations

from data.boards import drop_unnamed_maps, whole
from data.connection import Connection
from data.rows import MapRow
from data.shelf_names import own_shelf, picture_shelf, server_shelf

_COLUMNS = "saved_map.shelf, saved_map.folded, saved_map.name, saved_map.owner, map.document"


def put_map(connection: Connection, row: MapRow, digest: str) -> None:
    """Keep a map under its name; an older one of that name is replaced."""
    before = _digest(connection, row.shelf, row.folded)
    connection.execute(
        "INSERT INTO map (digest, document) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (digest, row.document)
    )
    connection.execute(
        "INSERT INTO saved_map (shelf, folded, name, owner, digest) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (shelf, folded) DO UPDATE"
        " SET name = excluded.name, owner = excluded.owner, digest = excluded.digest",
        (row.shelf, row.folded, row.name, row.owner, digest),
    )
    _drop_unnamed(connection, before)


def delete_map(connection: Connection, shelf: str, folded: str) -> bool:
    """Delete a map from its shelf; False if there was none."""
    before = _digest(connection, shelf, folded)
    deleted = connection.execute("DELETE FROM saved_map WHERE shelf = ? AND folded = ?", (shelf, folded))
    _drop_unnamed(connection, before)
    return deleted.rowcount > 0


def _digest(connection: Connection, shelf: str, folded: str) -> str | None:
    row = connection.execute("SELECT digest FROM saved_map WHERE shelf = ? AND folded = ?", (shelf, folded)).fetchone()
    return None if row is None else str(row[0])


def _drop_unnamed(connection: Connection, digest: str | None) -> None:
    """Drop a map that no shelf names any more."""
    if digest is not None:
        connection.execute(
            "DELETE FROM map WHERE digest = :map AND NOT EXISTS (SELECT 1 FROM saved_map WHERE saved_map.digest = :map)"
            " AND NOT EXISTS (SELECT 1 FROM encounter WHERE encounter.map = :map)",
            {"map": digest},
        )


def maps(connection: Connection, shelf: str) -> tuple[MapRow, ...]:
    """Return the maps of a shelf by name."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM saved_map JOIN map ON map.digest = saved_map.digest"  # noqa: S608 - our own column names
        " WHERE saved_map.shelf = ? ORDER BY saved_map.folded",
        (shelf,),
    )
    return tuple(MapRow(*row) for row in rows)


def map_named(connection: Connection, shelf: str, folded: str) -> MapRow | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM saved_map JOIN map ON map.digest = saved_map.digest"  # noqa: S608 - our own column names
        " WHERE saved_map.shelf = ? AND saved_map.folded = ?",
        (shelf, folded),
    ).fetchone()
    return None if row is None else MapRow(*row)


def put_picture(connection: Connection, row: MapRow, digest: str, most: int) -> bool:
    """Keep a picture for its owner; False if it and those that are used have more than `most` characters."""
    if _size_of(connection, row) + len(row.document) > most:
        _drop_unused(connection, row.shelf)
        if _size_of(connection, row) + len(row.document) > most:
            return False
    put_map(connection, row, digest)
    return True


def _size_of(connection: Connection, row: MapRow) -> int:
    """Return how many characters the other pictures of a shelf have."""
    counted = connection.execute(
        "SELECT COALESCE(SUM(LENGTH(map.document)), 0) FROM saved_map JOIN map ON map.digest = saved_map.digest"
        " WHERE saved_map.shelf = ? AND saved_map.folded <> ?",
        (row.shelf, row.folded),
    ).fetchone()
    return int(counted[0])


def _drop_unused(connection: Connection, shelf: str) -> None:
    """Drop the pictures of a shelf that no saved map and no encounter names."""
    names = [str(row[0]) for row in connection.execute("SELECT folded FROM saved_map WHERE shelf = ?", (shelf,))]
    used = {name for name in names if _is_in_maps(connection, name)}
    for (document,) in connection.execute("SELECT document FROM encounter").fetchall():
        text = whole(connection, document).decode()
        used.update(name for name in names if name in text)
    for name in names:
        if name not in used:
            delete_map(connection, shelf, name)


def unused_pictures(connection: Connection) -> frozenset[str]:
    """Return the pictures that no saved map, no encounter and no row of a log names."""
    shelved = connection.execute("SELECT DISTINCT folded FROM saved_map WHERE substr(shelf, 1, 8) = 'picture '")
    left = {str(row[0]) for row in shelved}
    left = {name for name in left if not _is_in_maps(connection, name)}
    for (document,) in connection.execute("SELECT document FROM encounter").fetchall() if left else ():
        text = whole(connection, document).decode()
        left = {name for name in left if name not in text}
    return frozenset(name for name in left if not _is_in_log(connection, name))


def _is_in_log(connection: Connection, picture: str) -> bool:
    """Tell whether a step laid a picture that an undo or a redo may bring back."""
    row = connection.execute("SELECT 1 FROM log WHERE instr(command, ?) > 0 LIMIT 1", (picture,)).fetchone()
    return row is not None


def drop_pictures(connection: Connection, names: frozenset[str]) -> int:
    """Drop pictures from every shelf that nothing names still, and such maps; return how many pictures."""
    drop_unnamed_maps(connection)
    gone = sorted(names & unused_pictures(connection)) if names else []
    for name in gone:
        shelves = connection.execute(
            "SELECT shelf FROM saved_map WHERE folded = ? AND substr(shelf, 1, 8) = 'picture '", (name,)
        ).fetchall()
        for (shelf,) in shelves:
            delete_map(connection, str(shelf), name)
    return len(gone)


def pictures_under(connection: Connection, shelf: str) -> tuple[tuple[str, str, int], ...]:
    """Return the names of a shelf's maps that have a picture, with it and its characters, the largest ones first."""
    rows = connection.execute(
        "SELECT own.name, under.folded, LENGTH(laid.document) FROM saved_map own"
        " JOIN map drawn ON drawn.digest = own.digest"
        " JOIN saved_map under ON substr(under.shelf, 1, 8) = 'picture ' AND instr(drawn.document, under.folded) > 0"
        " JOIN map laid ON laid.digest = under.digest WHERE own.shelf = ? AND own.folded <> ''",
        (shelf,),
    )
    by_name = {str(name): (str(name), str(picture), int(size)) for name, picture, size in rows}
    return tuple(sorted(by_name.values(), key=lambda each: (-each[2], each[0])))


def _is_in_maps(connection: Connection, picture: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM saved_map JOIN map ON map.digest = saved_map.digest"
        " WHERE substr(saved_map.shelf, 1, 8) <> 'picture ' AND instr(map.document, ?) > 0 LIMIT 1",
        (picture,),
    ).fetchone()
    return row is not None


def picture(connection: Connection, digest: str) -> str | None:
    """Return the document of a picture by the digest of its bytes, no matter who gave it."""
    row = connection.execute(
        "SELECT map.document FROM saved_map JOIN map ON map.digest = saved_map.digest"
        " WHERE saved_map.folded = ? AND substr(saved_map.shelf, 1, 8) = 'picture ' LIMIT 1",
        (digest,),
    ).fetchone()
    return None if row is None else str(row[0])


def maps_of(connection: Connection, user: str) -> tuple[MapRow, ...]:
    """Return all maps that are somebody's, on whichever shelf."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM saved_map JOIN map ON map.digest = saved_map.digest"  # noqa: S608 - our own column names
        " WHERE saved_map.owner = ? ORDER BY saved_map.shelf, saved_map.folded",
        (user,),
    )
    return tuple(MapRow(*row) for row in rows)


def _is_given(connection: Connection, picture: str) -> bool:
    """Tell whether a picture lies under a map that was given to a server."""
    row = connection.execute(
        "SELECT 1 FROM saved_map JOIN map ON map.digest = saved_map.digest"
        " WHERE substr(saved_map.shelf, 1, 7) = 'server ' AND instr(map.document, ?) > 0 LIMIT 1",
        (picture,),
    ).fetchone()
    return row is not None


def delete_maps_of(connection: Connection, user: str, nobody: str) -> None:
    """Delete somebody's own maps; those that they gave to servers stay without their name."""
    own, others = picture_shelf(user), picture_shelf(nobody)
    for (name,) in connection.execute("SELECT folded FROM saved_map WHERE shelf = ?", (own,)).fetchall():
        delete_map(connection, others if _is_given(connection, str(name)) else own, str(name))
    _empty(connection, own_shelf(user))
    connection.execute("UPDATE saved_map SET shelf = ? WHERE shelf = ?", (others, own))
    connection.execute("UPDATE saved_map SET owner = ? WHERE owner = ?", (nobody, user))


def delete_maps_in(connection: Connection, guild: str) -> None:
    """Delete the maps that were given to a server."""
    _empty(connection, server_shelf(guild))


def _empty(connection: Connection, shelf: str) -> None:
    digests = connection.execute("SELECT digest FROM saved_map WHERE shelf = ?", (shelf,)).fetchall()
    connection.execute("DELETE FROM saved_map WHERE shelf = ?", (shelf,))
    for (digest,) in digests:
        _drop_unnamed(connection, str(digest))
