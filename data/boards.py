"""A large board in an encounter's document: the map's digest, and what has changed since (maps 9).

A document is read as it was written, byte for byte. Functions of a connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re

from data.connection import Connection
from data.deltas import WrongDocumentError, apply_delta, make_delta

LEAST = 2048  # bytes: a smaller board is in its document
MOST_CHANGES = 2900  # bytes, under 4 KB as text: with more the board is kept as a map of its own
_BEGIN = b'"board":{"width":'  # how a board begins; a quote within a text would come after a backslash
_NAME = len(b'"board":')
_SHORT = re.compile(rb'"board":\{"map":"([0-9a-f]{64})","delta":"([A-Za-z0-9+/=]*)"\}')
_reader = json.JSONDecoder()


def stored_form(connection: Connection, document: bytes, base: str | None) -> tuple[bytes, str | None]:
    """Return a document as it is stored, and the digest of the map that it names.

    `base` is the one that it named before; None: there was none, or it is not to be looked at.
    """
    begin = document.find(_BEGIN)
    if begin < 0 or len(document) - begin < LEAST:
        return document, None
    text = document[begin + _NAME :].decode()
    board = text[: _reader.raw_decode(text)[1]].encode()
    if len(board) < LEAST:
        return document, None
    base_board = None if base is None else _map(connection, base)
    delta = b"" if base_board is None else make_delta(board, base_board)
    if base is None or base_board is None or len(delta) > MOST_CHANGES:
        base, delta = hashlib.sha256(board).hexdigest(), make_delta(board, board)
        connection.execute(
            "INSERT INTO map (digest, document) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (base, board.decode())
        )
    end = begin + _NAME + len(board)
    short = b'"board":{"map":"%b","delta":"%b"}' % (base.encode(), base64.b64encode(delta))
    return document[:begin] + short + document[end:], base


def whole(connection: Connection, stored: bytes | str) -> bytes:
    """Return a document as it was written. Raises: WrongDocumentError if its map is gone or another one."""
    document = stored.encode() if isinstance(stored, str) else bytes(stored)  # a host may have written it as text
    short = _SHORT.search(document)
    if short is None:
        return document
    base_board = _map(connection, short[1].decode())
    if base_board is None:
        raise WrongDocumentError(f"map {short[1][:12].decode()} is not there")
    board = apply_delta(base64.b64decode(short[2]), base_board) or b""
    return document[: short.start() + _NAME] + board + document[short.end() :]


def drop_unnamed_maps(connection: Connection) -> int:
    """Drop the maps that neither a shelf nor an encounter names."""
    return connection.execute(
        "DELETE FROM map WHERE NOT EXISTS (SELECT 1 FROM saved_map WHERE saved_map.digest = map.digest)"
        " AND NOT EXISTS (SELECT 1 FROM encounter WHERE encounter.map = map.digest)"
    ).rowcount


def _map(connection: Connection, digest: str) -> bytes | None:
    row = connection.execute("SELECT document FROM map WHERE digest = ?", (digest,)).fetchone()
    return None if row is None else str(row[0]).encode()
