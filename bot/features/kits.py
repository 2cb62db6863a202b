"""`/kit`: a file that says who acts when, checked, said back, and the files of the library."""

from __future__ import annotations

import asyncio

from pydantic import JsonValue

from bot.features.help.kit_page import MOST_SAID, kit_lines
from bot.render.lists import help_page
from bot.render.payload import Attachment, Payload, Reply
from bot.render.words import escape, fit
from rules.core.errors import Malformed
from rules.core.registry import systems
from rules.core.typed.names import resolve_name
from rules.kits.compiled import Kit
from rules.kits.compiler import compile_kit
from rules.kits.document import Document, read_document
from rules.kits.dry_run import dry_run
from rules.kits.library import kit_of, library
from rules.kits.mistakes import MistakenKit
from rules.kits.notes import notes_of


class Kits:
    """Looks at kits for whoever asks; the answers are private, and nothing is stored."""

    async def check(self, data: bytes, name: str) -> Reply:
        """Say a file's mistakes, or what was understood. Raises: Malformed."""
        return Reply(private=await asyncio.to_thread(_checked, data, name))

    def get(self, name: str) -> Reply:
        """Give a kit of the library as a file. Raises: Malformed."""
        found = library()[resolve_name(name, tuple(library()), "kit")]
        kit = kit_of(found.content)
        file = Attachment(f"{kit.id}.toml", found.source.encode(), f"The kit {kit.id}")
        words = f"The kit {escape(kit.title)}. Change it, give it an `id` of its own, and `/kit check` reads it."
        return Reply(private=Payload(content=words, files=[file]))


def kit_tables(data: bytes, name: str) -> dict[str, JsonValue]:
    """Return a kit's file as an encounter takes it. Raises: Malformed with its mistakes."""
    document, _ = read_kit(data, name)
    return {"file": dict(document.content), "source": document.source}


def read_kit(data: bytes, name: str) -> tuple[Document, Kit]:
    """Read a kit's file. Raises: Malformed with its mistakes."""
    try:
        document = read_document(data, name)
        return document, compile_kit(document.content, tuple(systems()))
    except MistakenKit as mistaken:
        more = mistaken.count - len(mistaken.mistakes)
        rest = (f"… and {more} more.",) if more else ()
        raise Malformed("\n".join((*map(str, mistaken.mistakes), *rest))) from None


def _checked(data: bytes, name: str) -> Payload:
    document, kit = read_kit(data, name)
    lines = kit_lines(kit)
    tried = dry_run(kit, document.content)
    lines.append(f"*{escape(str(tried))}*")
    lines += [f"Note: {escape(note)}" for note in notes_of(kit)]
    if tried.stopped:
        lines.append("Note: The dry run did not come to the end of a fight.")
    lines.append(f"Version {escape(kit.version)}, digest {kit.digest[:8]}.")
    text = "\n".join(lines)
    if len(text) > MOST_SAID:
        file = Attachment(f"{kit.id}.md", text.encode(), f"What {kit.id} says")
        return fit(Payload(content=f"{escape(kit.title)} is a kit without mistakes.", files=[file]))
    return help_page(kit.title, lines)
