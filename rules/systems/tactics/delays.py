"""An action that is put off: until after a turn, to be asked after each, or by a press. Rule: TA-14."""

from __future__ import annotations

from rules.core import refusals
from rules.core.action import Action, plainly
from rules.core.command import Command
from rules.core.offer import Param
from rules.core.scopes import TURN
from rules.core.turns.fallen import is_out
from rules.errors import Illegal, Refusal
from rules.systems.tactics.guards import blocked, shown_name
from rules.systems.tactics.rounds import give_turn, next_up, phase_order, start_battle_turn
from rules.systems.tactics.sources import TacticsStep
from rules.systems.tactics.state import BATTLE, TacticsState


def _may_delay(state: TacticsState, who: str) -> Refusal | None:
    refusal = blocked(state, who)
    if refusal is not None:
        return refusal
    if state.phase != BATTLE:
        return Illegal("An action is delayed in the Battle Phase.", rule="TA-04")
    if who in state.delayed:
        return Illegal(f"{who} delays already.", rule="TA-14", instead="act-now, once somebody has finished a turn.")
    if state.current != who:
        whose = "nobody" if state.current is None else shown_name(state, state.current)
        return Illegal(f"It is not {who}'s turn; nobody is interrupted.", rule="TA-14", instead=f"Now: {whose}.")
    if state.begun:
        return Illegal(f"{who} acts now and cannot delay again.", rule="TA-14", instead="Any other action, or pass.")
    if who in state.seized:
        return Illegal(f"{who} seized the initiative and acts after everyone.", rule="TA-07", instead="pass, at most.")
    follower = next_up(state.evolve(done=(*state.done, who)))
    if follower is None or (follower in state.seized and not state.fixed):  # a seizer acts after those who delayed
        return refusals.nobody_to_wait_for(rule="TA-14", instead="Any other action, or pass.")
    return None


ASK, AFTER = "ask", "after "


def _delay_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    """Return when somebody who delays wants their turn; nothing said, by *Act now* on the prompt. Rule: TA-14."""
    coming = (name for name in phase_order(state) if name != who and name not in state.done)
    when = (ASK, *(f"{AFTER}{name}" for name in coming if not is_out(state, name) and name not in state.hidden_names))
    notes = {ASK: "after each other turn"}
    return (Param(name="note", label="when", choices=when, required=False, notes=notes, in_menus=True),)


def _delay(step: TacticsStep, who: str, command: Command) -> None:
    note = command.note or ""
    after = note.removeprefix(AFTER) if note.startswith(AFTER) else None
    start_battle_turn(step, who)
    state = step.state
    step.change(
        TURN,
        delayed=(*state.delayed, who),
        alert=(*state.alert, who) if note == ASK else state.alert,
        until=state.until if after is None else {**state.until, who: after},
    )
    if after is None:
        step.tell("{who} delays and may act after somebody's turn.", who=who)
    else:
        step.tell("{who} delays until after {other}'s turn.", who=who, other=after)


def _may_act_now(state: TacticsState, who: str) -> Refusal | None:
    refusal = blocked(state, who)
    if refusal is not None:
        return refusal
    if who not in state.delayed:
        return refusals.not_delayed(who, rule="TA-14", instead="delay, on the own turn in the Battle Phase.")
    if who not in state.ripe:
        return Illegal(
            f"Nobody has finished a turn since {who} delayed.", rule="TA-14", instead="After the next turn of another."
        )
    if state.begun:
        whose = "nobody" if state.current is None else shown_name(state, state.current)
        return Illegal(f"{whose} is acting, and nobody is interrupted.", rule="TA-14", instead="After that turn.")
    return None


def _act_now(step: TacticsStep, who: str, command: Command) -> None:
    give_turn(step, who, begun=True)
    step.tell("{who} acts now.", who=who)


def delay_actions() -> tuple[Action[TacticsState], ...]:
    """Return the ways to put an action off, and back into the phase."""
    return (
        Action(
            id="delay",
            label="Delay",
            do=_delay,
            may=_may_delay,
            takes=("note",),
            params=_delay_params,
            is_open=True,
            usual=3,
            ends=True,
            keeps=True,
        ),
        Action(
            id="act-now",
            off_turn=True,
            label="Act now",
            do=_act_now,
            may=_may_act_now,
            usual=1,
            answer=True,
            unasked=True,
            rule="TA-14",
        ),
        Action(id="wait-on", label="Wait on", do=None, answer=True, rule="TA-14", mild=plainly, usual=2),
    )
