"""What a refusal offers along with its words: the selects and buttons of the actions that would work instead."""

from __future__ import annotations

from typing import Any

from bot.render.flow import advanced, narrowed, next_input, selects_of
from bot.render.panel import action_button, which_of
from bot.render.payload import Payload
from bot.render.words import rows_of
from bot.table.meant_offers import narrowing, offers_of
from bot.table.room import Room
from rules.core.action import Offer
from rules.core.command import Command
from rules.core.errors import Refusal
from rules.core.names import find_name
from rules.core.values import Seat
from rules.core.view import View, view_of

_ROWS = 5


class Helped(Refusal):
    """A refusal with the components that do what would work instead."""

    def __init__(self, refused: Refusal, components: list[dict[str, Any]]) -> None:
        super().__init__(refused.reason, rule=refused.rule, instead=refused.instead, remedies=refused.remedies)
        self.components = components


def helped(room: Room, seat: Seat, command: Command, refused: Refusal) -> Refusal:
    """Return the refusal with the forms of its remedies, as far as this seat has them; else as it is."""
    view = view_of(room.table, seat)
    if view is None or not refused.remedies:
        return refused
    rows = _forms(room, seat, view, command, refused.remedies)
    return Helped(refused, rows) if rows else refused


def _forms(room: Room, seat: Seat, view: View, command: Command, remedies: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the form of the first remedy and buttons for the others."""
    components: list[dict[str, Any]] = []
    buttons: list[dict[str, Any]] = []
    for action in remedies:
        found = offers_of(room, seat, action, command.character or "")
        if not found:
            continue
        if len(found) > 1:
            components.extend(which_of(view, found, room.prompt.wanted).components)
        elif not components:
            components.extend(_asked(room, seat, view, found[0], command))
        else:
            buttons.append(action_button(view, found[0], room.prompt.wanted))
    return [*components, *(rows_of(buttons) if buttons else [])][:_ROWS]


def _asked(room: Room, seat: Seat, view: View, offer: Offer, command: Command) -> list[dict[str, Any]]:
    """Return the components that ask for what an action still lacks; none where it has to be typed."""
    narrow = narrowing(room, seat, offer)
    chosen: tuple[str, ...] = ()
    if offer.action == command.action:
        while len(chosen) < len(selects_of(offer)):
            param = selects_of(offer)[len(chosen)]
            given = getattr(command, param.name)
            value = None if given is None else find_name(str(given), param.choices or ())
            if value is None or param.many:
                break
            chosen = (*chosen, value)
            offer = narrowed(offer, chosen, narrow)
    try:
        offer, chosen = advanced(offer, chosen, narrow)
        asked = next_input(view, offer, room.prompt.wanted, chosen)
    except Refusal:
        return []
    if isinstance(asked, Payload):
        return asked.components
    return rows_of([action_button(view, offer, room.prompt.wanted)])
