"""Who may do what now: the checks that offers, refusals and decisions share.

Rule: SW-05, SW-09, SW-13, SW-15, SW-17 to SW-23.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from rules.core import refusals
from rules.core.registry import option_value
from rules.errors import Illegal, Refusal
from rules.systems.soulweaver import reactions
from rules.systems.soulweaver.abilities import IN_CONFLICT, NO_REACTIONS, NO_STANCE
from rules.systems.soulweaver.creatures import (
    MAJOR,
    MINOR,
    can_pay,
    is_creature,
    pips,
    shown_name,
    stance_of,
    threats,
    unsteady_by,
    words_left,
)
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState

May = Callable[[SoulState, str], Refusal | None]


def acting(state: SoulState, who: str) -> Literal["turn", "interrupt", ""]:
    """Return as what somebody may act now: in their own turn, in an interruption (SW-18), or not at all."""
    event = reactions.interrupter(state)
    if event is not None and event.who == who:
        return "interrupt"
    return "turn" if state.current == who and not state.stack.items and state.pause is None else ""


def _whose(state: SoulState) -> str:
    for asked in state.questions:
        return f"I ask {shown_name(state, asked.who)} first ({' or '.join(asked.choices)})."
    top = reactions.interrupter(state)
    who = state.current if top is None else top.who
    return "Nobody is acting right now." if who is None else f"It is {shown_name(state, who)}'s turn."


def _blocked(state: SoulState, who: str, rule: str) -> Refusal:
    if state.current == who and (state.stack.items or state.pause is not None):
        return Illegal(f"{who}'s turn waits until the open triggers are done.", rule="SW-22", instead=_whose(state))
    return refusals.not_turn(who, rule=rule, instead=_whose(state))


def own_turn(pool: str, *, creatures_only: bool = False) -> May:
    """Return the check of an action on their own turn (or in an interruption) that costs `pool`. Rule: SW-13, SW-15."""

    def may(state: SoulState, who: str) -> Refusal | None:
        if creatures_only and not is_creature(state, who):
            return _no_creature()
        mode = acting(state, who)
        if not mode:
            return _blocked(state, who, "SW-13")
        if mode == "interrupt":
            return None
        if who in state.long:
            return Illegal(
                f"{who}'s whole turn goes into {state.long[who].what}.",
                rule="SW-15",
                instead="end goes on with it; to give it up, use long with note stop.",
            )
        if not can_pay(state, who, pool, fresh=not state.begun):
            return no_action(state, who, pool)
        return None

    return may


def no_action(state: SoulState, who: str, pool: str) -> Refusal:
    kinds = "no Major Action" if pool == MAJOR else "neither a Minor nor a Major Action"
    return Illegal(f"{who} has {kinds} left.", rule="SW-13", instead="Your pips are cleared when your turn starts.")


def may_end(state: SoulState, who: str) -> Refusal | None:
    return None if acting(state, who) else _blocked(state, who, "SW-02")


# Waiting


def may_wait(state: SoulState, who: str) -> Refusal | None:
    """Allow waiting as the turn would start, and waiting on after another's turn. Rule: SW-05."""
    if not is_creature(state, who):
        return Illegal("The Soulweaver's turn comes after all others.", rule="SW-02", instead="End it with end.")
    if state.question_to(who, "wait") is not None:
        return None
    if state.current != who:
        return Illegal(
            f"{who}'s turn is not starting.",
            rule="SW-05",
            instead=f"You can wait only when your turn would start. {_whose(state)}",
        )
    if state.begun:
        return Illegal(
            f"{who}'s turn has already begun.", rule="SW-05", instead="You can wait only before your first action."
        )
    return None if acting(state, who) == "turn" else _blocked(state, who, "SW-05")


def may_act_now(state: SoulState, who: str) -> Refusal | None:
    """Allow the turn to who waits, as long as the next one has not begun. Rule: SW-05."""
    if state.question_to(who, "act-now") is not None:
        return None
    if who not in state.waiting:
        return Illegal(f"{who} is not waiting.", rule="SW-05", instead="You can wait as your turn would start.")
    if state.stack.items or state.pause is not None or state.begun or state.taken or state.coming:
        return Illegal(f"{who} can act after a turn, not during it.", rule="SW-05", instead=_whose(state))
    return None


# Reactions


