"""Conditions and their durations, which hang on the turn events of a named combatant.

Rule: CL-06, CL-08.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from rules.core.effects import renewal
from rules.core.encounter import Encounter
from rules.core.seen.lines import Veiled
from rules.core.sheets.numbers import numbers_of, with_numbers
from rules.core.step import Step
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Combatant, Condition, Ticks
from rules.dice.meanings import unambiguous
from rules.dice.reading import parse_expression, stored_expression
from rules.dice.tree import Chain, Literal, Unary
from rules.errors import Malformed

CONCENTRATION = "concentration"
MOST_TARGET = 10**6
_TOTAL = {"pool": "total", "pool above": "total"}  # what a save compares, however many dice it has
NOBODY = "nobody here"  # the source of a condition that has none, or one the reader does not know


def parse_save(text: str, *, is_typed: bool = False) -> tuple[str, bool, int]:
    """Read a save such as `2d6>=7`: expression, whether high is good, target. Raises: Malformed, SeveralMeanings."""
    read = parse_expression(text, dialect=_TOTAL) if is_typed else stored_expression(text)
    root = read.root
    target = root.rest[0][1] if isinstance(root, Chain) and read.compares in {">=", "<="} else None
    value = target.operand if isinstance(target, Unary) else target
    if not isinstance(root, Chain) or not isinstance(value, Literal) or abs(value.value) >= MOST_TARGET:
        raise Malformed(
            f"{text.strip()[:40]} is not a save.", instead="Write dice and a number to reach, such as 2d6>=7."
        )
    sign = -1 if isinstance(target, Unary) and target.sign == "-" else 1
    return unambiguous(stored_expression(str(root.first))), read.compares == ">=", sign * int(value.value)


def duration_words(condition: Condition) -> str:
    """Return what is left of a condition in words; empty if it lasts until removed."""
    parts = []
    if condition.left is not None:
        parts.append(f"{condition.left} left")
    if condition.save:
        parts.append(f"save {condition.save}")
    return ", ".join(parts)


def put_condition(step: Step[Any], bearer: str, condition: Condition) -> None:
    """Put a condition on a combatant, in the place of one of the same name and source. Tells nothing."""
    conditions = step.combatant(bearer).conditions
    others = (
        other for other in conditions if not (same(other.name, condition.name) and other.source == condition.source)
    )
    step.change_combatant(bearer, conditions=(*others, condition))


def drop_condition(step: Step[Any], bearer: str, condition: Condition) -> None:
    """Take a condition off. Tells nothing, and ends no concentration (`end_condition`)."""
    conditions = step.combatant(bearer).conditions
    step.change_combatant(bearer, conditions=tuple(each for each in conditions if not _is_that(each, condition)))


def set_left(step: Step[Any], bearer: str, condition: Condition, left: int) -> None:
    """Set how long a condition lasts yet. Tells nothing."""
    conditions = step.combatant(bearer).conditions
    step.change_combatant(
        bearer, conditions=tuple(each.evolve(left=left) if _is_that(each, condition) else each for each in conditions)
    )


def _is_that(one: Condition, other: Condition) -> bool:
    return one.name == other.name and one.source == other.source


def add_condition(step: Step[Any], bearer: str, condition: Condition, held_by: str = "") -> None:
    """Put a condition on a combatant and say so. `held_by`: what its source concentrates on, if it is not this."""
    if condition.concentration and condition.source is not None:
        concentrate(step, condition.source, held_by or condition.name)
    put_condition(step, bearer, condition)
    left = duration_words(condition)
    source = "" if condition.source in (None, bearer) else " from {source}"
    creator = None if condition.source is None else step.state.find(condition.source)
    if source and creator is not None and creator.hidden:  # the bearer learns of it, not its source
        source = "{source}"
    step.tell(
        "{who} has {condition}" + source + (" ({left})" if left else "") + ".",
        who=bearer,
        condition=condition.name,
        source=Veiled(full=f" from {condition.source}", public="") if source == "{source}" else condition.source,
        left=left or None,
    )


def told_apart(state: Encounter, conditions: Iterable[Condition]) -> dict[str, Condition]:
    """Return what somebody bears, by a name that tells two of one name apart: `Restrained (from Ann)`."""
    held = tuple(conditions)
    alike = Counter(skeleton(condition.name) for condition in held)
    seen = frozenset(state.names) - state.hidden_names
    found: dict[str, Condition] = {}
    for kept in held:
        source = kept.source if kept.source in seen else NOBODY
        found.setdefault(kept.name if alike[skeleton(kept.name)] == 1 else f"{kept.name} (from {source})", kept)
    return found


def concentrate(step: Step[Any], source: str, name: str) -> None:
    """Let somebody concentrate on something; another thing that they held ends. Rule: CL-08."""
    if step.state.find(source) is None:
        return
    held = step.combatant(source).marks.get(CONCENTRATION)
    if held is not None and skeleton(held) != skeleton(name):
        end_concentration(step, source)
    step.set_mark(source, CONCENTRATION, name)


def end_condition(step: Step[Any], bearer: str, condition: Condition, why: str = "ends") -> None:
    """Take a condition off and say so, with what lasted during it.

    The last one that a concentration held ends the concentration's mark.
    """
    drop_condition(step, bearer, condition)
    step.tell("{condition} on {who} {why}.", condition=condition.name, who=bearer, why=why)
    for other in step.combatant(bearer).conditions:
        if other.source == condition.source and other.data.get("during") == condition.name:
            end_condition(step, bearer, other, "ends with it")
    source = condition.source
    if condition.concentration and source is not None and not _held_by(step, source):
        owner = step.state.find(source)
        if owner is not None and CONCENTRATION in owner.marks:
            step.set_mark(source, CONCENTRATION, None)


def _held_by(step: Step[Any], source: str) -> list[tuple[str, Condition]]:
    return [
        (combatant.name, held)
        for combatant in step.state.cast
        for held in combatant.conditions
        if held.concentration and held.source == source
    ]


def end_concentration(step: Step[Any], source: str) -> None:
    """End every condition that this combatant's concentration holds. Rule: CL-08."""
    for bearer, condition in _held_by(step, source):
        end_condition(step, bearer, condition, "ends with the concentration")
    combatant = step.state.find(source)
    if combatant is not None and CONCENTRATION in combatant.marks:
        what = combatant.marks[CONCENTRATION]
        step.tell("{who} stops concentrating" + (" on {what}." if what else "."), who=source, what=what or None)
        step.set_mark(source, CONCENTRATION, None)


