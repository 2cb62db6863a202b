"""A channel's turn prompt as it stands now: who is asked, what they may do, until when."""

from __future__ import annotations

from bot.reminders.asked import Asked
from bot.reminders.people import People
from bot.render.payload import Payload
from bot.render.prompt import turn_prompt
from bot.render.words import PUBLIC, fit
from bot.table.room import Room
from rules.core.action import Offer
from rules.core.registry import system_of
from rules.core.view import view_of


def prompt_payload(people: People, room: Room, *, nudging: bool = False) -> Payload | None:
    """Return the turn prompt of a running encounter, None where nobody is to be prompted.

    Who sleeps or is away is named and not pinged; with nobody to ping it comes silently (design 4). Below a nudge
    it pings nobody by itself.
    """
    state = room.encounter
    view = view_of(room.table, PUBLIC)
    if state is None or view is None or state.status != "running" or (state.over is not None and not view.asks):
        return None
    system = system_of(state)
    usual: dict[str, tuple[Offer, ...]] = {}
    for who in system.waits_for(state):
        combatant = state.find(who)
        if combatant is None or not combatant.hidden:
            usual[who] = tuple(offer for offer in system.offers(state, who, public=True) if offer.usual)
    actors = dict.fromkeys((*system.waits_for(state), *(who for asked in view.asks for who in asked.who)))
    asked = Asked(people, state, room.guild, room.waits)
    mentions = dict.fromkeys((*actors, ""), "") if nudging else asked.mentions(tuple(actors))
    return fit(
        turn_prompt(
            view,
            room.prompt.wanted,
            usual=usual,
            mentions=mentions,
            silent=not nudging and bool(actors) and not any(mentions[who] for who in actors),
            deadline=asked.deadline(),
            asides=system.asides(state),
            stood_in=asked.stood_in(tuple(actors)),
        )
    )
