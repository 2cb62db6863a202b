"""Taking a person out of what others keep: `deleted` replaces them, save in a seat of an encounter that is open.

Log rows stay, since others' dice are checked by them. What leads from a document to the one before it, and forth again,
is made again, so that what is left can be undone and verified as before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from data import kits, maps
from data.boards import drop_unnamed_maps, stored_form, whole
from data.connection import Connection
from data.deltas import WrongDocumentError, apply_delta, both_ways, pack, unpack
from data.people import DELETED
from data.shelf_names import server_shelf
from data.steps import CARDS, ENCOUNTER, drop_undone, put_cards, stored_document
from rules.core.registry import load_encounter
from rules.errors import RefereeError

OPEN_STATUSES = ("gathering", "running", "paused")
_TEXTS = ("command", "dice", "lines")
_SAYS_DICE = frozenset({"action", "dice"})  # of a command: what the dice are checked by
_SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class Mask:
    """Puts a word in place of somebody's id and names, wherever they are in data."""

    user: str
    names: tuple[str, ...]
    word: str = DELETED

    def text(self, text: str) -> str:
        text = re.sub(rf"<@!?{self.user}>|(?<!\d){self.user}(?!\d)", self.word, text)
        if self.names:
            text = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, self.names))})(?!\w)", self.word, text)
        return text

    def data(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(each) for each in value]
        if isinstance(value, dict):
            return {self.text(key): self.data(each) for key, each in value.items()}
        return value

    def json(self, written: str) -> str:
        return json.dumps(self.data(json.loads(written)), ensure_ascii=False, separators=(",", ":"))

    def document(self, document: bytes | None) -> bytes | None:
        return None if document is None else self.json(document.decode()).encode()

    def command(self, written: str) -> str:
        """Mask a command; which dice it asks for stays as it was typed."""
        given = json.loads(written)
        by_id = Mask(self.user, (), self.word)
        masked = {key: (by_id if key in _SAYS_DICE else self).data(value) for key, value in given.items()}
        return json.dumps(masked, ensure_ascii=False)


@dataclass(slots=True)
class _Row:
    number: int
    by: str | None
    encounter: str | None
    texts: dict[str, str]
    changed: bool = False

    def holds(self, text: str) -> bool:
        return any(text in each for each in self.texts.values())

    def put(self, column: str, text: str) -> None:
        if self.texts[column] != text:
            self.texts[column] = text
            self.changed = True


def channels_of(connection: Connection, user: str) -> tuple[str, ...]:
    """Return the channels in whose encounters, cards or messages a person is, or was, somebody."""
    rows = connection.execute(
        "SELECT channel FROM encounter WHERE instr(document, ?) > 0"
        " UNION SELECT channel FROM cards WHERE instr(document, ?) > 0"
        " UNION SELECT channel FROM outbox"
        " UNION SELECT e.channel FROM log l JOIN encounter e ON e.id = l.encounter WHERE l.by = ? ORDER BY channel",
        (user.encode(), user.encode(), user),
    )
    return tuple(channel for (channel,) in rows)


def channels_of_log(connection: Connection, user: str, after: int, piece: int) -> tuple[str, ...]:
    """Return the channels of those of a piece of the log's rows that hold a person's id."""
    rows = connection.execute(
        "SELECT channel, by, command, dice, lines FROM log WHERE id > ? AND id <= ?", (after, after + piece)
    )
    return tuple({channel for channel, by, *texts in rows if by == user or any(user in unpack(text) for text in texts)})


