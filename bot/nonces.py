"""Nonces of messages: Discord holds them for an author in all channels at once, so that they must not collide."""

from __future__ import annotations

import base64
import hashlib

_BYTES = 15  # 24 characters; Discord takes 25


def nonce_of(channel: str, *mark: object) -> str:
    """Return the same nonce for the same message again, also after a restart."""
    text = "\n".join((channel, *map(str, mark)))
    return base64.b32encode(hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()).decode().lower()
