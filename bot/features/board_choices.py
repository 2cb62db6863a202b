"""*Door* and *Area*: what can be selected on the board has numbers in a private picture (maps 6)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from bot.caller import Caller
from bot.custom_ids import Pressed
from bot.features.board_looks import BoardLooks
from bot.render.boards.spots import (
    ALL,
    AREA,
    DOOR,
    OTHER_SHAPE,
    PLACED,
    TYPED,
    areas_message,
    doors_message,
    placed_buttons,
    shape_form,
    shapes_message,
)
from bot.render.flow import narrowed, selection_id, selects_of
from bot.render.payload import Payload, Reply
from bot.replies.referee import Referee
from bot.table.meant_offers import narrowing
from bot.table.pictures import ATTACH
from bot.table.room import Room
from rules.core import refusals
from rules.core.board.areas import area_of
from rules.core.board.fog import as_seen
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.offer import Offer
from rules.core.reach.spots import area_spots, door_point, doors_at_hand
from rules.core.registry import system_of
from rules.core.space.cells import Cell
from rules.core.values import Seat
from rules.core.views.view import View, offers_for
from rules.errors import Illegal

_MOST_ACTIONS = 4
_MOST_WAYS = 8


class BoardChoices:
    """Answers the presses on *Door* and *Area*, and what is selected from their lists."""

    def __init__(self, looks: BoardLooks, referee: Referee) -> None:
        self.looks = looks
        self.referee = referee

    async def pressed(
        self,
        caller: Caller,
        room: Room,
        view: View,
        press: Pressed,
        values: Sequence[str],
        fields: Mapping[str, str],
        *,
        update: bool,
    ) -> Reply:
        """Ask on, or do what was selected. Raises: Refusal."""
        what, who, more = press.parts
        active = room.table.active
        seat = self.looks.tables.seat(room, caller)
        if active is None or active.find(who) is None or not system_of(active).plays(active, who, seat):
            raise refusals.not_yours(who, "Only its owner, their stand-in or the GM can do that.")
        if what == DOOR and values:
            do, _, place = values[0].partition("|")
            return await self.referee.step(caller, Command(action="board door", args={"at": place, "do": do}))
        state = await asyncio.to_thread(as_seen, active.evolve(), seat)
        if what == ALL:
            return await self.looks.area(caller, more, is_public=True)
        if what == DOOR:
            return Reply(private=await self._doors(caller, room, view, state, seat, who), update=update)
        if what == PLACED and values:
            area = values[0].partition("|")[2]
            reply = await self.looks.area(caller, area, is_public=False)
            if reply.private is not None:
                actions = await asyncio.to_thread(self._actions, room, view, state, seat, who, area)
                reply.private.components = placed_buttons(view, room.prompt.wanted, who, area, actions)
            return Reply(private=reply.private, update=update)
        shape = fields.get("shape", "") if what == TYPED else next(iter(values), "")
        if shape == OTHER_SHAPE:
            return Reply(form=shape_form(view, room.prompt.wanted, who))
        if what in (AREA, TYPED) and shape:
            return Reply(private=await self._areas(caller, room, view, state, seat, who, shape), update=update)
        return Reply(private=shapes_message(view, room.prompt.wanted, who), update=update)

    async def _doors(self, caller: Caller, room: Room, view: View, state: Encounter, seat: Seat, who: str) -> Payload:
        doors = doors_at_hand(state, seat, who)
        board = state.board
        if board is None or not doors:
            raise Illegal("There is no door within reach.", rule="G-06", instead="Move beside one, or ask the GM.")
        board = board.whole if seat.gm else board
        message = doors_message(state, board, view, room.prompt.wanted, who, doors)
        points = tuple(door_point(board, door.place) for door in doors)
        return await self._drawn(caller, room, message, seat, who, tuple(door.cell for door in doors), points)

    async def _areas(
        self, caller: Caller, room: Room, view: View, state: Encounter, seat: Seat, who: str, shape: str
    ) -> Payload:
        visible = [name for name in state.visible_names(seat) if name not in state.out_of_sight]
        spots = await asyncio.to_thread(area_spots, state, who, shape, visible)
        message = areas_message(view, room.prompt.wanted, who, " ".join(shape.split()), spots)
        cells = tuple(spot.cell for spot in spots)
        return await self._drawn(caller, room, message, seat, who, cells) if cells else message

    async def _drawn(
        self,
        caller: Caller,
        room: Room,
        message: Payload,
        seat: Seat,
        who: str,
        cells: tuple[Cell, ...],
        points: tuple[tuple[float, float], ...] = (),
    ) -> Payload:
        """Add the picture with the numbers; nothing if no file may be sent, since the list has it all in words."""
        active = room.table.active
        if active is None or ATTACH in caller.missing or active.options.get("plain") == "on":
            return message
        message.files += await self.looks.pictures.numbered(active, active.evolve(), seat, who, cells, points)
        return message

    def _actions(
        self, room: Room, view: View, state: Encounter, seat: Seat, who: str, area: str
    ) -> list[tuple[str, str]]:
        """Return the actions that can be aimed at everybody in an area, each with the id of its button."""
        names = state.visible_names(seat)
        placed = area_of(state, area, names)
        inside = {name for name in names if (each := state.find(name)) is not None and placed.holds(each)}
        actions: list[tuple[str, str]] = []
        for offer in offers_for(room.table, who, seat):
            for narrower, selected in _ways(room, seat, offer):
                target = selects_of(narrower)[len(selected)]
                able = tuple(name for name in target.choices or () if name in inside)
                if not able or inside - {who, *able}:
                    continue
                try:
                    pressed = selection_id(view, narrower, room.prompt.wanted, (*selected, ", ".join(able)))
                except ValueError:
                    continue
                actions.append((" ".join((offer.label, *(f"with {value}" for value in selected))), pressed))
        return actions[:_MOST_ACTIONS]


def _ways(room: Room, seat: Seat, offer: Offer) -> Iterator[tuple[Offer, tuple[str, ...]]]:
    """Return an offer up to the choice of several targets, once for each way that leads there."""
    narrow = narrowing(room, seat, offer)
    left: list[tuple[Offer, tuple[str, ...]]] = [(offer, ())]
    for _ in range(_MOST_WAYS):
        if not left:
            return
        at, selected = left.pop(0)
        params = selects_of(at)
        if len(selected) >= len(params):
            continue
        param = params[len(selected)]
        if param.many:
            if param.name == "target":
                yield at, selected
        elif param.name != "target":
            ways = ((*selected, value) for value in (param.choices or ())[:_MOST_WAYS])
            left += [(narrowed(at, way, narrow), way) for way in ways]
