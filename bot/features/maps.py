"""`/map`: making maps from text and files, and keeping them for the next evening (maps 2.1 and 2.4)."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.caller import Caller
from bot.custom_ids import MAP, Pressed
from bot.features.map_forms import COLUMNS_KEY, READ, SIZED, columns_form, columns_of, map_form
from bot.features.map_pictures import MOVE, MapPictures, is_picture, sized
from bot.lengths import FORM
from bot.render.boards.frame import ALL
from bot.render.boards.picture import draw_board
from bot.render.boards.picture import file_name as drawn_name
from bot.render.boards.told import map_alt, told_alt
from bot.render.boards.view import board_view, map_view
from bot.render.components import SUCCESS, button, rows_of
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.render.words import and_more, escape
from bot.replies.referee import Referee
from bot.replies.remedies import NAMED_MAP, ask_about
from bot.table.pictures import ATTACH
from bot.table.repeats import once
from bot.table.service import Tables
from data.rows import MapRow
from data.shelf_names import is_of_server, is_own, own_shelf, server_shelf
from rules.core import refusals
from rules.core.board.fog import fog_of
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.maps.file import map_file, require_room
from rules.core.maps.half_off import best_way, moved_walls
from rules.core.maps.imports import read_map
from rules.core.maps.reading import HALF_OFF, Imported
from rules.core.maps.text import map_summary, map_text, parse_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.registry import option_value, read_encounter
from rules.core.space.board import Board
from rules.core.space.cells import parse_size
from rules.core.typed.names import clean_name, parse_name, resolve_name
from rules.core.typed.skeleton import same, skeleton
from rules.errors import Illegal, Malformed

MOST_OWN, MOST_SERVER = 100, 200
LAST = "last"
_PARTED = "/map export as:uvtt writes it in a form of which /map import can take a part."
_FILE_PARTED = "/map import can take a part of the file: option part."
_ANOTHER = "another map works."  # of an encounter that is over nothing is exported
TYPED = ""  # the name of the map that somebody typed or sent last, until they take it
TAKE, CANCEL = "t", "c"
COLUMNS, SHIFTED = "n", "h"  # ask for a picture's columns; move walls half a cell
_MOST_NAMED = 3  # of the largest maps, if there is no room
_OPEN_SIZE = "20x15"


class Maps:
    """Maps of people and servers. A map has neither tokens nor fog; doors keep their state."""

    def __init__(self, tables: Tables, referee: Referee, pictures: MapPictures) -> None:
        self.tables = tables
        self.store = tables.store
        self.referee = referee
        self.pictures = pictures

    # Making

    async def new(self, caller: Caller, size: str | None) -> Reply:
        """Open the form for a text map, filled with open cells if a size is given. Raises: Refusal."""
        await self._led(caller)
        if size is None:
            return Reply(form=map_form("", ""))
        width, height = parse_size(size)
        dots = "\n".join(["." * width] * height)
        return Reply(form=map_form(f"{width}x{height}", dots if len(dots) <= FORM else ""))

    async def read_file(
        self,
        caller: Caller,
        data: bytes,
        file_name: str,
        *,
        name: str | None = None,
        part: str | None = None,
        objects: str = "sight",
    ) -> Reply:
        """Read a file by its content, and show what it holds. Raises: Refusal."""
        name = "" if name is None else parse_name(name, "map's name")
        called = clean_name(file_name.rpartition(".")[0], "Map")
        if is_picture(data):
            await self._led(caller)
            seen, ground = await self.pictures.as_map(file_name, data, name or called)
            await self.pictures.grounds.keep(caller.user or "", ground)
            called = parse_name(clean_name(seen.name, "Map"))
            return await self._shown(caller, called, seen.board, seen.words, asks_columns=bool(seen.remarks))
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Malformed(
                "That file is not text.", instead="I read text and JSON, and pictures as PNG, JPEG or WebP."
            ) from None
        here = await self._here(caller)
        imported = await asyncio.to_thread(read_map, text, name, called=called, here=here, objects=objects, part=part)
        imported = await self.pictures.with_own(caller, imported)
        called = parse_name(clean_name(imported.name, "Map"))
        return await self._shown(caller, called, imported.board, imported.words, walls_alone=imported.walls_alone)

    async def pressed(
        self, caller: Caller, press: Pressed, fields: Mapping[str, str], picture: tuple[str, bytes] | None = None
    ) -> Reply:
        """Read the form, or take or leave what was read. `picture` comes with the form. Raises: Refusal."""
        what = press.parts[0]
        if what == MOVE:
            return await self.pictures.pressed(caller, press.parts[1])
        if what == READ:
            return await self._read_form(caller, press.parts[1], fields, picture)
        if what == COLUMNS:
            return Reply(form=columns_form())
        row = await self.store.map(_own_shelf(caller), TYPED)
        if what in (SIZED, SHIFTED) and row is not None:
            return await self._changed(caller, row, what, press.parts[1], fields)
        if what == CANCEL or row is None:
            return _left()
        if await self._led(caller) is None:
            return await self._taken(caller, row)
        return await self.referee.step(caller, _laid(row, "keep", instead=_FILE_PARTED))

    @once
    async def _taken(self, caller: Caller, row: MapRow) -> Reply:
        kept = await self._keep(caller, _own_shelf(caller), row.name, row.document, (TAKE,))
        return Reply(private=Payload(content=f"Saved for you: {escape(kept)}."), update=True)

    async def _read_form(
        self, caller: Caller, size: str, fields: Mapping[str, str], picture: tuple[str, bytes] | None
    ) -> Reply:
        """Show the map that was typed, on the picture that came with it. Raises: Refusal."""
        name = parse_name(fields.get("name", "").strip() or "Map", "map's name")
        text = fields.get("text", "")
        if not text.strip() and not size and picture is not None:
            if not fields.get(COLUMNS_KEY, "").strip():
                return await self.read_file(caller, picture[1], picture[0], name=name)
            seen, ground = await self.pictures.as_map(*picture, name)
            board = sized(seen.board, columns_of(fields))
        else:
            width, height = parse_size(size or _OPEN_SIZE)
            board = parse_map(text, await self._here(caller)) if text.strip() else Board(width=width, height=height)
            if picture is None:
                return await self._shown(caller, name, board, map_summary(name, board))
            across = columns_of(fields) if fields.get(COLUMNS_KEY, "").strip() else board.width
            ground = await self.pictures.grounds.read(picture[1], across)
            board = board.evolve(picture=ground.picture)
        await self._led(caller)
        await self.pictures.grounds.keep(caller.user or "", ground)
        return await self._shown(caller, name, board, map_summary(name, board))

    async def _changed(self, caller: Caller, row: MapRow, what: str, way: str, fields: Mapping[str, str]) -> Reply:
        """Show a map that was read with other columns, or with its walls moved by half a cell. Raises: Malformed."""
        board = _read(row)
        if what == SHIFTED:
            board = await asyncio.to_thread(moved_walls, board, way)
            return await self._shown(caller, row.name, board, Imported(row.name, board).words)
        board = sized(board, columns_of(fields))
        return await self._shown(caller, row.name, board, map_summary(row.name, board), asks_columns=True)

    @once
    async def _shown(
        self,
        caller: Caller,
        name: str,
        board: Board,
        words: str,
        *,
        walls_alone: bool = False,
        asks_columns: bool = False,
    ) -> Reply:
        """Show privately what was read, with a button that takes it."""
        await self._put(caller, _own_shelf(caller), TYPED, name, _written(board))
        active = await self._led(caller)
        does = "Take only the walls" if walls_alone else "Save it" if active is None else "Take it"
        more = [button(Pressed(MAP, "", 0, (COLUMNS, "")).written(), "Other columns …")] if asks_columns else []
        way = await asyncio.to_thread(best_way, board) if HALF_OFF in words else None
        if way is not None:
            label = f"Move the walls half a cell {way[0]} (frees {way[1]})"
            more.append(button(Pressed(MAP, "", 0, (SHIFTED, way[0])).written(), label))
        buttons = [
            button(Pressed(MAP, "", 0, (TAKE, "")).written(), does, SUCCESS),
            *more,
            button(Pressed(MAP, "", 0, (CANCEL, "")).written(), "Cancel"),
        ]
        payload = Payload(content=escape(words), components=rows_of(buttons))
        if ATTACH not in caller.missing:
            under = await self.pictures.grounds.under(board)
            payload.files.append(await asyncio.to_thread(_picture, name, board, under))
        return Reply(private=fit(payload))

    async def _here(self, caller: Caller) -> tuple[str, ...]:
        """Return the names that a legend gives to combatants: who is in, and who the caller has saved."""
        active = await self._led(caller)
        saved = await self.store.characters(caller.place, caller.user or "")
        return (*(() if active is None else (each.name for each in active.cast)), *(row.name for row in saved))

    async def _led(self, caller: Caller) -> Encounter | None:
        """Return the channel's open encounter, None without one. Raises: Illegal for those who do not lead it."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        active = room.table.active
        if active is not None and not self.tables.seat(room, caller).gm:
            raise refusals.for_the_gm(instead="In a channel without an encounter you make maps for yourself.")
        return active

    # The library

    @once
    async def save(self, caller: Caller, name: str, shelf: str) -> Reply:
        """Keep the board under a name, without tokens. Raises: Refusal."""
        active = await self._led(caller)
        if active is None or active.board is None:
            raise refusals.no_board(instead="/map new makes a map without an encounter.")
        kept = await self._keep(caller, _shelf(caller, shelf), name, _written(active.board), ("save", shelf))
        return Reply(private=Payload(content=f"Saved{_for(shelf)}: {escape(kept)}. `/map use name:{escape(kept)}`"))

    async def use(self, caller: Caller, name: str, tokens: str) -> Reply:
        """Lay out a saved map, or the channel's last board. Raises: Refusal."""
        if await self._led(caller) is None:
            raise Illegal("This channel has no open encounter.", instead="/encounter start can take a map too.")
        return await self.referee.step(caller, await self._use_command(caller, name, tokens))

    async def start(self, caller: Caller, opening: Command, name: str) -> Reply:
        """Open an encounter on a saved map. Raises: Refusal."""
        return await self.referee.steps(caller, opening, await self._use_command(caller, name, "keep"), part="map")

    async def _use_command(self, caller: Caller, name: str, tokens: str) -> Command:
        if same(name, LAST):
            return await self._last(caller, tokens)
        return _laid(await self._find(caller, name), tokens)

    async def _last(self, caller: Caller, tokens: str) -> Command:
        """Return what lays out the last encounter's board here, with its fog: those who return keep their cells."""
        ended = await self.store.encounters(channel=caller.channel, statuses=("ended",))
        for row in reversed(ended):
            stored = await self.store.load_encounter(row.id)
            state = None if stored is None else read_encounter(stored[1], row.system)
            if state is not None and state.board is not None:
                stood = {each.name: each.cell for each in state.cast if each.cell is not None}
                laid = _laid(MapRow("", "", state.name, "", _written(state.board)), tokens, stood, instead=_ANOTHER)
                recalled = state.model_dump(mode="json", include={"recalled"})
                fog = {"fog": fog_of(state), "sight_range": option_value(state, "sight_range")}
                return laid.evolve(args={**laid.args, "seen": dict(state.seen), **recalled, **fog})
        raise Illegal("No encounter has left a board here.", instead="/map list shows your saved maps.")

    async def list(self, caller: Caller) -> Reply:
        """Name your own maps and the server's. Raises: Refusal."""
        lines = []
        for shelf, words in ((_own_shelf(caller), "Yours"), (_server_shelf(caller), "The server's")):
            rows = [row for row in await self.store.maps(shelf) if row.folded]
            named = and_more([escape(row.name) for row in rows], 900, parted=", ")
            lines.append(f"{words}: {named or 'none'}.")
        return Reply(private=fit(Payload(content="\n".join(lines))))

    @once
    async def copy(self, caller: Caller, name: str, to: str, shelf: str) -> Reply:
        """Keep a saved map under another name, or on the other shelf. Raises: Refusal."""
        row = await self._find(caller, name)
        await self._require_reader(caller, row)
        asks = ("copy", name, shelf)
        kept = await self._keep(caller, _shelf(caller, shelf), to, row.document, asks, is_new=True)
        return Reply(private=Payload(content=f"Saved{_for(shelf)}: {escape(kept)}."))

    @once
    async def rename(self, caller: Caller, name: str, to: str) -> Reply:
        """Give a saved map another name. Raises: Refusal."""
        row = await self._find(caller, name)
        _require_own(caller, row)
        wanted = _name_of(to)
        others = [each for each in await self.store.maps(row.shelf) if each.folded not in ("", row.folded)]
        if any(same(each.name, wanted) for each in others):
            raise _taken(wanted)
        _ask_about(caller, wanted, others, ("rename", name))
        await self._put(caller, row.shelf, skeleton(wanted), wanted, row.document, owner=row.owner)
        if skeleton(wanted) != row.folded:
            await self.store.delete_map(row.shelf, row.folded)
        return Reply(private=Payload(content=f"{escape(row.name)} is {escape(wanted)} now."))

    @once
    async def delete(self, caller: Caller, name: str) -> Reply:
        """Delete a saved map. Raises: Refusal."""
        row = await self._find(caller, name)
        _require_own(caller, row)
        await self.store.delete_map(row.shelf, row.folded)
        return Reply(private=Payload(content=f"Deleted: {escape(row.name)}."))

    async def export(self, caller: Caller, name: str | None, kind: str) -> Reply:
        """Give a saved map, or the board, as a private file. Raises: Refusal."""
        if name is None and kind == "picture":
            return await self._seen(caller)
        if name is None:
            active = await self._led(caller)
            if active is None or active.board is None:
                raise refusals.no_board(instead="Name a saved map.")
            called, board = active.name, active.board
        else:
            row = await self._find(caller, name)
            await self._require_reader(caller, row)
            called, board = row.name, _read(row)
        under = await self.pictures.grounds.under(board)
        file = await asyncio.to_thread(_exported, called, board, kind, under)
        left = len(board.walls) + len(board.unseen.walls) + len(board.lines) if kind == "text" else 0
        words = f" {left} walls and doors at an angle can't be drawn in text." if left else ""
        return Reply(private=Payload(content=f"{escape(called)}.{words}", files=[file]))

    async def _seen(self, caller: Caller) -> Reply:
        """Give the whole board as a picture, as the caller sees it. Raises: Illegal."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        state = room.encounter
        if state is None or state.board is None:
            raise refusals.no_board(instead="Name a saved map.")
        seat = self.tables.seat(room, caller)
        view = await asyncio.to_thread(board_view, state.evolve(), seat, part=ALL)
        if view is None:
            raise refusals.no_board(instead="Name a saved map.")
        view = view.evolve(ground=await self.pictures.grounds.under(state.board))
        data = await asyncio.to_thread(draw_board, view)
        words = await asyncio.to_thread(told_alt, state.evolve(), seat)
        return Reply(
            private=Payload(content=f"{escape(state.name)}.", files=[Attachment(drawn_name(data), data, words)])
        )

    async def names(self, user: str, guild: str) -> tuple[str, ...]:
        """Return the names of the maps that somebody may use, for autocompletion."""
        rows = [*await self.store.maps(own_shelf(user)), *await self.store.maps(server_shelf(guild))]
        return tuple(dict.fromkeys(row.name for row in rows if row.folded))

    async def _find(self, caller: Caller, name: str) -> MapRow:
        """Return a map of your own, else of the server. Raises: Malformed, Ambiguous."""
        own = {row.name: row for row in await self.store.maps(_own_shelf(caller)) if row.folded}
        server = {row.name: row for row in await self.store.maps(_server_shelf(caller)) if row.folded}
        every = {**server, **own}
        if not every:
            raise Malformed("No map is saved yet.", instead="/map save saves the board; /map new makes a map.")
        return every[resolve_name(name, tuple(every), "map")]

    async def _require_reader(self, caller: Caller, row: MapRow) -> None:
        """Raise Illegal unless a map is somebody's own, or the server's and they are among its GMs.

        A map holds what its GM has not shown: secret doors, hidden traps, rooms that nobody has entered.
        """
        if row.shelf == _own_shelf(caller) or row.owner == caller.user or caller.moderator:
            return
        room = await self.tables.room_of(caller.channel, caller.guild)
        if room.table.active is None or not self.tables.seat(room, caller).gm:
            raise Illegal(
                f"{row.name} belongs to the server: only its GMs can read it.",
                instead=f"/encounter start map:{row.name} plays on it.",
            )

    async def named(self, caller: Caller, name: str, asked: str) -> Reply:
        """Do what was asked about a map's name, now that its giver has decided on it. Raises: Refusal."""
        what, *given = json.loads(asked)
        if what == "save":
            return await self.save(caller, name, *given)
        if what == "copy":
            return await self.copy(caller, given[0], name, given[1])
        if what == "rename":
            return await self.rename(caller, given[0], name)
        row = await self.store.map(_own_shelf(caller), TYPED)
        return await self._taken(caller, replace(row, name=name)) if row else _left()

    async def _keep(
        self, caller: Caller, shelf: str, name: str, document: str, asks: tuple[str, ...], *, is_new: bool = False
    ) -> str:
        """Keep a map, in place of your own older one unless it `is_new`; return its name.

        Raises: Illegal if that name is taken or there is no room; Helped if it looks like another. It `asks` then.
        """
        wanted = _name_of(name)
        saved_maps = [row for row in await self.store.maps(shelf) if row.folded]
        older = next((row for row in saved_maps if same(row.name, wanted)), None)
        if older is not None and older.owner != caller.user and not caller.moderator:
            raise refusals.somebody_elses(older.name, instead="Choose another name.")
        if older is not None and is_new:
            raise _taken(older.name)
        _ask_about(caller, wanted, saved_maps, asks)
        most = MOST_OWN if is_own(shelf) else MOST_SERVER
        if older is None and len(saved_maps) >= most:
            largest = sorted(saved_maps, key=lambda row: (-len(row.document), row.name))[:_MOST_NAMED]
            raise Illegal(
                f"{most} maps are saved there, which is the limit.",
                instead=f"/map delete makes room. The largest: {', '.join(row.name for row in largest)}.",
            )
        if older is None and not is_own(shelf):
            refusals.require_share([row.owner for row in saved_maps], caller.user, most, "maps", "/map delete")
        replaced = None if older is None else older.name
        await self.pictures.grounds.require_room(shelf, Board.from_store(document), replaced=replaced)
        await self._put(caller, shelf, skeleton(wanted), wanted, document)
        return wanted

    async def _put(
        self, caller: Caller, shelf: str, folded: str, name: str, document: str, *, owner: str | None = None
    ) -> None:
        row = MapRow(shelf, folded, name, owner or caller.user or "", document)
        await self.store.save_map(row, hashlib.sha256(document.encode()).hexdigest())


