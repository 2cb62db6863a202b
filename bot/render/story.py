"""The whole story of an encounter as Markdown: a report that reads without Discord (`/encounter log file`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.render.marks import condition_texts
from bot.render.words import escape, markdown
from bot.step_marks import read_marks
from data.rows import LIVE, LogRow
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.seen.lines import Line, load_lines
from rules.core.values import Seat
from rules.core.views.view import View

_ROUND = re.compile(r"^Round (\d+|\{\w+\})")
_FIRST = re.compile(r"^\{(\w+)\}")
_ENDS = (".", "!", "?", ":", "…", "*", "~")
_BEFORE_A_PHASE = 12  # characters of `Round 2: ` or `Step `
_NOT_WORDS = re.compile(r"[\W_]+")
_ROUND_WORDS = re.compile(r"^round \d+,? ?")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of the log with its lines read. `at` is UTC as ISO text.

    `round` and `phase` are those that begin in this row, the phase as people call it. `moves_the_log`: an undo or redo.
    """

    seq: int
    at: str
    lines: tuple[Line, ...]
    by: str | None = None
    undone: bool = False
    ruling: bool = False
    secret: bool = False
    round: int | None = None
    phase: str | None = None
    moves_the_log: bool = False


def entries_of(rows: Iterable[LogRow], people: Mapping[str, str], encounter: Encounter | None = None) -> list[LogEntry]:
    """Read log rows; `people` names users by their id, `encounter` names its phases."""
    entries = []
    for row in rows:
        lines = load_lines(row.lines)
        entries.append(
            LogEntry(
                seq=row.seq,
                at=row.at,
                lines=lines,
                by=people.get(row.by) if row.by is not None else None,
                undone=row.state != LIVE,
                ruling=row.ruling,
                secret=row.secret,
                round=_round_begun(lines),
                phase=None if encounter is None else _phase_begun(row.marks, encounter),
                moves_the_log=row.kind in ("undo", "redo"),
            )
        )
    return entries


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


def _phase_begun(marks: str, encounter: Encounter) -> str | None:
    """Return the phase that a row opened, as the prompt's headline calls it."""
    phase = read_marks(marks).phase
    if phase is None:
        return None
    return _ROUND_WORDS.sub("", system_of(encounter).headline(encounter.evolve(phase=phase))) or None


def unix_time(at: str) -> int:
    """Return Unix seconds of UTC ISO text."""
    return int(datetime.fromisoformat(at).timestamp())


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def story(view: View, entries: Sequence[LogEntry], seat: Seat) -> str:
    """Return the report as this seat may read it: who took part, round by round and phase by phase, until now.

    Undone steps are struck through, rulings say so. What this seat may not see is left out without a trace, as the
    channel itself left it out.
    """
    parts = [f"# {escape(view.name)}", _opening(view, entries), "## Who took part", *_cast(view), "## What happened"]
    names = {*view.combatants, *view.people.values(), *view.turn_order}
    report = _Report(frozenset(names))
    for entry in entries:
        report.tell(entry, seat)
    parts.extend(report.parts())
    parts.extend(["## The state of things" if view.status != "ended" else "## How it ended", *_standing(view)])
    return "\n\n".join(part for part in parts if part) + "\n"


class _Report:
    """What happened, as headings and bullets; what one actor does in a row of steps is one bullet."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._parts: list[str] = []
        self._bullets: list[str] = []
        self._actor: str | None = None

    def parts(self) -> list[str]:
        self._end_list()
        return self._parts

    def tell(self, entry: LogEntry, seat: Seat) -> None:
        if entry.moves_the_log:
            return  # the steps that it took back are struck through in their own places
        shown = [(line, text.replace("\n", " ")) for line in entry.lines if (text := markdown(line, seat))]
        if entry.undone:
            self._add("; ".join(f"~~{text.replace('~~', '')}~~" for _, text in shown), tail=" (undone)")
            return
        phase = entry.phase
        texts: list[str] = []
        actor: str | None = None
        for line, text in shown:
            opens_round = entry.round is not None and _ROUND.match(line.words) is not None
            opens_phase = phase is not None and phase.casefold() in text[: len(phase) + _BEFORE_A_PHASE].casefold()
            if opens_round or opens_phase:
                self._told(entry, actor, texts)
                texts, actor = [], None
                if opens_round:
                    self._heading(f"### Round {entry.round}")
                if opens_phase:
                    self._heading(f"#### {escape(phase or '')}")
                if _says_no_more(text, entry.round if opens_round else None, phase if opens_phase else None):
                    phase = None if opens_phase else phase
                    continue
                phase = None if opens_phase else phase
            if not texts:
                actor = _actor(line, self._names)
            texts.append(text)
        self._told(entry, actor, texts)

    def _told(self, entry: LogEntry, actor: str | None, texts: Sequence[str]) -> None:
        if not texts:
            return
        body = " ".join(text if text.endswith(_ENDS) else f"{text}." for text in texts)
        if entry.ruling:
            self._add(f"*Ruling{f' of {escape(entry.by)}' if entry.by else ''}:* {body}")
        elif actor is not None and actor == self._actor:
            self._bullets[-1] += f" {body}"
        else:
            named = escape(actor or "")
            self._add(f"**{named}**{body.removeprefix(named)}" if named and body.startswith(named) else body)
            self._actor = actor

    def _add(self, body: str, *, tail: str = "") -> None:
        if body:
            self._bullets.append(f"- {body}{tail}")
        self._actor = None

    def _heading(self, text: str) -> None:
        self._end_list()
        self._parts.append(text)

    def _end_list(self) -> None:
        if self._bullets:
            if not any(part.startswith("###") for part in self._parts):
                self._parts.append("### Setting up")
            self._parts.append("\n".join(self._bullets))
        self._bullets, self._actor = [], None


def _actor(line: Line, names: frozenset[str]) -> str | None:
    """Return who does what a line says: the name that it begins with."""
    match = _FIRST.match(line.words)
    fact = None if match is None else line.facts.get(match[1])
    return fact if isinstance(fact, str) and fact in names else None


def _says_no_more(text: str, number: int | None, phase: str | None) -> bool:
    """Tell whether a line says nothing but what its headings say."""
    said = _NOT_WORDS.sub(" ", text.casefold()).split()
    heading = _NOT_WORDS.sub(" ", f"{'' if number is None else f'round {number}'} {phase or ''}".casefold()).split()
    return said == heading


def _opening(view: View, entries: Sequence[LogEntry]) -> str:
    began = f"Opened {_clock(entries[0].at)} UTC, last step {_clock(entries[-1].at)} UTC." if entries else ""
    gms = [escape(view.people.get(user, "somebody")) for user in view.gms]
    led = f" The GM was {', '.join(gms)}." if gms else ""
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


def _standing(view: View) -> list[str]:
    lines = []
    for each in view.combatants.values():
        pools = []
        for key, pool in each.pools.items():
            if pool.words is not None:
                pools.append(f"{key} {pool.words}")
            elif pool.now is not None:
                pools.append(f"{key} {pool.now}" + (f"/{pool.top}" if pool.top is not None else ""))
        parts = [*pools, *condition_texts(each.conditions), *each.badges]
        tail = f": {', '.join(escape(part) for part in parts)}" if parts else ""
        lines.append(f"- **{escape(each.name)}**{tail}")
    if view.over:
        lines.insert(0, f"{escape(view.over)}\n")
    return ["\n".join(lines)] if lines else []
