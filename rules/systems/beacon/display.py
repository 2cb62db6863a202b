"""What people see: what a prompt offers first, in which words, and the eight phases as a drawing.

Rule: BE-01 to BE-03, BE-08, BE-13, BE-19, G-07.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.offer import Offer
from rules.core.seen.pictures import Stage, Track
from rules.core.values import Seat
from rules.systems.beacon.phases import may_release, turn_kind
from rules.systems.beacon.reactions.answers import called
from rules.systems.beacon.sheet import OPPORTUNITY, attack_kinds, is_beacon, phase_number
from rules.systems.beacon.state import DELAY, PHASES, RELEASE, SURGE, BeaconState

# The prompt: the phase's own action, passing and planning before a turn; movement and the end in it

# The action that most take in a phase, and the next one.
MAIN = {
    "bolster": ("defend", "refresh"),
    "channel": ("channel", "ability"),
    "skirmish": ("volley", "mark"),
    "reposition": ("rush", "hide"),
    "brawl": ("fight", "shove"),
    "release": ("release", "ability"),
    "full attack": ("full-attack", "ability"),
}
BEFORE = ("pass-phase", "plan", "begin", "move")
WITHIN = ("move", "end", "minor", "free")
ANSWERS = ("react", "decline", "grant", "deny", "surge", "order")


def _main(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return the usual actions: of the phase, or for an NPC those of its weapons."""
    combatant = state.combatant(who)
    if is_beacon(combatant) and state.phase != DELAY:
        return MAIN.get(state.phase or "", ())
    kinds = [kind for ability in combatant.abilities for kind in attack_kinds(ability)]
    return (*dict.fromkeys(kinds), "fight", "volley")


def ranked(state: BeaconState, who: str, offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers with their places on the prompt (1 first) and the labels of this moment."""
    found = tuple(offers)
    if state.find(who) is None:
        return found
    ids = {offer.action for offer in found}
    main = [action for action in _main(state, who) if action in ids][:1]
    own = state.turn is not None and state.turn.who == who
    rest = WITHIN if own or not is_beacon(state.combatant(who)) else BEFORE
    asked = {choice for question in state.questions if question.who == who for choice in question.choices}
    first = [action for action in ANSWERS if action in asked]
    # What may be called besides a turn takes no place from what the turn is for.
    order = [action for action in dict.fromkeys((*first, *main, *rest, *ANSWERS)) if action in ids]
    return tuple(_worded(state, who, offer, order) for offer in found)


def _worded(state: BeaconState, who: str, offer: Offer, order: list[str]) -> Offer:
    button_rank = (
        order.index(offer.action) + 1 if offer.action in order else offer.button_rank and len(order) + offer.button_rank
    )
    label = _label(state, who, offer)
    return (
        offer
        if (button_rank, label) == (offer.button_rank, offer.label)
        else offer.evolve(button_rank=button_rank, label=label)
    )


def _label(state: BeaconState, who: str, offer: Offer) -> str:
    if offer.action == "pass-phase":
        if may_release(state, who):
            return "Go on channeling"
        if turn_kind(state, who) == SURGE:
            return "Give up the surge"
        return "Give the turn up" if state.phase == DELAY else f"Pass on {(state.phase or '').upper()}"
    if offer.action == "plan" and who in state.plans:
        return "Change the plan"
    if offer.action == "begin" and turn_kind(state, who) == SURGE:
        return "Begin the surge turn"
    if offer.action == "react" and who in state.readied and not state.held_up():
        return "Use the readied action"
    if offer.action == "react":
        passed = (chance for chance in called(state, who) if chance.name == OPPORTUNITY)
        return next((f"Opportunity attack on {chance.targets[0]}" for chance in passed), offer.label)
    return offer.label


# The drawing


def phase_track(state: BeaconState, seat: Seat) -> Track | None:
    """Return the round's phases; None before the first round."""
    if state.phase is None:
        return None
    visible = state.visible_names(seat)
    stages = tuple(
        Stage(
            words=phase.upper(),
            names=tuple(words for name in visible if (words := _acts(state, name, number, phase))),
        )
        for number, phase in enumerate(PHASES)
    )
    free = [
        name
        for name in visible
        if is_beacon(state.combatant(name)) and not state.taken.get(name, 0) and name not in state.plans
    ]
    notes = (f"Not planned yet: {', '.join(free)}.",) if free else ()
    return Track(title=f"{state.name}: round {state.round}", stages=stages, now=phase_number(state.phase), notes=notes)


def _acts(state: BeaconState, who: str, number: int, phase: str) -> str:
    """Return a name with what it does in a phase; empty if it does nothing that is known."""
    if state.turn is not None and state.turn.who == who and phase == state.phase:
        return f"{who} (surge, acting)" if state.turn.kind == "surge" else f"{who} (acting)"
    if state.surges.get(who) == phase:
        return f"{who} (surge)"
    if who in state.channels and phase == RELEASE:
        return f"{who} (releases)"
    if state.plans.get(who) == phase:
        return f"{who} (done)" if state.taken.get(who, 0) else who
    if state.initiative.get(who) == number + 1 and not is_beacon(state.combatant(who)):
        return f"{who} (done)" if state.taken.get(who, 0) >= max(1, state.combatant(who).number("TURNS", 1)) else who
    return ""
