"""Channeling that ends, and release: its targets from the cell its movement ends on. Rule: BE-12, BE-13."""

from __future__ import annotations

from rules.core.action import Action
from rules.core.asking.ask import Effect, nothing
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.offer import Param
from rules.core.reach import ranges
from rules.core.reach.vision import asks_sight
from rules.core.reach.where_to import ends
from rules.core.space.cells import parse_cell
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.beacon import refusals
from rules.systems.beacon.attacks import BeaconAsk, can_be_named, whom
from rules.systems.beacon.blows import deed_of, far_of
from rules.systems.beacon.movement import declare_move, most_at_release, path_to
from rules.systems.beacon.phases import may_release, open_turn, other
from rules.systems.beacon.rights import may_turn, shown_name
from rules.systems.beacon.sheet import SILENCED, BeaconStep, attack_kinds, side_of
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
            f"RELEASE is a phase of its own; this is {(state.phase or '').upper()}.",
            rule="BE-13",
            instead="Wait for RELEASE.",
        )
    if state.combatant(who).has(SILENCED):
        return Illegal(f"{who} is SILENCED and can't release.", rule="BE-13", instead="The channeling goes on.")
    if state.turn is not None:
        return refusals.turn_of(shown_name(state, state.turn.who))
    if not may_release(state, who):
        return Illegal(
            f"{who} is already channeling on in this round.", rule="BE-13", instead="Wait for the next round."
        )
    if side_of(state.combatant(who)) != state.side:
        return refusals.other_side(instead="Wait until one of their turns is over.")
    return None


def _harms(ability: Ability) -> bool:
    return bool(attack_kinds(ability)) or deed_of(ability).harms


def _in_range(state: BeaconState, who: str, ability: Ability, cell: str | None) -> tuple[str, ...]:
    """Return those a release can take in from a cell (None: from the present one)."""
    attack = bool(attack_kinds(ability))
    far = far_of(state.combatant(who), ability)
    every, at = can_be_named(state, who, own=True), None if cell is None else parse_cell(cell)
    return tuple(
        name
        for name in every
        if ranges.within(state, who, name, far, at, sight=asks_sight(ability)) and not (attack and name == who)
    )


def release(ask: BeaconAsk) -> Effect[BeaconState]:
    """Tell of a release: perhaps a movement, and its targets from the end of that. Rule: BE-13."""
    state, who, to = ask.state, ask.who, ask.text("to")
    held = state.channels.get(who)
    if held is None:
        return nothing
    may_move = held.round == state.round and held.may_move
    why = "it was channeled in an earlier round" if held.round != state.round else "they have already moved"
    no_move = f"{who} can't move with this release: {why}."
    ask.require(to is None or may_move, lambda: Illegal(no_move, rule="BE-13", instead="Leave out to."))
    ability, most = state.combatant(who).ability(held.ability), most_at_release(state, who)
    targets = () if ability is None else _taken_in(ask, ability, most, may_move=may_move)

    def do(step: BeaconStep) -> None:
        if held.spared:  # it goes on: who has reacted to it has
            set_channel(step, who, held.evolve(spared=0, may_move=False))
        else:  # it is resolved as a turn would be: everybody may react to it (BE-20)
            step.change(REACTIONS)
        step.change(side=other(side_of(state.combatant(who))))
        put_under_way(step, Unleash(what="unleash", who=who, ability=held.ability, targets=targets))
        if to is not None:
            declare_move(step, who, to, None, most, rule="BE-13")

    return do


def _taken_in(ask: BeaconAsk, ability: Ability, most: int, *, may_move: bool) -> tuple[str, ...]:
    """Ask for the end of the way and the targets from there: somebody, if it harms."""
    state, who, to = ask.state, ask.who, ask.text("to")
    harms, near = _harms(ability), _in_range(state, who, ability, None)
    ends_at = ends(state, who, most) if may_move else None
    cell = None
    if ends_at is not None:
        only = harms and not near  # only cells from which somebody is in range
        cells = tuple(end for end in ends_at if not only or _in_range(state, who, ability, end))
        words = f"Nobody is in the range of {ability.name} from here. Say where you move first with the option to."
        unsaid = words if only and cells else ""
        ask.take(
            Param(name="to", label="cell or path", choices=cells, free=True, required=only, rule="BE-13", unsaid=unsaid)
        )
        cell = None if to is None else path_to(state, who, to, most, "BE-13")[-1]
    names = near if cell is None else _in_range(state, who, ability, cell)

    def why(target: str) -> Refusal:
        if target == who and attack_kinds(ability):
            return refusals.not_oneself(rule="BE-13", instead="Choose another target.")
        far = f"{target} is farther than {far_of(state.combatant(who), ability)} spaces away, or out of sight."
        return Illegal(far, rule="BE-13", instead="Choose another target.")

    return whom(
        ask,
        ability,
        names,
        why,
        required=harms and (bool(near) or to is not None or ends_at is None),
        rule="BE-13",
        unsaid=f"{ability.name} harms everybody in it: say who with the option target." if harms and names else "",
    )


_RELEASE = Told("release", "Release", release, ("target", "to"))


def channel_actions() -> tuple[Action[BeaconState], ...]:
    return (
        _RELEASE.action(_may_release_now, button_rank=1),
        Action(id="stop-channel", label="Stop channeling", do=_stop, may=_may_stop),
    )
