"""Who may do what: the one table of rights (design 3.1).

What is not listed here is an action of the system; there the owner, the stand-in or the GM acts (G-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rules.core.encounter import Encounter
from rules.core.errors import Illegal
from rules.core.values import Seat


class Role(Enum):
    """The least that somebody must be."""

    ANYONE = "anyone"
    GM = "the encounter's GM"
    GM_OR_MODERATOR = "the encounter's GM or a member who may manage messages"


RIGHTS: Mapping[str, Role] = {
    "encounter start": Role.ANYONE,
    "encounter begin": Role.GM,
    "encounter pause": Role.GM_OR_MODERATOR,
    "encounter resume": Role.ANYONE,  # its own GM or a moderator; the verb itself looks
    "encounter end": Role.GM_OR_MODERATOR,
    "encounter options": Role.GM,
    "encounter gm": Role.GM_OR_MODERATOR,
    "encounter move": Role.GM,
    "join": Role.ANYONE,
    "add": Role.GM,
    "remove": Role.ANYONE,  # one's own; the verb itself looks
    "condition add": Role.ANYONE,  # one's own; the verb itself looks
    "condition remove": Role.ANYONE,
    "ask-roll": Role.ANYONE,
    "order drop": Role.ANYONE,  # one's own, or any for a GM; the verb itself looks
    "deck new": Role.ANYONE,  # in an encounter its GM, elsewhere the deck's keeper; the verb itself looks
    "deck shuffle": Role.ANYONE,
    "deck clear": Role.ANYONE,
    "deck reshuffle": Role.GM_OR_MODERATOR,
    "hand draw": Role.ANYONE,
    "hand play": Role.ANYONE,
    "hand discard": Role.ANYONE,
    "hand give": Role.ANYONE,
    "hand look": Role.ANYONE,  # a stand-in's or the GM's; the verb itself looks
    "board size": Role.GM,
    "board place": Role.GM,
    "board terrain": Role.GM,
    "board clear": Role.GM,
    "gm add": Role.GM,
    "gm reveal": Role.GM,
    "gm set": Role.GM,
    "gm damage": Role.GM,
    "gm heal": Role.GM,
    "gm move": Role.GM,
    "gm turn": Role.GM,
    "gm skip": Role.GM,
    "gm remove": Role.GM,
    "gm next-phase": Role.GM,
    "gm order": Role.GM,
    "gm answer": Role.GM,
    "gm choose": Role.GM,
    "gm effect": Role.GM,
    "gm aware": Role.GM,
    "gm trigger": Role.GM,
    "gm cards": Role.GM,
    "gm note": Role.GM,
    "gm ask": Role.GM,
}


def require_right(verb: str, seat: Seat, encounter: Encounter | None) -> None:
    """Refuse somebody who may not. Raises: Illegal. A person without a user (a timer) may do what it was armed for."""
    role = RIGHTS.get(verb, Role.ANYONE)
    if role is Role.ANYONE or seat.gm or seat.user is None:
        return
    if role is Role.GM_OR_MODERATOR and seat.moderator:
        return
    gms = "" if encounter is None else ", ".join(encounter.people.get(gm, "the GM") for gm in encounter.gms)
    raise Illegal(f"That is for {role.value}.", instead=f"Ask {gms}." if gms else None)
