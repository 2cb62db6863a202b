"""Channeling that ends, and release: whom it takes in, from where its movement ends. Rule: BE-12, BE-13."""

from __future__ import annotations

from rules.core.action import Action
from rules.core.asking.ask import split
from rules.core.command import Command
from rules.core.offer import Param
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.beacon import refusals
from rules.systems.beacon.attacks import can_be_named
from rules.systems.beacon.movement import declare_move, most_at_release, path_to, where_params
from rules.systems.beacon.phases import may_release, open_turn, other
from rules.systems.beacon.rights import may_turn, shown_name
from rules.systems.beacon.sheet import SILENCED, BeaconStep, attack_kinds, damage, far_of, side_of, within_from
from rules.systems.beacon.state import (
    REACTIONS,
    RELEASE,
    BeaconState,
    Unleash,
    put_under_way,
    set_channel,
)


def _may_stop(state: BeaconState, who: str) -> Refusal | None:
    if who not in state.channels:
        return refusals.channels_nothing(who, rule="BE-12")
    return may_turn(state, who)


def _stop(step: BeaconStep, who: str, command: Command) -> None:
    open_turn(step, who)
    channel = step.state.channels.get(who)
    if channel is not None:
        set_channel(step, who, None)
        step.tell("{who} stops channeling {ability}.", who=who, ability=channel.ability)


def _may_release_now(state: BeaconState, who: str) -> Refusal | None:
    if who not in state.channels:
        return refusals.channels_nothing(who, rule="BE-13")
    if state.phase != RELEASE:
        return Illegal(
            f"RELEASE is a phase; this is {(state.phase or '').upper()}.", rule="BE-13", instead="Wait for RELEASE."
        )
    if state.combatant(who).has(SILENCED):
        return Illegal(f"{who} is SILENCED and cannot release.", rule="BE-13", instead="The channeling goes on.")
    if state.turn is not None:
        return refusals.turn_of(shown_name(state, state.turn.who))
    if not may_release(state, who):
        return Illegal(f"{who} goes on channeling in this round.", rule="BE-13", instead="In the next round.")
    if side_of(state.combatant(who)) != state.side:
        return refusals.other_side(instead="After one of theirs.")
    return None


def _harms(ability: Ability) -> bool:
    return bool(attack_kinds(ability)) or damage(ability) is not None


def _release_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    return _release_narrow(state, who, Command(action="release"))


def _release_narrow(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    """Return what a release takes: whom what harms is aimed at, from where its movement ends. Rule: BE-13."""
    channel = state.channels.get(who)
    ability = None if channel is None else state.combatant(who).ability(channel.ability)
    if channel is None or ability is None:
        return ()
    harms = _harms(ability)
    moves = channel.round == state.round and channel.may_move and state.board is not None
    near = _in_range(state, who, ability, None)
    every = can_be_named(state, who, own=True)
    where = where_params(state, who, most_at_release(state, who), required=harms and not near)
    to = next((param for param in where if param.name == "to"), None) if moves else None
    if to is None:
        return (_whom(ability, near, every, required=harms),)
    if harms and not near:  # only cells from which somebody is in range
        cells = tuple(cell for cell in to.choices or () if _in_range(state, who, ability, cell))
        words = f"Nobody is in the range of {ability.name} from here: say where to first (option to)."
        to = to.evolve(choices=cells, unsaid=words if cells else "", rule="BE-13")
    at = (command.to or "").strip().upper()
    from_there = _in_range(state, who, ability, at) if at in (to.choices or ()) else near
    return (to, _whom(ability, from_there, every, required=harms and (bool(near) or bool(at))))


def _whom(ability: Ability, names: tuple[str, ...], every: tuple[str, ...], *, required: bool) -> Param:
    words = f"{ability.name} harms whomever it takes in: say whom (option target)." if required and names else ""
    return Param(
        name="target", label="target", choices=names, universe=every, many=True, required=required, rule="BE-13",
        unsaid=words,
    )  # fmt: skip


def _in_range(state: BeaconState, who: str, ability: Ability, cell: str | None) -> tuple[str, ...]:
    """Return whom a release can take in from a cell (None: from where one stands)."""
    attack = bool(attack_kinds(ability))
    far = far_of(ability)
    every = can_be_named(state, who, own=True)
    return tuple(
        name for name in every if within_from(state, who, cell, name, far, ability) and not (attack and name == who)
    )


def _release(step: BeaconStep, who: str, command: Command) -> None:
    state = step.state
    channel = state.channels[who]
    ability = state.combatant(who).ability(channel.ability)
    targets = split(command.target)
    moves, most = command.to is not None, most_at_release(state, who)
    if moves and (channel.round != state.round or not channel.may_move):
        why = "it was channeled in an earlier round" if channel.round != state.round else "they have moved already"
        raise Illegal(f"{who} cannot move with this release: {why}.", rule="BE-13", instead="Leave to out.")
    if ability is not None:
        on_board = moves and state.board is not None and state.combatant(who).cell is not None
        cell = path_to(state, who, command.to or "", most, "BE-13")[-1] if on_board else None
        far = far_of(ability)
        for name in targets:
            if not within_from(state, who, cell, name, far):
                raise Illegal(
                    f"{name} is farther than {far} spaces, or out of sight.", rule="BE-13", instead="Another target."
                )
    if ability is not None and attack_kinds(ability) and who in targets:
        raise refusals.not_oneself(rule="BE-13", instead="Another target.")
    if channel.spared:  # it goes on: who has reacted to it has
        set_channel(step, who, channel.evolve(spared=0, may_move=False))
    else:  # it is resolved as a turn would be: everybody may react to it (BE-20)
        step.change(REACTIONS)
    step.change(side=other(side_of(state.combatant(who))))
    put_under_way(step, Unleash(what="unleash", who=who, ability=channel.ability, targets=targets))
    if moves:
        declare_move(step, who, command.to, None, most, rule="BE-13")


def channel_actions() -> tuple[Action[BeaconState], ...]:
    return (
        Action(
            id="release",
            label="Release",
            do=_release,
            may=_may_release_now,
            takes=("target", "to"),
            params=_release_params,
            narrow=_release_narrow,
            usual=1,
        ),
        Action(id="stop-channel", label="Stop channeling", do=_stop, may=_may_stop),
    )