def erase(
    connection: Connection, channel: str, user: str, names: tuple[str, ...], last: int, ended: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Take a person out of a channel; return its open encounters, in which they keep their seat until its end.

    Log rows after number `last` are of a time when they had come back: they stay, unless they belong to an encounter
    of `ended`.
    """
    names = tuple(name for name in dict.fromkeys(names) if len(name) >= _SHORTEST_NAME)
    encounters = connection.execute("SELECT id, status, document, channel FROM encounter").fetchall()
    here = {
        identity: whole(connection, document).decode()
        for identity, _, document, place in encounters
        if place == channel
    }
    elsewhere = {identity for identity, *_ in encounters} - here.keys()  # moved; its rows are seen to with it
    is_open = {identity for identity, status, *_ in encounters if status in OPEN_STATUSES}
    rows = [
        row
        for row in _rows(connection, channel)
        if row.encounter not in elsewhere and (row.number <= last or row.encounter in ended)
    ]
    cards = stored_document(connection, channel, CARDS) or b""
    seated = tuple(
        identity
        for identity in sorted(here.keys() & is_open)
        if user in here[identity] or user.encode() in cards or any(_is_of(row, user, identity) for row in rows)
    )
    # a hand belongs to a seat while there is one; else who holds it is nobody else
    in_cards = None if seated else Mask(user, (), _free_word(_forms(connection, CARDS, channel)))
    for identity, document in here.items():
        own = [row for row in rows if row.encounter == identity]
        if identity in is_open or not (own or identity in ended):
            continue
        if user in document or any(_is_of(row, user, identity) for row in own):
            known = json.loads(document).get("people", {}).get(user)
            called = tuple(dict.fromkeys((*names, *((known,) if known else ()))))
            _erase_encounter(connection, identity, own, user, called)
    by_id = Mask(user, ())
    for row in rows:
        if row.encounter in is_open:
            _erase_row(row, by_id, user)
        elif row.encounter not in here:
            _erase_row(row, Mask(user, names), user)
    if in_cards is not None:
        _rewrite(connection, CARDS, channel, in_cards)
    _write(connection, rows, user)
    _erase_messages(connection, channel, by_id)
    return seated


def _is_of(row: _Row, user: str, encounter: str) -> bool:
    return row.encounter == encounter and (row.by == user or row.holds(user))


def erase_settings(connection: Connection, user: str) -> tuple[str, ...]:
    """Take a person out of the settings of those they stand in for; return whose these were."""
    others = connection.execute('SELECT "user", settings FROM person WHERE instr(settings, ?) > 0', (user,)).fetchall()
    for other, settings in others:
        kept = json.loads(settings)
        servers = {server for server, who in kept.get("stand_ins", {}).items() if who == user}
        for key in ("stand_ins", "stand_in_names"):
            kept[key] = {server: who for server, who in kept.get(key, {}).items() if server not in servers}
        connection.execute('UPDATE person SET settings = ? WHERE "user" = ?', (json.dumps(kept), other))
    return tuple(other for other, _ in others)


def erase_answers(connection: Connection, user: str, names: tuple[str, ...], after: int, piece: int) -> int | None:
    """Take a person out of a piece of the kept answers, refusals among them; return the last one, None at the end."""
    mask = Mask(user, tuple(name for name in names if len(name) >= _SHORTEST_NAME))
    rows = connection.execute(
        "SELECT number, answer FROM interaction WHERE number > ? ORDER BY number LIMIT ?", (after, piece)
    ).fetchall()
    for number, answer in rows:
        written = unpack(answer)
        masked = mask.json(written)
        if json.loads(masked) != json.loads(written):
            connection.execute("UPDATE interaction SET answer = ? WHERE number = ?", (pack(masked), number))
    return rows[-1][0] if len(rows) == piece else None


# Encounters that have ended


def _erase_encounter(
    connection: Connection, identity: str, rows: Iterable[_Row], user: str, names: tuple[str, ...]
) -> None:
    forms = _forms(connection, ENCOUNTER + identity, None)
    mask = Mask(user, names, _free_word(forms))
    if not _still_loads(mask, forms):  # a name that is also a word of the rules
        mask = Mask(mask.user, (), mask.word)
    _rewrite(connection, ENCOUNTER + identity, None, mask)
    gms, waiting, name = connection.execute(
        "SELECT gms, waiting, name FROM encounter WHERE id = ?", (identity,)
    ).fetchone()
    connection.execute(
        "UPDATE encounter SET gms = ?, waiting = ?, name = ? WHERE id = ?",
        (_masked(mask, gms), _masked(mask, waiting), mask.text(name), identity),
    )
    for channel, number, key, who, plan in connection.execute(
        "SELECT channel, id, key, who, plan FROM wait WHERE encounter = ?", (identity,)
    ).fetchall():
        connection.execute(
            "UPDATE wait SET key = ?, who = ?, plan = ? WHERE channel = ? AND id = ?",
            (mask.text(key), mask.text(who), None if plan is None else mask.text(plan), channel, number),
        )
    connection.execute('DELETE FROM encounter_waiting WHERE encounter = ? AND "user" = ?', (identity, mask.user))
    for row in rows:
        row.put("command", mask.command(row.texts["command"]))
        for column in ("dice", "lines"):
            row.put(column, _masked(mask, row.texts[column]))


def _still_loads(mask: Mask, forms: Iterable[bytes]) -> bool:
    try:
        for document in forms:
            load_encounter(json.loads(mask.json(document.decode())))
    except (RefereeError, ValueError):
        return False
    return True


def _free_word(forms: Iterable[bytes]) -> str:
    """Return a word that means nobody else there: two who were deleted stay two."""
    texts = [document.decode() for document in forms]
    number, word = 1, DELETED
    while any(f'"{word}"' in text for text in texts):
        number += 1
        word = f"{DELETED} {number}"
    return word


# Rows


def _rows(connection: Connection, channel: str) -> list[_Row]:
    rows = connection.execute(
        "SELECT id, by, encounter, command, dice, lines FROM log WHERE channel = ?"
        " OR encounter IN (SELECT id FROM encounter WHERE channel = ?) ORDER BY id",
        (channel, channel),
    )
    return [
        _Row(number, by, encounter, dict(zip(_TEXTS, map(unpack, texts), strict=True)))
        for number, by, encounter, *texts in rows
    ]


def _erase_row(row: _Row, mask: Mask, user: str) -> None:
    """Take a person out of a row of no encounter, or of an open one, in which they keep their seat."""
    if row.by != user and not row.holds(user):
        if mask.names:
            row.put("lines", _masked_facts(mask, row.texts["lines"]))
        return
    row.put("command", mask.command(row.texts["command"]))
    for column in ("dice", "lines"):
        row.put(column, _masked(mask, row.texts[column]))


def _masked(mask: Mask, written: str) -> str:
    return json.dumps(mask.data(json.loads(written)), ensure_ascii=False)


def _masked_facts(mask: Mask, lines: str) -> str:
    """Mask the facts that are only a name: others may share a word with a sentence."""
    parsed = json.loads(lines)
    for line in parsed:
        facts: Mapping[str, Any] = line.get("facts", {})
        if any(value in mask.names for value in facts.values() if isinstance(value, str)):
            line["facts"] = {
                key: mask.word if isinstance(value, str) and value in mask.names else value
                for key, value in facts.items()
            }
    return json.dumps(parsed, ensure_ascii=False)


def _write(connection: Connection, rows: Iterable[_Row], user: str) -> None:
    for row in rows:
        if row.by == user:
            connection.execute("UPDATE log SET by = ? WHERE id = ?", (DELETED, row.number))
        if row.changed:
            texts = row.texts
            connection.execute(
                "UPDATE log SET command = ?, dice = ?, lines = ? WHERE id = ?",
                (texts["command"], pack(texts["dice"]), pack(texts["lines"]), row.number),
            )


def _erase_messages(connection: Connection, channel: str, mask: Mask) -> None:
    """Take a person out of what is still to be sent, and of what was claimed."""
    for number, payload in connection.execute(
        "SELECT number, payload FROM outbox WHERE channel = ?", (channel,)
    ).fetchall():
        if mask.user in unpack(payload):
            connection.execute(
                "UPDATE outbox SET payload = ? WHERE number = ?", (pack(_masked(mask, unpack(payload))), number)
            )


# Documents and the way back


_OWN = "c.key = :key AND (CAST(:channel AS TEXT) IS NULL OR l.channel = :channel)"


def _forms(connection: Connection, key: str, channel: str | None) -> list[bytes]:
    """Return a document and each earlier form of it that is there."""
    documents = [stored_document(connection, channel or "", key)]
    for _, back in _changes(connection, key, channel):
        try:
            documents.append(apply_delta(back, documents[-1]))
        except WrongDocumentError:
            break  # damaged before; `check` says so
    return [document for document in documents if document is not None]


def _changes(connection: Connection, key: str, channel: str | None) -> list[tuple[int, bytes]]:
    """Return the changes of a document that lead back from what it is now, the latest first: log row and delta."""
    return [
        (number, back)
        for number, back in connection.execute(
            f"SELECT c.log, c.back FROM undo c JOIN log l ON l.id = c.log WHERE {_OWN} AND l.state = 0"  # noqa: S608 - our own words
            " ORDER BY l.id DESC",
            {"key": key, "channel": channel},
        ).fetchall()
    ]


def _rewrite(connection: Connection, key: str, channel: str | None, mask: Mask) -> None:
    """Mask a document and each earlier form of it; what was undone can no longer be done again."""
    undone = connection.execute(
        f"SELECT DISTINCT l.channel FROM undo c JOIN log l ON l.id = c.log WHERE {_OWN} AND l.state = 1",  # noqa: S608 - our own words
        {"key": key, "channel": channel},
    ).fetchall()
    for (place,) in undone:
        drop_undone(connection, place)
    after = stored_document(connection, channel or "", key)
    masked_after = mask.document(after)
    if masked_after is not None and key == CARDS:
        put_cards(connection, channel or "", masked_after)
    elif masked_after is not None:
        identity = key.removeprefix(ENCOUNTER)
        connection.execute(
            "UPDATE encounter SET document = ?, map = ? WHERE id = ?",
            (*stored_form(connection, masked_after, None), identity),
        )
        drop_unnamed_maps(connection)  # its names were there
    for number, back in _changes(connection, key, channel):
        try:
            before = apply_delta(back, after)
        except WrongDocumentError:
            return  # damaged before; `check` says so
        masked = mask.document(before)
        connection.execute(
            "UPDATE undo SET back = ?, forth = ? WHERE log = ? AND key = ?",
            (*both_ways(masked, masked_after), number, key),
        )
        after, masked_after = before, masked


# Servers


def guilds(connection: Connection) -> tuple[str, ...]:
    """Return the servers that something is kept of."""
    rows = connection.execute(
        "SELECT guild FROM channel UNION SELECT guild FROM encounter UNION SELECT guild FROM character"
        " UNION SELECT guild FROM kit"
        """ UNION SELECT substr("user", 8) FROM person WHERE substr("user", 1, 7) = 'server '"""
        """ UNION SELECT substr("user", 8) FROM macro WHERE substr("user", 1, 7) = 'server '"""
        " UNION SELECT substr(shelf, 8) FROM saved_map WHERE substr(shelf, 1, 7) = 'server ' ORDER BY guild"
    )
    return tuple(guild for (guild,) in rows if guild.isdecimal())


def channels_in(connection: Connection, guild: str) -> tuple[str, ...]:
    rows = connection.execute(
        "SELECT channel FROM channel WHERE guild = ?"
        " UNION SELECT channel FROM encounter WHERE guild = ? ORDER BY channel",
        (guild, guild),
    )
    return tuple(channel for (channel,) in rows)


def delete_channel(connection: Connection, channel: str) -> None:
    """Delete all that is kept of a channel: encounters, log, cards, seeds, waits, what is to be sent."""
    for table in ("undo", "carried"):
        connection.execute(
            f"DELETE FROM {table} WHERE log IN (SELECT id FROM log WHERE channel = ?)",  # noqa: S608 - our own tables
            (channel,),
        )
    connection.execute(
        "DELETE FROM undo WHERE key IN (SELECT CAST(? AS TEXT) || id FROM encounter WHERE channel = ?)",
        (ENCOUNTER, channel),
    )
    for table in ("log", "wait", "cards", "seed", "outbox", "encounter", "record", "look", "channel"):
        connection.execute(f"DELETE FROM {table} WHERE channel = ?", (channel,))  # noqa: S608 - our own tables
    connection.execute("DELETE FROM meta WHERE key = ?", (f"door:{channel}",))


def delete_kept_in(connection: Connection, guild: str) -> None:
    """Delete what a server keeps beside its channels: characters, kits, maps, saved rolls and choices."""
    connection.execute("DELETE FROM character WHERE guild = ?", (guild,))
    for table in ("macro", "person"):
        connection.execute(f'DELETE FROM {table} WHERE "user" = ?', (server_shelf(guild),))  # noqa: S608 - our own tables
    kits.delete_kits_in(connection, guild)
    maps.delete_maps_in(connection, guild)
