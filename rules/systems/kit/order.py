"""Places in an order: keys are rolled or dealt, those who are equal are parted, and all form one row."""

from __future__ import annotations

from typing import Literal

from rules.core.model import without_key
from rules.core.turns.turn_order import Standings, listed_faces, roll_offs
from rules.dice.decks import JOKERS, ranked_cards
from rules.kits.compiled import PhaseSpec, PoolSpec, Tie
from rules.kits.words import INDIVIDUAL
from rules.systems.kit.checks import roll
from rules.systems.kit.numbers import Scene, filled, find_number, number_of
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, Place, place_of, set_place

_ROLL_OFF = 20  # sides of the die that parts those who are equal
STANDARD = len(ranked_cards())


def ensure_places(play: Play, phase: PhaseSpec, who: tuple[str, ...] | None = None) -> None:
    """Give a place to everybody who has none under a phase's key, and part those who are equal."""
    if phase.type not in INDIVIDUAL:
        return
    if phase.key.uses_speed and not play.state.begun:
        return  # it is rolled as the plans are told
    _give_places(play, phase, play.state.names if who is None else who)


def _give_places(play: Play, phase: PhaseSpec, whose: tuple[str, ...]) -> None:
    missing = [who for who in whose if find_place(play.state, phase, who) is None]
    for who in missing:
        _put_place(play, phase, who, _mates_place(play.state, phase, who) or _rolled(play, phase, who))
    if missing and (phase.is_of_sides or any(tie.kind == "roll" for tie in phase.ties)):
        part_equals(play, phase)


def renew_places(play: Play, phase: PhaseSpec, names: tuple[str, ...]) -> None:
    """Roll or deal keys anew."""
    forget_places(play, phase, names)
    ensure_places(play, phase, names)


def forget_places(play: Play, phase: PhaseSpec, whose: tuple[str, ...]) -> None:
    """Forget places, of people or of sides, so that the next phase that uses their key rolls or deals it."""
    of, key = _places(phase), phase.key.source
    held = getattr(play.state, of)
    after = {who: without_key(places, key) if who in whose else places for who, places in held.items()}
    play.step.change(**{of: after})


def _places(phase: PhaseSpec) -> Literal["side_places", "places"]:
    """Return the field with the places of a phase: those of its sides, or of everybody."""
    return "side_places" if phase.is_of_sides else "places"


def find_place(state: KitState, phase: PhaseSpec, who: str) -> Place | None:
    """Return the place of somebody, or of a side, under a phase's key."""
    places = (state.side_places if phase.is_of_sides else state.places).get(who)
    return None if places is None else places.get(phase.key.source)


def _put_place(play: Play, phase: PhaseSpec, who: str, place: Place) -> None:
    set_place(play.step, who, phase.key.source, place, _places(phase))


def _mates_place(state: KitState, phase: PhaseSpec, name: str) -> Place | None:
    """Return the place that somebody's group has already."""
    if phase.is_of_sides:
        return None
    mates = (each for each in state.names if group_of(state, each) == group_of(state, name))
    return next(filter(None, (find_place(state, phase, mate) for mate in mates)), None)


def _rolled(play: Play, phase: PhaseSpec, who: str) -> Place:
    """Roll or deal the place of somebody, or of a side."""
    key, own = phase.key, play.state.find(who)
    side = who if phase.is_of_sides or own is None else own.side
    scene = Scene() if phase.is_of_sides else Scene(who, speed=_speed(play, who))
    ties = tuple(
        int(side == tie.side) if tie.kind == "side" else number_of(play.state, tie.number, scene)
        for tie in _fixed_ties(phase)
    )
    if key.kind == "cards" and not phase.is_of_sides:
        return _dealt(play, phase, who, ties)
    if key.kind == "asked":
        return Place(key=0, ties=ties)
    total = 0
    with play.within_limits(f"{who}'s place, {key.source}"):
        total, words, faces = roll(play.step, key.dice, scene, "initiative")
        play.step.tell("{who}: {roll}.", who=who, roll=words if faces else str(total), shown="log")
    return Place(key=total, ties=ties)


def _speed(play: Play, name: str) -> int | str:
    """Return the speed of what somebody plans first: a number, or dice that the key rolls."""
    planned = play.state.plans.get(name)
    deed = play.kit.actions.get(planned[0].action) if planned else None
    if deed is None or not planned:
        return 0
    scene = Scene(name, amount=planned[0].amount, using=play.state.combatant(name).ability(planned[0].using))
    found = find_number(play.state, deed.speed, scene)
    return filled(play.state, deed.speed, scene) if found is None else found


def _dealt(play: Play, phase: PhaseSpec, name: str, ties: tuple[int, ...]) -> Place:
    """Deal a card that nobody holds: one die with as many sides as there are cards left."""
    low, high = (phase.key.low, phase.key.high) if phase.key.high else (1, STANDARD)
    held = {places[phase.key.source].key for places in play.state.places.values() if phase.key.source in places}
    left = [card for card in range(low, high + 1) if card not in held] or list(range(low, high + 1))
    card = left[play.step.die(len(left), who=name, purpose="card").face - 1]
    words = str(card) if phase.key.high else ranked_cards()[card - 1]
    play.step.tell("{who} is dealt {card}.", who=name, card=words)
    return Place(key=card, ties=ties, card=words)


