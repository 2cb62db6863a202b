"""Places in an order: keys are rolled or dealt, those who are equal are parted, and all form one row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from rules.core.model import without_key
from rules.core.turns.turn_order import Standings, listed_faces, roll_offs
from rules.dice.decks import JOKERS, ranked_cards
from rules.kits.compiled import PhaseSpec, PoolSpec
from rules.kits.words import INDIVIDUAL
from rules.systems.kit.checks import roll
from rules.systems.kit.numbers import Scene, filled, find_number, number_of
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, Place, place_of, set_place, set_side_place

_ROLL_OFF = 20  # sides of the die that parts those who are equal
STANDARD = len(ranked_cards())


def ensure_places(play: Play, phase: PhaseSpec, who: tuple[str, ...] | None = None) -> None:
    """Give a place to everybody who has none under a phase's key, and part those who are equal."""
    if phase.type not in INDIVIDUAL:
        return
    if phase.key.uses_speed and not play.state.begun:
        return  # it is rolled as the plans are told
    key = phase.key.source
    names = play.state.names if who is None else who
    missing = [name for name in names if place_of(play.state, name, key) is None]
    for name in missing:
        set_place(play.step, name, key, _mates_place(play.state, name, key) or _rolled(play, phase, name))
    if missing and any(tie.kind == "roll" for tie in phase.ties):
        part_equals(play, phase)


def renew_places(play: Play, phase: PhaseSpec, names: tuple[str, ...]) -> None:
    """Roll or deal keys anew."""
    forget_places(play, phase, names)
    ensure_places(play, phase, names)


def forget_places(play: Play, phase: PhaseSpec, names: tuple[str, ...]) -> None:
    """Forget places, so that the next phase that uses their key rolls or deals it."""
    key = phase.key.source
    held = {
        name: {each: place for each, place in places.items() if each != key or name not in names}
        for name, places in play.state.places.items()
    }
    play.step.change(places=held)


def _mates_place(state: KitState, name: str, key: str) -> Place | None:
    """Return the place that somebody's group has already."""
    mates = (each for each in state.names if group_of(state, each) == group_of(state, name))
    return next(filter(None, (place_of(state, mate, key) for mate in mates)), None)


def _rolled(play: Play, phase: PhaseSpec, name: str) -> Place:
    scene, key = Scene(name, speed=_speed(play, name)), phase.key
    ties = tuple(
        int(play.state.combatant(name).side == tie.side)
        if tie.kind == "side"
        else number_of(play.state, tie.number, scene)
        for tie in phase.ties
        if tie.kind in ("side", "dice")
    )
    if key.kind == "cards":
        return _dealt(play, phase, name, ties)
    if key.kind == "asked":
        return Place(key=0, ties=ties)
    total = 0
    with play.within_limits(f"{name}'s place, {key.source}"):
        total, words, faces = roll(play.step, key.dice, scene, "initiative")
        play.step.tell("{who}: {roll}.", who=name, roll=words if faces else str(total), shown="log")
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
    key, fixed = phase.key.source, fixed_ties(phase)

    def groups() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in play.state.names:
            if place_of(play.state, name, key) is not None:
                found.setdefault(group_of(play.state, name), []).append(name)
        return found

    def standings() -> Standings:
        return {names[0]: _standing(play.state.places[names[0]][key], fixed) for names in groups().values()}

    def keep(who: str, face: int) -> None:
        for name in groups()[group_of(play.state, who)]:
            place = play.state.places[name][key]
            set_place(play.step, name, key, place.evolve(ties=(*place.ties, face)))

    _tell_roll_offs(play, roll_offs(play.step, _ROLL_OFF, standings, keep))


def fixed_ties(phase: PhaseSpec) -> int:
    """Return how many numbers part those who are equal before they roll off."""
    return sum(tie.kind in ("side", "dice") for tie in phase.ties)


def _standing(place: Place, fixed: int) -> tuple[Hashable, tuple[int, ...]]:
    return (place.key, place.card, place.ties[:fixed]), place.ties[fixed:]


def _tell_roll_offs(play: Play, rolled: Iterable[Mapping[str, int]]) -> None:
    for faces in rolled:
        play.step.tell("Tie, rolled off: {faces}.", faces=listed_faces(faces), shown="log")


def group_of(state: KitState, name: str) -> str:
    """Return what tells those who share a place from others."""
    group = state.combatant(name).group
    return name if group is None else f"group {group}"


def in_order(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return everybody in the order of a phase's key; who has no place comes last."""
    if state.order_by_hand:
        names = (*state.order_by_hand, *(name for name in state.names if name not in state.order_by_hand))
    elif phase.type == "clock":
        counts = counts_of(state, phase)
        names = tuple(sorted(state.names, key=lambda name: counts[name]))
    else:
        names = tuple(sorted(state.names, key=lambda name: sort_key(state, phase, name)))
        if phase.key.kind == "seats" and names:  # round the table from the best
            first = state.names.index(names[0])
            names = (*state.names[first:], *state.names[:first])
    return tuple(reversed(names)) if phase.reverse else names


def sort_key(state: KitState, phase: PhaseSpec, name: str) -> tuple[float, tuple[int, ...]]:
    place = place_of(state, name, phase.key.source)
    if place is None:
        return float("inf"), ()
    return (place.key if phase.best == "low" else -place.key), tuple(-tie for tie in place.ties)


def counts_of(state: KitState, phase: PhaseSpec) -> dict[str, tuple[float, tuple[int, ...]]]:
    """Return what a clock goes by: the smallest acts first, in a clock that counts down the largest."""
    sign = -1 if phase.count == "down" else 1
    found: dict[str, tuple[float, tuple[int, ...]]] = {}
    for name in state.names:
        place = place_of(state, name, phase.key.source)
        found[name] = (float("inf"), ()) if place is None else (sign * place.key, tuple(-tie for tie in place.ties))
    return found


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
    key = phase.key.source
    for side in sides:
        if key not in play.state.side_places.get(side, {}):
            total, words, faces = roll(play.step, phase.key.dice, Scene(), "initiative")
            play.step.tell("{side}: {roll}.", side=side, roll=words if faces else str(total), shown="log")
            ties = tuple(int(tie.side == side) for tie in phase.ties if tie.kind == "side")
            set_side_place(play.step, side, key, Place(key=total, ties=ties))
    _part_sides(play, phase, sides)
    sign = 1 if phase.best == "low" else -1

    def place(side: str) -> tuple[int, tuple[int, ...]]:
        held = play.state.side_places[side][key]
        return sign * held.key, tuple(-tie for tie in held.ties)

    return tuple(sorted(sides, key=place))


def _part_sides(play: Play, phase: PhaseSpec, sides: tuple[str, ...]) -> None:
    key, fixed = phase.key.source, sum(tie.kind == "side" for tie in phase.ties)

    def standings() -> Standings:
        return {side: _standing(play.state.side_places[side][key], fixed) for side in sides}

    def keep(side: str, face: int) -> None:
        place = play.state.side_places[side][key]
        set_side_place(play.step, side, key, place.evolve(ties=(*place.ties, face)))

    _tell_roll_offs(play, roll_offs(play.step, _ROLL_OFF, standings, keep))


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


def forget_sides(play: Play, phase: PhaseSpec) -> None:
    """Forget what sides have rolled, so that they roll anew."""
    key = phase.key.source
    held = {side: without_key(places, key) for side, places in play.state.side_places.items()}
    play.step.change(side_places=held)
