"""What holds for a kit as a whole: the keys that take numbers alone, and which format its keys belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.kits.compiled import Kit
from rules.kits.mistakes import Faults, within
from rules.kits.sentences import Sentence
from rules.kits.texts import Comparison, DiceText


def whole_keys(kit: Kit) -> frozenset[str]:
    """Return the keys of a sheet that are whole numbers, since some place of the kit takes no dice."""
    found = {part.name for text in _numbers(kit) for part in text.parts if not isinstance(part, str)}
    return frozenset((found | {comparison.name for comparison in _comparisons(kit)}) & kit.sheet.keys())


def require_whole(kit: Kit, faults: Faults) -> None:
    """Tell of keys that are compared and dice by default; elsewhere the place that takes no dice says so."""
    for key in dict.fromkeys(comparison.name for comparison in _comparisons(kit)):
        if isinstance(kit.sheet.get(key), str):
            faults.add(
                within("sheet", key), f"{key} is compared in this kit, so it has to be a whole number, not dice."
            )


_NEWER = {
    "check": ("edge", "hinder", "edges"),
    "condition": ("edge", "edge_against"),
    "action": ("damage", "after"),
    "reaction": ("damage", "after"),
}
_NEWER_TESTS = ("shows", "doubles", "first", "even", "odd")
_NEWER_FORMS = ("goes", "helped", "hindered", "rerolled", "halved", "less", "more", "aimed", "pushed")


def require_format(number: int, kit: Kit, content: Mapping[str, Any], faults: Faults) -> None:
    """Tell of what only format 2 has, in a file that is of the first."""
    if number > 1:
        if not any(check.edge or check.hinder for check in kit.checks.values()):
            _require_no_edges(kit, faults)
        return
    for table, keys in _NEWER.items():
        for name, part in content.get(table, {}).items():
            for key in keys:
                if isinstance(part, dict) and key in part:
                    faults.add(within(within(table, name), key), f"{key} is a key of format 2: write kit = 2.")
    for check in kit.checks.values():
        names = [degree.name for degree in check.degrees]
        for degree in check.degrees:
            newer = [test.kind for test in degree.tests if test.kind in _NEWER_TESTS or test.theirs or test.dice]
            is_newer = len(degree.tests) > 1 or names.count(degree.name) > 1 or degree.succeeds != degree.of_success
            newer += ["this"] if is_newer else []
            if newer:
                faults.add(f"check.{check.id}.degrees.{degree.name}", f"{newer[0]} is of format 2: write kit = 2.")
    for deed in kit.reactions.values():
        for key, value in (("to", deed.to), ("for", deed.for_whom), ("target", deed.target)):
            if value in ("damaged", "roller", "source"):
                faults.add(f"reaction.{deed.id}.{key}", f"{value} is a value of format 2: write kit = 2.")
    for sentence in kit.sentences:
        parts = () if sentence.number is None else sentence.number.parts
        shows = any(not isinstance(part, str) and part.whose == "shows" for part in parts)
        if sentence.form in _NEWER_FORMS or len(sentence.only) > 1 or shows:
            faults.add("kit", f"{sentence.source[:60]} is a sentence of format 2: write kit = 2.")


def _require_no_edges(kit: Kit, faults: Faults) -> None:
    """Tell of edges if no roll has any."""
    places = [f"check.{check.id}.edges" for check in kit.checks.values() if check.edges.plain != 0]
    places += [f"condition.{spec.id}" for spec in kit.conditions.values() if spec.edge or spec.edge_against]
    for deed in kit.reactions.values():
        if any(sentence.form in ("helped", "hindered") for sentence in deed.sentences):
            places.append(f"reaction.{deed.id}")
    for place in places:
        faults.add(place, 'no check has edges: one needs edge or hinder, such as edge = ["2d20kh1"].')


def _numbers(kit: Kit) -> Iterator[DiceText]:
    for phase in kit.phases:
        yield from (phase.turns, phase.tokens, *(tie.number for tie in phase.ties))
        yield from (price.amount for price in (*phase.keep, *phase.call, *phase.pay))
    for deed in kit.deeds.values():
        yield from (price.amount for price in deed.cost)
    for pool in kit.pools.values():
        if pool.most is not None:
            yield pool.most
        if pool.refill == "turn":
            yield pool.start
    for check in kit.checks.values():
        yield from (check.each, check.edges, *(degree.number for degree in check.degrees))
    yield from (comparison.number for comparison in _comparisons(kit))


def _comparisons(kit: Kit) -> Iterator[Comparison]:
    yield from (phase.who for phase in kit.phases if phase.who is not None)
    for deed in kit.deeds.values():
        yield from deed.needs
        yield from _conditions(deed.sentences)
    for condition in kit.conditions.values():
        yield from _conditions(condition.do)
    for sentences in kit.when.values():
        yield from _conditions(sentences)


def _conditions(sentences: Iterable[Sentence]) -> Iterator[Comparison]:
    return (comparison for sentence in sentences for comparison in sentence.only)
