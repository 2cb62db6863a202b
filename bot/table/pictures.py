"""Pictures of an encounter: the board, and what its system draws beside it (a grid, the phases, the stack)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.caller import Caller
from bot.render.boards.frame import ALL
from bot.render.boards.goals import goals_in_words, goals_message, number_choices
from bot.render.boards.picture import draw_board, file_name
from bot.render.boards.told import board_told, in_messages, told_alt
from bot.render.boards.view import BoardView, begun, board_view
from bot.render.drawn import picture_words
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.render.pictures import system_picture
from bot.render.prompt_board import brings_own, concerned
from bot.render.words import CONTENT, PUBLIC, escape, shorten
from bot.table.ground import Grounds
from bot.table.room import Room
from bot.table.service import Tables
from rules.core import refusals
from rules.core.board.fog import OFF, as_seen, fog_of, known_to
from rules.core.encounter import Encounter
from rules.core.offer import Param
from rules.core.reach.goals import numbered_goals
from rules.core.reach.ruler import measured, place_of
from rules.core.registry import system_of, systems
from rules.core.seen.pictures import Picture
from rules.core.sheets.sheet import Character
from rules.core.space.board import Unseen, parse_cells
from rules.core.space.cells import Cell, cell_name, find_cell, parse_cell
from rules.core.typed.names import resolve_name
from rules.core.typed.skeleton import same
from rules.core.values import Combatant, Seat
from rules.core.views.view import View
from rules.errors import Illegal

ATTACH = "Attach Files"
_BESIDE_FILE = 900  # characters of a text that is in a file whole


class Pictures:
    """Draws for one reader, off the event loop. If files cannot be sent, the words come instead."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.grounds = Grounds(tables.store)

    async def show(
        self, caller: Caller, words: bool = False, target: str | None = None, part: str | None = None
    ) -> Reply:
        """Show the board; with a target, or without a board, what the system draws. Raises: Refusal.

        `part`: `all`, a rectangle, or a cell, a place or a name that the picture is about.
        """
        room = await self.tables.room_of(caller.channel, caller.guild)
        seat = self.tables.seat(room, caller)
        encounter = room.encounter
        if encounter is None:
            raise refusals.no_encounter_yet()
        may_attach = ATTACH not in caller.missing
        words = words or not may_attach
        if target is not None:
            return await self._of(encounter, seat, target, words=words)
        if encounter.board is not None:
            if words:
                return Reply(private=await in_words(encounter, seat, may_attach=may_attach))
            return await self._board(encounter, seat, _part(encounter, seat, part or ""))
        picture = system_of(encounter).drawing.of(encounter, None, PUBLIC)
        if picture is not None:
            return Reply(public=await _payload(picture, words=words))
        raise refusals.no_board(instead=_instead(encounter))

    async def measure(self, caller: Caller, to: str, start: str | None = None) -> Reply:
        """Say privately what lies between two places of the board. Raises: Refusal."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        encounter = room.encounter
        if encounter is None:
            raise refusals.no_encounter_yet()
        seat = self.tables.seat(room, caller)
        lines = await asyncio.to_thread(measured, encounter.evolve(), seat, to, start)
        return Reply(private=fit(Payload(content="\n".join(escape(line) for line in lines))))

    async def goals(self, room: Room, caller: Caller, view: View, action: str, who: str, page: int = 0) -> Payload:
        """Ask somebody privately for a destination, with a picture of the numbered cells. Raises: Refusal."""
        encounter = room.table.active
        seat = self.tables.seat(room, caller)
        if encounter is None or encounter.find(who) is None or not system_of(encounter).plays(encounter, who, seat):
            raise refusals.not_yours(who, "Only its owner, their stand-in or the GM can move it.")
        state = await asyncio.to_thread(known_to, encounter.evolve(), who)
        message = await asyncio.to_thread(goals_message, state, view, room.prompt.wanted, action, who, page)
        goals = numbered_goals(state, who, action)
        if not goals:
            raise Illegal(f"{who} cannot move anywhere now.", rule="G-06", instead="/turn shows what you can do.")
        if ATTACH in caller.missing or encounter.options.get("plain") == "on":
            message.content = f"{message.content}\n{await asyncio.to_thread(goals_in_words, state, who, action)}"
            return fit(message)
        message.files += await self.numbered(encounter, state, seat, who, tuple(goal.cell for goal in goals))
        return message

    async def with_choices(self, room: Room, caller: Caller, who: str, param: Param, asked: Payload) -> Payload:
        """Add a picture to a question that is answered from a list, with the number of each choice on its cell."""
        encounter = room.table.active
        if encounter is None or not brings_own(encounter) or ATTACH in caller.missing or encounter.find(who) is None:
            return asked
        state = await asyncio.to_thread(known_to, encounter.evolve(), who)
        cells = {choice: cell for choice in param.choices or () if (cell := _cell_of(state, param.name, choice))}
        numbered = number_choices(asked, cells)
        if not numbered:
            return asked
        seat = self.tables.seat(room, caller)
        asked.files += await self.numbered(encounter, state, seat, who, numbered)
        return asked

    async def numbered(
        self,
        encounter: Encounter,
        state: Encounter,
        seat: Seat,
        who: str,
        cells: tuple[Cell, ...],
        points: tuple[tuple[float, float], ...] = (),
    ) -> list[Attachment]:
        """Return the board about somebody with the numbers of cells, as it is known in `state`; none if there is none.

        `points` are where the numbers are, if that is not the middle of their cells.
        """
        seen = await asyncio.to_thread(board_view, state, seat, about=(who,), numbered=cells)
        if seen is None:
            return []
        seen = seen.evolve(ground=await self.grounds.under(encounter.board), points=points)
        return [await asyncio.to_thread(board_file, seen, state, seat)]

    async def _of(self, encounter: Encounter, seat: Seat, target: str, *, words: bool) -> Reply:
        name = resolve_name(target, encounter.visible_names(seat), "combatant")
        picture = system_of(encounter).drawing.of(encounter, name, seat)
        if picture is None:
            raise Illegal(
                f"There is nothing to draw of {name} now.",
                instead="/board show shows the board, and /turn what you can do.",
            )
        public = system_of(encounter).drawing.of(encounter, name, PUBLIC)
        if public == picture:
            return Reply(public=await _payload(picture, words=words))
        return Reply(private=await _payload(picture, words=words))

    async def _board(self, encounter: Encounter, seat: Seat, part: Part) -> Reply:
        # If others do not know the name, only the person who asked for it is shown the picture.
        known = await asyncio.to_thread(as_seen, encounter.evolve(), PUBLIC)
        names = known.visible_names(PUBLIC)
        is_public = all(name in names and name not in known.out_of_sight for name in part.about)
        shown_to = PUBLIC if is_public else seat
        public = await self._view(encounter, shown_to, part)
        headline = escape(system_of(encounter).headline(encounter))
        of_round = f" of {headline}" if begun(encounter) else ", before the first round"
        picture = Payload(
            content=f"The board{of_round}.",
            files=[await asyncio.to_thread(board_file, public, encounter, shown_to)],
        )
        if not is_public:
            return Reply(private=picture)
        reply = Reply(public=picture)
        hides = encounter.board is not None and encounter.board.unseen != Unseen()
        if seat.gm and (hides or encounter.hidden_names or fog_of(encounter) != OFF):
            own = await asyncio.to_thread(board_file, await self._view(encounter, seat, part), encounter, seat)
            reply.private = Payload(content="As the GM sees it:", files=[own])
        return reply

    async def _view(self, encounter: Encounter, seat: Seat, part: Part) -> BoardView:
        seen = await _view(encounter, seat, part)
        return seen.evolve(ground=await self.grounds.under(encounter.board))

    async def about(
        self, encounter: Encounter, seat: Seat, names: Sequence[str], *, part: str = ""
    ) -> Attachment | None:
        """Return the board as a seat sees it, cut to some combatants; None if none of them is on it."""
        known = await asyncio.to_thread(as_seen, encounter.evolve(), seat)
        standing = tuple(each.name for each in known.cast if each.name in names and each.cell is not None)
        seen_names = encounter.visible_names(seat)
        if encounter.board is None or not any(name in seen_names for name in standing):
            return None
        seen = await self._view(encounter, seat, Part(part, tuple(name for name in standing if name in seen_names)))
        return await asyncio.to_thread(board_file, seen, encounter, seat)

    async def about_turn(self, room: Room, caller: Caller) -> Reply:
        """Answer *Map* on a prompt: privately, the board about those the table waits for. Raises: Refusal."""
        encounter = room.encounter
        seat = self.tables.seat(room, caller)
        picture = None if encounter is None else await self.about(encounter, seat, concerned(encounter))
        if picture is None or ATTACH in caller.missing:
            return await self.show(caller, words=True)
        return Reply(private=Payload(files=[picture]))

    async def drawn(self, room: Room, caller: Caller, who: str) -> Reply:
        """Answer the panel's button: privately, what this person may see. Raises: Refusal."""
        encounter = room.encounter
        seat = self.tables.seat(room, caller)
        picture = None if encounter is None else system_of(encounter).drawing.of(encounter, who or None, seat)
        if picture is None:
            return Reply(private=Payload(content="There is nothing to draw now."))
        return Reply(private=await _payload(picture, words=ATTACH in caller.missing))

    async def sheet(self, caller: Caller, character: Character) -> Attachment | None:
        """Return a picture of a saved character: as it is in the channel's encounter, else from its sheet."""
        if ATTACH in caller.missing:
            return None
        room = await self.tables.room_of(caller.channel, caller.guild)
        encounter = room.encounter
        picture: Picture | None = None
        if encounter is not None:
            present = next((each for each in encounter.combatants if _is(each, character)), None)
            if present is not None:
                picture = system_of(encounter).drawing.of(encounter, present.name, self.tables.seat(room, caller))
        if picture is None and character.system in systems():
            combatant = Combatant(name=character.name, fields=character.fields, abilities=character.abilities)
            picture = systems()[character.system].drawing.of_sheet(combatant)
        return None if picture is None else await _file(picture)


