"""Guards of the store, each taken away for a test."""

from __future__ import annotations

NEXT_ONE = " AND (CAST(:seq AS BIGINT) IS NULL OR last_seq = CAST(:seq AS BIGINT) - 1)"


REMOVED = {
    "unique id": {
        "(id, answer, at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING": "(id, answer, at)"
        " VALUES (CAST(? AS TEXT) || random(), ?, ?)"
    },
    "last_seq": {NEXT_ONE: "", " ON CONFLICT (channel, seq) DO NOTHING": ""},
}
