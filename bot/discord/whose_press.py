"""Whose press it is: if a GM presses what waits for somebody else, they are asked before it is done (play 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot import custom_ids
from bot.custom_ids import Pressed
from bot.render.menus import MORE, asked_for_others, read_entry
from bot.render.panel import read_action
from bot.render.payload import Payload
from bot.table.meant_offers import decided_for
from bot.table.room import Room
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.typed.names import shown
from rules.core.values import Seat
from rules.core.views.view import View


def asked_first(room: Room, seat: Seat, view: View, press: Pressed, data: Mapping[str, Any]) -> Payload | None:
    """Ask a GM whether they decide for somebody else; None if the press is their own, or one of several to name."""
    state = room.table.active
    meant = _meant(press, data)
    if state is None or not seat.gm or meant is None:
        return None
    kind, action, who, rest = meant
    actors = decided_for(room, seat, "" if kind == custom_ids.ASK else action, who)
    if not actors or (len(actors) > 1 and not who):
        return None  # which of several is asked first; each of those buttons then comes here
    system = system_of(state)
    declared = system.actions.by_id.get(action)
    if declared is not None and declared.from_hand and not all(system.knows(state, each, seat) for each in actors):
        return None  # it is refused anyway, in the same words whatever the hand holds (G-04)
    label = _label(state, kind, action)
    players = shown(dict.fromkeys(state.player_of(each) for each in actors))
    named = ", ".join(actors)
    first = (action, named) if kind != custom_ids.ASK else (action, who)
    decide = Pressed(custom_ids.DECIDE, view.id, room.prompt.wanted, (kind, *first, *rest))
    return asked_for_others(view, decide, label, players, () if players == shown(actors) else actors)


def decided(press: Pressed) -> Pressed | None:
    """Return the press that a GM has said yes to; None if the id is none of ours."""
    if not press.parts:
        return None
    kind, *parts = press.parts
    try:
        return custom_ids.parse_id(Pressed(kind, press.encounter, press.version, tuple(parts)).written())
    except ValueError:
        return None


def _meant(press: Pressed, data: Mapping[str, Any]) -> tuple[str, str, str, tuple[str, ...]] | None:
    """Return the kind of a first press, its action, its actor, and what else its id says; None for a later one."""
    values = [str(value) for value in data.get("values", [])]
    if press.kind == custom_ids.ASK:
        return press.kind, press.parts[0], press.parts[1], ()
    if press.kind == custom_ids.MENU and values and values != [MORE]:
        action, who, digest = read_entry(values[0])
        return (custom_ids.WHOLE, action, who, (digest, "")) if digest else (custom_ids.CHOOSE, action, who, ())
    if press.kind == custom_ids.WHOLE and not press.parts[3]:
        return press.kind, press.parts[0], press.parts[1], press.parts[2:]
    if press.kind == custom_ids.CHOOSE and press.parts and press.parts[0] == "" and values:
        return (press.kind, *read_action(values[0]), ())
    if press.kind in (custom_ids.ACT, custom_ids.CHOOSE) and len(press.parts) <= 2:
        action, who = (*press.parts, "", "")[:2]
        return press.kind, action, who, ()
    return None


def _label(state: Encounter, kind: str, action: str) -> str:
    if kind == custom_ids.ASK:
        return next((each.reason or each.dice for each in state.asks if str(each.id) == action), "that roll")
    declared = system_of(state).actions.by_id.get(action)
    return action if declared is None else declared.label