def _name_of(text: str) -> str:
    """Return the name that a map is given. Raises: Refusal."""
    wanted = parse_name(text, "map's name")
    if same(wanted, LAST):
        raise Illegal("That name means the last board.", instead="Choose another name.")
    return wanted


def _ask_about(caller: Caller, name: str, saved_maps: Sequence[MapRow], asks: tuple[str, ...]) -> None:
    ask_about(caller, name, (row.name for row in saved_maps), NAMED_MAP, json.dumps(asks))


def _left() -> Reply:
    return Reply(private=Payload(content="I left it as it was."), update=True)


def _taken(name: str) -> Illegal:
    return Illegal(
        f"There is already a map called {name}.", instead="Choose another name, or delete that map with /map delete."
    )


def _laid(row: MapRow, tokens: str, stood: Mapping[str, str] | None = None, *, instead: str = _PARTED) -> Command:
    """Return what lays out a map. Raises: Unreadable, Malformed if an older version kept more than one may hold."""
    require_room(_read(row), instead=f"At most {{most}}: {instead}")
    args: dict[str, Any] = {"document": json.loads(row.document), "name": row.name, "tokens": tokens}
    return Command(action="map use", args=args if stood is None else {**args, "stood": dict(stood)})


def _own_shelf(caller: Caller) -> str:
    if caller.user is None:
        raise Malformed("Only people can save maps.", instead="Ask from an account of your own.")
    return own_shelf(caller.user)