def _cell_of(state: Encounter, param: str, choice: str) -> Cell | None:
    """Return the cell that a choice of a target or a place means; None if it means none."""
    if param == "to":
        cell = find_cell(choice)
        return cell if cell is not None and state.board is not None and state.board.holds(cell) else None
    chosen = state.find(choice) if param == "target" else None
    return None if chosen is None or chosen.cell is None or chosen.hidden else parse_cell(chosen.cell)


def _is(combatant: Combatant, character: Character) -> bool:
    return combatant.owner == character.owner and same(combatant.character or combatant.name, character.name)


def _instead(encounter: Encounter) -> str:
    system = system_of(encounter)
    if any(system.drawing.of(encounter, each.name, PUBLIC) is not None for each in encounter.combatants):
        return f"Lay out a board with /board size size:20x15; target: shows somebody's {system.drawing.name.lower()}."
    return "Lay out a board with /board size size:20x15."


class Part(NamedTuple):
    """What a picture of the board is to show: everything, a rectangle, or what is about some combatants or cells."""

    part: str = ""
    about: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


def _part(encounter: Encounter, seat: Seat, text: str) -> Part:
    """Read which part of the board is asked for. Raises: Refusal."""
    board = encounter.board
    if board is None or not text.strip():
        return Part()
    if text.strip().casefold() == ALL:
        return Part(ALL)
    place = place_of(as_seen(encounter, seat), seat, board, text) if ":" not in text else None
    if place is not None:
        return Part(about=(place.who.name,)) if place.who is not None else Part(cells=(place.cell,))
    cells = parse_cells(text, board)
    return Part(f"{cell_name(*cells[0])}:{cell_name(*cells[-1])}")


