"""The app's entries in Discord's own menus: on a message *Undo to here* and *Check this roll*, on a person *Sheet*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from bot import custom_ids
from bot.caller import Caller
from bot.custom_ids import Pressed, parse_id
from bot.features.characters import Characters
from bot.features.log_rows import Logbook
from bot.render.components import DANGER, button, rows_of
from bot.render.lists import character_sheet, combatant_sheet
from bot.render.payload import Payload, Reply, both, fit
from bot.render.words import CONTENT, and_more, clip, escape, joined
from bot.replies.referee import Referee
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.undo import Timeline
from data.rows import LogRow
from rules.core.seen.lines import load_lines
from rules.core.views.view import view_of
from rules.dice.source import SeededFaces, commitment
from rules.errors import Malformed

_OF_A_ROLL = (custom_ids.AGAIN, custom_ids.REVEAL, custom_ids.STRIKE)  # buttons whose first part is the roll's seq
_ROOM_FOR_STEPS = 1500


@dataclass(frozen=True, slots=True)
class Message:
    """The message whose menu was opened: its id, and what the buttons on it say."""

    id: str
    custom_ids: tuple[str, ...] = ()


class ContextMenus:
    """What the menus answer, always in private."""

    def __init__(self, tables: Tables, referee: Referee, characters: Characters) -> None:
        self.tables = tables
        self.referee = referee
        self.characters = characters

    # Undo to here

    async def undo_to(self, caller: Caller, message: Message) -> Reply:
        """Say what an undo back to a message would take back, with the button for it. Raises: Refusal."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        told = await self._told(room, message)
        if told is None:
            raise Malformed(
                "That message does not show a step that I could go back to.",
                instead="Choose a message that tells what happened, or /encounter undo.",
            )
        _, last = told
        rows = await Timeline(self.tables).steps_after(caller, last)
        steps = "the last step" if len(rows) == 1 else f"the last {len(rows)} steps"
        return self._asked(room, caller, last, rows, f"Everything after that message, {steps}, the latest first")

    async def undo_last(self, caller: Caller, *, update: bool) -> Reply:
        """Take back the caller's own last step; of anybody else's say first what it is. Raises: Refusal."""
        steps = await self.tables.store.last_steps(caller.channel, 1)
        if not steps or steps[0].row.by == caller.user:
            return await self.referee.undo(caller)
        room = await self.tables.room_of(caller.channel, caller.guild)
        before = steps[0].row.seq - 1
        rows = await Timeline(self.tables).steps_after(caller, before)
        return replace(self._asked(room, caller, before, rows, "The last step"), update=update)

    def _asked(self, room: Room, caller: Caller, after: int, rows: Sequence[LogRow], what: str) -> Reply:
        """Say what an undo would take back, with the button for it."""
        seat = self.tables.seat(room, caller)
        texts = [text for row in rows if (text := joined(load_lines(row.lines), seat, 300))]
        words = f"{what}:\n{and_more(texts, _ROOM_FOR_STEPS)}"
        press = Pressed(custom_ids.BACK_TO, "", 0, (str(after), str(len(rows))))
        return Reply(
            private=fit(Payload(content=words, components=rows_of([button(press.written(), "Take it back", DANGER)])))
        )

    async def taken_back(self, caller: Caller, seq: int, steps: int) -> Reply:
        """Take back all that came after a row, if these are still so many steps. Raises: Refusal."""
        reply = await self.referee.undo(caller, steps, after=seq)
        return replace(reply, private=reply.own_word or Payload(content="That is taken back."), outcome=None)

    async def _told(self, room: Room, message: Message) -> tuple[int, int] | None:
        """Return the first and last row that a message tells; None if it tells none."""
        for pressed in map(parse_id, message.custom_ids):
            if pressed is not None and pressed.kind in _OF_A_ROLL:
                return int(pressed.parts[0]), int(pressed.parts[0])
        if message.id == room.prompt.message:
            return room.prompt.first, room.prompt.told
        record = await self.tables.store.record_of(room.channel, message.id)
        return None if record is None else (record.first, record.told)

    # Check this roll

    async def check(self, caller: Caller, message: Message) -> Reply:
        """Say where the dice of a message come from, and after the reveal what the seed gives. Raises: Malformed."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            told = await self._told(room, message)
            first, last = told or (1, 0)
            rows = await self.tables.store.log(room.channel, after=first - 1, limit=max(last - first + 1, 0))
            book = await Logbook.open(self.tables, room, caller.user, rows)
        checked = [part for row in rows for part in _checked(book, row)]
        if not checked:
            raise Malformed(
                "No die was rolled in that message.", instead="Choose a message with a roll; /fair export has them all."
            )
        return Reply(private=fit(Payload(content=and_more(checked, CONTENT - 20, what="rows in /fair export"))))

    # Sheet

    async def sheet(self, caller: Caller, user: str, name: str) -> Reply:
        """Show somebody's combatants here as the caller may see them; else your own character. Raises: Malformed."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        view = view_of(room.table, self.tables.seat(room, caller), facts=True)
        combatants = {} if view is None else view.combatants
        shown = [combatant_sheet(view, who) for who, each in combatants.items() if view and each.player == user]
        if not shown and user == caller.user:
            own = await self.characters.last_used_of(caller.place, user)
            shown = [] if own is None else [character_sheet(own)]
        if not shown:
            raise Malformed(f"{name} has no character in this channel.", instead="/join brings one in.")
        return Reply(private=fit(reduce(both, shown)))


