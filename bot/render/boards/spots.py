"""Choosing a door, or a spot for an area: numbers in a picture, and a select of the same numbers (maps 6)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot import custom_ids
from bot.render.components import button, rows_of, select
from bot.render.payload import Field, Form, Payload, beside, fit
from bot.render.words import clip, escape
from rules.core.encounter import Encounter
from rules.core.reach.spots import Door, Spot, door_cell
from rules.core.registry import system_of
from rules.core.space.board import Board
from rules.core.space.cells import parse_cell
from rules.core.space.winds import way_words
from rules.core.typed.names import shown
from rules.core.views.view import View

DOOR, AREA, PLACED, ALL, TYPED = "d", "a", "p", "s", "f"
OTHER_SHAPE = "*"
SHAPES = ("burst 1", "burst 2", "disc 2", "disc 3", "cone 3", "cone 5", "cone 4 wide", "line 4", "line 8", "square 2")
_MOST_SHOWN = 4
_NUMBERED = 24


def spot_buttons(view: View, version: int, who: str, *, doors: bool) -> list[dict[str, object]]:
    """Return *Door* and *Area* for somebody on the board; `/board door` and `area` do the same."""
    buttons = [button(_pressed(view, version, DOOR, who), "Door")] if doors else []
    return [*buttons, button(_pressed(view, version, AREA, who), "Area")]


def with_place_area(payload: Payload, view: View, version: int, who: str) -> Payload:
    """Add the way to aim at everybody in an area, below a list of targets that takes several."""
    return beside(payload, [button(_pressed(view, version, AREA, who), "Place area")])


def _pressed(view: View, version: int, what: str, who: str, more: str = "") -> str:
    return custom_ids.Pressed(custom_ids.SPOT, view.id, version, (what, who, more)).written()


# Doors


def doors_message(state: Encounter, board: Board, view: View, version: int, who: str, doors: Sequence[Door]) -> Payload:
    """Ask which door: each with its place and what would be done to it."""
    own = state.combatant(who)
    at, metric = parse_cell(own.cell or "A1"), system_of(state).metric
    options, notes = [], {}
    for number, door in enumerate(doors, 1):
        options.append((f"{number}: {door.do} {board.door_name(door.place)}", f"{door.do}|{door.place}"))
        notes[options[-1][1]] = (
            f"{door.state}, {way_words(metric, at, door_cell(board, door.place, at, own.size), own.size)}"
        )
    row = select(_pressed(view, version, DOOR, who), "Which door?", options, notes=notes)
    return fit(Payload(content=f"**{escape(who)}**: which door?", components=[row]))


# Areas


def shapes_message(view: View, version: int, who: str) -> Payload:
    """Return the question what kind of area."""
    options = [(shape, shape) for shape in SHAPES]
    row = select(_pressed(view, version, AREA, who), "Which area?", [*options, ("Another …", OTHER_SHAPE)])
    return fit(Payload(content=f"**{escape(who)}**: which area?", components=[row]))


def shape_form(view: View, version: int, who: str) -> Form:
    field = Field(key="shape", label="Shape and size", hint="burst 2, cone 4 wide, line 6 3")
    return Form(_pressed(view, version, TYPED, who), clip(f"Which area ({who})", 45), (field,))


def areas_message(view: View, version: int, who: str, shape: str, spots: Sequence[Spot]) -> Payload:
    """Ask for the area's place: each spot with those who would be in it."""
    options = [
        (f"{number}: {spot.name}, {shown(spot.names, _MOST_SHOWN)}", f"{number}|{spot.area}"[:100])
        for number, spot in enumerate(spots[:_NUMBERED], 1)
    ]
    content = f"**{escape(who)}**: where do you put {escape(shape)}?"
    if not options:
        content = f"{escape(shape)} would hit nobody you can see, whatever cell you choose."
        another = button(_pressed(view, version, AREA, who), "Another area")
        return fit(Payload(content=content, components=rows_of([another])))
    return fit(Payload(content=content, components=[select(_pressed(view, version, PLACED, who), "Where?", options)]))


def placed_buttons(
    view: View, version: int, who: str, area: str, actions: Sequence[tuple[str, str]]
) -> list[dict[str, object]]:
    """Return what can be done with an area that was put somewhere: be aimed at with an action, or shown to all."""
    buttons = [button(pressed, label) for label, pressed in actions]
    everybody = custom_ids.Pressed(custom_ids.SPOT, view.id, version, (ALL, who, area))
    with suppress(ValueError):  # with a long name it is typed: /board area
        buttons.append(button(everybody.written(), "Show to all"))
    return rows_of(buttons)