def _no_trigger(*, rule: str, instead: str) -> Illegal:
    return Illegal("No trigger is open.", rule=rule, instead=instead)


def _no_turn_yet(who: str, *, instead: str) -> Illegal:
    """Say that reactions come after the first turn. Rule: SW-21."""
    return Illegal(f"{who} has had no turn in this Priority yet.", rule="SW-21", instead=instead)


def _no_creature() -> Illegal:
    """Say that the Soulweaver plays by other means. Rule: SW-02."""
    return Illegal("The Soulweaver is not a creature and has no pools.", rule="SW-02")


def react(state: SoulState, who: str) -> Refusal | None:
    """Allow a reaction: first turn had, an action left, in order, aware. Rule: SW-13, SW-21, SW-22."""
    if not state.stack.items:
        return _no_trigger(rule="SW-21", instead="A reaction answers a trigger.")
    if not reactions.has_had_turn(state, who):
        return _no_turn_yet(who, instead="You can react when it comes.")
    if is_creature(state, who) and state.combatant(who).has(NO_REACTIONS):
        return Illegal(f"{who} cannot react now.", rule="SW-21", instead="It ends with what keeps you from it.")
    if not can_pay(state, who, MINOR):
        return no_action(state, who, MINOR)
    if state.question_to(who, "react") is None:
        return _not_asked(state, who)
    if not reactions.reactable(state, who):
        aware = "has reacted to every open trigger" if not state.stack.open_to(who) else "is aware of none of them"
        return Illegal(f"{who} {aware}.", rule="SW-21", instead="To pass, use decline.")
    return None


def _not_asked(state: SoulState, who: str) -> Refusal:
    return Illegal(
        f"Nobody is asking {who} now.",
        rule="SW-22",
        instead=f"In reverse Priority, {reactions.decider_words(state)}; when:this-round passes ahead.",
    )


def may_decline(state: SoulState, who: str) -> Refusal | None:
    """Allow letting pass to who is asked. Rule: SW-22, SW-23."""
    if state.question_to(who, "decline") is not None:
        return None
    if not state.stack.items:
        return _no_trigger(rule="SW-22", instead="when:if-asked keeps it for the next one, when:this-round for all.")
    if not reactions.has_had_turn(state, who):
        return _no_turn_yet(who, instead="There is nothing to decline yet.")
    return _not_asked(state, who)


def may_trigger(state: SoulState, who: str) -> Refusal | None:
    """Allow a prepared event, and the GM's declaring one. Rule: SW-18, SW-22."""
    if who == SOULWEAVER:
        return _may_declare(state)
    if who not in state.prepared:
        return Illegal(
            f"{who} has prepared nothing.", rule="SW-18", instead="Name an event with prepare, a Major Action."
        )
    if state.current == who:
        return Illegal(
            f"It is {who}'s own turn.",
            rule="SW-18",
            instead="You can interrupt only somebody else's turn with what you prepared.",
        )
    if (state.pause is not None and state.pause.kind != "completing") or reactions.awaits_outcome(state):
        return Illegal("The attack is being decided.", rule="SW-18", instead=_whose(state))
    return None


def _may_declare(state: SoulState) -> Refusal | None:
    if reactions.awaits_outcome(state) or (state.pause is not None and state.pause.kind != "completing"):
        return Illegal("Answer about the attack first.", rule="SW-22", instead=_whose(state))
    if state.pause is not None:
        return None
    if state.stack.deciding and (option_value(state, "completing") == "ask" or state.declared is not None):
        return Illegal(
            "A deciding is open.", rule="SW-22", instead=f"I ask you when a reaction completes. {_whose(state)}"
        )
    return None


# Conflict


def fresh_turn(state: SoulState, who: str) -> bool:
    """Tell whether an action now would be the first of their own turn."""
    return acting(state, who) == "turn" and not state.begun


def enter_conflict(state: SoulState, who: str) -> Refusal | None:
    """Allow entering by choice: at any time, for a Minor. Rule: SW-07."""
    if not is_creature(state, who):
        return Illegal("Conflict is a state of creatures.", rule="SW-07")
    if who in state.conflict:
        return Illegal(f"{who} is in Conflict.", rule="SW-07", instead="Leave it with leave-conflict.")
    asked = state.question_to(who, "enter-conflict") is not None
    if not asked and not can_pay(state, who, MINOR, fresh=fresh_turn(state, who)):
        return no_action(state, who, MINOR)
    return None


