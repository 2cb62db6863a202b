"""A kit's page, made from its file: what it says, part by part, and its rules. Its words are facts, no markdown."""

from __future__ import annotations

from bot.render.lists import help_page
from bot.render.payload import Attachment, Payload, fit
from bot.render.words import escape
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.kits.compiled import Kit
from rules.kits.library import kit_of, library
from rules.kits.mistakes import MistakenKit
from rules.kits.speech import said_back

MOST_SAID = 3500
MOST_AS_TEXT = 1700  # of a message without embeds


def kit_lines(kit: Kit) -> list[str]:
    """Return what a kit says back, a line for each part."""
    lines = []
    for said in said_back(kit):
        about = f"**{escape(said.about)}**" if said.about else ""
        lines.append(f"{about}{' ' if said.begins else ': ' if about else ''}{escape(said.words)}")
    return lines


def kit_page(kit: Kit, *, plain: bool = False, is_kept: bool = False) -> Payload:
    """Return a kit's page: what it says, its rules, how to start and change it; as a file if it is long."""
    lines = kit_lines(kit)
    lines += [f"**{rule}** {escape(text)}" for rule, text in kit.rules.items()]
    lines.append(f"Version {escape(kit.version)}, digest {kit.digest[:8]}.")
    is_kept = is_kept or kit.id in library()
    ours = f"`/encounter start system:{kit.id}` starts it; `/kit get name:{kit.id}` gives you its file."
    how = "`/help topic:kit-file` shows how to write such a file; `/encounter options` gives you this one."
    lines.append(ours if is_kept else how)
    text = "\n".join(lines)
    if len(text) > (MOST_AS_TEXT if plain else MOST_SAID):
        file = Attachment(f"{kit.id}.md", text.encode(), f"What {kit.id} says")
        return fit(Payload(content=f"What {escape(kit.title)} says, as a file.", files=[file]))
    return help_page(kit.title, lines, others={"kit": "kits"}, plain=plain)


def library_kit(topic: str) -> Kit | None:
    """Return the kit of the library that a topic names."""
    document = library().get(topic)
    return None if document is None else kit_of(document.content)


def kit_here(encounter: object) -> Kit | None:
    """Return the kit that a channel's encounter plays; None if this program cannot read it."""
    file = encounter.tables.get("file") if isinstance(encounter, Encounter) else None
    if not isinstance(encounter, Encounter) or not system_of(encounter).needs_tables or not isinstance(file, dict):
        return None
    try:
        return kit_of(file)
    except MistakenKit:
        return None
