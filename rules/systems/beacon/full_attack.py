"""Full Attack: a Slow ability, or two attacks. Rule: BE-18."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from rules.core.asking.ask import Effect, leads, nothing
from rules.core.blows.limits import refusal
from rules.core.model import per_state
from rules.core.offer import Param
from rules.core.typed.names import find_name
from rules.core.values import Ability
from rules.errors import Illegal
from rules.systems.beacon import refusals
from rules.systems.beacon.abilities import use
from rules.systems.beacon.attacks import (
    IMPROVISED,
    BeaconAsk,
    aimed,
    aims,
    can_be_named,
    declare,
    declared,
    refuse_attack,
    refuse_target,
    set_about,
)
from rules.systems.beacon.harm import note_limited, unaffordable
from rules.systems.beacon.sheet import MAGIC, BeaconStep, attack_kinds, cost, is_channel, pair_of, tagged
from rules.systems.beacon.state import BeaconState
from rules.systems.beacon.strikes import STRIKES

FULL = "full-attack"
_POSSIBLE = "Use a Slow ability, or two of volley, fight, shove and grapple, such as volley:Bow, shove:prone."


@dataclass(frozen=True)
class Half:
    """One of the two attacks."""

    kind: str
    ability: Ability | None = None
    choice: str | None = None

    def aims(self, state: BeaconState, who: str) -> tuple[str, ...]:
        return aims(state, who, self.kind, self.ability)


def full_attack(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    once = "You can make a Full Attack once a round."
    ask.require(
        FULL not in state.limits.get(who, ()), lambda: Illegal(once, rule="BE-18", instead="Wait for the next round.")
    )
    choices = full_choices(state, who)
    ask.take(Param(name="using", label="Slow ability, or two attacks", choices=choices, free=True))
    parts = ask.names("using")
    if not parts:
        return nothing
    is_slow = len(parts) == 1 and _kind(parts[0]) not in STRIKES
    effect = _slow(ask, parts[0]) if is_slow else _both(ask, parts)

    def do(step: BeaconStep) -> None:
        note_limited(step, who, FULL)
        effect(step)

    return do


def _slow(ask: BeaconAsk, name: str) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    ability = state.combatant(who).ability(name)
    if ability is None or not tagged(ability, "slow"):
        ask.refuse(Illegal(f"{name[:40]} is not a Slow ability.", rule="BE-18", instead=_POSSIBLE))
        return nothing
    if is_channel(ability):
        ask.refuse(refusals.channeled(ability.name))
    kinds = attack_kinds(ability)
    if not kinds:
        ask.refuse(unaffordable(state, who, ability, "BE-18"))
        return use(ask, ability)
    ask.refuse(refuse_attack(state, who, kinds[0], ability.name, slow=True))
    targets = aimed(ask, kinds[0], ability)
    return lambda step: declare(step, who, kinds[0], ability, targets)


def _both(ask: BeaconAsk, parts: tuple[str, ...]) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    is_pair = len(parts) == 2 and all(_kind(part) in STRIKES for part in parts)
    ask.require(is_pair, lambda: Illegal("That is not a Full Attack.", rule="BE-18", instead=_POSSIBLE))
    halves = tuple(_half(state, who, part) for part in parts)
    ask.refuse(_refuse_pair(state, who, halves))
    first, second = (half.aims(state, who) for half in halves)
    every = can_be_named(state, who, own=True)
    label = "target, or one for each"
    ask.take(Param(name="target", label=label, choices=_pairs(first, second), nameable=every, free=True, rule="BE-18"))
    named = tuple(name for text in ask.names("target") if (name := find_name(text, every)) is not None)
    many = "A Full Attack needs one or two targets."
    ask.require(len(named) <= 2, lambda: Illegal(many, rule="BE-18", instead="Name them with the option target."))
    targets = named * 2 if len(named) == 1 else named  # the first attack is on the first, the second on the second
    for half, target in zip(halves, targets, strict=False):
        ask.refuse(refuse_target(state, who, half.kind, half.ability, target))

    def do(step: BeaconStep) -> None:
        acts = [
            declared(step, who, half.kind, half.ability, (target,), choice=half.choice)
            for half, target in zip(halves, targets, strict=True)
        ]
        set_about(step, *acts)

    return do


@lru_cache(maxsize=64)
def _pairs(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return whom two attacks can aim at, hundreds in a crowd; most pairs of attacks reach the same."""
    both = (name for name in first if name in second)
    return (*both, *(f"{one}, {other}" for one in first for other in second if one != other))


def _kind(part: str) -> str:
    return part.partition(":")[0].strip().casefold()


def _half(state: BeaconState, who: str, part: str) -> Half:
    """Read one of two attacks. Raises: Refusal."""
    kind, using = _kind(part), part.partition(":")[2].strip()
    if kind == "shove":
        choice = using.casefold()
        if choice not in ("push", "prone"):
            raise Illegal("Say what the Shove does.", rule="BE-17", instead="Use shove:push, or shove:prone.")
        return Half(kind, choice=choice)
    name = None if using in ("", IMPROVISED) else using
    refusal = refuse_attack(state, who, kind, name)
    if refusal is not None:
        raise refusal
    return Half(kind, None if name is None else state.combatant(who).ability(name))


@per_state
def full_choices(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return what a Full Attack could be now, as it is written. Rule: BE-18."""
    slow = [ability.name for ability in state.combatant(who).abilities if tagged(ability, "slow")]
    able = [name for name in slow if leads(lambda ask, name=name: _slow(ask, name), state, who, {})]  # type: ignore[misc] # bound in this round
    halves = {text: _half(state, who, text) for told in STRIKES.values() for text in told.texts(state, who)}
    pairs = sorted(  # two weapons before what is improvised
        combinations_with_replacement(halves, 2), key=lambda pair: sum(halves[half].ability is None for half in pair)
    )
    return (
        *able,
        *(f"{one}, {two}" for one, two in pairs if _refuse_pair(state, who, (halves[one], halves[two])) is None),
    )


def _refuse_pair(state: BeaconState, who: str, halves: tuple[Half, ...]) -> Illegal | None:
    """Return why two attacks do not make a Full Attack together."""
    first, second = (half.ability for half in halves)
    if first is not None and second is not None:
        if first.name == second.name:
            why = f"You can't use {first.name} twice in a Full Attack."
            return Illegal(why, rule="BE-18", instead="You can use the same action with another ability.")
        pair = pair_of(first)
        if pair is not None and pair == pair_of(second):
            why = f"{first.name} and {second.name} are a linked pair."
            return Illegal(why, rule="BE-18", instead="Use one of them, and something else.")
    needed = sum(half.kind == "volley" and half.ability is None for half in halves)
    needed += sum(cost(ability)[0] for ability in (first, second) if ability is not None)
    pool = state.combatant(who).pools.get(MAGIC)
    if needed and (pool is None or pool.now < needed):
        return Illegal(f"Together they cost {needed} MP.", rule="BE-18", instead="refresh brings back MP.")
    return refusal(state, who, first, second)
