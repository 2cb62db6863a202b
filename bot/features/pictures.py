"""Pictures of an encounter: the board, and what its system draws beside it (a grid, the phases, the stack)."""

from __future__ import annotations

import asyncio

from bot.discord.caller import Caller
from bot.render.board import draw_board
from bot.render.board_view import BoardView, board_alt, board_view, board_words
from bot.render.drawn import picture_words
from bot.render.payload import Attachment, Payload, Reply
from bot.render.pictures import system_picture
from bot.render.words import CONTENT, PUBLIC, escape, fit, shorten
from bot.table.room import Room
from bot.table.service import Tables
from rules.core.encounter import Encounter
from rules.core.errors import Illegal
from rules.core.names import resolve_name
from rules.core.pictures import Picture
from rules.core.registry import system_of, systems
from rules.core.sheet import Character
from rules.core.values import Combatant, Seat

ATTACH = "Attach Files"


class Pictures:
    """Draws for whoever asks, off the event loop. Where files cannot be sent the words come instead."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def show(self, caller: Caller, words: bool = False, target: str | None = None) -> Reply:
        """Show the board; with a target, or without a board, what the system draws. Raises: Refusal."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        seat = self.tables.seat(room, caller)
        encounter = room.encounter
        if encounter is None:
            raise Illegal("This channel has had no encounter.", instead="/encounter start or /init start opens one.")
        words = words or ATTACH in caller.missing
        if target is not None:
            return await self._of(encounter, seat, target, words=words)
        seen = await _view(encounter, seat)
        if seen is not None:
            return await self._board(encounter, seat, seen, words=words)
        picture = system_of(encounter).picture(encounter, None, PUBLIC)
        if picture is not None:
            return Reply(public=await _payload(picture, words=words))
        raise Illegal("There is no board here.", rule="G-06", instead=_instead(encounter))

    async def _of(self, encounter: Encounter, seat: Seat, target: str, *, words: bool) -> Reply:
        name = resolve_name(target, encounter.visible_names(seat), "combatant")
        picture = system_of(encounter).picture(encounter, name, seat)
        if picture is None:
            raise Illegal(
                f"There is nothing to draw of {name} now.",
                instead="/board show shows the board, /turn what you may do.",
            )
        public = system_of(encounter).picture(encounter, name, PUBLIC)
        if public == picture:
            return Reply(public=await _payload(picture, words=words))
        return Reply(private=await _payload(picture, words=words))

    async def _board(self, encounter: Encounter, seat: Seat, seen: BoardView, *, words: bool) -> Reply:
        if words:
            return Reply(private=fit(Payload(content=await asyncio.to_thread(board_words, seen))))
        public = await _view(encounter, PUBLIC) or seen
        headline = escape(system_of(encounter).headline(encounter))
        picture = await asyncio.to_thread(_board_file, public)
        reply = Reply(public=Payload(content=f"The board of {headline}.", files=[picture]))
        if seat.gm and encounter.hidden_names:
            own = await asyncio.to_thread(_board_file, seen)
            reply.private = Payload(content="With those who are hidden:", files=[own])
        return reply

    async def drawn(self, room: Room, caller: Caller, who: str) -> Reply:
        """Answer the panel's button: privately, what this person may see. Raises: Refusal."""
        encounter = room.encounter
        seat = self.tables.seat(room, caller)
        picture = None if encounter is None else system_of(encounter).picture(encounter, who or None, seat)
        if picture is None:
            return Reply(private=Payload(content="There is nothing to draw now."))
        return Reply(private=await _payload(picture, words=ATTACH in caller.missing))

    async def sheet(self, caller: Caller, character: Character) -> Attachment | None:
        """Return a picture of a saved character: as it stands in the channel's encounter, else from its sheet."""
        if ATTACH in caller.missing:
            return None
        room = await self.tables.room_of(caller.channel, caller.guild)
        encounter = room.encounter
        picture: Picture | None = None
        if encounter is not None:
            present = next((each for each in encounter.combatants if _is(each, character)), None)
            if present is not None:
                picture = system_of(encounter).picture(encounter, present.name, self.tables.seat(room, caller))
        if picture is None and character.system in systems():
            combatant = Combatant(name=character.name, fields=character.fields, abilities=character.abilities)
            picture = systems()[character.system].sheet_picture(combatant)
        return None if picture is None else await _file(picture)


def _is(combatant: Combatant, character: Character) -> bool:
    held = combatant.character or combatant.name
    return combatant.owner == character.owner and held.casefold() == character.name.casefold()


def _instead(encounter: Encounter) -> str:
    system = system_of(encounter)
    if any(system.picture(encounter, each.name, PUBLIC) is not None for each in encounter.combatants):
        return f"/board size size:20x15 lays one out; target: shows somebody's {system.picture_name.lower()}."
    return "/board size size:20x15 lays one out."


async def _view(encounter: Encounter, seat: Seat) -> BoardView | None:
    """Work out the board, off the event loop: reach takes milliseconds for each who may move.

    A thread gets a copy, since the state that the loop has keeps what is worked out from it.
    """
    return await asyncio.to_thread(board_view, encounter.evolve(), seat)


def _board_file(view: BoardView) -> Attachment:
    return Attachment("board.png", draw_board(view), board_alt(view))


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
