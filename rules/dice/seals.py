"""The seal of an exported row: a checksum under the seed, which is public by then.

It guards against slips and against whoever changes a file by hand, not against somebody who computes it anew: what
that one cannot change unseen are faces, orders, draws and the numbers of rows, which the seed and the rows hold.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

_WHOLE = "row:"
"""Before the seal of a whole row; older exports seal the shape of the dice alone."""


def seal(seed: bytes, row: Mapping[str, Any]) -> str:
    """Return the seal of a row as one reader gets it: of all that stands in it, but the seal itself."""
    command = {key: value for key, value in row["command"].items() if key != "seal"}
    text = json.dumps({**row, "command": command}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _WHOLE + hmac.new(seed, f"seal:{text}".encode(), sha256).hexdigest()[:32]


def is_of_whole_row(given: object) -> bool:
    return isinstance(given, str) and given.startswith(_WHOLE)


def shape_seal(seed: bytes, seq: int, interaction: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Return the seal of exports of before 0.2: sizes and kinds in their order, under the row's interaction."""
    shape = [
        [each["sides"], bool(each.get("physical")), *(["hidden"] if each.get("face") is None else [])]
        if "sides" in each
        else ["shuffle", each["shuffle"]]
        if "shuffle" in each
        else ["draw", each.get("draw"), each.get("by")]
        for each in entries
    ]
    text = json.dumps([seq, interaction, shape], ensure_ascii=False)
    return hmac.new(seed, f"seal:{text}".encode(), sha256).hexdigest()[:32]
