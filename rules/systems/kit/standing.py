"""What a prompt says of a round of a kit beside the order: places still to come, what is in the bag, the clock."""

from __future__ import annotations

from rules.systems.kit.order import sort_key
from rules.systems.kit.state import KitState
from rules.systems.kit.ways.bag import tokens_of
from rules.systems.kit.ways.slots import slots_of

_MOST = 20  # places that a line shows


def standing_lines(state: KitState) -> tuple[str, ...]:
    """Return the line of the present phase's way of handing out turns; none if the order says it all."""
    phase = state.this_phase
    if state.status != "running":
        return ()
    if phase.type == "slots":
        left = [state.combatant(name).side for name in slots_of(state, phase) if name not in state.slots_taken]
        more = f" and {len(left) - _MOST} more" if len(left) > _MOST else ""
        return (f"Places: {', '.join(left[:_MOST])}{more}",) if left else ()
    if phase.type == "bag":
        bag: dict[str, int] = {}
        for name, count in tokens_of(state, phase).items():
            side = state.combatant(name).side
            whose = side if side in phase.shared else name
            bag[whose] = bag.get(whose, 0) + count
        held = [f"{whose} {count}" for whose, count in list(bag.items())[:_MOST]]
        held += [f"round's end {phase.end_tokens}"] if phase.end_tokens else []
        return (f"In the bag: {', '.join(held) or 'nothing'}",)
    if phase.type == "clock":
        keys = (sort_key(state, phase, name)[0] for name in state.names)
        counts = [key for key in keys if key != float("inf")]
        now = abs(min(counts)) if counts else 0
        ends = "nobody has any left" if phase.count == "down" else f"all are at {state.round * phase.round}"
        return (f"The clock is at {now:g}; the round ends when {ends}",)
    return ()
