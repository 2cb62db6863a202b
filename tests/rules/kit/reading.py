"""The mistakes of a text that is read as a kit."""

from __future__ import annotations

from tests.rules.kit.damage import told

QUICK = 'kit = 1\nid = "quick"\n'


def mistakes(text: str, name: str = "mine.toml") -> list[str]:
    return list(told(text.encode(), name))


def mistake(text: str) -> str:
    """Return the one mistake of what is behind a kit's first two lines."""
    found = mistakes(QUICK + text)
    assert len(found) == 1, found
    return found[0]
