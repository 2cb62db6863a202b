"""Conflict as each creature's own state: its entrances and exits, Overexertion, Ambush.

Rule: SW-07 to SW-11, SW-19.
"""

from __future__ import annotations

from rules.core.conditions import end_condition
from rules.core.model import without, without_key
from rules.core.step import GM_ONLY
from rules.systems.soulweaver.creatures import (
    OF_STANCE,
    Soul,
    grit,
    is_aware,
    stance_of,
    threats,
    unsteady_by,
)
from rules.systems.soulweaver.skills import skill_roll
from rules.systems.soulweaver.stack import Ambush, Item
from rules.systems.soulweaver.state import MINUTE, SoulState, with_name

KEEP_OUT_DL = 6
LEAVE_DL = 9
AMBUSH_DIE = 12


def enter(step: Soul, who: str) -> None:
    """Put a creature into Conflict, if it is not yet. Rule: SW-07, SW-10."""
    if who not in step.state.conflict:
        step.change(conflict={**step.state.conflict, who: step.state.round + MINUTE})
        step.tell("{who} enters Conflict.", who=who)


def leave(step: Soul, who: str) -> None:
    """Take a creature out of Conflict, no matter who is in sight; its Stance ends. Rule: SW-09, SW-19."""
    if who not in step.state.conflict:
        return
    step.change(conflict=without_key(step.state.conflict, who), due=without(step.state.due, who))
    set_calm(step, who, threats(step.state, who))
    step.tell("{who} leaves Conflict.", who=who)
    end_stance(step, who, "ends with Conflict")


def set_calm(step: Soul, who: str, of: tuple[str, ...]) -> None:
    """Keep the Enemies in sight of somebody out of Conflict. Rule: SW-08."""
    rest = without_key(step.state.calm, who)
    step.change(calm={**rest, who: of} if of else rest)


def keep_out(step: Soul, who: str) -> None:
    """Roll Poise to keep out of Conflict until something new draws the creature there; failing it, it enters.

    Rule: SW-08.
    """
    if _keeps_poise(step, who, "keeps calm", KEEP_OUT_DL, "success: out of Conflict"):
        set_calm(step, who, threats(step.state, who))
    else:
        enter(step, who)


def break_off(step: Soul, who: str) -> None:
    """Roll Poise to leave Conflict with a threat in sight. Rule: SW-09."""
    if _keeps_poise(step, who, "breaks off", LEAVE_DL + grit(step.state, who), "success"):
        leave(step, who)


def _keeps_poise(step: Soul, who: str, does: str, target: int, success: str) -> bool:
    total, roll = skill_roll(step, who, "POISE", "Poise")
    kept = total >= target
    step.tell(
        f"{{who}} {does}: Poise {{roll}} against {{dl}}, {{outcome}}.",
        who=who,
        roll=roll,
        dl=target,
        outcome=success if kept else "failure",
        good=kept,
    )
    return kept


def end_stance(step: Soul, who: str, why: str = "is dropped") -> None:
    """End the Stance that a creature is in. Rule: SW-19."""
    condition = stance_of(step.combatant(who))
    if condition is not None:
        end_condition(step, who, condition, why)


def end_lost_stances(step: Soul) -> None:
    """End Stances that cannot be kept any more, and what those did that have ended. Rule: SW-19."""
    for who in step.state.names:
        creature = step.combatant(who)
        hindrance = unsteady_by(creature)
        if hindrance is not None and stance_of(creature) is not None:
            end_stance(step, who, f"cannot be kept ({hindrance})")
        stance = stance_of(step.combatant(who))
        for condition in step.combatant(who).conditions:
            if condition.data.get(OF_STANCE) not in (None, stance and stance.name):
                end_condition(step, who, condition)


def remind_of_overexertion(step: Soul, who: str) -> None:
    """Say that the roll is due, as their own place comes in every twelfth round in Conflict. Rule: SW-10."""
    due = step.state.conflict.get(who)
    if due is None or step.state.round < due:
        return
    step.change(due=with_name(step.state.due, who), conflict={**step.state.conflict, who: due + MINUTE})
    step.tell("{who} has been in Conflict for a minute: a roll for Overexertion is due (overexertion).", who=who)


def ambush_on(state: SoulState, who: str, target: str) -> Ambush:
    """Return what an attack does to somebody who is not aware of it as it is declared. Rule: SW-11."""
    if is_aware(state, target, who):
        return ""
    return "lost" if target in state.conflict else "tier-0"


def set_aware(step: Soul, who: str, of: str, yes: bool) -> None:
    """Say who notices who; only the GM sees it. Rule: SW-07, SW-11, SW-21."""
    step.secret = True
    if not is_aware(step.state, who, of):  # an Enemy that is seen again draws it into Conflict again (SW-08)
        set_calm(step, who, without(step.state.calm.get(who, ()), of))
    known = step.state.awareness
    step.change(awareness={**known, who: {**known.get(who, {}), of: yes}})
    words = "{who} is aware of {of}." if yes else "{who} is not aware of {of}."
    step.tell(words, who=who, of=of, seen_by=GM_ONLY)


def roll_ambush(step: Soul, item: Item) -> int:
    """Say what an ambush does to the defenses as the attack completes; return what is lost. Rule: SW-11."""
    if item.ambush == "tier-0":
        step.tell(
            "Ambush: {target} was not aware of {who} and not in Conflict, so its defenses count as Tier 0.",
            target=item.aimed,
            who=item.who,
        )
    if item.ambush != "lost":
        return 0
    lost = step.die(AMBUSH_DIE, who=item.who, purpose="ambush").face
    step.tell(
        "Ambush: {target} was not aware of {who}; its defenses lose {lost} (1d12) against this attack.",
        target=item.aimed,
        who=item.who,
        lost=lost,
    )
    return lost