def _server_shelf(caller: Caller) -> str:
    return server_shelf(caller.guild or "@me")


def _shelf(caller: Caller, shelf: str) -> str:
    if shelf == "server" and caller.guild is None:
        raise Malformed("This is not a server.", instead="for:me")
    return _server_shelf(caller) if shelf == "server" else _own_shelf(caller)


def _for(shelf: str) -> str:
    return " for the server" if shelf == "server" else " for you"


def _require_own(caller: Caller, row: MapRow) -> None:
    if row.owner != caller.user and not (is_of_server(row.shelf) and caller.moderator):
        raise refusals.not_yours(
            row.name, instead="Only its owner, and members who can manage messages, can change it."
        )


def _written(board: Board) -> str:
    return board.model_dump_json(exclude_defaults=True)


def _read(row: MapRow) -> Board:
    return Board.from_store(row.document)


def _exported(name: str, board: Board, kind: str, under: bytes) -> Attachment:
    """Return a map as a file; a picture shows what the GM knows."""
    if kind == "picture":
        return _picture(name, board, under)
    if kind == "text":
        return Attachment("map.txt", f"{map_text(board)}\n".encode())
    if kind == "uvtt":
        return Attachment("map.uvtt", uvtt_file(board).encode())
    return Attachment("map.json", map_file(name, board, under).encode())


def _picture(name: str, board: Board, under: bytes) -> Attachment:
    """Return a map as its maker knows it."""
    data = draw_board(map_view(name, board, ground=under))
    return Attachment(drawn_name(data), data, map_alt(name, board))
