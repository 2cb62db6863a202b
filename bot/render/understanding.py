"""What was understood of a sheet, in a few lines for the one who typed it (design 2.9)."""

from __future__ import annotations

from bot.render.words import and_more, escape, listed
from rules.core.sheets.abilities import Reading
from rules.core.views.understanding import Understanding

_ROOM = 300  # of each part: all of them are in one message, beside what comes next


def understanding_lines(understood: Understanding) -> list[str]:
    """Return what will be used, what is missing, what cannot be taken, what no rule reads; nothing of nothing."""
    lines = []
    used = [listed(understood.pools)] if understood.pools else []
    if understood.values:
        used.append(and_more([escape(each) for each in understood.values], _ROOM, parted=", "))
    if used:
        lines.append(f"What I understood for {escape(understood.title)}: {'. '.join(used)}.")
    if understood.no_attack:
        lines.append(escape(understood.no_attack))
    if understood.missing:
        needs = listed(understood.missing, 30)
        lines.append(f"For {escape(understood.title)} it still needs {needs}: `{understood.example}`, for example.")
    if understood.spent:
        lines.append(f"{listed(understood.spent)} is at 0. Fill it with `/character rest`.")
    if understood.faults:
        lines.append(
            "Not ready to play yet: " + and_more([escape(each) for each in understood.faults], _ROOM, parted=" ")
        )
    near = [f"{escape(each.key)} (did you mean {escape(each.near)}?)" for each in understood.unused if each.near]
    if near:
        lines.append(f"No rule reads {and_more(near, _ROOM, parted=', ')}.")
    if understood.from_block:
        lines.append(f"I kept {understood.from_block} other numbers and facts of the stat block.")
    facts = [escape(each.key) for each in understood.unused if not each.near]
    if facts:
        lines.append(f"I kept these as facts that no rule reads: {and_more(facts, _ROOM, parted=', ')}.")
    lines += [reading_line(each.name, each.reading) for each in understood.abilities]
    return lines


def reading_line(name: str, reading: Reading) -> str:
    """Return what the referee does of an ability, what it asks the GM, what it only shows, and what it lacks."""
    parts = [f"**{escape(name)}**."]
    for words, clauses in (
        ("I do", [each.says for each in reading.does]),
        ("I ask the GM", [f"“{each}”" for each in reading.asks]),
        ("I show", [each if each[:1] in ('"', "“", "«") else f"“{each}”" for each in reading.shows]),
    ):
        if clauses:
            parts.append(f"{words}: {and_more([escape(each) for each in clauses], _ROOM, parted='; ')}.")
    if reading.lacks:
        parts.append(escape(reading.lacks))
    return " ".join(parts)
