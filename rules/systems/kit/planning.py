"""Plans: in a phase that has them all choose first, and when the last has, everything is told and carried out.

Nobody but its player sees more of a secret plan than that there is one; a stand-in sees it, the GM does not.
"""

from __future__ import annotations

from rules.core import refusals
from rules.core.command import Command
from rules.core.model import without
from rules.core.step import GM_ONLY, Step
from rules.errors import Illegal, Refusal
from rules.kits.compiled import Kit
from rules.systems.kit.part import is_out
from rules.systems.kit.play import Play, play_of
from rules.systems.kit.state import KitState, Planned


def plans_in_secret(kit: Kit) -> bool:
    """Tell whether a kit has secret plans, so that what is done may be one."""
    return any(phase.plan == "secret" for phase in kit.phases)


def plan(step: Step[KitState], who: str, planned: Planned) -> None:
    """Keep what somebody will do."""
    play, phase = play_of(step), step.state.this_phase
    plans = (*step.state.plans.get(who, ()), planned)
    step.change(plans={**step.state.plans, who: plans})
    words = plan_words(step.state.kit, planned)
    if phase.plan == "open":
        step.tell("{who} plans: {plan}.", who=who, plan=words)
        return
    _hide(play, who)
    count = f" ({len(plans)} of {phase.steps})" if phase.steps > 1 else ""
    step.tell("{who} plans: {plan}.", who=who, plan=words, seen_by=_readers(play, who))
    step.tell(f"{{who}} has planned{count}.", who=who)


def close(step: Step[KitState], who: str) -> None:
    """Let somebody plan no more than they have."""
    play, phase = play_of(step), step.state.this_phase
    step.change(plan_closed=tuple(dict.fromkeys((*step.state.plan_closed, who))))
    if phase.plan == "secret":
        _hide(play, who)
        step.tell("{who} plans nothing more.", who=who, seen_by=_readers(play, who))
    step.tell("{who} has planned.", who=who)


def plan_words(kit: Kit, planned: Planned) -> str:
    """Return a planned action in a few words."""
    words = kit.actions[planned.action].label
    words += f" {planned.amount}" if planned.amount else ""
    words += f" → {', '.join(planned.targets)}" if planned.targets else ""
    words += f" to {planned.to}" if planned.to else ""
    words += f" with {planned.using}" if planned.using else ""
    return words + (f": {planned.note.rstrip('.')}" if planned.note else "")


def _hide(play: Play, who: str) -> None:
    play.step.secret = play.step.unsaid = True  # what is planned is not done, and stays its owner's


def _readers(play: Play, who: str) -> tuple[str, ...]:
    """Return who may read a plan: who plays them, and who made it."""
    owner, by = play.state.combatant(who).owner, play.step.seat.user
    if owner is None:
        return GM_ONLY
    return tuple(dict.fromkeys(user for user in (owner, by) if user))


def may_unplan(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if phase.plan == "no":
        return Illegal("Nobody plans here.", rule="KI-08", instead="Just act.")
    if is_out(state, who):
        return refusals.is_out(who, rule="KI-06")
    if state.plan_step:
        return Illegal(
            "The plans are already public.", rule=phase.rule or "KI-08", instead="They are being carried out now."
        )
    if not state.plans.get(who) and who not in state.plan_closed:
        return Illegal(f"{who} has no plan yet.", rule=phase.rule or "KI-08", instead="Plan an action first.")
    return None


def unplan(step: Step[KitState], who: str, command: Command) -> None:
    play, phase = play_of(step), step.state.this_phase
    plans = step.state.plans.get(who, ())
    if who in step.state.plan_closed:
        step.change(plan_closed=without(step.state.plan_closed, who))
    else:
        step.change(plans={**step.state.plans, who: plans[:-1]})
    if phase.plan == "secret":
        _hide(play, who)
    step.tell("{who} takes back the plan.", who=who)
