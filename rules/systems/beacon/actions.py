"""The actions of the ledger's table on one's own turn: what each needs and takes.

Rule: BE-02 to BE-06, BE-08 to BE-19.
"""

from __future__ import annotations

from dataclasses import replace

from rules.core.action import Action, always
from rules.core.asking.ask import Effect
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.reach.where_to import where_to
from rules.errors import Illegal, Refusal
from rules.systems.beacon.attacks import BeaconAsk, foretell
from rules.systems.beacon.channels import channel_actions
from rules.systems.beacon.late import LATE
from rules.systems.beacon.movement import declare_move, left_params, most_spaces
from rules.systems.beacon.phases import end_turn, may_surge, open_turn, surge_phases
from rules.systems.beacon.planning import foretell_surge, read_surge, surge_param
from rules.systems.beacon.reactions.windows import join_windows
from rules.systems.beacon.rights import may_standard, may_turn, only_one, use_standard
from rules.systems.beacon.sheet import BeaconStep, is_beacon
from rules.systems.beacon.standard import TOLD
from rules.systems.beacon.state import SURGE, BeaconState, drop_ready, set_channel

# The turn


def _may_end(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is None and state.turn is None and is_beacon(state.combatant(who)):
        return Illegal(
            f"{who} has not begun a turn.", rule="BE-04", instead="pass-phase passes; begin starts an empty turn."
        )
    return refusal


def _end(ask: BeaconAsk) -> Effect[BeaconState]:
    """End the turn, and say with it whether one surges. Rule: BE-08."""
    state, who, turn, possible = ask.state, ask.who, ask.state.turn, ("no", *surge_phases(ask.state))
    can_surge = turn is not None and turn.who == who and turn.kind != SURGE and may_surge(state, who)
    if can_surge:
        ask.take(surge_param(state, "surge in", possible, implied="no"))
    foretell_surge(ask)
    surge = read_surge(ask.text("note") or "no", possible)
    ask.require(
        can_surge or surge == "no",
        lambda: Illegal(f"{who} has no surge to name now.", rule="BE-08", instead="Use end alone, or note:no."),
    )
    return lambda step: end_turn(step, surge)


def _may_move(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is not None:
        return refusal
    turn = state.turn
    if turn is not None and turn.spared:
        return None
    if turn is not None and turn.moved:
        return Illegal(
            f"{who} has already made the standard movement.", rule="BE-04", instead="rush moves again, in REPOSITION."
        )
    if turn is not None and turn.one and (turn.acted or turn.minor):
        return only_one()
    if state.combatant(who).number("SPEED") < 1:
        return Illegal(f"{who} has no SPEED.", rule="BE-04", instead="Choose any action, or end.")
    return None


def _move(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    ask.take(*where_to(state, who, most_spaces(state, who), rule="BE-04"), *left_params(state, who))

    def move(step: BeaconStep) -> None:
        turn = open_turn(step, who)
        most = most_spaces(step.state, who)
        step.change(turn=turn.evolve(spared=0) if turn.spared else turn.evolve(moved=True))
        channel = step.state.channels.get(who)
        if channel is not None and not channel.settled:
            set_channel(step, who, channel.evolve(may_move=False))
        to, amount, left = ask.text("to"), ask.number("amount"), ask.names("target")
        declare_move(step, who, to, amount, most, provokes=not turn.free_step, left=left)

    return move


def _may_minor(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    turn = state.turn
    if refusal is None and turn is not None:
        if turn.minor:
            return Illegal(f"{who} has already used the minor action.", rule="BE-04", instead="Choose free, or end.")
        if turn.one and (turn.acted or turn.moved):
            return only_one()
    return refusal


def _use_minor(step: BeaconStep, who: str) -> None:
    step.change(turn=open_turn(step, who).evolve(minor=True))


def _may_drop(state: BeaconState, who: str) -> Refusal | None:
    if who in state.readied:
        return None
    return Illegal(
        f"{who} has nothing readied.", rule="BE-19", instead="To ready something, use ready as a standard action."
    )


def _drop(step: BeaconStep, who: str, command: Command) -> None:
    drop_ready(step, who)
    step.tell("{who} gives up the readied action.", who=who)
    join_windows(step, who)


_DELAY, _READY = LATE


def turn_actions() -> tuple[Action[BeaconState], ...]:
    """Return the actions of turns and phases, in the order in which they are offered."""

    def standard(told: Told[BeaconState], button_rank: int = 0) -> Action[BeaconState]:
        return told.action(may_standard(told), use_standard, button_rank=button_rank)

    def attack(told: Told[BeaconState], button_rank: int) -> Action[BeaconState]:
        return replace(standard(told, button_rank), is_open=True, harms=True, prospect=foretell)

    return (
        standard(TOLD["defend"], 2),
        standard(TOLD["refresh"], 3),
        replace(standard(TOLD["channel"], 2), is_open=True),
        standard(TOLD["mark"], 4),
        standard(TOLD["search"], 5),
        attack(TOLD["volley"], 2),
        standard(TOLD["rush"], 2),
        standard(TOLD["hide"], 3),
        attack(TOLD["fight"], 2),
        attack(TOLD["shove"], 4),
        attack(TOLD["grapple"], 5),
        standard(TOLD["full-attack"], 2),
        standard(_DELAY),
        standard(TOLD["ability"], 3),
        standard(_READY, 6),
        Told("move", "Move", _move, ("to", "amount", "target")).action(
            _may_move,
            words="{label}[ to {to}][ {amount}][, leaving {target}]",  # the target may react, and moves not
            button_rank=1,
        ),
        TOLD["minor"].action(_may_minor, _use_minor),
        TOLD["free"].action(may_turn, open_turn),
        *channel_actions(),
        Told("end", "End the turn", _end, ("note",), foretells=True).action(
            _may_end,
            open_turn,
            button_rank=7,
            ends=True,
            is_open=True,
            words="[End, surge in {note}]",
        ),
        Action(id="drop-ready", label="Give up the readied action", do=_drop, may=_may_drop, beside=always),
    )