def settle_concentration(step: Step[Any], source: str, name: str, *, asks: bool) -> None:
    """Say on what somebody concentrates, or let it go if no condition hangs on it and the GM is `asks`ed for none."""
    owner = step.state.find(source)
    if owner is None or owner.marks.get(CONCENTRATION) != name:
        return
    if asks or _held_by(step, source):
        step.tell("{who} concentrates on {ability}.", who=source, ability=name)
    else:
        step.set_mark(source, CONCENTRATION, None)


def tick(
    step: Step[Any],
    who: str,
    moment: Ticks,
    *,
    saves: bool = True,
    only: Callable[[Condition], bool] = lambda _condition: True,
) -> None:
    """Count down what hangs on this moment of this combatant's turn, over all bearers. Rule: CL-06.

    `moment` is `bearer-start` or `bearer-end` as seen by `who`; what names the source ticks with it, unless its place
    alone is left (`rules.core.turns.echoes`). Without `saves` what has a save is left alone: the system rolls these at
    a moment of its own. `only` says which.
    """
    edge = moment.removeprefix("bearer-").removeprefix("source-")
    if edge == "start":
        renewal.turn_begins(step, who)
    else:
        renewal.turn_ends(step)
    tick_unseen(step, who, f"source-{edge}", only)
    for bearer in _bearers(step):
        for condition in step.combatant(bearer).conditions:
            is_timely = (condition.save is None or saves) and only(condition)
            if is_timely and hangs_on(step.state, who, edge, bearer, condition):
                tick_one(step, bearer, condition)


