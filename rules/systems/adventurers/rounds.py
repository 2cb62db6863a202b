"""Rounds: steps A to E, who may act in each, and what the referee does between them.

Rule: AD-03, AD-04, AD-05, AD-06, AD-09, AD-24, AD-27, AD-29.
"""

from __future__ import annotations

from functools import partial

from rules.core.blows.calling import CALL
from rules.core.blows.opened import open_blow
from rules.core.conditions import tick, tick_round_end
from rules.core.effects.bonuses import on_rolls
from rules.core.model import per_state
from rules.core.places import Turn
from rules.core.registry import system_of
from rules.core.seen.lines import Dice
from rules.core.step import GM_ONLY
from rules.core.turns.fallen import is_out
from rules.core.turns.phased import Phase, Phased
from rules.systems.adventurers import body
from rules.systems.adventurers import state as fight
from rules.systems.adventurers.abilities import deed_of
from rules.systems.adventurers.blows import resume, round_starts
from rules.systems.adventurers.checks import CHECK, Adventuring, check, faces
from rules.systems.adventurers.creatures import BOSS, ENEMY, is_adventurer, is_boss, is_helpless, tables
from rules.systems.adventurers.grid import YELL, Cell

LETTERS = "ABCDE"
NOBODY = "nobody is left who can act."
TITLES = {
    fight.INITIATIVE: "A: Initiative Check",
    fight.ADVANCE: "B: Adventurer Actions (Advance)",
    fight.ENEMIES: "C: Enemy Actions",
    fight.LATE: "D: Adventurer Actions (Late)",
    fight.EXTRA: "E: Additional Actions",
}


@per_state
def members(state: fight.AdventurersState, phase: str | None) -> tuple[str, ...]:
    """Return whose step it is, in the order of joining, without those who are out. Rule: AD-03, AD-04, AD-27."""
    here = tuple(name for name in state.names if not is_out(state, name))
    adventurers = tuple(name for name in here if is_adventurer(state, name))
    others = tuple(name for name in here if name not in adventurers)
    early = tuple(name for name in adventurers if state.passed.get(name) is True)
    # If you were to act late, you still do when a ruling makes you an enemy, whose step is over.
    late = tuple(name for name in here if state.passed.get(name) is False)
    if phase == fight.INITIATIVE:
        return adventurers
    if phase == fight.ADVANCE:
        return early
    if phase == fight.ENEMIES:
        return others
    if phase == fight.LATE:
        return late
    if phase == fight.EXTRA:
        unknown = tuple(name for name in adventurers if name not in state.passed)
        return tuple(name for name in (*early, *others, *late, *unknown) if state.extra.get(name, 0) > 0)
    return here


def own_step(state: fight.AdventurersState, who: str) -> str:
    """Return the letter of the step in which somebody has their action of the round. Rule: AD-03."""
    if not is_adventurer(state, who):
        return "C"
    return "B" if state.passed.get(who) else "D"


def when(state: fight.AdventurersState, who: str) -> str:
    """Say when somebody acts who is not in the present step: `acts in D`, `acted in B`. Rule: AD-03."""
    if state.phase == fight.EXTRA:
        return "done"
    own = own_step(state, who)
    past = LETTERS.index(own) < fight.PHASES.index(state.phase or fight.INITIATIVE)
    return f"acted in {own}" if who in state.done else f"done in {own}" if past else f"acts in {own}"


def specialty_of(state: fight.AdventurersState) -> str:
    """Return the specialty of this round's initiative check. Rule: AD-04."""
    return state.specialty or tables(state).grid[0][0]


def extra_group(state: fight.AdventurersState) -> tuple[str, ...]:
    """Return who may take extra actions now: early adventurers, then the enemies, then the late. Rule: AD-27."""
    waiting = [name for name in members(state, fight.EXTRA) if not is_helpless(state, name)]
    for group in (
        [name for name in waiting if is_adventurer(state, name) and state.passed.get(name) is True],
        [name for name in waiting if not is_adventurer(state, name)],
        waiting,
    ):
        if group:
            return tuple(group)
    return ()


def can_yell(state: fight.AdventurersState, who: str) -> bool:
    """Tell whether a Helpless Boss still has its try in step C. Rule: AD-24."""
    return (
        state.phase == fight.ENEMIES
        and is_boss(state, who)
        and is_helpless(state, who)
        and not is_out(state, who)
        and who not in state.done
    )


