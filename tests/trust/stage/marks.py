"""Canaries: secrets that can be told from everything else, who may know each, and the search for them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that somebody received. `readers` None: everybody; empty: the host's log, which must hold no secret."""

    readers: frozenset[str] | None
    source: str
    text: str


@dataclass(slots=True)
class Mark:
    """A secret. `known_to` are the user ids that may have it; `is_public` once it was told to all."""

    what: str
    known_to: set[str] = field(default_factory=set)
    is_public: bool = False


class Ledger:
    """All marks of an evening. What somebody has learnt lawfully they may see for ever."""

    def __init__(self) -> None:
        self.marks: dict[str, Mark] = {}
        self._search: re.Pattern[str] | None = None

    def hide(self, text: str, what: str, known_to: Iterable[str] = ()) -> None:
        """Mark a secret, or let more people know one."""
        key = text.casefold()
        if key not in self.marks:
            self.marks[key] = Mark(what)
            self._search = None
        self.marks[key].known_to.update(known_to)

    def publish(self, text: str) -> None:
        """Everybody may know it from now on."""
        self.marks.setdefault(text.casefold(), Mark("public")).is_public = True
        self._search = None

    def told(self, text: str, user: str) -> None:
        """Somebody who types a secret knows it."""
        folded = text.casefold()
        for key, mark in self.marks.items():
            if key in folded:
                mark.known_to.add(user)

    def share(self, of: str, to: str, kinds: Iterable[str]) -> None:
        """Let somebody know what another may know, of these kinds."""
        for mark in self.marks.values():
            if mark.what in kinds and of in mark.known_to:
                mark.known_to.add(to)

    @property
    def secrets(self) -> int:
        return sum(not mark.is_public for mark in self.marks.values())

    def leaks(self, heard: Heard) -> list[str]:
        """Say which secrets of others are in what somebody received."""
        if self._search is None:
            secret = sorted((key for key, mark in self.marks.items() if not mark.is_public), key=len, reverse=True)
            written = "|".join(_as_written(key) for key in secret)
            self._search = re.compile(rf"(?:{written})(?!\w)" if secret else r"(?!)")
        found = []
        for match in self._search.finditer(heard.text.casefold()):
            text = match[0].replace(",", "")
            mark = self.marks[text]
            wrong = heard.readers is None or not heard.readers or not heard.readers <= mark.known_to
            if wrong:
                near = heard.text[max(0, match.start() - 80) : match.end() + 40]
                who = "everybody" if heard.readers is None else ", ".join(sorted(heard.readers)) or "the host's log"
                found.append(f"{mark.what} {match[0]!r} reached {who} through {heard.source}: …{near}…")
        return found


def _as_written(key: str) -> str:
    """Return the pattern of a mark: a number may have separators, and is whole."""
    if key.isdecimal():
        parts = re.findall(r"\d{1,3}", key[::-1])
        return r"(?<![\w.])" + ",?".join(part[::-1] for part in reversed(parts))
    return r"(?<!\w)" + re.escape(key)


class Logged(logging.Handler):
    """Keeps what goes to the host's log, as the program sets it up: discord.py's own payloads are not in it."""

    def __init__(self, heard: list[Heard]) -> None:
        super().__init__(logging.DEBUG)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(("discord", "asyncio", "aiosqlite", "PIL", "hypothesis")):
            return
        text = self.format(record)
        self.heard.append(Heard(frozenset(), f"the log ({record.name})", text))
