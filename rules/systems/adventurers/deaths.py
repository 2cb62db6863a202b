"""Death checks: when there is something to decide, the roll, what Willpower and a weapon do.

Rule: AD-19, AD-20, AD-23.
"""

from __future__ import annotations

from rules.core.command import Command
from rules.core.effects.bonuses import on_rolls
from rules.core.registry import option_value
from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.core.values import Question
from rules.errors import BrokenInvariant
from rules.systems.adventurers import creatures
from rules.systems.adventurers.abilities import deed_of
from rules.systems.adventurers.body import (
    BREAK_OR_ROLL,
    SPEND_OR_DIE,
    ask_openly,
    causes_body_damage,
    die,
    discard,
    parts_left,
    willpower_changed,
)
from rules.systems.adventurers.checks import Adventuring, added_up, faces
from rules.systems.adventurers.creatures import (
    BOSS,
    ENEMY,
    STAMINA,
    WILLPOWER,
    damaged_parts,
    pool_now,
)
from rules.systems.adventurers.state import AdventurersState, DeathCheck


def _put_first(step: Adventuring, who: str, *after: DeathCheck) -> None:
    """Put what is left of somebody's first death check in its place: nothing once it is made."""
    deaths = step.state.deaths
    at = next(number for number, death in enumerate(deaths) if death.who == who)
    step.change(deaths=(*deaths[:at], *after, *deaths[at + 1 :]))


def _check_of(state: AdventurersState, who: str) -> DeathCheck | None:
    return next((death for death in state.deaths if death.who == who), None)


def _damaged(state: AdventurersState, who: str) -> int:
    """Return how many damaged parts somebody's death check is against, as it was announced. Rule: G-10."""
    check = _check_of(state, who)
    return len(damaged_parts(state.combatant(who))) if check is None else check.damaged


def survives(step: Adventuring, who: str, result: int) -> bool:
    """Compare a death check with the number of damaged parts. Rule: AD-19."""
    return _passes(step.state, result, _damaged(step.state, who))


def _passes(state: AdventurersState, result: int, count: int) -> bool:
    return result > count or (result == count and option_value(state, "death_tie") == "alive")


def _needed(state: AdventurersState, who: str, result: int) -> int:
    """Return how much Willpower a failed result takes to be passed. Rule: AD-20."""
    count = _damaged(state, who)
    return count - result + (0 if option_value(state, "death_tie") == "alive" else 1)


def go_on_with_death(step: Adventuring, check: DeathCheck) -> None:
    """Ask about a weapon, or roll if there is none to break. Rule: AD-20."""
    who = check.who
    held = creatures.weapons(step.combatant(who))
    if check.result is not None:
        judge(step, who, check.result)
        return
    if not held or survives(step, who, 1):  # if it cannot fail there is nothing to decide
        roll_death(step, who)
        return
    count = _damaged(step.state, who)
    _put_first(step, who, check.evolve(asked=True))
    left = pool_now(step.state, who, WILLPOWER)
    helps = who not in step.state.full_power
    after = "; in Full Power Willpower can't help" if who in step.state.full_power else ""
    more = f"; then Willpower adds 1 for each point ({left} left)" if helps and left > 0 else after
    start = f"Death check: 1d6 against {count} damaged, {_chance(step, count)}"
    end = f"Roll, or break a weapon ({shown(held)}) to cancel the check? The weapon is gone for good."
    answers = ("death-check", "break-weapon")
    ask_openly(step, who, BREAK_OR_ROLL, f"{start}{more}. {end}", f"{start}{after}. {end}", answers, {"damaged": count})


def _chance(step: Adventuring, count: int) -> str:
    """Say on which faces a death check is passed. Rule: AD-19."""
    least = count + (0 if step.option("death_tie") == "alive" else 1)
    return "which no face can pass" if least > 6 else f"alive on {least} or more"