def hangs_on(state: Encounter, who: str, edge: str, bearer: str, condition: Condition) -> bool:
    """Tell whether a condition counts down at the start or the end of somebody's turn."""
    if condition.ticks == f"source-{edge}":
        return condition.source == who and _is_source(state, who)
    return condition.ticks == f"bearer-{edge}" and bearer == who


def _is_source(state: Encounter, who: str) -> bool:
    """Tell whether somebody's turns count for what they have caused: not if their place alone is left."""
    return all(echo.name != who for echo in state.echoes)


def tick_source(step: Step[Any], who: str, moment: Ticks) -> None:
    """Count down what hangs on this moment in the place of a source that has no turns."""
    step.unseen.append((who, lambda own: _tick_caused(own, who, moment)))
    _tick_caused(step, who, moment)


def tick_unseen(
    step: Step[Any], who: str, moment: str, only: Callable[[Condition], bool] = lambda _condition: True
) -> None:
    """Count down what hidden combatants bear of a source, saves as well, last in the step (`rules.core.hiding`)."""
    if _is_source(step.state, who):
        step.unseen.append((who, lambda own: _tick_caused(own, who, moment, only)))


def _tick_caused(
    step: Step[Any], who: str, moment: str, only: Callable[[Condition], bool] = lambda _condition: True
) -> None:
    for bearer in _bearers(step):
        for condition in step.combatant(bearer).conditions:
            if condition.ticks == moment and condition.source == who and only(condition):
                tick_one(step, bearer, condition)


def tick_round_end(
    step: Step[Any], *, saves: bool = True, only: Callable[[Condition], bool] = lambda _condition: True
) -> None:
    """Count down what hangs on the end of the round; without `saves` only what has none. `only` says which."""
    renewal.round_ends(step)
    for bearer in _bearers(step):
        for condition in step.combatant(bearer).conditions:
            if condition.ticks == "round-end" and (saves or condition.save is None) and only(condition):
                tick_one(step, bearer, condition)


def _bearers(step: Step[Any]) -> tuple[str, ...]:
    """Return who bears conditions now: counting down ends some and gives nobody a new one."""
    return tuple(combatant.name for combatant in step.state.combatants if combatant.conditions)


def tick_one(step: Step[Any], bearer: str, condition: Condition) -> None:
    """Count down a condition that is still there, or roll the save that ends it."""
    if not _still_held(step.combatant(bearer), condition):
        return
    if try_save(step, bearer, condition):
        return
    if condition.left is None:
        return
    left = condition.left - 1
    if left <= 0:
        end_condition(step, bearer, condition)
        return
    set_left(step, bearer, condition, left)


def try_save(step: Step[Any], bearer: str, condition: Condition) -> bool:
    """Roll the save that ends a condition, if one does; tell whether it has ended."""
    if condition.save is None or not _save_succeeds(step, bearer, condition):
        return False
    end_condition(step, bearer, condition, "ends: the save succeeds")
    return True


def _still_held(combatant: Combatant, condition: Condition) -> bool:
    return any(_is_that(each, condition) for each in combatant.conditions)


def _save_succeeds(step: Step[Any], bearer: str, condition: Condition) -> bool:
    named = condition.save or ""
    save = with_numbers(named, numbers_of(step.combatant(bearer)))
    expression, high, target = parse_save(save)
    total, text = step.roll(
        expression, who=bearer, purpose=f"save {condition.name}", on=() if save == named else (bearer,)
    )
    success = total >= target if high else total <= target
    step.tell(
        "{who} saves against {condition}: {roll} against {target}, {outcome}.",
        who=bearer,
        condition=condition.name,
        roll=text,
        target=target,
        outcome="success" if success else "failure",
        good=success,
    )
    return success