@per_state
def waiting(state: fight.AdventurersState) -> tuple[str, ...]:
    """Return those the present step waits for. Rule: AD-04, AD-06, AD-24, AD-27."""
    if state.given is not None:
        return (state.given,)
    here = members(state, state.phase)
    if state.phase == fight.INITIATIVE:
        return tuple(name for name in here if name not in state.passed)
    if state.phase == fight.EXTRA:
        return extra_group(state)
    return tuple(
        name for name in here if name not in state.done and (not is_helpless(state, name) or can_yell(state, name))
    )


def somebody_could(state: fight.AdventurersState) -> bool:
    """Tell whether a coming round would ask anybody for anything."""
    for name in state.names:
        kind = state.combatant(name).kind
        if is_out(state, name):
            continue
        if kind not in (ENEMY, BOSS) or kind == BOSS or not is_helpless(state, name):
            return True
    return False


def _in_play(state: fight.AdventurersState, *, ours: bool) -> tuple[str, ...]:
    return tuple(name for name in state.names if is_adventurer(state, name) == ours and not is_out(state, name))


def _can_ever_act(state: fight.AdventurersState, who: str) -> bool:
    """Tell whether somebody has an action left to them: not Helpless, or a Boss who may yell. Rule: AD-24, AD-29."""
    return not is_helpless(state, who) or (is_boss(state, who) and tables(state).name(YELL) is not None)


@per_state
def outcome(state: fight.AdventurersState) -> str | None:
    """Return why the fight is over: a side that was here has nobody in play, or nobody who can act. Rule: AD-21."""
    if not state.met:
        return None if somebody_could(state) else NOBODY
    sides = {title: _in_play(state, ours=title == "adventurer") for title in ("enemy", "adventurer")}
    for title, names in sides.items():
        if not names:
            return f"no {title} is left."
    for title, names in sides.items():
        if not state.played_on and not any(_can_ever_act(state, name) for name in names):
            return f"every {title} left is Helpless; the GM can end it, or go on with /gm next-phase."
    return None if somebody_could(state) else NOBODY


def judge_end(step: Adventuring) -> None:
    """Say that the fight is over, or that it is no more. Nobody is asked and timed then. Rule: AD-21."""
    state = step.state
    if not state.met and _in_play(state, ours=True) and _in_play(state, ours=False):
        step.change(met=True)
    if state.played_on and _all_can(state):
        step.change(played_on=False)
    now = outcome(step.state)
    if state.over is None and (state.questions or open_blow(state) is not None or state.deaths):
        return  # what has begun is answered first
    if now == state.over:
        return
    step.change(over=now)
    if now is None:
        step.tell("The fight goes on.")
    else:
        step.tell("The fight is over: {why}", why=now)
        step.tell("End it with /encounter end.", seen_by=GM_ONLY)


def _all_can(state: fight.AdventurersState) -> bool:
    return all(any(_can_ever_act(state, name) for name in _in_play(state, ours=ours)) for ours in (True, False))


def roll_specialty(step: Adventuring) -> None:
    """Roll what the round's check is on, unless the GM has named it. Rule: AD-04."""
    held = tables(step.state)
    named = held.name(step.state.next_specialty or "")
    if named is not None:
        name_specialty(step, named)
        step.tell(
            "Round {number}: the initiative check is on {specialty}, as the GM chose.",
            number=step.state.round,
            specialty=named,
        )
        return
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
    name_specialty(step, specialty)
    words = "Round {number}: initiative check on {specialty} ({faces})."
    step.tell(words, number=step.state.round, specialty=specialty, faces=rolled)


def name_specialty(step: Adventuring, specialty: str) -> None:
    """Let the round's initiative check be on a specialty. Rule: AD-04."""
    step.change(specialty=specialty, next_specialty=None)


def make_initiative(step: Adventuring, who: str, words: str = CHECK) -> None:
    """Make the check that parts Advance from Late. Rule: AD-04."""
    but = ", but Helpless" if is_helpless(step.state, who) else ""
    ends = (f"success: Advance{but}", f"failure: Late{but}")
    more, _ = on_rolls(step.state, who, ("on Initiative checks",), deed_of)
    outcome = check(step, who, specialty_of(step.state), "initiative", ends=ends, words=words, more=more)
    _keep_initiative(step, who, passed=outcome.success)


def _keep_initiative(step: Adventuring, who: str, *, passed: bool) -> None:
    step.change(passed={**step.state.passed, who: passed})


def set_initiative(step: Adventuring, who: str, *, passed: bool) -> None:
    _keep_initiative(step, who, passed=passed)
    words = "{who} would act in {step}, but is Helpless." if is_helpless(step.state, who) else "{who} acts in {step}."
    step.tell(words, who=who, step="Advance" if passed else "Late")


