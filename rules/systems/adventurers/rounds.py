"""Rounds: steps A to E, who may act in each, and what the referee does between them.

Rule: AD-03, AD-04, AD-05, AD-06, AD-09, AD-24, AD-27, AD-29.
"""

from __future__ import annotations

from rules.core.conditions import tick_round_end
from rules.core.events import Over, PhaseStarted, RoundStarted
from rules.core.lines import Dice
from rules.core.model import per_state
from rules.core.names import shown
from rules.systems.adventurers import body
from rules.systems.adventurers.attacks import resume
from rules.systems.adventurers.checks import Adventuring, check, faces
from rules.systems.adventurers.creatures import BOSS, ENEMY, is_adventurer, is_boss, is_helpless, is_out, tables
from rules.systems.adventurers.grid import Cell
from rules.systems.adventurers.state import (
    ADVANCE,
    ENEMIES,
    EXTRA,
    INITIATIVE,
    LATE,
    PHASES,
    ActionBack,
    AdventurersState,
    InitiativeMade,
    RoundCleared,
    SpecialtyNamed,
)

LETTERS = "ABCDE"
NOBODY = "nobody is left who can act."
TITLES = {
    INITIATIVE: "A: Initiative Check",
    ADVANCE: "B: Adventurer Actions (Advance)",
    ENEMIES: "C: Enemy Actions",
    LATE: "D: Adventurer Actions (Late)",
    EXTRA: "E: Additional Actions",
}


@per_state
def members(state: AdventurersState, phase: str | None) -> tuple[str, ...]:
    """Return whose step it is, in the order of joining, without those who are out. Rule: AD-03, AD-04, AD-27."""
    here = tuple(name for name in state.names if not is_out(state, name))
    adventurers = tuple(name for name in here if is_adventurer(state, name))
    others = tuple(name for name in here if name not in adventurers)
    early = tuple(name for name in adventurers if state.passed.get(name) is True)
    late = tuple(name for name in adventurers if state.passed.get(name) is False)
    if phase == INITIATIVE:
        return adventurers
    if phase == ADVANCE:
        return early
    if phase == ENEMIES:
        return others
    if phase == LATE:
        return late
    if phase == EXTRA:
        unknown = tuple(name for name in adventurers if name not in state.passed)
        return tuple(name for name in (*early, *others, *late, *unknown) if state.extra.get(name, 0) > 0)
    return here


def own_step(state: AdventurersState, who: str) -> str:
    """Return the letter of the step in which somebody has their action of the round. Rule: AD-03."""
    if not is_adventurer(state, who):
        return "C"
    return "B" if state.passed.get(who) else "D"


def when(state: AdventurersState, who: str) -> str:
    """Say when somebody acts who is not in the present step: `acts in D`, `acted in B`. Rule: AD-03."""
    if state.phase == EXTRA:
        return "done"
    own = own_step(state, who)
    past = LETTERS.index(own) < PHASES.index(state.phase or INITIATIVE)
    return f"acted in {own}" if who in state.done else f"done in {own}" if past else f"acts in {own}"


def specialty_of(state: AdventurersState) -> str:
    """Return the specialty of this round's initiative check. Rule: AD-04."""
    return state.specialty or tables(state).grid[0][0]


def extra_group(state: AdventurersState) -> tuple[str, ...]:
    """Return who may take extra actions now: early adventurers, then the enemies, then the late. Rule: AD-27."""
    waiting = [name for name in members(state, EXTRA) if not is_helpless(state, name)]
    for group in (
        [name for name in waiting if is_adventurer(state, name) and state.passed.get(name) is True],
        [name for name in waiting if not is_adventurer(state, name)],
        waiting,
    ):
        if group:
            return tuple(group)
    return ()


def can_yell(state: AdventurersState, who: str) -> bool:
    """Tell whether a Helpless Boss still has its try in step C. Rule: AD-24."""
    return (
        state.phase == ENEMIES
        and is_boss(state, who)
        and is_helpless(state, who)
        and not is_out(state, who)
        and who not in state.done
    )


@per_state
def waiting(state: AdventurersState) -> tuple[str, ...]:
    """Return whom the present step waits for. Rule: AD-04, AD-06, AD-24, AD-27."""
    if state.given is not None:
        return (state.given,)
    here = members(state, state.phase)
    if state.phase == INITIATIVE:
        return tuple(name for name in here if name not in state.passed)
    if state.phase == EXTRA:
        return extra_group(state)
    return tuple(
        name for name in here if name not in state.done and (not is_helpless(state, name) or can_yell(state, name))
    )


