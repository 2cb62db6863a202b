"""Buttons below what a GM reads of their own step: for creatures that went down, and for the turn that they gave."""

from __future__ import annotations

from dataclasses import replace

from bot.render.components import rows_of
from bot.render.gm_work import besides_button, fallen_buttons, whole_blow_button
from bot.render.payload import Payload
from bot.render.words import escape
from bot.table.room import Room
from bot.table.service import Done
from rules.core.blows.opened import open_blow
from rules.core.encounter import Encounter
from rules.core.turns.fallen import fallen_of, keepable_of
from rules.core.values import Seat
from rules.core.views.view import view_of

_ROWS = 5


def add_fallen(private: Payload, before: Encounter | None, done: Done) -> None:
    """Give the GM who reads that a creature of theirs is down the buttons for it."""
    state = done.room.table.active
    if state is None:
        return
    fallen = fallen_of(state)
    if not {*fallen} - {*(() if before is None else fallen_of(before))}:
        return
    view = view_of(done.room.table, done.seat)
    if view is not None:
        buttons = fallen_buttons(view, done.room.prompt.wanted, fallen, keepable_of(state))
        private.components = [*private.components, *rows_of(buttons)][:_ROWS]


def whole_blow(room: Room, seat: Seat) -> Payload | None:
    """Offer the GM who has undone a part of a blow to take all of it back."""
    state, view = room.table.active, view_of(room.table, seat)
    blow = None if state is None else open_blow(state)
    if blow is None or view is None or not seat.gm:
        return None
    words = (
        f"{escape(blow.source)}'s {escape(blow.ability.name)} is still under way and asks the same question as before."
    )
    return Payload(content=words, components=rows_of([whole_blow_button(view, room.prompt.wanted)]))


def with_besides(private: Payload | None, done: Done) -> Payload | None:
    """Give the GM the way to make the turn that they gave one besides, which takes nothing from anybody's own."""
    view = view_of(done.room.table, done.seat)
    if view is None or done.room.table.active is None:
        return private
    answer = Payload() if private is None else private
    words = "It counts as one of their own turns. An extra turn would take nothing from those."
    buttons = rows_of([besides_button(view, done.room.prompt.wanted, done.seq)])
    return replace(
        answer, content=f"{answer.content}\n{words}".strip(), components=[*answer.components, *buttons][:_ROWS]
    )
