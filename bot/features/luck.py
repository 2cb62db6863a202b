"""`/luck`: what somebody's public dice in this channel showed against what was to be expected.

Hidden dice, undone steps and physical dice do not count; of public ones the dropped count as the kept ones do.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

from bot.caller import Caller
from bot.clock import utc_text
from bot.features.log_rows import encounter_by_id
from bot.render.figures import DieLuck, luck_numbers
from bot.render.payload import Attachment, Payload, Reply
from bot.render.pictures import luck_picture
from bot.replies.remedies import RETYPED_LUCK, asking_time
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.typed_times import parse_since
from bot.waiting.zones import zone_of
from data.rows import LIVE, LogRow
from rules.core.encounter import Encounter
from rules.core.seen.lines import load_lines
from rules.core.typed.times import SeveralReadings
from rules.dice.source import Die, load_records
from rules.errors import Malformed

_DIE = re.compile(r"(?:1?d)?(\d{1,7}|%|f)", re.IGNORECASE | re.ASCII)


class Luck:
    """Luck is read from the log; it is kept nowhere."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def show(
        self,
        caller: Caller,
        who: str | None = None,
        die: str | None = None,
        since: str | None = None,
        show: str = "all",
    ) -> Reply:
        """Compare somebody's public dice here, by default your own, with fair ones. Raises: Refusal."""
        user = who or caller.user or ""
        sides = None if die is None else parse_sides(die)
        try:
            start, words = await self._since(caller, since)
        except SeveralReadings as slip:
            raise asking_time(slip, RETYPED_LUCK, who, die, since, show) from slip
        room = await self.tables.room_of(caller.channel, caller.guild)
        rows = [
            row
            for row in await self.tables.store.log(room.channel)
            if row.state == LIVE and (not start or row.at >= start)
        ]
        encounters = await self._encounters(room, rows)
        name = caller.name if user == caller.user else _name_of(user, rows, encounters)
        pictured = "Attach Files" not in caller.missing
        lucks = await asyncio.to_thread(counted_dice, user, rows, encounters, sides)
        told = await asyncio.to_thread(_told, name, lucks, words, pictured=pictured)
        return Reply(private=told) if show == "me" else Reply(public=told)

    async def _since(self, caller: Caller, text: str | None) -> tuple[str, str]:
        """Return the beginning as the log writes times, and in words; empty for all that is kept."""
        if text is None or not text.strip():
            return "", ""
        await self.tables.people.load((caller.user,))
        person = self.tables.people.get(caller.user)
        moment = parse_since(text, self.tables.clock(), person.zone)
        return utc_text(moment), f"{datetime.fromtimestamp(moment, zone_of(person.zone)):%Y-%m-%d %H:%M}"

    async def _encounters(self, room: Room, rows: Iterable[LogRow]) -> Mapping[str, Encounter]:
        encounters = {}
        for encounter in dict.fromkeys(row.encounter for row in rows if row.encounter is not None):
            state = await encounter_by_id(self.tables, room, encounter)
            if state is not None:
                encounters[encounter] = state
        return encounters


def parse_sides(text: str) -> int:
    """Return the sides of a die as it is typed: `d20`, `20`, `d%`. Raises: Malformed."""
    match = _DIE.fullmatch(text.strip())
    sides = 0 if match is None else {"%": 100, "f": 3}.get(match[1].lower()) or int(match[1])
    if not 1 <= sides <= 1_000_000:
        raise Malformed(f"{text.strip()[:20] or '(nothing)'} is not a die.", instead="For example, write d20.")
    return sides


def counted_dice(
    user: str, rows: Iterable[LogRow], encounters: Mapping[str, Encounter], sides: int | None = None
) -> list[DieLuck]:
    """Count the faces that somebody's public dice showed, by size.

    A die rolled for a combatant is its owner's; one rolled for nobody in particular, or for a GM's combatant by the
    GM, belongs to the one who rolled.
    """
    faces: dict[int, Counter[int]] = {}
    for row in rows:
        state = None if row.encounter is None or row.kind == "roll" else encounters.get(row.encounter)
        for record in load_records(row.dice):
            if not isinstance(record, Die) or record.seen_by is not None or record.physical:
                continue
            if sides not in (None, record.sides) or _roller(record, row, state) != user:
                continue
            faces.setdefault(record.sides, Counter())[record.face] += 1
    return [DieLuck(size, dict(counts)) for size, counts in sorted(faces.items())]


def _roller(die: Die, row: LogRow, state: Encounter | None) -> str | None:
    combatant = None if state is None or die.who is None else state.find(die.who)
    if combatant is None:
        return row.by
    if combatant.owner is not None:
        return combatant.owner
    return row.by if state is not None and row.by in state.gms else None


def _name_of(user: str, rows: Iterable[LogRow], encounters: Mapping[str, Encounter]) -> str:
    """Return how the channel last knew somebody."""
    known = next((state.people[user] for state in reversed(tuple(encounters.values())) if user in state.people), None)
    for row in rows:
        if row.by == user and row.kind == "roll" and not row.secret:
            known = next((str(line.facts["who"]) for line in load_lines(row.lines)), known)
    return known or "that person"


def _told(name: str, lucks: list[DieLuck], since: str, *, pictured: bool) -> Payload:
    picture = None
    if lucks and pictured:
        data, alt = luck_picture(name, lucks)
        picture = Attachment("luck.png", data, alt)
    return luck_numbers(name, lucks, since=since, picture=picture)
