"""The whole story of an encounter as Markdown: a report that reads without Discord (`/encounter log file`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.render.marks import condition_text
from bot.render.words import escape, markdown
from data.rows import LIVE, LogRow
from rules.core.lines import Line
from rules.core.values import Seat
from rules.core.view import View

_ROUND = re.compile(r"^Round (\d+|\{\w+\})")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of the log with its lines read. `at` is UTC as ISO text; `round` the round that begins in this row."""

    seq: int
    at: str
    lines: tuple[Line, ...]
    by: str | None = None
    undone: bool = False
    ruling: bool = False
    secret: bool = False
    round: int | None = None


def entries_of(rows: Iterable[LogRow], people: Mapping[str, str]) -> list[LogEntry]:
    """Read log rows; `people` names users by their id."""
    found = []
    for row in rows:
        lines = tuple(Line.model_validate(data) for data in json.loads(row.lines))
        found.append(
            LogEntry(
                seq=row.seq,
                at=row.at,
                lines=lines,
                by=people.get(row.by) if row.by is not None else None,
                undone=row.state != LIVE,
                ruling=row.ruling,
                secret=row.secret,
                round=_round_begun(lines),
            )
        )
    return found


def _round_begun(lines: Sequence[Line]) -> int | None:
    begun = None
    for line in lines:
        match = _ROUND.match(line.words)
        if match is None:
            continue
        number = line.facts.get(match[1].strip("{}"), match[1]) if match[1].startswith("{") else match[1]
        if isinstance(number, int) or (isinstance(number, str) and number.isdecimal()):
            begun = int(number)
    return begun


def unix_time(at: str) -> int:
    """Return Unix seconds of UTC ISO text."""
    return int(datetime.fromisoformat(at).timestamp())


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def story(view: View, entries: Sequence[LogEntry], seat: Seat) -> str:
    """Return the report as this seat may read it: who took part, round by round, how it stands.

    Undone steps are struck through, rulings say so. What this seat may not see is left out without a trace, as the
    channel itself left it out.
    """
    title = escape(view.name)
    parts = [f"# {title}", _opening(view, entries), "## Who took part", *_cast(view), "## What happened"]
    paragraph: list[str] = []
    for entry in entries:
        told = _told(entry, seat)
        if entry.round is not None and not entry.undone:
            if paragraph:
                parts.append("\n".join(paragraph))
            parts.append(f"### Round {entry.round}")
            paragraph = []
        if told:
            paragraph.append(told)
    if paragraph:
        parts.append("\n".join(paragraph))
    parts.extend(["## How it stands" if view.status != "ended" else "## How it ended", *_standing(view)])
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(view: View, entries: Sequence[LogEntry]) -> str:
    began = f"Opened {_clock(entries[0].at)} UTC, last step {_clock(entries[-1].at)} UTC." if entries else ""
    gms = [escape(view.people.get(user, "somebody")) for user in view.gms]
    led = f" Led by {', '.join(gms)}." if gms else ""
    rounds = f" {view.round} round{'' if view.round == 1 else 's'}." if view.round else ""
    return f"{escape(view.system_title)}.{led}{rounds} {began}".strip()


def _cast(view: View) -> list[str]:
    lines = []
    for each in view.combatants.values():
        player = view.people.get(each.player or "")
        played = f", played by {escape(player)}" if player and player != each.name else "" if player else ", the GM's"
        side = f" ({escape(each.side)})" if each.side else ""
        lines.append(f"- **{escape(each.name)}**{side}{played}")
    return ["\n".join(lines) or "Nobody yet."]


def _told(entry: LogEntry, seat: Seat) -> str:
    texts = [text.replace("\n", " ") for text in (markdown(line, seat) for line in entry.lines) if text]
    if not texts:
        return ""
    body = " ".join(texts)
    if entry.ruling:
        body = f"*Ruling{f' of {escape(entry.by)}' if entry.by else ''}:* {body}"
    if entry.undone:
        body = f"~~{body.replace('~~', '')}~~ (undone)"
    return f"- {body}"


def _standing(view: View) -> list[str]:
    lines = []
    for each in view.combatants.values():
        pools = []
        for key, pool in each.pools.items():
            if pool.words is not None:
                pools.append(f"{key} {pool.words}")
            elif pool.now is not None:
                pools.append(f"{key} {pool.now}" + (f"/{pool.top}" if pool.top is not None else ""))
        parts = [*pools, *(condition_text(held) for held in each.conditions), *each.badges]
        tail = f": {', '.join(escape(part) for part in parts)}" if parts else ""
        lines.append(f"- **{escape(each.name)}**{tail}")
    if view.over:
        lines.insert(0, f"{escape(view.over)}\n")
    return ["\n".join(lines)] if lines else []
