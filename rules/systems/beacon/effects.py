"""Effects at the same moment: others' first, then one's own; in each group checks and saves first.

Rule: BE-07.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Literal, cast

from rules.core.conditions import hangs_on, tick_one, tick_unseen
from rules.core.model import per_state
from rules.core.typed.names import find_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Condition
from rules.errors import Illegal, Malformed
from rules.systems.beacon.sheet import DEFENDING, BeaconStep
from rules.systems.beacon.state import BeaconState, Effects, end_top, replace_top

ORDER = "order"
THE_GM = "GM"
SOMEBODY = "somebody"
Effect = tuple[str, Condition]  # the bearer and the condition


def key_of(effect: Effect) -> str:
    """Return a name for an effect that outlives the change of its numbers."""
    bearer, condition = effect
    return f"{condition.name}|{condition.source or ''}|{bearer}"


def ticking(state: BeaconState, who: str, moment: Literal["start", "end"]) -> tuple[Effect, ...]:
    """Return the conditions that hang on this moment of somebody's turn."""
    return tuple(
        (bearer.name, condition)
        for bearer in state.combatants
        for condition in bearer.conditions
        if hangs_on(state, who, moment, bearer.name, condition)
    )


def matters(effect: Effect) -> bool:
    """Tell whether an effect does something that people see now: a save, or an end."""
    condition = effect[1]
    return condition.name != DEFENDING and (condition.save is not None or condition.left == 1)


def groups(state: BeaconState, who: str, moment: Literal["start", "end"]) -> tuple[tuple[Effect, ...], ...]:
    """Return the effects that matter in the source's groups: others' before one's own, saves before the rest."""
    found: tuple[list[Effect], ...] = ([], [], [], [])
    for effect in ticking(state, who, moment):
        if matters(effect):
            own = effect[1].source in (who, None)
            found[2 * own + (effect[1].save is None)].append(effect)
    return tuple(tuple(group) for group in found)


def decides(who: str, group: Sequence[Effect], state: BeaconState) -> str | None:
    """Return who orders a group: the one source, the GM if there are several; None if nothing is open."""
    if len(group) < 2:
        return None
    sources = {condition.source or who for _, condition in group}
    if len(sources) == 1:
        source = next(iter(sources))
        return source if state.find(source) is not None else THE_GM
    return THE_GM


@per_state
def needs_order(state: BeaconState, who: str) -> bool:
    """Tell whether the start of somebody's turn asks for an order."""
    return any(decides(who, group, state) is not None for group in groups(state, who, "start"))


def run_effects(step: BeaconStep) -> None:
    """Work through the effects on top of the stack up to a question or their end."""
    job = step.state.stack[-1]
    if not isinstance(job, Effects):
        return
    who = job.who
    for effect in ticking(step.state, who, job.moment):
        if not matters(effect) and key_of(effect) not in job.sorted:
            tick_one(step, *effect)
            job = _keep(step, job.evolve(sorted=(*job.sorted, key_of(effect))))
    for group in groups(step.state, who, job.moment):
        left = [effect for effect in group if key_of(effect) not in job.sorted]
        asked = decides(who, left, step.state)
        if asked is not None:
            window = step.new_window
            _keep(step, job.evolve(window=window))
            hidden = step.state.hidden_names
            names = labels(left, hidden)
            words = "Which comes first? {names} happen to {who} at the same time."
            public = words.format(names=", ".join(names), who=SOMEBODY if who in hidden else who)
            whole = words.format(names=", ".join(labels(left)), who=who)
            step.ask(
                asked,
                ORDER,
                public,
                (ORDER,),
                inside=whole if whole != public else "",
                window=window,
                data={"effects": list(names), "keys": [key_of(effect) for effect in left]},
            )
            return
        for effect in left:
            job = _keep(step, job.evolve(sorted=(*job.sorted, key_of(effect))))
            tick_one(step, *effect)
    tick_unseen(step, who, f"source-{job.moment}")
    end_top(step)


def labels(effects: Sequence[Effect], hidden: Container[str] = ()) -> tuple[str, ...]:
    """Return the names of effects, with their source if two are alike; who is hidden is somebody."""
    names = [held.name for _, held in effects]
    found: list[str] = []
    for bearer, condition in effects:
        label = condition.name
        if names.count(condition.name) > 1:
            source, on = (SOMEBODY if name in hidden else name for name in (condition.source or "nobody", bearer))
            label = f"{condition.name} of {source} on {on}"
        same_before = sum(each == label or each.startswith(f"{label} (") for each in found)
        found.append(f"{label} ({same_before + 1})" if same_before else label)
    return tuple(found)


def _keep(step: BeaconStep, job: Effects) -> Effects:
    replace_top(step, job)
    return job


def put_in_order(step: BeaconStep, who: str, text: str) -> None:
    """Let the effects happen in the order that was named. Rule: BE-07."""
    job = step.state.stack[-1] if step.state.stack else None
    if not isinstance(job, Effects):
        raise Illegal("No effects are waiting for an order.", rule="BE-07")
    names = [str(name) for name in cast("list[str]", step.question.data["effects"])]
    keys = [str(key) for key in cast("list[str]", step.question.data["keys"])]
    order: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        found = find_name(part, [name for name in names if name not in order])
        if found is None:
            raise Malformed(f"{part[:40]} is not one of them.", rule="BE-07", instead=f"Name {shown(names)}.")
        order.append(found)
    order += [name for name in names if name not in order]
    step.tell("Order: {order}.", order=", ".join(order))
    for name in order:
        key = next(key for label, key in zip(names, keys, strict=True) if same(label, name))
        for effect in ticking(step.state, job.who, job.moment):
            if key_of(effect) == key:
                job = _keep(step, job.evolve(sorted=(*job.sorted, key)))
                tick_one(step, *effect)
                break
    _keep(step, job.evolve(window=0))
    run_effects(step)
