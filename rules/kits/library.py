"""The kits that ship: the program's own words about mechanisms, read once as its own code is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from pkgutil import get_data
from typing import Any

from rules.errors import BrokenInvariant
from rules.kits.compiled import NO_KIT, Kit
from rules.kits.compiler import compile_kit
from rules.kits.document import Document, digest_of, read_text
from rules.kits.mistakes import MistakenKit

MOST_KEPT = 64


@cache
def library() -> Mapping[str, Document]:
    """Return the files of the library by the id of their kit."""
    names = sorted(
        traversable.name for traversable in files(__package__).iterdir() if traversable.name.endswith(".toml")
    )
    return {name.removesuffix(".toml"): _shipped(name) for name in names}


def _shipped(name: str) -> Document:
    data = get_data(__package__ or "", name)
    if data is None:
        raise BrokenInvariant(f"the library has no {name}")
    return read_text(data.decode("utf-8"))


@lru_cache(maxsize=MOST_KEPT)
def _compiled(_digest: str, content: _ByDigest) -> Kit:
    return compile_kit(content.held)


class _ByDigest:
    """A file that is told from others by its digest, which is the key it is kept under."""

    __slots__ = ("held",)

    def __init__(self, held: Mapping[str, Any]) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByDigest)

    def __hash__(self) -> int:
        return 0


def kit_of(content: Mapping[str, Any], digest: str | None = None) -> Kit:
    """Return the kit of a file, compiled once and kept by its digest. Raises: MistakenKit."""
    return _compiled(digest_of(content) if digest is None else digest, _ByDigest(content))


def played_by(tables: Mapping[str, Any]) -> Kit:
    """Return the kit that an encounter's tables hold; an empty one if this program cannot read it."""
    file = tables.get("file")
    if not isinstance(file, Mapping):
        return replace(NO_KIT, mistake="there is none.")
    try:
        return kit_of(file, tables["digest"])
    except MistakenKit as mistaken:  # an older program took it: the encounter still shows, exports and ends
        return replace(NO_KIT, mistake=str(mistaken.mistakes[0]))
