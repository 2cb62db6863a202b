"""What a kit's author may want to know, and what refuses nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rules.kits.compiled import Kit
from rules.kits.sentences import Sentence


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
