"""Who may do what (design 3.1). Each verb declares its right: `rules/core/commands`.

All else is an action of the system: the owner, the stand-in or the GM does it (G-03).
"""

from __future__ import annotations

from enum import Enum

from rules.core import refusals
from rules.core.encounter import Encounter
from rules.core.values import Seat
from rules.errors import Illegal


class Role(Enum):
    """The least that somebody must be. A verb for anyone or for players looks itself whose what it changes is."""

    NOBODY = "nobody"
    ANYONE = "anyone"
    PLAYER = "those who play here"
    GM = "the encounter's GM"
    GM_OR_MODERATOR = "the encounter's GM or a member who may manage messages"


def require_right(role: Role, seat: Seat, encounter: Encounter | None) -> None:
    """Refuse somebody who may not. Raises: Illegal. A person without a user (a timer) may do what it was armed for."""
    if role is Role.NOBODY:
        raise Illegal("Nobody can do that: no rule says who may.")
    if role is Role.ANYONE or seat.gm or seat.user is None:
        return
    if role is Role.PLAYER and (encounter is None or plays_somebody(seat, encounter)):
        return
    if role is Role.GM_OR_MODERATOR and seat.moderator:
        return
    if encounter is None:
        raise refusals.no_encounter_yet()
    gms = ", ".join(encounter.people.get(gm, "the GM") for gm in encounter.gms)
    raise Illegal(f"Only {role.value} can do that.", instead=f"Ask {gms}." if gms else None)


def plays_somebody(seat: Seat, encounter: Encounter) -> bool:
    """Tell whether somebody plays anybody here, as owner or stand-in."""
    return any(seat.owns(combatant) for combatant in encounter.cast)