def somebody_could(state: AdventurersState) -> bool:
    """Tell whether a coming round would ask anybody for anything."""
    for name in state.names:
        kind = state.combatant(name).kind
        if is_out(state, name):
            continue
        if kind not in (ENEMY, BOSS) or kind == BOSS or not is_helpless(state, name):
            return True
    return False


def ended_for(state: AdventurersState) -> tuple[str, ...]:
    """Say that one side has nobody left who can act; the GM decides whether that is the end."""
    for title, ours in (("enemy", False), ("adventurer", True)):
        members = [each.name for each in state.combatants if is_adventurer(state, each.name) == ours]
        if any(state.combatant(name).hidden for name in members):
            continue
        if members and all(is_out(state, name) or is_helpless(state, name) for name in members):
            return (f"No {title} is left who can act; the GM ends the combat with /encounter end.",)
    return ()


def open_round(step: Adventuring, number: int) -> None:
    """Open a round with step A and roll the specialty of its check. Rule: AD-03, AD-04."""
    step.emit(RoundStarted(number=number), RoundCleared(), PhaseStarted(phase=INITIATIVE))
    step.tell("Round {number}.", number=number)
    if not members(step.state, INITIATIVE):
        return
    held = tables(step.state)
    if held.initiative is None:
        area = step.die(6, purpose="initiative area").face
        rows = step.die(6, purpose="initiative row").face, step.die(6, purpose="initiative row").face
        specialty = held.at(Cell(area=area, row=sum(rows)))
        rolled = Dice(text=f"area **{area}**, row **{rows[0]}** + **{rows[1]}**")
    elif len(held.initiative) == 11:
        rows = step.die(6, purpose="initiative row").face, step.die(6, purpose="initiative row").face
        specialty = held.initiative[sum(rows) - 2]
        rolled = Dice(text=f"**{rows[0]}** + **{rows[1]}**")
    else:
        face = step.die(len(held.initiative), purpose="initiative table").face
        specialty = held.initiative[face - 1]
        rolled = faces(step, None, face)
    step.emit(SpecialtyNamed(specialty=specialty))
    step.tell("Initiative check on {specialty} ({faces}).", specialty=specialty, faces=rolled)


def make_initiative(step: Adventuring, who: str) -> None:
    """Make the check that parts Advance from Late. Rule: AD-04."""
    passed = check(step, who, specialty_of(step.state), "initiative").success
    set_initiative(step, who, passed=passed)


def set_initiative(step: Adventuring, who: str, *, passed: bool) -> None:
    step.emit(InitiativeMade(who=who, passed=passed))
    words = "{who} would act in {step}, but is Helpless." if is_helpless(step.state, who) else "{who} acts in {step}."
    step.tell(words, who=who, step="Advance" if passed else "Late")


def advance(step: Adventuring) -> None:
    """Go through steps and rounds until somebody has to do something. Rule: AD-03."""
    while step.state.status == "running":
        state = step.state
        if state.given is not None and (is_out(state, state.given) or is_helpless(state, state.given)):
            step.emit(ActionBack(who=None))
            continue
        if state.questions or waiting(state):
            return
        if state.phase == EXTRA:
            lapse(step)
            tick_round_end(step)
            if not somebody_could(step.state):
                step.emit(Over(outcome=NOBODY))
                step.tell("Nobody is left who can act.")
                return
            open_round(step, state.round + 1)
        else:
            next_step(step)


def next_step(step: Adventuring) -> None:
    phase = PHASES[PHASES.index(step.state.phase or INITIATIVE) + 1]
    step.emit(PhaseStarted(phase=phase))
    names = [name for name in waiting(step.state) if not step.combatant(name).hidden]
    if names:
        step.tell("Step {title}. Now: {names}.", title=TITLES[phase], names=shown(names, 40))


def lapse(step: Adventuring) -> None:
    """Let the cooperative attacks go that nobody used. Rule: AD-09."""
    for each in step.state.cooperations:
        step.tell("The cooperative attack of {helper} for {target} lapses.", helper=each.helper, target=each.target)


def settle(step: Adventuring) -> None:
    """Close the step: questions, attacks, death checks, then the next one to act."""
    if step.state.status != "running" or step.state.phase is None:
        return
    if step.state.over == NOBODY and somebody_could(step.state):
        step.emit(Over(outcome=None))
    if step.state.over is not None:
        return
    body.settle_ailments(step)
    resume(step)
    advance(step)