def come_late(step: Adventuring, who: str) -> None:
    """Let an adventurer who was none, or not here, when the round's checks were made act in Late. Rule: AD-04."""
    state = step.state
    if (
        state.status != "running"
        or state.phase == fight.INITIATIVE
        or who in state.passed
        or not is_adventurer(state, who)
    ):
        return
    if state.phase == fight.EXTRA:
        _keep_initiative(step, who, passed=False)
        step.tell("{who} acts from the next round on.", who=who)
    else:
        set_initiative(step, who, passed=False)


def _pass_idle(step: Adventuring) -> bool:
    """Pass for the GM's creatures that can only pass (option `auto`); tell whether there were any."""
    state = step.state
    # An adventurer who can act is asked in every round, so that this ends.
    if step.option("auto") == "off" or all(is_helpless(state, name) for name in _in_play(state, ours=True)):
        return False
    offers = system_of(state).offers
    idle = tuple(
        name
        for name in waiting(state)
        if state.combatant(name).owner is None
        and not is_adventurer(state, name)
        and state.given != name
        and {offer.action for offer in offers(state, name)} - {CALL} == {"pass"}  # what is called needs no action
    )
    for name in idle:
        fight.spend_action(step, name)
    if idle:
        words = (
            "{who} passes: there is nothing else to do."
            if len(idle) == 1
            else "{who} pass: there is nothing else to do."
        )
        step.tell(words, who=", ".join(idle))
    return bool(idle)


def _is_done(state: fight.AdventurersState, who: str) -> bool:
    if is_out(state, who) or is_helpless(state, who):
        return True
    return state.extra.get(who, 0) == 0 if state.phase == fight.EXTRA else who in state.done


class Rounds(Phased[fight.AdventurersState]):
    """The steps of a round: in each, those whose it is act when they like."""

    phases: tuple[Phase[fight.AdventurersState], ...] = tuple(Phase(phase, title) for phase, title in TITLES.items())

    def present(self, state: fight.AdventurersState) -> Turn:
        """Return those the step waits for; nobody if the fight is decided and a last answer is due. Rule: AD-21."""
        return Turn(
            waiting(state) if outcome(state) is None else (),
            is_free=state.given is None,
            is_done=partial(_is_done, state),
            number=lambda who: state.extras.get(who, 0),  # AD-27
        )

    def may_go_on(self, step: Adventuring) -> bool:
        given = step.state.given
        if given is not None and (is_out(step.state, given) or is_helpless(step.state, given)):
            step.change(given=None, besides=None)
        judge_end(step)
        state = step.state
        if state.status != "running" or outcome(state) is not None or state.held_up():
            return False
        return bool(waiting(state)) or not self.is_busy(state)

    def is_busy(self, state: fight.AdventurersState) -> bool:
        """Tell whether the next round waits for a death check; the others go on beside it."""
        return state.phase == fight.EXTRA and bool(state.deaths)

    def go_on(self, step: Adventuring) -> bool:
        return _pass_idle(step)

    def phase_starts(self, step: Adventuring) -> None:
        state = step.state
        if state.phase == fight.INITIATIVE:
            _begin_checks(step)
            round_starts(step)
        elif waiting(state):
            step.tell("{title}.", title=self.phase(state).title)

    def round_ends(self, step: Adventuring) -> None:
        for cooperation in step.state.cooperations:  # AD-09
            step.tell(
                "The cooperative attack of {helper} for {target} is lost.",
                helper=cooperation.helper,
                target=cooperation.target,
            )
        for name in step.state.names:  # once a round: here a turn is an action in a step
            tick(step, name, "bearer-start")
            tick(step, name, "bearer-end")
        tick_round_end(step)

    def settle(self, step: Adventuring) -> None:
        """Close the step: questions, attacks, death checks, then the next one to act."""
        if step.state.phase is not None:
            body.settle_ailments(step)
            resume(step)
            self.advance(step)


def _begin_checks(step: Adventuring) -> None:
    """Begin step A: the check has no decision, so that all are rolled at once. Rule: AD-03, AD-04."""
    if not members(step.state, fight.INITIATIVE):
        step.tell("Round {number}.", number=step.state.round)
        return
    roll_specialty(step)
    if step.option("checks") == "rolled":
        for name in members(step.state, fight.INITIATIVE):
            make_initiative(step, name, words="{who}, {way}: {roll}, {outcome}.")
