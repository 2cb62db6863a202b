"""The order and the phases of a kit's file: who acts when."""

from __future__ import annotations

import re
from typing import Any

from rules.core.typed.skeleton import skeleton
from rules.kits.compiled import KeySpec, PhaseSpec, Tie
from rules.kits.mistakes import Faults, as_written, meant, meant_or_all, numbered, within
from rules.kits.schema import KitPart, Order, PhasePart, read_part, taken_over
from rules.kits.texts import ZERO, Names, Place, read_comparison, read_cost, read_dice, read_sum
from rules.kits.words import OF_WAY, UNNAMED, listed

_CARDS = re.compile(r"cards\s+(?:(\d{1,3})\s*-\s*(\d{1,3})|standard54)")
MOST_PHASES = 12


def read_phases(
    part: KitPart, names: Names, rules: tuple[str, ...], words: tuple[str, ...], faults: Faults
) -> tuple[PhaseSpec, ...]:
    """Read the phases, each with what the order says for all; without any there is one, `turns`."""
    order = read_part(Order, part.order, "order", faults)
    if not isinstance(part.phase, list | tuple):
        faults.add("phase", f"{as_written(part.phase)} is not a list of phases; begin each with [[phase]].")
        return ()
    if len(part.phase) > MOST_PHASES:
        faults.add("phase", f"this has {len(part.phase)} entries; it can have {MOST_PHASES} at most.")
        return ()
    given = [read_part(PhasePart, each, path, faults) for path, each in numbered("phase", part.phase)]
    if order is None:
        return ()
    merged = [_merged(order, each) for each in given if each is not None] or [_merged(order, PhasePart(name=UNNAMED))]
    types = {each.type for each in (order, *merged)} if part.phase else {order.type}
    for key in sorted(order.model_fields_set & OF_WAY.keys()):
        if not types & set(OF_WAY[key]):
            faults.add(f"order.{key}", f"{key} belongs to {listed(OF_WAY[key])}, but this order is {order.type}.")
    for number, each in enumerate(given):
        path = within("phase", number)
        if each is None:
            continue
        if not each.name and all(told.path != f"{path}.name" for told in faults.found):
            faults.add(path, 'name is missing: write what people read, such as name = "move".')
        type_in_force = each.type if "type" in each.model_fields_set else order.type
        for key in sorted(each.model_fields_set & OF_WAY.keys()):
            if type_in_force not in OF_WAY[key]:
                faults.add(
                    f"{path}.{key}", f"{key} belongs to {listed(OF_WAY[key])}, but this phase is {type_in_force}."
                )
    doubled = [skeleton(each.name) for each in merged]
    for number, name in enumerate(doubled):
        if name and name in doubled[:number]:
            faults.add(f"{within('phase', number)}.name", f"{merged[number].name} is there twice.")
    where = [within("phase", number) for number in range(len(merged))] if part.phase else ["order"]
    return tuple(
        _phase(number, each, own, path, names, rules, words, faults)
        for number, (each, own, path) in enumerate(zip(merged, [*given] if part.phase else [None], where, strict=False))
    )


def _merged(order: Order, phase: PhasePart) -> PhasePart:
    """Return a phase with what the order says if the phase says nothing."""
    shared: dict[str, Any] = {key: getattr(order, key) for key in order.model_fields_set}
    own = {key: getattr(phase, key) for key in phase.model_fields_set}
    return PhasePart.model_construct(**{"name": phase.name, **shared, **own})


