"""Delay and Ready: an action of another phase, or one that waits for its trigger. Rule: BE-06, BE-12, BE-19."""

from __future__ import annotations

from collections.abc import Callable

from rules.core import refusals
from rules.core.asking.ask import Effect, nothing
from rules.core.asking.told import Told
from rules.core.model import per_state
from rules.core.offer import Param
from rules.core.typed.names import find_name
from rules.errors import Illegal
from rules.systems.beacon.abilities import refuse_phase
from rules.systems.beacon.attacks import BeaconAsk
from rules.systems.beacon.sheet import BeaconStep, activation
from rules.systems.beacon.standard import TOLD
from rules.systems.beacon.state import BeaconState, Choice, Ready

Refused = Callable[[BeaconState, str, str], Illegal | None]


def delay(ask: BeaconAsk) -> Effect[BeaconState]:
    choice = _chosen(ask, _refuse_delay, is_later=False)
    return nothing if choice is None else TOLD[choice.action].within(ask, choice.using)


def ready(ask: BeaconAsk) -> Effect[BeaconState]:
    who, trigger = ask.who, " ".join((ask.text("note") or "").split())[:200]
    ask.take(Param(name="note", label="trigger"))
    choice = _chosen(ask, _refuse_ready, is_later=True)
    if choice is None:
        return nothing
    told = TOLD[choice.action]
    told.within(ask, choice.using, is_later=True)
    kept = choice.evolve(targets=ask.names("target") if "target" in told.takes else ())

    def do(step: BeaconStep) -> None:
        ready = Ready(trigger=trigger, choice=kept, since=step.state.events)
        step.change(readied={**step.state.readied, who: ready})
        step.tell("{who} readies an action. Trigger: {trigger}", who=who, trigger=trigger)

    return do


def _chosen(ask: BeaconAsk, refuse: Refused, *, is_later: bool) -> Choice | None:
    """Ask which action; None while it is not said."""
    texts = _texts(ask.state, ask.who, refuse, is_later=is_later)
    ask.take(Param(name="using", label="action", choices=texts, free=True))
    text = ask.text("using")
    if text is None:
        return None
    choice = _read(ask, text)
    ask.refuse(refuse(ask.state, ask.who, choice.action))
    return choice


@per_state
def _texts(state: BeaconState, who: str, refuse: Refused, *, is_later: bool) -> tuple[str, ...]:
    """Return the actions that could be chosen, as they are written."""
    able = (told for told in TOLD.values() if refuse(state, who, told.id) is None)
    return tuple(text for told in able for text in told.texts(state, who, is_later=is_later))


def _read(ask: BeaconAsk, text: str) -> Choice:
    """Read `volley:Bow`, or an ability by its name alone. Raises: Malformed."""
    head, _, using = text.partition(":")
    action = head.strip().casefold().replace(" ", "-")
    if action in TOLD or action in _NO_DELAY:
        return Choice(action=action, using=using.strip())
    combatant = ask.state.combatant(ask.who)
    ability = combatant.ability(find_name(text, [each.name for each in combatant.abilities]) or "")
    if ability is None:
        raise refusals.no_action(text[:40], rule="BE-06", instead="For example volley:Bow, shove:prone, or defend.")
    given = activation(ability)
    return Choice(action=given if given in ("minor", "free") else "ability", using=ability.name)


_NO_DELAY = ("release", "delay", "ready", "minor", "free")
_NO_READY = ("channel", "release", "delay", "ready", "free")


def _refuse_delay(state: BeaconState, who: str, action: str) -> Illegal | None:
    if action in _NO_DELAY:
        possible = "Choose a standard action of phases 1 to 7, but not Release."
        return Illegal(f"Delay can't be used for {action}.", rule="BE-06", instead=possible)
    return refuse_phase(state, who, action)


def _refuse_ready(state: BeaconState, who: str, action: str) -> Illegal | None:
    if action in _NO_READY:
        rule = "BE-12" if action == "channel" else "BE-19"
        return Illegal(f"You can't ready {action}.", rule=rule, instead="Ready an action of this phase, or minor:NAME.")
    turn = state.turn
    if action == "minor" and turn is not None and turn.who == who and turn.minor:
        return Illegal(
            f"{who} has already used this turn's minor action.", rule="BE-19", instead="Ready a standard action."
        )
    return refuse_phase(state, who, action)


LATE = (
    Told("delay", "Delay", delay, ("using", "target", "to", "amount", "note")),
    Told("ready", "Ready", ready, ("note", "using", "target")),
)
