"""What a kit's author may want to know, and what refuses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.kits.compiled import Kit
from rules.kits.sentences import Sentence

_BRACES = re.compile(r"\{[^{}]*\}")


def notes_of(kit: Kit) -> tuple[str, ...]:
    """Return what looks forgotten: rules nothing cites, actions no phase allows, pools nothing changes."""
    return tuple(_notes(kit))


def _notes(kit: Kit) -> Iterator[str]:
    for key in kit.implied:
        yield f"{key} is a number of the sheet, 0 where there is none; [sheet] may say another."
    cited = {
        *(phase.rule for phase in kit.phases),
        *(deed.rule for deed in kit.deeds.values()),
        *(each.rule for each in kit.conditions.values()),
    }
    for rule in kit.rules:
        if rule not in cited:
            yield f"Nothing cites {rule}."
    for deed in kit.actions.values():
        if not deed.any_time and not any(phase.allows(deed) for phase in kit.phases):
            yield f"No phase allows {deed.id}."
    changed = {each.name for each in _sentences(kit)}
    paid = {price.pool for deed in kit.deeds.values() for price in deed.cost}
    paid |= {price.pool for phase in kit.phases for price in (*phase.keep, *phase.call, *phase.pay)}
    for pool in kit.pools.values():
        if pool.name not in changed | paid and kit.actions:
            yield f"Nothing changes {pool.name}."
        if pool.out and pool.start.plain == 0:
            yield f"{pool.name} starts at 0, where its bearer is out: write a start above 0."
    for deed in kit.deeds.values():
        if deed.using:
            yield f"{deed.id} needs a {deed.using} on a sheet; the dry run's fighters have none."
    for sentence in _sentences(kit):
        for word in _BRACES.findall(sentence.words):
            yield f"{word} stands in words for people, where it stays as it is."
    for phase in kit.phases:
        if kit.actions and not any(phase.allows(deed) for deed in kit.actions.values()):
            yield f"Nobody can do anything in {phase.name}."


def _sentences(kit: Kit) -> Iterator[Sentence]:
    for deed in kit.deeds.values():
        yield from deed.sentences
    for condition in kit.conditions.values():
        yield from condition.do
    for sentences in kit.when.values():
        yield from sentences