def roll_death(step: Adventuring, who: str) -> None:
    """Roll 1D6 against the number of damaged parts. Rule: AD-19."""
    face = step.die(6, who=who, purpose="death check").face
    more, _ = on_rolls(step.state, who, ("on Death checks",), deed_of)
    added, of_more = added_up(step, who, more, "death check")
    step.tell(
        "{who}, death check: 1d6 ({face})" + " {more}" * bool(more) + " against {count} damaged, {outcome}.",
        who=who,
        face=faces(step, who, face),
        more=of_more or None,
        count=_damaged(step.state, who),
        outcome="alive" if survives(step, who, face + added) else "failed",
        good=survives(step, who, face + added),
    )
    judge(step, who, face + added)


def judge(step: Adventuring, who: str, result: int) -> None:
    """Let live, ask for Willpower, or let die. Rule: AD-20, AD-23."""
    if survives(step, who, result):
        _put_first(step, who)
        return
    willpower = pool_now(step.state, who, WILLPOWER)
    if willpower <= 0 or who in step.state.full_power:
        die(step, who)
        return
    check = next(death for death in step.state.deaths if death.who == who)
    _put_first(step, who, check.evolve(asked=True, result=result))
    count = _damaged(step.state, who)
    need = _needed(step.state, who, result)
    start = f"Death check {result} against {count} damaged: "
    public = f"{start}spend Willpower (+1 each, {need} would be enough), or die?"
    last = ", and 0 is Helpless" if need == willpower else ""
    full = f"{start}spend Willpower (+1 each, {need} would be enough, {willpower} left{last}), or die?"
    if need > willpower:
        full = (
            f"{start}{need} Willpower would be enough (+1 each), but only {willpower} is left. Spend it anyway, or die?"
        )
    data = {"result": result, "damaged": count, "needed": need}
    ask_openly(step, who, SPEND_OR_DIE, full, public, ("willpower", "accept"), data)


def spend_on_death(step: Adventuring, who: str, amount: int) -> None:
    """Raise a failed death check with Willpower. Rule: AD-20."""
    check = _check_of(step.state, who)
    if check is None or check.result is None:
        raise BrokenInvariant(f"{who} has no failed death check")
    result = check.result + amount
    before, after = step.set_pool(who, WILLPOWER, pool_now(step.state, who, WILLPOWER) - amount)
    step.tell("{who}: {change}.", who=who, change=step.pool_fact(who, WILLPOWER, before, after))
    step.tell(
        "{who}, death check: {result} against {count} damaged, {outcome}.",
        who=who,
        result=result,
        count=_damaged(step.state, who),
        outcome="alive" if survives(step, who, result) else "failed",
        good=survives(step, who, result),
    )
    judge(step, who, result)
    if not is_out(step.state, who):
        willpower_changed(step, who, after)


def break_weapon(step: Adventuring, who: str, weapon: str) -> None:
    """Discard an equipped weapon; the death check is cancelled. Rule: AD-20."""
    discard(step, who, weapon, creatures.is_equipped)
    step.tell("{who} breaks {weapon}, so there is no death check.", who=who, weapon=weapon)
    _put_first(step, who)


# What is done for somebody who does not answer (design 8): no life and no weapon is lost by it


def may_lose_life(state: AdventurersState, who: str, damage: int) -> bool:
    """Tell whether taking that damage could kill. Rule: AD-16, AD-19, AD-21."""
    combatant = state.combatant(who)
    if combatant.kind == ENEMY:
        return damage > 0 and damage >= pool_now(state, who, STAMINA)
    count = len(damaged_parts(combatant))
    if causes_body_damage(state, who, damage):
        return not parts_left(state, who) or not _passes(state, 1, count + 1)
    reaches_0 = combatant.kind == BOSS and 0 < damage == pool_now(state, who, STAMINA)
    return reaches_0 and not _passes(state, 1, count)


def timeout_action(state: AdventurersState, question: Question) -> Command | None:
    """Return the answer to a death check that costs neither life nor weapon; None if there is none. Rule: AD-20."""
    who = question.who
    left = 0 if who in state.full_power else pool_now(state, who, WILLPOWER)
    check = _check_of(state, who)
    needed = _needed(state, who, 1 if check is None or check.result is None else check.result)
    if needed > left:
        return None
    if question.about == SPEND_OR_DIE:
        return Command(action="willpower", amount=needed, character=who)
    return Command(action="death-check", character=who)
