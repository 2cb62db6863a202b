"""What a person may do at a table, for everything that offers it: presses, panels, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.render.flow import Narrow
from bot.render.standing_orders import AHEAD, read_time
from bot.table.room import Room
from rules.core.action import Offer, Param
from rules.core.command import Command
from rules.core.errors import Malformed
from rules.core.lurkers import ahead
from rules.core.registry import system_of
from rules.core.values import Plays, Seat
from rules.core.verbs.orders import offers_on_turn, on_turn
from rules.core.view import my_actors, offers_for


def offers_of(room: Room, seat: Seat, action: str, who: str) -> tuple[Offer, ...]:
    """Return the offers that a person may mean: those of their own before those that they have as the GM.

    None where they have none (the rules then say why); one where the action is the player's and not a character's.
    """
    active = room.table.active
    if active is None:
        return ()
    if action.startswith(AHEAD):
        return _later(room, seat, action, who)
    system = system_of(active)
    actors = (who,) if who else my_actors(room.table, seat)
    if not who and seat.gm:
        actors = (*actors, *(each for each in system.waits_for(active) if each not in actors))
    found = [
        offer
        for actor in actors
        if (actor in system.actors(active) or (who and active.lurker(who))) and system.plays(active, actor, seat)
        for offer in offers_for(room.table, actor, seat)
        if offer.action == action
    ]
    meant = [offer for offer in found if system.plays(active, offer.who, seat) is Plays.OWN] or found
    return tuple(meant[:1] if meant and meant[0].player_wide else meant)


def _later(room: Room, seat: Seat, action: str, who: str) -> tuple[Offer, ...]:
    """Return what somebody may order for their own turn."""
    if who not in my_actors(room.table, seat):
        return ()
    offers = offers_on_turn(room.table, who, seat)
    return tuple(offer.evolve(action=action) for offer in offers if offer.action == action.removeprefix(AHEAD))


def narrowing(room: Room, seat: Seat, offer: Offer) -> Narrow:
    """Return how what is chosen limits what else an action takes, as far as the seat may know (G-04)."""
    table = on_turn(room.table, offer.who) if offer.action.startswith(AHEAD) else room.table
    if table is not None and table.active is not None and table.active.lurker(offer.who) is not None:
        table = ahead(table, offer.who)
    active = None if table is None else table.active
    assert active is not None  # noqa: S101 - there is an offer
    system = system_of(active)

    def narrow(given: Mapping[str, str]) -> tuple[Param, ...]:
        return system.actions.params_given(active, offer.who, command_of(offer, given).evolve(args={}))

    return narrow


def command_of(offer: Offer, given: Mapping[str, str]) -> Command:
    """Build the command that a completed offer means. Raises: Malformed for an amount that is no number."""
    values: dict[str, Any] = dict(given)
    if "amount" in values:
        text = str(values["amount"]).strip()
        if not text.lstrip("+-").isdecimal() or len(text) > 9:
            raise Malformed(f"{text[:40]} is no whole number.", instead="Write 3, for example.")
        values["amount"] = int(text)
    return in_time(offer.action, offer.who, **values)


def in_time(action: str, who: str | None, **values: Any) -> Command:
    """Return a command for now, or what is said in advance where the action is marked so."""
    plain, args, note = read_time(action)
    if note is not None:
        values["note"] = note
    return Command(action=plain, character=who, args=args, **values)
