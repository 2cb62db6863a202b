"""Whose turn it is, who is activated, and what has been done already: what every action asks first.

Rule: ST-05, ST-11, ST-12, ST-15, ST-17.
"""

from __future__ import annotations

from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.systems.stones.players import excess, is_object, living, player_name, player_of, stones_words
from rules.systems.stones.state import StonesState
from rules.systems.stones.turns import claimants, could_claim
from rules.systems.stones.words import NO_ABILITIES


def _no_object(state: StonesState, who: str) -> Refusal | None:
    if is_object(state.combatant(who)):
        return Illegal(f"{who} is an object and can't act.", rule="ST-11", instead="Choose a character.")
    return None


def _now(state: StonesState) -> str:
    able = claimants(state) if state.current is None else (state.current,)
    return f"Now: {shown(player_name(state, player) for player in able)}."


def may_claim(state: StonesState, who: str) -> Refusal | None:
    refusal = _no_object(state, who)
    if refusal is not None:
        return refusal
    player = player_of(state, who)
    if state.current is not None:
        return not_now(state, who)
    if player in could_claim(state):
        return stands(state, who)
    whose = player_name(state, player)
    reason = "has had this round's turn" if player in state.taken else "cannot take this turn"
    return Illegal(f"{whose[:1].upper()}{whose[1:]} {reason}.", rule="ST-17", instead=_now(state))


def not_now(state: StonesState, who: str) -> Refusal:
    player = player_of(state, who)
    if state.current == player:
        return Illegal("The turn is already claimed.", rule="ST-17", instead="Use activate with a character, or end.")
    return Illegal(f"The turn is not {player_name(state, player)}'s.", rule="ST-17", instead=_now(state))


def own_turn(state: StonesState, who: str) -> Refusal | None:
    refusal = _no_object(state, who)
    if refusal is not None:
        return refusal
    if state.current is None and player_of(state, who) in could_claim(state):
        return Illegal(
            "Nobody has claimed the turn yet.", rule="ST-17", instead="Claim it with begin, which also draws."
        )
    return stands(state, who) if state.current == player_of(state, who) else not_now(state, who)


def incapacitated(who: str, rule: str, instead: str) -> Illegal:
    """Say that a character lies on the ground."""
    return Illegal(f"{who} is incapacitated.", rule=rule, instead=instead)


def stands(state: StonesState, who: str) -> Refusal | None:
    """Refuse an incapacitated character; its player acts by another. Rule: ST-05."""
    if not is_out(state, who):
        return None
    others = shown(living(state, player_of(state, who)))
    return incapacitated(who, rule="ST-05", instead=f"Choose another character: {others}.")


def has_drawn(state: StonesState, who: str) -> Refusal | None:
    """Refuse what comes before the discard that is owed from the last turn. Rule: ST-16."""
    if not state.undrawn or state.combatant(who).hidden:  # one that players do not know holds no stones
        return None
    over = stones_words(excess(state, player_of(state, who)))
    return Illegal(
        f"{over} over the limit since the last turn: discard those first.",
        rule="ST-16",
        instead="Use discard; then you draw.",
        remedies=("discard",),
    )


def _may_go_on(state: StonesState, who: str) -> Refusal | None:
    """Refuse who has no turn, or has ended the activations of it by a break or discard. Rule: ST-15."""
    refusal = own_turn(state, who) or has_drawn(state, who)
    if refusal is None and state.closed:
        return Illegal("You can't activate anybody after the first break or discard.", rule="ST-15", instead="end.")
    return refusal


def may_activate(state: StonesState, who: str) -> Refusal | None:
    refusal = _may_go_on(state, who)
    if refusal is None and who in state.activated:
        others = [name for name in living(state, player_of(state, who)) if name not in state.activated]
        return Illegal(
            f"{who} has already been activated this turn.",
            rule="ST-05",
            instead=f"Not yet: {shown(others)}." if others else "end.",
        )
    return refusal


def is_activated(state: StonesState, who: str) -> Refusal | None:
    refusal = _may_go_on(state, who)
    if refusal is None and state.active != who:
        now = f"{state.active} is" if state.active is not None else "Nobody is yet"
        return Illegal(f"{who} is not activated. {now}.", rule="ST-05", instead=f"Use activate character:{who}.")
    return refusal


def has_acted(state: StonesState, who: str, again: str) -> Refusal | None:
    refusal = is_activated(state, who)
    if refusal is None and again == "ability" and state.combatant(who).has(NO_ABILITIES):
        return Illegal(f"{who} can't use abilities now.", rule="ST-14", instead="attack is free.")
    if refusal is not None or not state.acted:
        return refusal
    made = {"attack": "its standard attack", "ability": "its ability"}[state.acted]
    rule = "ST-05" if state.acted == again else "ST-12"
    return Illegal(
        f"{who} has already made {made} of this turn.",
        rule=rule,
        instead="Everybody has one standard attack or one ability a turn.",
    )