def stay_out(state: SoulState, who: str) -> Refusal | None:
    """Allow a Poise roll to those about to enter Conflict: the referee asks then. Rule: SW-08."""
    if state.question_to(who, "stay-out") is not None:
        return None
    if not is_creature(state, who) or who in state.conflict:
        return Illegal(f"{who} is possible only in Conflict.", rule="SW-08", instead="It is for before entering.")
    return Illegal(
        f"Nothing new draws {who} into Conflict.",
        rule="SW-08",
        instead="I ask when an Enemy comes into sight, or a hit does it.",
    )


def leave_conflict(state: SoulState, who: str) -> Refusal | None:
    """Allow leaving: a Minor without a threat in sight, else a Major. Rule: SW-09."""
    if is_creature(state, who) and who not in state.conflict:
        return Illegal(f"{who} is not in Conflict.", rule="SW-09")
    refusal = own_turn(MINOR, creatures_only=True)(state, who)
    if refusal is None and state.combatant(who).has(IN_CONFLICT):
        return Illegal(f"{who} cannot leave Conflict now.", rule="SW-09", instead="It ends with what keeps you there.")
    if refusal is not None or acting(state, who) == "interrupt":
        return refusal
    seen = threats(state, who)
    if seen and not can_pay(state, who, MAJOR, fresh=not state.begun):
        return Illegal(
            f"{who} is aware of a threat ({', '.join(seen)}) and has no Major Action left.",
            rule="SW-09",
            instead="With a threat in sight, leaving takes a Major Action and a Poise roll.",
        )
    return None


def may_overexert(state: SoulState, who: str) -> Refusal | None:
    if who in state.due:
        return None
    return Illegal(f"{who} has no roll for Overexertion due.", rule="SW-10", instead="It is due every 12th round.")


# Acting


def may_say(state: SoulState, who: str) -> Refusal | None:
    if not is_creature(state, who):
        return Illegal("The GM speaks for the Soulweaver.", rule="SW-17", instead="Just write them.")
    if who in state.conflict and words_left(state, who) == 0:
        return Illegal(
            f"{who} has no words left this round.",
            rule="SW-17",
            instead="On your turn you can buy five more: minor with note:speak.",
        )
    return None


def long(state: SoulState, who: str) -> Refusal | None:
    """Allow an action that takes whole turns. Rule: SW-15."""
    if not is_creature(state, who):
        return _no_creature()
    if acting(state, who) != "turn":
        if acting(state, who) == "interrupt":
            return Illegal("An interruption allows only one action.", rule="SW-18", instead="End it with end.")
        return _blocked(state, who, "SW-13")
    if who in state.long:
        return None
    if state.begun and pips(state, who):
        return Illegal(
            f"{who} has already used part of this turn.",
            rule="SW-15",
            instead="A long action takes the whole of each turn.",
        )
    return None if can_pay(state, who, MAJOR, fresh=not state.begun) else no_action(state, who, MAJOR)


def stance(state: SoulState, who: str) -> Refusal | None:
    """Allow taking a Stance. Rule: SW-19."""
    refusal = own_turn(MINOR, creatures_only=True)(state, who)
    if refusal is not None:
        return refusal
    if state.combatant(who).has(NO_STANCE):
        return Illegal(f"{who} cannot take a Stance now.", rule="SW-19", instead="It ends with what keeps you from it.")
    hindrance = unsteady_by(state.combatant(who))
    if hindrance is not None:
        return Illegal(
            f"{who} is {hindrance}.",
            rule="SW-19",
            instead="For a Stance you have to be standing on the ground or jumping, and not be Held.",
        )
    return None


def may_drop_stance(state: SoulState, who: str) -> Refusal | None:
    creature = state.find(who)
    if creature is not None and stance_of(creature) is not None:
        return None
    return Illegal(f"{who} is in no Stance.", rule="SW-19", instead="Take one with stance, a Minor Action.")


def may_effect(state: SoulState, who: str) -> Refusal | None:
    """Allow noting an effect in their own turn, or when their reaction has just completed. Rule: SW-12, SW-14."""
    if acting(state, who):
        return None
    pause = state.pause
    if pause is not None and pause.kind == "completing" and pause.item.who == who:
        return None
    return _blocked(state, who, "SW-13")