def holds_joker(state: KitState, phase: PhaseSpec, who: str) -> bool:
    """Tell whether somebody's place is a joker, which acts at any moment."""
    place = place_of(state, who, phase.key.source)
    return phase.type == "list" and place is not None and place.card in JOKERS


def part_equals(play: Play, phase: PhaseSpec) -> None:
    """Let those who are equal roll until they are parted; a group has one place and rolls once."""
    state, fixed = play.state, len(_fixed_ties(phase))
    groups: dict[str, list[str]] = {}
    for who in present_sides(play) if phase.is_of_sides else state.names:
        if find_place(state, phase, who) is not None:
            groups.setdefault(who if phase.is_of_sides else group_of(state, who), []).append(who)
    mates = {group[0]: group for group in groups.values()}

    def standings() -> Standings:
        places = ((who, find_place(play.state, phase, who)) for who in mates)
        return {
            who: ((place.key, place.card, place.ties[:fixed]), place.ties[fixed:]) for who, place in places if place
        }

    def keep(who: str, face: int) -> None:
        for mate in mates[who]:
            place = find_place(play.state, phase, mate)
            if place is not None:
                _put_place(play, phase, mate, place.evolve(ties=(*place.ties, face)))

    for faces in roll_offs(play.step, _ROLL_OFF, standings, keep):
        play.step.tell("Tie, rolled off: {faces}.", faces=listed_faces(faces), shown="log")


def _fixed_ties(phase: PhaseSpec) -> tuple[Tie, ...]:
    """Return what parts those who are equal before they roll off; of sides no number does."""
    return tuple(tie for tie in phase.ties if tie.kind in (("side",) if phase.is_of_sides else ("side", "dice")))


def moved_place(phase: PhaseSpec, place: Place, key: int) -> Place:
    """Return a place that has moved: what was rolled off there counts no more."""
    return place.evolve(key=key, ties=place.ties[: len(_fixed_ties(phase))])


def group_of(state: KitState, name: str) -> str:
    """Return what tells those who share a place from others."""
    group = state.combatant(name).group
    return name if group is None else f"group {group}"


def in_order(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return everybody in the order of a phase's key; who has no place comes last."""
    if state.order_by_hand:
        names = (*state.order_by_hand, *(name for name in state.names if name not in state.order_by_hand))
    else:
        names = tuple(sorted(state.names, key=lambda name: sort_key(state, phase, name)))
        if phase.key.kind == "seats" and phase.type != "clock" and names:  # round the table from the best
            first = state.names.index(names[0])
            names = (*state.names[first:], *state.names[:first])
    return tuple(reversed(names)) if phase.reverse else names


def sort_key(state: KitState, phase: PhaseSpec, who: str) -> tuple[float, tuple[int, ...]]:
    """Return what somebody, or a side, goes by in a phase: the smallest acts first."""
    place = find_place(state, phase, who)
    if place is None:
        return float("inf"), ()
    return (place.key if phase.is_lowest_first else -place.key), tuple(-tie for tie in place.ties)


def sharing(state: KitState, phase: PhaseSpec, who: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return who has the turn with somebody: their group, and all who are equal if they act together."""
    own = sort_key(state, phase, who)
    is_parted = state.order_by_hand or phase.key.kind == "seats"
    together = any(tie.kind == "together" for tie in phase.ties) and not is_parted
    return tuple(
        name
        for name in among
        if group_of(state, name) == group_of(state, who) or (together and sort_key(state, phase, name) == own)
    )


# Sides


def sides_in_order(play: Play, phase: PhaseSpec) -> tuple[str, ...]:
    """Return the sides as they act: by their key, or the one that the kit names first. Keys are rolled here."""
    sides = present_sides(play)
    if phase.first != "key":
        first = sides.index(phase.first) if phase.first in sides else 0
        if phase.first == "swap" and sides:
            first = (play.state.round - 1) % len(sides)
        return (*sides[first:], *sides[:first])
    _give_places(play, phase, sides)
    return tuple(sorted(sides, key=lambda side: sort_key(play.state, phase, side)))


def present_sides(play: Play) -> tuple[str, ...]:
    """Return the sides that somebody is on: those of the kit first, in its order."""
    taken = dict.fromkeys(combatant.side for combatant in play.state.combatants)
    return (
        *(side for side in play.kit.sides if side in taken),
        *(side for side in taken if side not in play.kit.sides),
    )


def sharing_sides(play: Play, spec: PoolSpec) -> tuple[str | None, ...]:
    """Return the sides that have a pool as a whole, None for the table; empty if each has their own."""
    return present_sides(play) if spec.of == "side" else (None,) if spec.of == "table" else ()
