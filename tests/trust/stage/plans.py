"""Secret plans of kits: the words in them are their owners' until all plans are told."""

from __future__ import annotations

import json
from collections.abc import Iterable

from data.rows import LogRow
from rules.core.registry import system_of
from rules.systems.kit.state import KitChanged, KitState
from rules.systems.kit.system import KitSystem
from rules.systems.kit.turns import is_planning, phase_of

PLAN = "plan"


def is_secretly_planned(state: KitState) -> bool:
    """Tell whether what is done now is kept as a plan that others do not see."""
    system = system_of(state)
    if not isinstance(system, KitSystem) or not is_planning(system.rules, state):
        return False
    phase = phase_of(system.rules, state)
    return phase is not None and phase.plan == "secret"


def planned_words(state: KitState) -> tuple[str, ...]:
    """Return the words of all plans that stand."""
    return tuple(each.note for steps in state.plans.values() for each in steps if each.note)


def told_plans(row: LogRow, before: Iterable[str]) -> tuple[str, ...]:
    """Return the words that everybody reads with a row: those of the plans that it tells, `before` or made in it."""
    held = tuple(before)
    for event in json.loads(row.events):
        if event.get("kind") != KitChanged.kind:
            continue
        plans = event["fields"].get("plans")
        if plans:
            held = tuple(each["note"] for steps in plans.values() for each in steps if each.get("note"))
        if event["fields"].get("plan_step") == 1:
            return held
    return ()
