"""Secret plans of kits: the words in them are their owners' until all plans are told."""

from __future__ import annotations

from collections.abc import Iterable

from rules.systems.kit.state import KitState

PLAN = "plan"


def is_secretly_planned(state: KitState) -> bool:
    """Tell whether what is done now is kept as a plan that others do not see."""
    return isinstance(state, KitState) and state.is_planning and state.this_phase.plan == "secret"


def planned_words(state: KitState) -> tuple[str, ...]:
    """Return the words of all open plans."""
    return tuple(each.note for steps in state.plans.values() for each in steps if each.note)


def told_plans(note: str, before: Iterable[str], now: KitState) -> tuple[str, ...]:
    """Return the words that everybody reads once plans are carried out: those there `before`, or the last ones."""
    if is_secretly_planned(now) and not now.plan_step:
        return ()
    return (*before, *planned_words(now), *((note,) if note else ()))
