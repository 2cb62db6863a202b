"""Looks at the board that change nothing: an area with who is in it, and what a token sees (maps 5)."""

from __future__ import annotations

import asyncio

from bot.caller import Caller
from bot.render.boards.view import board_view
from bot.render.payload import Payload, Reply, fit
from bot.render.words import CONTENT, PUBLIC, escape, shorten
from bot.table.pictures import ATTACH, Pictures, board_file
from bot.table.service import Tables
from rules.core import refusals
from rules.core.board.areas import AreaOf, area_of, names_of_area
from rules.core.board.fog import as_seen, cells_in_sight
from rules.core.encounter import Encounter
from rules.core.reach.ruler import measured
from rules.core.registry import system_of
from rules.core.space.board import Area, Board
from rules.core.space.cells import Cell, cell_name, covered, distance, names_of, parse_cell, rectangles
from rules.core.space.winds import way_words
from rules.core.typed.names import resolve_name, shown
from rules.core.values import Combatant, Plays, Seat

_MOST_RECTANGLES = 40


class BoardLooks:
    """Draws areas and sight for one reader, off the event loop."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self.tables = tables
        self.pictures = pictures

    async def area(self, caller: Caller, text: str, *, is_public: bool) -> Reply:
        """Show an area, privately or to all. Raises: Refusal."""
        state, seat = await self._state(caller)
        reader = PUBLIC if is_public else seat
        state = await asyncio.to_thread(as_seen, state, reader)
        seen = await asyncio.to_thread(area_of, state, text, state.visible_names(reader))
        words = "\n".join(area_words(state, seen, reader))
        payload = await self._drawn(caller, state, reader, seen.words, names_of_area(seen), words)
        return Reply(public=payload) if is_public else Reply(private=payload)

    async def see(self, caller: Caller, who: str | None, target: str | None) -> Reply:
        """Show privately what a token of your own sees; with a target what lies between the two. Raises: Refusal."""
        state, seat = await self._state(caller)
        own = _own(state, seat, who)
        if target is not None:
            lines = await asyncio.to_thread(measured, state, seat, target, own.name)
            return Reply(private=fit(Payload(content="\n".join(map(escape, lines)))))
        cells = await asyncio.to_thread(_seen_by, state, own)
        visible = frozenset(names_of(cells))
        known = as_seen(state, seat)
        there = [each for each in _standing(known, seat) if each.name != own.name and _stands_in(each, cells)]
        words = f"{escape(own.name)} sees {_cells_words(visible)}\n"
        words += f"On them: {escape(shown(each.name for each in there))}." if there else "Nobody is on them."
        return Reply(private=await self._drawn(caller, state, seat, f"{own.name} sees", visible, words))

    async def _state(self, caller: Caller) -> tuple[Encounter, Seat]:
        room = await self.tables.room_of(caller.channel, caller.guild)
        if room.encounter is None:
            raise refusals.no_encounter_yet()
        if room.encounter.board is None:
            raise refusals.no_board()
        seat = self.tables.seat(room, caller)
        return room.encounter.evolve(), seat

    async def _drawn(
        self, caller: Caller, state: Encounter, seat: Seat, label: str, cells: frozenset[str], words: str
    ) -> Payload:
        """Return cells as a picture with their words; the words alone if no file may be sent."""
        payload = Payload(content=shorten(words, CONTENT))
        view = await asyncio.to_thread(board_view, state, seat)
        if ATTACH in caller.missing or view is None or state.options.get("plain") == "on":
            return payload
        shown_view = view.evolve(
            ground=await self.pictures.grounds.under(state.board),
            reach=(),
            dangers=frozenset(),
            ranges=(Area(label=label, cells=cells),),
            needed=tuple(sorted(map(parse_cell, cells), key=lambda cell: (cell[1], cell[0]))) or view.needed,
        )
        payload.files.append(await asyncio.to_thread(board_file, shown_view, state, seat))
        return payload


def area_words(state: Encounter, area: AreaOf, seat: Seat) -> list[str]:
    """Return an area in words: its cells, and who is in it with distance and direction from its origin."""
    metric = system_of(state).metric
    inside = [each for each in _standing(state, seat) if area.holds(each)]
    inside.sort(
        key=lambda each: (distance(metric, area.origin, parse_cell(each.cell or "A1"), 1, each.size), each.name)
    )
    who = [
        f"{each.name} ({each.cell}, {way_words(metric, area.origin, parse_cell(each.cell or 'A1'), 1, each.size)})"
        for each in inside
    ]
    return [
        f"{escape(area.words)}, from {cell_name(*area.origin)}: {_cells_words(names_of_area(area))}",
        f"In it: {escape(', '.join(who))}." if who else "Nobody is in it.",
    ]


def _cells_words(cells: frozenset[str]) -> str:
    return f"{len(cells)} cells, {shown(rectangles(cells), _MOST_RECTANGLES) or 'none'}."


def _standing(state: Encounter, seat: Seat) -> list[Combatant]:
    names = state.visible_names(seat)
    return [each for each in state.cast if each.cell is not None and each.name in names]


def _own(state: Encounter, seat: Seat, who: str | None) -> Combatant:
    """Return the token whose sight is asked for: as named, or your own whose turn it is. Raises: Refusal."""
    system = system_of(state)
    able = [each for each in _standing(state, seat) if system.plays(state, each.name, seat) is not Plays.NOT or seat.gm]
    if who is not None:
        named = state.combatant(resolve_name(who, state.visible_names(seat), "combatant"))
        if named.cell is None:
            raise refusals.off_board(named.name)
        if named not in able:
            raise refusals.not_yours(named.name, "Only its owner and the GM can see what it sees.")
        return named
    turn = system.waits_for(state)
    able.sort(key=lambda each: (not seat.owns(each), each.name not in turn))
    if not able:
        raise refusals.none_on_board(instead="Name one with the option who.")
    return able[0]


def _seen_by(state: Encounter, one: Combatant) -> frozenset[Cell]:
    board: Board | None = state.board
    if board is None or one.cell is None:
        return frozenset()
    return cells_in_sight(state, board, one.size, parse_cell(one.cell))


def _stands_in(combatant: Combatant, cells: frozenset[Cell]) -> bool:
    return not cells.isdisjoint(covered(parse_cell(combatant.cell or "A1"), combatant.size))
