"""The seal of an exported row: a checksum under the seed, which is public by then.

It guards against slips and changes by hand, not against somebody who computes it again: what
that one cannot change unseen are faces, orders, draws and the numbers of rows, which the seed and the rows hold.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def seal(seed: bytes, row: Mapping[str, Any]) -> str:
    """Return the seal of a row as one reader gets it: of all that it holds but the seal itself."""
    command = {key: value for key, value in row["command"].items() if key != "seal"}
    text = json.dumps({**row, "command": command}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hmac.new(seed, f"seal:{text}".encode(), sha256).hexdigest()[:32]
