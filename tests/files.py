"""The files that replies carry, read as their receiver reads them."""

from __future__ import annotations

import gzip
import json
from typing import Any

from bot.render.payload import Reply


def json_file(reply: Reply) -> dict[str, Any]:
    """Return what the JSON file of a private reply holds, its parts put together."""
    assert reply.private is not None
    files = reply.private.files
    data = b"".join(file.data for file in files)
    found = json.loads(data if files[0].name.endswith(".json") else gzip.decompress(data))
    assert isinstance(found, dict)
    return found
