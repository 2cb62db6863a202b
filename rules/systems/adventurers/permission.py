"""Whether somebody has an action now, and why not.

Rule: AD-03, AD-06, AD-07, AD-11, AD-19, AD-27, AD-29.
"""

from __future__ import annotations

from rules.core.model import per_state
from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.systems.adventurers import creatures, rounds
from rules.systems.adventurers.creatures import is_adventurer, is_helpless
from rules.systems.adventurers.state import (
    EXTRA,
    INITIATIVE,
    AdventurersState,
)


@per_state
def named(state: AdventurersState, names: tuple[str, ...]) -> str:
    """Join names for a refusal; hidden ones are just the GM's."""
    visible = [name for name in names if not state.combatant(name).hidden]
    if len(visible) < len(names):
        visible.append("the GM")
    return shown(visible) or "nobody"


def gone(state: AdventurersState, who: str) -> Refusal | None:
    if not is_out(state, who):
        return None
    dead = state.combatant(who).has(creatures.DEAD)
    return Illegal(
        f"{who} {'is dead' if dead else 'has fled'}.",
        rule="AD-19" if dead else "AD-11",
        instead="The GM can rule otherwise.",
    )


def adventurers_only(state: AdventurersState, who: str) -> Refusal | None:
    """Refuse what enemies do not do. Rule: AD-22."""
    if is_adventurer(state, who):
        return None
    return Illegal(
        f"{who} is an enemy: they attack, assist and pass.", rule="AD-22", instead="To let one go, use /gm remove."
    )


def may_act(state: AdventurersState, who: str) -> Refusal | None:
    """Say whether somebody has an action now. Rule: AD-03, AD-06, AD-07, AD-27, AD-29."""
    refusal = gone(state, who)
    if refusal is not None or state.given == who:
        return refusal
    if is_helpless(state, who):
        return Illegal(
            f"{who} is Helpless and can't act.",
            rule="AD-29",
            instead="Willpower of 1 or more frees them; they still make the initiative check.",
        )
    if state.given is not None:
        return Illegal(
            f"The GM gave the turn to {named(state, (state.given,))}.",
            rule="G-01",
            instead="After that the step goes on.",
        )
    if state.phase == EXTRA:
        if who in rounds.extra_group(state):
            return None
        later = who in rounds.members(state, EXTRA)
        return Illegal(
            f"{who}'s extra actions come later." if later else f"{who} has no extra action.",
            rule="AD-27",
            instead=f"Now: {named(state, rounds.extra_group(state))}.",
        )
    if who in state.done:
        return Illegal(
            f"{who} has already had this round's action.", rule="AD-07", instead="The next round brings another."
        )
    if state.phase == INITIATIVE:
        rolled = who in state.passed
        left = named(state, rounds.waiting(state))
        return Illegal(
            "The initiative checks come first." if not rolled else "Somebody has yet to make the initiative check.",
            rule="AD-04",
            instead=f"initiative: {left}.",
        )
    if who not in rounds.members(state, state.phase):
        return Illegal(
            f"{who} acts in step {rounds.own_step(state, who)}; now it is {rounds.TITLES.get(state.phase or '', '?')}.",
            rule="AD-03",
            instead=f"Now: {named(state, rounds.waiting(state))}.",
        )
    return None
