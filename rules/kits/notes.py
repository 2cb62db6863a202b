"""What a kit's author may want to know, and what refuses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.kits.compiled import Deed, Kit

_BRACES = re.compile(r"\{[^{}]*\}")


def notes_of(kit: Kit) -> tuple[str, ...]:
    """Return what looks forgotten: rules nothing cites, actions no phase allows, pools nothing changes."""
    return tuple(_notes(kit))


def _notes(kit: Kit) -> Iterator[str]:
    for key in kit.implied:
        yield f"{key} is a number of the sheet, and 0 if a sheet lacks it; [sheet] can give another default."
    cited = {
        *(phase.rule for phase in kit.phases),
        *(deed.rule for deed in kit.deeds.values()),
        *(condition_spec.rule for condition_spec in kit.conditions.values()),
    }
    for rule in kit.rules:
        if rule not in cited:
            yield f"Nothing cites {rule}."
    for deed in kit.actions.values():
        if not deed.any_time and not any(phase.allows(deed) for phase in kit.phases):
            yield f"No phase allows {deed.id}."
    changed = {each.name for each in kit.sentences}
    paid = {price.pool for deed in kit.deeds.values() for price in deed.cost}
    paid |= {price.pool for phase in kit.phases for price in (*phase.keep, *phase.call, *phase.pay)}
    for pool in kit.pools.values():
        if pool.name not in changed | paid and kit.actions:
            yield f"Nothing changes {pool.name}."
        if pool.out and pool.start.plain == 0:
            yield f"{pool.name} starts at 0, which puts its bearer out: write a start above 0."
    for deed in kit.deeds.values():
        if deed.using:
            yield f"{deed.id} needs a {deed.using} on a sheet; the dry run's fighters have none."
    for deed in kit.deeds.values():
        if deed.ticks is not None and not any(phase.type == "clock" for phase in kit.phases):
            yield f"{deed.id} takes ticks, but no phase is a clock."
        if deed.speed.plain != 0 and not any(phase.key.uses_speed for phase in kit.phases):
            yield f"{deed.id} has a speed, but no key of planned actions has {{speed}}."
    for deed in kit.reactions.values():
        if deed.for_whom == "self" and deed.to.startswith("moved"):
            way = "comes near" if deed.to == "moved-near" else "moves away from"
            instead = 'write for = "foe", "ally" or "anyone".'
            yield f"{deed.id}: nobody {way} themselves, so nobody is asked; {instead}"
    for deed, condition in _over_at_once(kit):
        keeps = 'To keep it until the next one, write ticks = "bearer-start" in [condition].'
        yield f"{deed.id}: {condition} ends with the very turn that brings it. {keeps}"
    for sentence in kit.sentences:
        for word in _BRACES.findall(sentence.words):
            yield f"{word} is in words for people, where I fill in nothing."
    for phase in kit.phases:
        if kit.actions and not any(phase.allows(deed) for deed in kit.actions.values()):
            yield f"Nobody can do anything in {phase.name}."


def _over_at_once(kit: Kit) -> Iterator[tuple[Deed, str]]:
    """Go through what shields its bearer from rolls of others, and ends before any of them has a turn."""
    for deed in kit.actions.values():
        for sentence in () if deed.any_time else deed.sentences:
            if sentence.form != "is" or sentence.negated or sentence.who != "self":
                continue
            spec = kit.conditions[sentence.name]
            turns = spec.lasts if sentence.number is None else sentence.number.plain
            if turns == 1 and spec.ticks == "bearer-end" and spec.against and not spec.checks:
                yield deed, spec.id
