"""What belongs to people: characters, macros, settings; and what privacy gives them: a copy, or deletion."""

from __future__ import annotations

import json
from typing import Any

from data import kits, maps
from data.connection import Connection, marks
from data.read_marks import read_marks_of
from data.rows import CharacterRow, MacroRow, OutboxMessage, PersonRow
from data.waits import owe
from rules.core.typed.skeleton import skeleton

DELETED = "deleted"  # in place of somebody who had their data deleted


def put_character(connection: Connection, character: CharacterRow) -> None:
    connection.execute(
        "INSERT INTO character (guild, owner, folded, name, document) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (guild, owner, folded) DO UPDATE SET name = excluded.name, document = excluded.document",
        (character.guild, character.owner, skeleton(character.name), character.name, character.document),
    )


def delete_character(connection: Connection, guild: str, owner: str, name: str) -> bool:
    """Delete a character; False if there was none."""
    deleted = connection.execute(
        "DELETE FROM character WHERE guild = ? AND owner = ? AND folded = ?", (guild, owner, skeleton(name))
    )
    return deleted.rowcount > 0


def characters(connection: Connection, guild: str, owner: str | None = None) -> tuple[CharacterRow, ...]:
    columns = "SELECT guild, owner, name, document FROM character"
    if owner is None:
        rows = connection.execute(f"{columns} WHERE guild = ? ORDER BY owner, folded", (guild,))
    else:
        rows = connection.execute(f"{columns} WHERE guild = ? AND owner = ? ORDER BY folded", (guild, owner))
    return tuple(CharacterRow(*row) for row in rows)


def character(connection: Connection, guild: str, owner: str, name: str) -> CharacterRow | None:
    row = connection.execute(
        "SELECT guild, owner, name, document FROM character WHERE guild = ? AND owner = ? AND folded = ?",
        (guild, owner, skeleton(name)),
    ).fetchone()
    return None if row is None else CharacterRow(*row)


def put_macro(connection: Connection, macro: MacroRow) -> None:
    connection.execute(
        'INSERT INTO macro ("user", folded, name, dice) VALUES (?, ?, ?, ?)'
        ' ON CONFLICT ("user", folded) DO UPDATE SET name = excluded.name, dice = excluded.dice',
        (macro.user, skeleton(macro.name), macro.name, macro.dice),
    )


def delete_macro(connection: Connection, user: str, name: str) -> bool:
    """Delete a macro; False if there was none."""
    deleted = connection.execute('DELETE FROM macro WHERE "user" = ? AND folded = ?', (user, skeleton(name)))
    return deleted.rowcount > 0


def macros(connection: Connection, user: str) -> tuple[MacroRow, ...]:
    rows = connection.execute('SELECT "user", name, dice FROM macro WHERE "user" = ? ORDER BY folded', (user,))
    return tuple(MacroRow(*row) for row in rows)


def person(connection: Connection, user: str) -> PersonRow | None:
    row = connection.execute('SELECT "user", settings FROM person WHERE "user" = ?', (user,)).fetchone()
    return None if row is None else PersonRow(*row)


def persons(connection: Connection, users: tuple[str, ...]) -> tuple[PersonRow, ...]:
    """Return the settings of those who have any."""
    if not users:
        return ()
    rows = connection.execute(
        f'SELECT "user", settings FROM person WHERE "user" IN ({marks(users)}) ORDER BY "user"',  # noqa: S608 - marks
        users,
    )
    return tuple(PersonRow(*row) for row in rows)


def put_person(connection: Connection, row: PersonRow, message: OutboxMessage | None) -> None:
    """Keep somebody's settings, in one transaction with a message to send."""
    connection.execute(
        'INSERT INTO person ("user", settings, digest_due) VALUES (?, ?, ?)'
        ' ON CONFLICT ("user") DO UPDATE SET settings = excluded.settings, digest_due = excluded.digest_due',
        (row.user, row.settings, row.digest_due),
    )
    if message is not None:
        owe(connection, message)


# Privacy. The log has no index over people: it is read a piece at a time, so that tables need not wait for it.


def export_own(connection: Connection, user: str) -> dict[str, Any]:
    """Return what is kept of a person outside the log."""
    settings = person(connection, user)
    own = connection.execute(
        "SELECT guild, name, document FROM character WHERE owner = ? ORDER BY guild, folded", (user,)
    )
    carried = connection.execute(
        "SELECT guild, folded, before, after FROM carried WHERE owner = ? ORDER BY log, guild, folded", (user,)
    )
    waiting = connection.execute('SELECT encounter FROM encounter_waiting WHERE "user" = ? ORDER BY encounter', (user,))
    return {
        "user": user,
        "settings": None if settings is None else json.loads(settings.settings),
        "macros": [{"name": macro.name, "dice": macro.dice} for macro in macros(connection, user)],
        "maps": [
            {"shelf": row.shelf, "name": row.name, "map": json.loads(row.document)}
            for row in maps.maps_of(connection, user)
        ],
        "kits": [
            {"guild": row.guild, "id": row.id, "file": row.file, "saved_at": row.saved_at}
            for row in kits.kits_of(connection, user)
        ],
        "characters": [
            {"guild": guild, "name": name, "document": json.loads(document)} for guild, name, document in own
        ],
        "carried_home": [
            {"guild": guild, "name": name, "before": json.loads(before), "after": json.loads(after)}
            for guild, name, before, after in carried
        ],
        "looked_up_to": [{"channel": channel, "seq": seq} for channel, seq in read_marks_of(connection, user)],
        "waited_for_in": [encounter for (encounter,) in waiting],
    }


def export_log(connection: Connection, user: str, after: int, piece: int) -> list[dict[str, Any]]:
    """Return what a person did, out of one piece of the log: their commands as they gave them.

    Dice and words stay out: a blind roll's faces are not the roller's to see. Exports of the table hold what is.
    """
    rows = connection.execute(
        "SELECT channel, seq, at, interaction, encounter, command FROM log WHERE id > ? AND id <= ? AND by = ?"
        " ORDER BY id",
        (after, after + piece, user),
    )
    return [
        {
            "channel": channel,
            "seq": seq,
            "at": at,
            "interaction": interaction,
            "encounter": encounter,
            "command": json.loads(command),
        }
        for channel, seq, at, interaction, encounter, command in rows
    ]


def last_log_number(connection: Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM log").fetchone()[0])


def delete_own(connection: Connection, user: str) -> None:
    """Delete a person's characters, macros, settings and kits; of their maps those that they gave to no server."""
    connection.execute("DELETE FROM character WHERE owner = ?", (user,))
    connection.execute("DELETE FROM carried WHERE owner = ?", (user,))
    connection.execute('DELETE FROM macro WHERE "user" = ?', (user,))
    connection.execute('DELETE FROM person WHERE "user" = ?', (user,))
    connection.execute('DELETE FROM look WHERE "user" = ?', (user,))
    connection.execute("DELETE FROM outbox WHERE channel = ?", (user,))
    kits.delete_kits_of(connection, user)
    maps.delete_maps_of(connection, user, DELETED)
