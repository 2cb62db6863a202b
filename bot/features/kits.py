"""`/kit`: a file that says who acts when: checked, said back, given, and kept for a server."""

from __future__ import annotations

import asyncio
import contextlib
from functools import lru_cache

from pydantic import JsonValue

from bot.caller import Caller
from bot.features.kit_page import MOST_SAID, kit_lines
from bot.render.lists import help_page, topics_menu
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.render.words import and_more, escape
from bot.table.repeats import once
from bot.table.service import Tables
from data.rows import KitRow
from rules.core import refusals
from rules.core.encounter import Encounter
from rules.core.registry import start_ids, system_of, systems
from rules.core.typed.names import find_name, resolve_name
from rules.errors import Illegal, Malformed
from rules.kits.compiled import Kit
from rules.kits.compiler import compile_kit
from rules.kits.document import Document, read_document, read_kept
from rules.kits.dry_run import dry_run
from rules.kits.library import kit_of, library
from rules.kits.mistakes import MistakenKit
from rules.kits.notes import notes_of

MOST_KITS = 50  # of a server
_ROOM = 1800  # of a list


class Kits:
    """Kits of the library and of servers. Answers are private."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store

    async def check(self, data: bytes, name: str) -> Reply:
        """Say a file's mistakes, or what was understood; nothing is stored. Raises: Malformed."""
        return Reply(private=await asyncio.to_thread(_checked, data, name))

    async def get(self, caller: Caller, name: str) -> Reply:
        """Give a kit of the server or of the library as a file. Raises: Malformed."""
        own = await self._own(caller)
        resolved = resolve_name(name, tuple(dict.fromkeys((*own, *library()))), "kit")
        source = own[resolved].file if resolved in own else library()[resolved].source
        ending = "json" if source.lstrip().startswith("{") else "toml"
        file = Attachment(f"{resolved}.{ending}", source.encode(), f"The kit {resolved}")
        words = f"The kit {escape(_title(source))}. Change it, then check it with `/kit check`"
        if resolved not in own:
            words += "; to save it for this server, give it an `id` of its own"
        return Reply(private=Payload(content=f"{words}.", files=[file]))

    # Of a server

    @once
    async def save(self, caller: Caller, data: bytes, name: str) -> Reply:
        """Keep a kit for the server, in place of an older one of its id. Raises: Malformed, Illegal."""
        document, kit = await asyncio.to_thread(read_kit, data, name)
        if kit.id in library():
            raise Illegal(f"The library has a kit called {kit.id}.", instead="Give yours another id in its file.")
        own = await self._own(caller)
        older = own.get(kit.id)
        if older is not None:
            _require_own(caller, older)
        elif len(own) >= MOST_KITS:
            raise Illegal(f"This server has {MOST_KITS} kits, which is the limit.", instead="/kit delete makes room.")
        else:
            refusals.require_share([row.owner for row in own.values()], caller.user, MOST_KITS, "kits", "/kit delete")
        guild, user = _place(caller)
        await self.store.save_kit(KitRow(guild, kit.id, user, document.source, self.tables.clock()))
        words = "Saved for this server" if older is None else "Saved in place of the old one"
        at = f"version {escape(kit.version)}, digest {kit.digest[:8]}"
        start = f"Play it with `/encounter start system:{kit.id}`."
        return Reply(private=Payload(content=f"{words}: {escape(kit.title)}, {at}. {start}"))

    async def list(self, caller: Caller) -> Reply:
        """Name the kits of the server, and those of the library."""
        own = await self._own(caller)
        lines = [f"• {_line(row)}" for row in own.values()]
        listed = and_more(lines, _ROOM) if lines else "None yet: save one with /kit save."
        words = f"This server's kits:\n{listed}\nThe library's: {', '.join(library())}."
        titles = {row.id: _title(row.file) for row in own.values()} | {key: key for key in library()}
        return Reply(private=fit(Payload(content=words, components=[topics_menu("A kit's page", titles)])))

    @once
    async def delete(self, caller: Caller, name: str) -> Reply:
        """Delete a kit of the server; encounters that play it go on. Raises: Malformed, Illegal."""
        own = await self._own(caller)
        if not own:
            raise Malformed("No kit is saved here.", instead="Save one with /kit save.")
        row = own[resolve_name(name, tuple(own), "kit of this server")]
        _require_own(caller, row)
        await self.store.delete_kit(row.guild, row.id)
        return Reply(private=Payload(content=f"Deleted: {row.id}. Encounters that use it go on with it."))

    async def names(self, guild: str | None) -> tuple[str, ...]:
        """Return the ids of a server's kits, for autocompletion."""
        return tuple(row.id for row in await self.store.kits(guild or ""))

    async def titles(self, guild: str | None) -> dict[str, str]:
        """Return the ids of a server's kits, each with its title."""
        return {row.id: _title(row.file) for row in await self.store.kits(guild or "")}

    async def pages(self, guild: str | None) -> dict[str, Kit]:
        """Return the kits of a server that this program reads, for their pages of help."""
        kits = {}
        for row in await self.store.kits(guild or ""):
            with contextlib.suppress(MistakenKit):
                kits[row.id] = _kept(row.file)[1]
        return kits

    # For an encounter

    async def started(self, caller: Caller, system: str) -> dict[str, JsonValue] | None:
        """Return the tables of the server's kit that `system` names; None if it names none. Raises: Refusal."""
        own = await self._own(caller)
        known = start_ids()
        if not own or (find_name(system, own) is None and find_name(system, known) is not None):
            return None
        resolved = resolve_name(system, tuple(dict.fromkeys((*own, *known))), "system")
        if resolved not in own:
            return None
        return kept_tables(own[resolved].file)

    async def is_played(self, caller: Caller) -> bool:
        """Tell whether the channel's open encounter plays a kit."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        active = room.table.active
        return isinstance(active, Encounter) and system_of(active).needs_tables

    async def _own(self, caller: Caller) -> dict[str, KitRow]:
        return {row.id: row for row in await self.store.kits(caller.guild or "")}


def kit_tables(data: bytes, name: str) -> dict[str, JsonValue]:
    """Return a kit's file as an encounter takes it. Raises: Malformed with its mistakes."""
    document, _ = read_kit(data, name)
    return {"file": dict(document.content), "source": document.source}