def _phase(
    number: int,
    part: PhasePart,
    own: PhasePart | None,
    path: str,
    names: Names,
    rules: tuple[str, ...],
    words: tuple[str, ...],
    faults: Faults,
) -> PhaseSpec:
    def at(key: str) -> str:
        """Return a key's place: in the phase, or in the order that it comes from."""
        is_own = own is not None and key in own.model_fields_set
        return f"{path}.{key}" if is_own or path == "order" else f"order.{key}"

    place = Place(specials=("round", "speed") if part.plan != "no" else ("round",))
    faults.require_known(at("rule"), part.rule or None, rules, "a rule of this kit")
    faults.require_known(at("gate"), part.gate or None, names.checks, "a check of this kit")
    for key in ("shared", "called"):
        for place_of, side in numbered(at(key), getattr(part, key)):
            faults.require_known(place_of, str(side), names.sides, "a side")
    for place_of, word in numbered(at("actions"), part.actions or ()):
        faults.require_known(place_of, str(word), words, "an action or a kind")
    for name, value in part.gives.items():
        if names.pools.get(name) != "each":
            faults.add(f"{at('gives')}.{name}", f"{name} is not a pool of each character.{meant(name, names.pools)}")
        elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
            faults.add(f"{at('gives')}.{name}", f"{as_written(value)} is not a whole number.")
    if part.again and part.anew == "turn":
        faults.add(at("again"), 'again counts down a number that anew = "turn" would roll again; use once or round.')
    if part.again and part.turns:
        faults.add(at("turns"), "turns and again both say how often somebody acts in a round; write only one of them.")
    if part.first not in ("key", "swap", *names.sides):
        faults.add(at("first"), f"{part.first} is not key, swap or a side.{meant(part.first, names.sides)}")
    side, who = _who(part.who, at("who"), names, faults)
    usual_turns = "0" if part.type == "open" else "1"
    free = Place(specials=())
    return taken_over(
        PhaseSpec,
        part,
        number=number,
        key=_key(part.key or ("1d6" if part.type == "sides" else "1d20"), at("key"), names, place, faults),
        best=part.best or ("low" if part.type == "clock" else "high"),
        ties=tuple(_tie(str(text), where, names, faults) for where, text in numbered(at("ties"), part.ties)),
        turns=read_sum(part.turns or usual_turns, at("turns"), names, free, faults),
        hold=part.hold and part.type in ("list", "clock"),
        keep=read_cost(part.keep, at("keep"), names, free, faults, turns=False),
        tokens=read_sum(part.tokens, at("tokens"), names, free, faults),
        call=read_cost(part.call, at("call"), names, free, faults, turns=False),
        side=side,
        who=who,
        pay=read_cost(part.pay, at("pay"), names, free, faults, turns=False),
        shares=part.shares or f"#{number}",
        gives=dict(part.gives),
    )


def _who(text: str, path: str, names: Names, faults: Faults) -> tuple[str, Any]:
    """Return whose side a phase is, and what else those must fulfil who take part."""
    if text == "all":
        return "", None
    if text in names.sides:
        return text, None
    if not re.search(r"[<>=]|\bis\b", text):
        faults.add(path, f"{as_written(text)} is not all, a side, or a comparison.{meant(text, ('all', *names.sides))}")
        return "", None
    return "", read_comparison(text, path, names, Place(), faults)


def _key(text: str, path: str, names: Names, place: Place, faults: Faults) -> KeySpec:
    if text == "asked":
        return KeySpec("asked", source=text)
    cards = _CARDS.fullmatch(text)
    if cards is not None:
        if cards[1] is None:
            return KeySpec("cards", source=text)
        low, high = int(cards[1]), int(cards[2])
        if not low <= high <= low + 99:
            faults.add(path, f"{text} is not a deck: write the lowest card first, up to 100 cards.")
        return KeySpec("cards", low=low, high=high, source=text)
    if text.startswith("cards"):
        faults.add(path, f"{as_written(text)} is not cards 1-10 or cards standard54.")
        return KeySpec("dice")
    kind, dice = ("seats", text[6:].strip()) if text.startswith("seats ") else ("dice", text)
    return KeySpec(kind, read_dice(dice, path, names, place, faults), source=text)


def _tie(text: str, path: str, names: Names, faults: Faults) -> Tie:
    if text in ("roll", "together"):
        return Tie(text)
    if text in names.sides:
        return Tie("side", side=text)
    if re.fullmatch(r"[A-Za-z][a-z ]*", text):
        near = meant(text, ("roll", "together")) or meant_or_all(text, names.sides, "Sides")
        faults.add(path, f"{text} is not roll, together, a side or a number.{near}")
        return Tie("roll")
    number = read_dice(text, path, names, Place(specials=()), faults)
    if number.rolls:
        faults.add(path, f"{text} has dice; to break ties by a roll, write roll.")
        return Tie("dice", number=ZERO)
    return Tie("dice", number=number)
