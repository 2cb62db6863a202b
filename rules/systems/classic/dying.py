"""Player's characters at 0 HP, if the table rolls for them (`death=saves`). Rule: CL-15."""

from __future__ import annotations

from rules.core.blows.opened import open_blow
from rules.core.step import Step
from rules.core.values import DEAD
from rules.systems.classic.state import ClassicState, Dying

ENOUGH = 3
GOOD = 10


def is_dying(step: Step[ClassicState], who: str) -> bool:
    """Tell whether somebody lies between life and death, and the table rolls for it."""
    combatant = step.combatant(who)
    dying = step.state.dying.get(who, Dying())
    return (
        step.option("death") == "saves"
        and combatant.owner is not None
        and combatant.is_down
        and not combatant.is_dead
        and dying.saved < ENOUGH
    )


def roll(step: Step[ClassicState], who: str) -> None:
    """Roll as somebody's turn begins: on a 20 they get up, 1 counts twice."""
    if not is_dying(step, who):
        return
    total, text = step.roll("1d20", who=who, purpose="death save")
    good = total >= GOOD
    step.tell("{who} is between life and death: {roll}.", who=who, roll=text, good=good)
    if total == 20:
        step.set_pool(who, "HP", 1)
        step.tell("{who} stands up with 1 HP.", who=who, good=True)
        forget(step, who)
    elif good:
        count(step, who, saved=1)
    else:
        count(step, who, failed=2 if total == 1 else 1)


def was_hurt(step: Step[ClassicState], who: str, before: int) -> None:
    """Count damage at 0 HP: a failure, or two if it was a critical hit."""
    if before > 0 or not is_dying(step, who):
        return
    blow = open_blow(step.state)
    strike = None if blow is None else blow.strike_at(who)
    count(step, who, failed=2 if strike is not None and strike.degree == "critical" else 1)


def count(step: Step[ClassicState], who: str, *, saved: int = 0, failed: int = 0) -> None:
    """Count successes and failures, and say what three of them mean."""
    dying = step.state.dying.get(who, Dying())
    dying = dying.evolve(saved=min(dying.saved + saved, ENOUGH), failed=min(dying.failed + failed, ENOUGH))
    step.change(dying={**step.state.dying, who: dying})
    if dying.failed >= ENOUGH:
        forget(step, who)
        step.set_mark(who, DEAD, "")
        step.tell("{who} is dead.", who=who, good=False)
    elif dying.saved >= ENOUGH:
        step.tell("{who} is stable.", who=who, good=True)
    else:
        step.tell("{who}: {saved} saved, {failed} failed.", who=who, saved=dying.saved, failed=dying.failed)


def forget(step: Step[ClassicState], who: str) -> None:
    """Begin again for somebody who has health again, or is dead."""
    if who in step.state.dying:
        step.change(dying={name: dying for name, dying in step.state.dying.items() if name != who})