async def _view(encounter: Encounter, seat: Seat, part: Part) -> BoardView:
    """Work out the board, off the event loop: reach takes milliseconds for each who may move.

    A thread gets a copy, since the state that the loop has keeps what is worked out from it.
    """
    seen = await asyncio.to_thread(board_view, encounter.evolve(), seat, part=part.part, about=part.about)
    assert seen is not None  # noqa: S101 - the caller has looked that there is a board
    return seen.evolve(needed=part.cells) if part.cells else seen


async def in_words(encounter: Encounter, seat: Seat, *, may_attach: bool) -> Payload:
    """Return the board in words: up to two messages, or a text file if it is longer."""
    told = await asyncio.to_thread(board_told, encounter.evolve(), seat)
    first, rest = in_messages(told)
    if len(rest) <= 1 or not may_attach:
        return replace(fit(Payload(content=first)), rest=rest)
    plain = await asyncio.to_thread(board_told, encounter.evolve(), seat, spell=str)
    return fit(Payload(content=shorten(told, _BESIDE_FILE), files=[Attachment("board.txt", plain.encode())]))


def board_file(view: BoardView, encounter: Encounter | None, seat: Seat) -> Attachment:
    """Return the picture of a board, with the board in words as a seat knows it."""
    data = draw_board(view)
    return Attachment(file_name(data), data, "" if encounter is None else told_alt(encounter.evolve(), seat))


async def _payload(picture: Picture, *, words: bool) -> Payload:
    """Return a picture with its title, or all of it in words."""
    if words:
        return fit(Payload(content=shorten(picture_words(picture), CONTENT)))
    return fit(
        Payload(content=f"{escape(picture.title)}. In words: `/board show` with `text`.", files=[await _file(picture)])
    )


async def _file(picture: Picture) -> Attachment:
    data, alt = await asyncio.to_thread(system_picture, picture)
    return Attachment("picture.png", data, alt)
