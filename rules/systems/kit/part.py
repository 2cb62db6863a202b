"""Who takes part: out, skipped, of the phase's side, with turns left. Every way of handing out turns asks this."""

from __future__ import annotations

from rules.core.model import per_state
from rules.core.registry import system_of
from rules.kits.compiled import PhaseSpec
from rules.systems.kit.numbers import Scene, holds, number_of, points_of
from rules.systems.kit.state import KitState

NO_LIMIT = 999  # turns in a round


def founder_of(state: KitState, name: str) -> str:
    """Return the first of somebody's group, who has its tokens and its slot."""
    group = state.combatant(name).group
    return name if group is None else next(combatant.name for combatant in state.combatants if combatant.group == group)


@per_state
def is_out(state: KitState, who: str) -> bool:
    """Tell whether somebody is out or has gone."""
    return state.find(who) is None or system_of(state).is_out(state, who)


def is_skipped(state: KitState, who: str) -> bool:
    """Tell whether a condition takes somebody's turns."""
    combatant = state.combatant(who)
    return bool(combatant.conditions) and any(
        spec.skips and combatant.has(spec.label) for spec in state.kit.conditions.values()
    )


def takes_part(state: KitState, phase: PhaseSpec, who: str) -> bool:
    """Tell whether somebody could have a turn in a phase, as far as others have not had it."""
    if is_out(state, who) or is_skipped(state, who) or who in state.unfit:
        return False
    if phase.side and state.combatant(who).side != phase.side:
        return False
    return phase.who is None or holds(state, phase.who, Scene(who))


def turns_left(state: KitState, phase: PhaseSpec, who: str) -> int:
    """Return how many turns somebody still has in what this phase shares; a large number if there is no limit."""
    if phase.type in ("bag", "clock") or phase.again:  # tokens, ticks and what is left of one's number say how often
        return NO_LIMIT
    most = phase.turns.plain  # a group has the turns of its first
    if most is None:
        most = number_of(state, phase.turns, Scene(founder_of(state, who)))
    if most == 0 and phase.type == "open":
        return NO_LIMIT
    return max(0, most + state.owed.get(who, 0) - state.had.get(who, {}).get(phase.shares, 0))


def short_of_entry(state: KitState, phase: PhaseSpec, who: str, *, public: bool = True) -> tuple[str, int, int] | None:
    """Return the pool that does not suffice for a turn of this phase, what it holds, and what the turn costs.

    `public`: as everybody may know; a pool that is not shown counts as enough.
    """
    for price in phase.pay:
        if public and state.kit.pools[price.pool].shown == "no":
            continue
        now, wanted = fresh_stock(state, phase, who, price.pool), number_of(state, price.amount, Scene(who))
        if now < wanted:
            return price.pool, now, wanted
    return None


def fresh_stock(state: KitState, phase: PhaseSpec, who: str, pool: str) -> int:
    """Return what somebody can pay from a pool as a turn of this phase starts."""
    spec = state.kit.pools[pool]
    if spec.of == "each" and pool in phase.gives:
        return phase.gives[pool]
    if spec.of == "each" and spec.refill == "turn":
        return number_of(state, spec.start, Scene(who))
    return points_of(state, who, pool)


def able(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return who may still have a turn in this phase, in the order of joining."""
    return tuple(
        name
        for name in state.names
        if name not in state.passed
        and (name not in state.ended or name in state.begun)
        and takes_part(state, phase, name)
        and (name in state.begun or turns_left(state, phase, name) > 0)
        and (name in state.begun or not phase.pay or short_of_entry(state, phase, name) is None)
    )


def sides_able(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return the sides that may still have a turn in this phase."""
    return tuple(dict.fromkeys(state.combatant(name).side for name in able(state, phase)))


def has_planned(state: KitState, phase: PhaseSpec, who: str) -> bool:
    """Tell whether somebody has made all of a plan."""
    return who in state.plan_closed or len(state.plans.get(who, ())) >= phase.steps


def planners(state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
    """Return who has still to plan."""
    return tuple(
        name
        for name in able(state, phase)
        if not has_planned(state, phase, name) and state.combatant(name).side not in phase.called
    )
