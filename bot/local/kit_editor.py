"""The editor of kits on the page: what the referee says of a text, and a fight in which it is tried."""

from __future__ import annotations

from bot.features.kits import checked_lines, read_kit
from bot.local.errors import Json
from bot.local.people import NotPossible
from bot.local.tryit import Script, kit_script
from rules.errors import Malformed
from rules.kits.library import kit_of, library

MOST_CHARACTERS = 64 * 1024  # of a text that is looked at; a kit has 16 KiB at most


def offered() -> list[Json]:
    """List what one may begin with: the library, the one that is explained line by line first."""
    first = sorted(library().items(), key=lambda each: each[0] != "high-first")
    return [{"id": key, "title": kit_of(entry.content).title, "source": entry.source} for key, entry in first]


def answered(text: str) -> Json:
    """Return the mistakes of a text, or what it says, as `/kit check` does."""
    try:
        return {"mistakes": [], "said": checked_lines(*_file(text))[1]}
    except Malformed as refused:
        return {"mistakes": refused.reason.split("\n"), "said": []}


def tried(text: str) -> Script:
    """Return a fight that is played by a text. Raises: NotPossible."""
    data, name = _file(text)
    try:
        _, kit = read_kit(data, name)
    except Malformed as refused:
        raise NotPossible(f"That kit has mistakes. {refused.reason.splitlines()[0]}") from None
    return kit_script(kit, (name, data))


def _file(text: str) -> tuple[bytes, str]:
    text = text[:MOST_CHARACTERS]
    return text.encode("utf-8", "replace"), "kit.json" if text.lstrip().startswith("{") else "kit.toml"
