"""Who reads a pool that is not everybody's: who plays its bearer, or somebody of the side that has it, and the GM."""

from __future__ import annotations

from rules.core.encounter import Encounter
from rules.core.rulebook import rulebook
from rules.core.values import Seat

_GM = "gm"


def readers_of_pool(state: Encounter, who: str, pool: str) -> tuple[str, ...] | None:
    """Return who a change of somebody's pool is told to; None: everybody."""
    if pool not in rulebook(state).hidden_pools:
        return None
    owner = state.combatant(who).owner
    return (_GM,) if owner is None else (owner, _GM)


def readers_of_shared(state: Encounter, side: str | None, pool: str) -> tuple[str, ...] | None:
    """Return who a change of a side's pool, or of one of the table (`side` None), is told to; None: everybody."""
    return sharers(state, side) if pool in rulebook(state).hidden_pools else None


def sharers(state: Encounter, side: str | None) -> tuple[str, ...]:
    """Return the players of a side, none for the table, and the GM."""
    own = (combatant.owner for combatant in state.combatants if side is not None and combatant.side == side)
    return (*dict.fromkeys(user for user in own if user is not None), _GM)


def reads_shared(state: Encounter, side: str | None, pool: str, seat: Seat) -> bool:
    """Tell whether somebody sees a pool of a side or of the table, also as another's stand-in."""
    rules = rulebook(state)
    if seat.gm or pool not in rules.hidden_pools:
        return True
    return side is not None and any(
        combatant.side == side and rules.knows(state, combatant.name, seat) for combatant in state.combatants
    )


def pool_words(now: int, top: int | None, *, is_health: bool) -> str:
    """Return a pool in words: unhurt, hurt, badly hurt, out; of other points how much is left. Rule: G-08."""
    if now <= 0:
        return "out" if is_health else "none"
    if top is None:
        return "unhurt" if is_health else "some"
    if now >= top:
        return "unhurt" if is_health else "full"
    if now * 2 > top:
        return "hurt" if is_health else "more than half"
    return "badly hurt" if is_health else "half or less"
