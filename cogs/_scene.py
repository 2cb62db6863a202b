"""What an autocompletion looks at: the room in memory, the person's seat, what is typed so far."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
from discord import app_commands

from bot.requests.access import caller_of
from cogs._interaction import Interaction
from rules.core.encounter import Encounter, Table
from rules.core.typed.skeleton import skeleton
from rules.core.values import Seat

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient

log = logging.getLogger(__name__)
MOST_CHOICES = 25
LONGEST_CHOICE = 100
_COPIES = re.compile(r"\s*(\d{1,3})\s*[x×]\s+", re.IGNORECASE)

Choice: TypeAlias = app_commands.Choice[str]
Shown: TypeAlias = "str | tuple[str, str]"  # a value, or a value and the words that show it


@dataclass(frozen=True, slots=True)
class Scene:
    """One autocompletion. `given` holds the other options as typed so far."""

    table: Table
    seat: Seat
    guild: str | None
    given: Mapping[str, Any]
    current: str
    client: RefereeClient

    @property
    def active(self) -> Encounter | None:
        return self.table.active

    def text(self, option: str) -> str | None:
        """Return another option's text; None if it is missing or empty."""
        value = self.given.get(option)
        return value.strip() or None if isinstance(value, str) else None


Source: TypeAlias = Callable[[Scene], "Iterable[Shown] | Awaitable[Iterable[Shown]]"]
Callback: TypeAlias = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[Choice]]]


async def scene_of(interaction: Interaction, current: str) -> Scene:
    """Look at the channel as this person sees it."""
    caller = caller_of(interaction)
    tables = interaction.client.tables
    room = await tables.room_of(caller.channel, caller.guild)
    return Scene(
        table=room.table,
        seat=tables.seat(room, caller),
        guild=caller.guild,
        given=dict(iter(interaction.namespace)),  # it answers to every name, `keys` too
        current=current,
        client=interaction.client,
    )


def completes(source: Source, *, many: str | None = None, copies: bool = False) -> Callback:
    """Make an autocompletion out of a source; `many` is what parts a list, `copies` allows `2x` before each.

    It never fails: an error offers nothing.
    """

    async def complete(interaction: discord.Interaction[Any], current: str) -> list[Choice]:
        try:
            values = source(await scene_of(interaction, current))
            entries = await values if isinstance(values, Awaitable) else values
            return choices(entries, current, many=many, copies=copies)
        except Exception:
            log.exception("autocompletion in channel %s", interaction.channel_id)
            return []

    return complete


def choices(entries: Iterable[Shown], current: str, *, many: str | None = None, copies: bool = False) -> list[Choice]:
    """Return what fits what is typed: beginnings first, then what holds it; a list repeats what it has already."""
    entries = tuple(entries)
    if many == " " and any(" " in (entry if isinstance(entry, str) else entry[0]) for entry in entries):
        many = None  # names with spaces cannot be a path
    head, last = split_list(current, many)
    counted = _COPIES.match(last) if copies else None
    if counted:
        head, last = f"{head}{counted[1]}x ", last[counted.end() :]
    taken = set() if many is None else {skeleton(part.strip()) for part in head.split(many.strip() or None)}
    wanted = skeleton(last.strip())
    fitting: list[tuple[bool, str, str]] = []
    for entry in entries:
        value, words = (entry, entry) if isinstance(entry, str) else entry
        if skeleton(value) in taken:
            continue
        begins = skeleton(value).startswith(wanted) or skeleton(words).startswith(wanted)
        if begins or wanted in skeleton(words):
            fitting.append((not begins, head + value, head + words))
    fitting.sort(key=lambda each: each[0])
    offered: dict[str, Choice] = {}
    for _, value, words in fitting:
        if value and max(utf16(value), utf16(words)) <= LONGEST_CHOICE:
            offered.setdefault(words, discord.app_commands.Choice(name=words, value=value))
        if len(offered) == MOST_CHOICES:
            break
    return list(offered.values())


def split_list(current: str, many: str | None) -> tuple[str, str]:
    """Part a list into what is typed already (with its separator) and the piece that is being typed."""
    if many is None:
        return "", current
    mark = many.strip() or " "
    before, separator, last = current.rpartition(mark)
    if not separator:
        return "", current
    kept = [part.strip() for part in before.split(mark) if part.strip()]
    return "".join(part + many for part in kept), last


def utf16(text: str) -> int:
    """Count as JavaScript does, which is never less than Discord's own count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
