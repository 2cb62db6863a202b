"""What the shelves are called on which saved maps and pictures lie: somebody's own, a server's, their pictures.

The names are in databases, so that they stay as they are; queries of this folder know them too.
"""

from __future__ import annotations

_OWN, _SERVER, _PICTURES = "user ", "server ", "picture "


def own_shelf(user: str) -> str:
    return _OWN + user


def server_shelf(guild: str) -> str:
    return _SERVER + guild


def picture_shelf(user: str) -> str:
    """Return where the pictures lie that somebody gave."""
    return _PICTURES + user


def is_own(shelf: str) -> bool:
    return shelf.startswith(_OWN)


def is_of_server(shelf: str) -> bool:
    return shelf.startswith(_SERVER)