def _checked(book: Logbook, row: LogRow) -> Iterator[str]:
    """Say where a row's dice come from, and what a seed that is public gives; nothing of a row without dice."""
    entry, seed = book.entry(row), book.seed_of(row)
    if not entry["dice"] or seed is None:
        return
    said = " ".join(entry["text"])
    yield f"**{escape(clip(said, 200))}**" if said else f"**Row {row.seq}**"
    dice = [_die(die) for die in entry["dice"]]
    yield f"Interaction `{row.interaction}`, commitment `{commitment(seed.seed)}`."
    if not book.is_revealed(row):
        listed = and_more([f"{at}. {die}" for at, die in enumerate(dice, 1)], 600, parted=", ")
        yield f"In this order: {listed}. Once the seed is public (`/fair reveal`), I compute these faces anew here."
        return
    again = list(_anew(entry["dice"], SeededFaces(seed.seed, row.interaction)))
    differs = [at for at, (die, face) in enumerate(zip(entry["dice"], again, strict=True), 1) if not _agrees(die, face)]
    anew = [
        f"{at}. {_die({**die, 'face': face}) if _is_seen(die) else _die(die)}"
        for at, (die, face) in enumerate(zip(entry["dice"], again, strict=True), 1)
    ]
    yield f"The seed `{seed.seed.hex()}` gives: {and_more(anew, 600, parted=', ')}."
    yield f"The log shows something else at {', '.join(map(str, differs))}." if differs else "The log shows the same."


def _die(entry: Mapping[str, Any]) -> str:
    if "shuffle" in entry:
        return f"a shuffle of {entry['shuffle']} cards"
    if "draw" in entry:
        return f"a draw of {entry['draw']}"
    face = "hidden" if entry["face"] is None else f"**{entry['face']}**"
    return f"d{entry['sides']} {face}{' (physical)' if entry.get('physical') else ''}"


def _is_seen(entry: Mapping[str, Any]) -> bool:
    return entry.get("face") is not None and not entry.get("physical")


def _agrees(entry: Mapping[str, Any], face: int | None) -> bool:
    return not _is_seen(entry) or entry["face"] == face


def _anew(dice: list[dict[str, Any]], faces: SeededFaces) -> Iterator[int | None]:
    """Draw again what a row drew, in its order; None for what shows no face of the seed."""
    for entry in dice:
        if "shuffle" in entry:
            for last in range(entry["shuffle"] - 1, 0, -1):
                faces.face(last + 1)
        yield faces.face(entry["sides"]) if "sides" in entry and not entry.get("physical") else None
