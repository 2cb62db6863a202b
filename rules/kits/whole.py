"""Where a kit takes numbers alone: turns, tokens, costs and comparisons are no dice, and so no key in them is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
        yield from (check.each, *(degree.number for degree in check.degrees))
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
    return (sentence.only for sentence in sentences if sentence.only is not None)