def kept_tables(file: str) -> dict[str, JsonValue]:
    """Return a kept kit's file as an encounter takes it. Raises: Malformed with its mistakes."""
    try:
        document, _ = _kept(file)
    except MistakenKit as mistaken:
        raise _told(mistaken) from None
    return {"file": dict(document.content), "source": document.source}


def read_kit(data: bytes, name: str) -> tuple[Document, Kit]:
    """Read a kit's file. Raises: Malformed with its mistakes."""
    try:
        document = read_document(data, name)
        return document, compile_kit(document.content, tuple(systems()))
    except MistakenKit as mistaken:
        raise _told(mistaken) from None


def _told(mistaken: MistakenKit) -> Malformed:
    more = mistaken.count - len(mistaken.mistakes)
    rest = (f"… and {more} more.",) if more else ()
    return Malformed("\n".join((*map(str, mistaken.mistakes), *rest)))


@lru_cache(maxsize=MOST_KITS)
def _kept(file: str) -> tuple[Document, Kit]:
    """Read a kept file: the same text is read once. Raises: MistakenKit."""
    document = read_kept(file)
    return document, kit_of(document.content)


def _title(file: str) -> str:
    try:
        return _kept(file)[1].title
    except MistakenKit:
        return "with mistakes, as this version reads it"


def _line(row: KitRow) -> str:
    return f"{row.id}: {escape(_title(row.file))} ({_origin(row.file)}<@{row.owner}>, <t:{int(row.saved_at)}:d>)"


def _origin(file: str) -> str:
    """Return what a list says of a kit's origin: its version, author and licence."""
    try:
        kit = _kept(file)[1]
    except MistakenKit:
        return ""
    words = (f"version {kit.version}", f"by {kit.by}" if kit.by else "", kit.licence)
    return "".join(f"{escape(each)}, " for each in words if each)


def _place(caller: Caller) -> tuple[str, str]:
    """Return the server, and who asks. Raises: Malformed."""
    if caller.guild is None or caller.user is None:
        raise Malformed("Only a server can save kits.", instead="/encounter start file: plays one without saving it.")
    return caller.guild, caller.user


def _require_own(caller: Caller, row: KitRow) -> None:
    if row.owner != caller.user and not caller.moderator:
        raise refusals.somebody_elses(
            row.id,
            instead="Only its author, and members who can manage messages, can change it. Give yours another id.",
        )


def checked_lines(data: bytes, name: str) -> tuple[Kit, list[str]]:
    """Return a kit and what is said of it: part by part, its dry run, notes. Raises: Malformed with its mistakes."""
    document, kit = read_kit(data, name)
    lines = kit_lines(kit)
    tried = dry_run(kit, document.content)
    lines.append(f"*{escape(str(tried))}*")
    lines += [f"Note: {escape(note)}" for note in notes_of(kit)]
    if tried.stopped:
        lines.append("Note: no fight in the dry run came to an end.")
    lines.append(f"Version {escape(kit.version)}, digest {kit.digest[:8]}.")
    return kit, lines


def _checked(data: bytes, name: str) -> Payload:
    kit, lines = checked_lines(data, name)
    text = "\n".join(lines)
    if len(text) > MOST_SAID:
        file = Attachment(f"{kit.id}.md", text.encode(), f"What {kit.id} says")
        return fit(Payload(content=f"{escape(kit.title)} is a kit without mistakes.", files=[file]))
    return help_page(kit.title, lines)
