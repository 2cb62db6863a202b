"""`/map picture`, and the pictures that map files bring along (maps 1 and 2.2)."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from typing import Any

from bot.caller import Caller
from bot.custom_ids import MAP, Pressed
from bot.render.boards.view import board_view, map_view
from bot.render.components import button, rows_of
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.replies.referee import Referee
from bot.table.ground import Ground, Grounds
from bot.table.pictures import ATTACH, board_file
from bot.table.service import Tables
from rules.core import refusals
from rules.core.command import Command
from rules.core.maps.reading import Imported
from rules.core.space.background import FINE, cell_of, parse_shift
from rules.core.space.board import Board
from rules.core.space.cells import MAX_SIDE, cell_name, parse_size
from rules.core.space.known_board import changed_cells
from rules.errors import Refusal

MOVE = "p"  # a press that moves the picture
_USUAL = 70  # pixels a cell, as map makers export them
_SHOWN = 8  # columns and rows of the answer's picture
_SIZE = re.compile(r"\[?\b([0-9]{1,2})\s*[xX×]\s*([0-9]{1,2})\b\]?")
_WAYS = (("left", "◀"), ("right", "▶"), ("up", "▲"), ("down", "▼"), ("narrower", "−"), ("wider", "+"))


class MapPictures:
    """Brings pictures under boards."""

    def __init__(self, tables: Tables, referee: Referee, grounds: Grounds) -> None:
        self.tables = tables
        self.referee = referee
        self.grounds = grounds

    async def lay(
        self,
        caller: Caller,
        file: tuple[str, bytes] | None,
        *,
        across: int | None = None,
        pixels: int | None = None,
        shift: str | None = None,
        fade: int | None = None,
    ) -> Reply:
        """Lay a picture under the board, or change how it lies; show the first cells with the grid. Raises: Refusal."""
        board = await self._board(caller)
        given = {"across": across, "pixels": pixels, "shift": shift, "fade": fade}
        args: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        if file is not None:
            name, data = file
            columns = across or (_size_in(name) or (board.width, 0))[0]
            at = (0, 0) if shift is None else parse_shift(shift)
            ground = await self.grounds.read(data, columns, pixels=pixels, shift=at, fade=25 if fade is None else fade)
            await self.grounds.keep(caller.user or "", ground)
            args = {"picture": ground.picture.model_dump(mode="json")}
        reply = await self.referee.step(caller, Command(action="map picture", args=args))
        return await self._with_first_cells(caller, reply)

    async def pressed(self, caller: Caller, way: str) -> Reply:
        """Move the picture by a button. Raises: Refusal."""
        await self._board(caller)
        reply = await self.referee.step(caller, Command(action="map picture", args={"way": way}))
        reply.public, reply.outcome, reply.update = None, None, True
        return await self._with_first_cells(caller, reply)

    async def draw(self, caller: Caller, command: Command) -> Reply:
        """Draw on the board, and show the GM what has changed there. Raises: Refusal."""
        before = await self._board(caller)
        reply = await self.referee.step(caller, command)
        room = await self.tables.room_of(caller.channel, caller.guild)
        state = room.table.active
        if state is None or state.board is None or ATTACH in caller.missing or state.options.get("plain") == "on":
            return reply
        cells = await asyncio.to_thread(changed_cells, before, state.board)
        seat = self.tables.seat(room, caller)
        view = await asyncio.to_thread(board_view, state.evolve(), seat)
        if not cells or view is None:
            return reply
        columns, rows = zip(*cells, strict=True)
        part = f"{cell_name(min(columns), min(rows))}:{cell_name(max(columns), max(rows))}"
        under = await self.grounds.under(state.board)
        view = view.evolve(part=part, reach=(), ranges=(), dangers=frozenset(), ground=under)
        reply.private = reply.private or Payload()
        reply.private.files.append(await asyncio.to_thread(board_file, view, state, seat))
        return reply

    async def _board(self, caller: Caller) -> Board:
        room = await self.tables.room_of(caller.channel, caller.guild)
        active = room.table.active
        if active is not None and not self.tables.seat(room, caller).gm:
            raise refusals.for_the_gm(instead="In a channel without an encounter you make your own maps.")
        if active is None or active.board is None:
            raise refusals.no_board(instead="/map import reads a picture as a map.")
        return active.board

    async def _with_first_cells(self, caller: Caller, reply: Reply) -> Reply:
        """Add the top left cells with the grid over them, and buttons that move the picture."""
        board = await self._board(caller)
        if board.picture is None or ATTACH in caller.missing:
            return reply
        buttons = [button(Pressed(MAP, "", 0, (MOVE, way)).written(), sign) for way, sign in _WAYS]
        words = (
            f"{board.picture.width * FINE / board.picture.cell:.3g} columns across, shift "
            f"{board.picture.shift[0]},{board.picture.shift[1]}. The buttons move it; /encounter undo takes it back."
        )
        payload = Payload(content=words, components=rows_of(buttons))
        payload.files.append(await self._first_cells(caller, board))
        return Reply(
            public=reply.public, private=fit(payload), update=reply.update, live=reply.live, outcome=reply.outcome
        )

    async def _first_cells(self, caller: Caller, board: Board) -> Attachment:
        last = cell_name(min(_SHOWN, board.width) - 1, min(_SHOWN, board.height) - 1)
        view = map_view("The top left cells", board, part=f"A1:{last}", ground=await self.grounds.under(board))
        room = await self.tables.room_of(caller.channel, caller.guild)
        return await asyncio.to_thread(board_file, view, room.table.active, self.tables.seat(room, caller))

    # Files

    async def as_map(self, file: str, data: bytes, name: str) -> tuple[Imported, Ground]:
        """Read a picture as a map of its own; its name says how many columns and rows it has. Raises: Malformed."""
        size = _size_in(file)
        ground = await self.grounds.read(data, 1 if size is None else size[0])
        if size is not None:
            width, height = parse_size(f"{size[0]}x{size[1]}")
            return Imported(name, Board(width=width, height=height, picture=ground.picture)), ground
        across = min(MAX_SIDE, max(1, round(ground.size[0] / _USUAL)))
        ground = await self.grounds.read(data, across)
        board = sized(Board(width=across, height=1, picture=ground.picture), across)
        remark = (
            "How many columns does it have? Press Other columns, or put it in the file's name, such as Crypt "
            "[24x16].png."
        )
        return Imported(name, board, remarks=[remark]), ground

    async def with_own(self, caller: Caller, imported: Imported) -> Imported:
        """Lay the picture that a map's file holds under it; if it cannot be read, say so. Raises: Illegal."""
        if not imported.picture:
            return imported
        try:
            data = base64.b64decode(imported.picture)
            ground = await self.grounds.read(
                data,
                imported.across or imported.board.width,
                corner=imported.corner,
                shift=imported.shift,
                fade=imported.fade,
            )
        except (binascii.Error, ValueError, Refusal) as wrong:
            reason = f" {wrong.reason}" if isinstance(wrong, Refusal) else ""
            imported.remarks.append(f"I can read its walls, but not the picture in it.{reason}")
            imported.walls_alone = True
            return imported
        await self.grounds.keep(caller.user or "", ground)
        imported.board = imported.board.evolve(picture=ground.picture)
        across = imported.across or imported.board.width
        columns = ground.size[0] / imported.pixels if imported.pixels > 0 else across
        if abs(columns - across) > 1 / 2:
            imported.remarks.append(
                f"Its picture is {columns:.3g} columns wide at {imported.pixels:.3g} pixels a cell, and the map is "
                f"{across:g} columns wide, so I fitted the picture to {across:g}."
            )
        return imported


def sized(board: Board, across: int) -> Board:
    """Return a map that is a picture alone with so many columns, and as many rows as it is high."""
    picture = board.picture
    if picture is None:
        return board
    rows = max(1, min(MAX_SIDE, round(picture.height * across / picture.width)))
    return board.evolve(width=across, height=rows, picture=picture.evolve(cell=cell_of(picture.width, across)))


def is_picture(data: bytes) -> bool:
    """Tell by its first bytes whether a file is a picture of a kind that is read."""
    return data.startswith((b"\x89PNG", b"\xff\xd8\xff")) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def _size_in(file: str) -> tuple[int, int] | None:
    """Return the columns and rows that a file's name tells: `Crypt [24x16].png`."""
    sizes = list(_SIZE.finditer(file))
    return (int(sizes[-1][1]), int(sizes[-1][2])) if sizes else None
