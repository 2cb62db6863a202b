"""Small forms of what is stored: the ways from a document to the one before it and back, and packed texts.

Two states of a table differ in a few places, so each is kept as what it adds to the other.
"""

from __future__ import annotations

import struct
import zlib

_HEAD = struct.Struct(">IIII")  # CRC of the document before and after, length of their common beginning and end
_ABSENT = b""
_CHUNK = 16 * 1024
_MARGIN = 8 * 1024  # with the chunk, all that deflate can look back on
_RAW = -15
_LEVEL = 6
_PACK_FROM = 160
_COMPRESSED = b"x"  # the first byte of zlib's stream


class WrongDocumentError(ValueError):
    """A delta was applied to a document that it was not made from."""


def both_ways(before: bytes | None, after: bytes | None) -> tuple[bytes, bytes]:
    """Return what leads from `after` back to `before`, and what leads forth again."""
    return make_delta(before, after), make_delta(after, before)


def make_delta(before: bytes | None, after: bytes | None) -> bytes:
    """Return what leads from `after` back to `before`; None is a document that is not there."""
    if before is None:
        return _ABSENT
    base = after or b""
    start = _common_start(before, base)
    end = _common_end(before[start:], base[start:])
    parts = [_HEAD.pack(zlib.crc32(before), zlib.crc32(base), start, end)]
    last = len(before) - end
    for place in range(start, last, _CHUNK):
        window = _window(base, place)
        packer = zlib.compressobj(_LEVEL, wbits=_RAW, zdict=window) if window else zlib.compressobj(_LEVEL, wbits=_RAW)
        parts.append(packer.compress(before[place : min(place + _CHUNK, last)]) + packer.flush())
    return b"".join(parts)


def apply_delta(delta: bytes, after: bytes | None) -> bytes | None:
    """Return the document before. Raises: WrongDocumentError if `after` is not what the delta was made from."""
    if delta == _ABSENT:
        return None
    base = after or b""
    crc_before, crc_after, start, end = _HEAD.unpack_from(delta)
    if zlib.crc32(base) != crc_after:
        raise WrongDocumentError("this delta belongs to another document")
    parts = [base[:start]]
    rest = delta[_HEAD.size :]
    place = start
    while rest:
        window = _window(base, place)
        unpacker = zlib.decompressobj(wbits=_RAW, zdict=window) if window else zlib.decompressobj(wbits=_RAW)
        try:
            parts.append(unpacker.decompress(rest))
        except zlib.error as error:
            raise WrongDocumentError("this delta is damaged") from error
        rest = unpacker.unused_data
        place += _CHUNK
    parts.append(base[len(base) - end :])
    before = b"".join(parts)
    if zlib.crc32(before) != crc_before:
        raise WrongDocumentError("this delta does not lead to the document before")
    return before


def pack(text: str) -> bytes:
    """Return a JSON text as it is stored: a long one compressed, which begins with `x` as no JSON does."""
    raw = text.encode()
    if len(raw) < _PACK_FROM:
        return raw
    packed = zlib.compress(raw, _LEVEL)
    return packed if len(packed) < len(raw) else raw


def unpack(stored: str | bytes) -> str:
    """Read what `pack` made; the text of a column that is never packed is as it is."""
    if isinstance(stored, str):
        return stored
    return (zlib.decompress(stored) if stored[:1] == _COMPRESSED else stored).decode()


def _window(base: bytes, place: int) -> bytes:
    return base[max(0, place - _MARGIN) : place + _CHUNK + _MARGIN]


def _common_start(one: bytes, other: bytes) -> int:
    known, most = 0, min(len(one), len(other))
    while known < most:
        middle = (known + most + 1) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            most = middle - 1
    return known


def _common_end(one: bytes, other: bytes) -> int:
    known, most = 0, min(len(one), len(other))
    while known < most:
        middle = (known + most + 1) // 2
        if one[len(one) - middle : len(one) - known] == other[len(other) - middle : len(other) - known]:
            known = middle
        else:
            most = middle - 1
    return known
