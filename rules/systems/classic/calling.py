"""What a sheet does when its owner calls a moment that no rule sees: at any time, and even when down. Rule: CL-19."""

from __future__ import annotations

from rules.core import refusals
from rules.core.action import Action, plainly
from rules.core.blow import Moment
from rules.core.blows import flow
from rules.core.blows.limits import give_back
from rules.core.blows.verdicts import called_blow
from rules.core.command import Command
from rules.core.model import per_state
from rules.core.step import Step
from rules.core.values import Combatant
from rules.errors import Illegal, Refusal
from rules.systems.classic import turns
from rules.systems.classic.abilities import deed_of, others_of
from rules.systems.classic.forms import NO_REACTIONS
from rules.systems.classic.state import ClassicState

GRANT, DENY = "grant", "deny"


def own_turn(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who is no combatant or out of the fight, and whose turn it is not. Rule: CL-03, CL-08."""
    if state.find(who) is None:
        return refusals.not_turn(who, rule="CL-03", instead="Only combatants have turns.")
    if turns.is_out(state, who):
        return turns.refusal(state, who)
    if who in state.current:
        return None
    return refusals.not_turn(who, rule="CL-03", instead=f"It is {state.whose_turn} turn; the prompt will name you.")


def has_reacted(combatant: Combatant) -> bool:
    return turns.REACTION in combatant.marks or combatant.has(NO_REACTIONS)


def spent(who: str) -> Refusal:
    """Return why somebody without a reaction cannot react. Rule: CL-08."""
    why = "cannot react now, or has already done so"
    return Illegal(f"{who} {why}.", rule="CL-08", instead="It comes back when your turn starts.")


def moment_of(combatant: Combatant, name: str) -> Moment | None:
    """Return the moment at which an ability is used; None for one that is used in one's turn."""
    ability = combatant.ability(name)
    return None if ability is None else deed_of(ability).moment


def not_now(state: ClassicState, who: str, name: str) -> Refusal | None:
    """Refuse an ability whose time has not come, as far as rules can tell. Rule: CL-18, CL-19."""
    combatant = state.combatant(who)
    moment = moment_of(combatant, name)
    if moment is None:
        return own_turn(state, who)
    if moment.reacts and has_reacted(combatant):
        return spent(who)
    if not moment.falls:
        return turns.refusal(state, who) if turns.is_out(state, who) else None
    if combatant.is_dead or "HP" not in combatant.pools or turns.is_down(state, who):
        return None
    return Illegal(f"{name} is for a fall ({moment.words}), and {who} stands.", rule="CL-19", instead="Use it then.")


@per_state
def usable_now(state: ClassicState, who: str) -> tuple[str, ...]:
    """Return what else than attacks somebody can use at this moment, used up or not."""
    return tuple(name for name in others_of(state.combatant(who)) if not_now(state, who, name) is None)


def can_use_now(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who has nothing that can be used now. Rule: CL-18, CL-19."""
    if usable_now(state, who):
        return None
    combatant = state.combatant(who)
    called = (name for name in others_of(combatant) if moment_of(combatant, name) is not None)
    return next((not_now(state, who, name) for name in called), None) or own_turn(state, who)


def seems_usable(state: ClassicState, who: str) -> Refusal | None:
    """Refuse in public terms: nobody learns from an offer what else somebody could call. Rule: CL-19."""
    combatant = state.combatant(who)
    has_plain = any(moment_of(combatant, name) is None for name in others_of(combatant))
    return own_turn(state, who) or (None if has_plain else nothing_to_use(who))


def nothing_to_use(who: str) -> Refusal:
    return Illegal(f"{who} has nothing to use.", rule="CL-18", instead="Add something with /character ability.")


def needs_grant(step: Step[ClassicState], who: str, moment: Moment | None, on: tuple[str, ...]) -> bool:
    """Tell whether the GM is asked first if a moment of a player's has come, as it does something to others.

    Where players may damage by hand, they may also call. Rule: CL-17, CL-19.
    """
    is_players = moment is not None and step.combatant(who).owner is not None
    return is_players and on != (who,) and step.option("hands") == "gm"


def _grant(step: Step[ClassicState], _who: str, _command: Command) -> None:
    flow.grant(step, called_blow(step.state, step.question))


def _deny(step: Step[ClassicState], _who: str, _command: Command) -> None:
    blow = called_blow(step.state, step.question)
    step.tell("The moment for {ability} has not come.", who=blow.source, ability=blow.ability.name)
    step.change(blows=tuple(each for each in step.state.blows if each.number != blow.number))
    give_back(step, blow.source, blow.ability)
    flow.go_on(step)


def verdicts_on_calls() -> tuple[Action[ClassicState], ...]:
    """Return how the GM answers a player who calls a moment."""
    return (
        Action(id=GRANT, label="It has come", do=_grant, answer=True, rule="CL-19", button_rank=1),
        Action(id=DENY, label="It has not", do=_deny, answer=True, rule="CL-19", button_rank=2, default_answer=plainly),
    )
