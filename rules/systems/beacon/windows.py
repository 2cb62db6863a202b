"""Reactions: who could answer an event, the windows that ask them, and the stack of what is under way.

Rule: BE-20, BE-21, BE-22, BE-23, BE-24.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.values import Ability, Question
from rules.systems.beacon.attacks import refuse_attack, roll_strike, spaces_of
from rules.systems.beacon.effects import run_effects
from rules.systems.beacon.harm import unaffordable
from rules.systems.beacon.movement import carry_out
from rules.systems.beacon.phases import finish_turn
from rules.systems.beacon.release import unleash
from rules.systems.beacon.sheet import (
    COUNTERATTACK,
    FOCUS,
    INTERPOSE,
    OPPORTUNITY,
    BeaconStep,
    attack_kinds,
    foes,
    has_reaction,
    is_out,
    own_reactions,
    reach_abilities,
    spaces,
    trigger_of,
    within,
)
from rules.systems.beacon.state import (
    Attack,
    BeaconState,
    Effects,
    Finish,
    Happened,
    Job,
    Movement,
    Order,
    StackSet,
    Unleash,
)

REACTION = "reaction"
REACT = "react"
ANSWERS = (REACT, "decline")
INTERPOSE_RANGE = 3
INTERPOSE_SHIFT = 2


@dataclass(frozen=True, slots=True)
class Chance:
    """One reaction that somebody has: its name, the abilities that may be used with it, those it may be for."""

    name: str
    weapons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def unavailable(state: BeaconState, who: str) -> bool:
    """Tell whether somebody has no reaction left in this turn, or keeps a readied one. Rule: BE-19, BE-20."""
    return who in state.reacted or who in state.readied or is_out(state.combatant(who))


def weapons_against(state: BeaconState, who: str, other: str) -> tuple[str, ...]:
    """Return the abilities with which somebody could Volley or Fight another within their REACH."""
    return tuple(ability.name for ability in reach_abilities(state, who, other) if kind_of(state, who, ability))


def kind_of(state: BeaconState, who: str, ability: Ability) -> str | None:
    """Return the attack with which an ability is used in a reaction: Fight before Volley."""
    kinds = [
        kind
        for kind in attack_kinds(ability)
        if refuse_attack(state, who, Order(action=kind, ability=ability.name)) is None
    ]
    return "fight" if "fight" in kinds else kinds[0] if kinds else None


def _focus(state: BeaconState, who: str) -> int:
    pool = state.combatant(who).pools.get(FOCUS)
    return 0 if pool is None else pool.now


def chances(state: BeaconState, who: str, job: Job) -> tuple[Chance, ...]:
    """Return the reactions with which somebody could answer what is under way."""
    if unavailable(state, who) or job.who == who:
        return ()
    if isinstance(job, Attack):
        return _before(state, who, job) if job.stage == "before" else _after(state, who, job)
    if isinstance(job, Movement):
        return _at_movement(state, who, job)
    return ()


def _before(state: BeaconState, who: str, job: Attack) -> tuple[Chance, ...]:
    combatant = state.combatant(who)
    found = []
    allies = tuple(
        strike.target
        for strike in job.strikes
        if strike.target == strike.aimed
        and strike.target != who
        and state.combatant(strike.target).side == combatant.side
        and within(state, who, strike.target, INTERPOSE_RANGE)
    )
    if allies and has_reaction(combatant, INTERPOSE) and _focus(state, who) >= 1:
        found.append(Chance(INTERPOSE, targets=allies))
    targets = tuple(strike.target for strike in job.strikes)
    return (*found, *_own(state, who, "targeted", job.who, targets))


def _after(state: BeaconState, who: str, job: Attack) -> tuple[Chance, ...]:
    combatant = state.combatant(who)
    found = []
    hits = tuple(strike.target for strike in job.strikes if strike.hit)
    if any(strike.target == who and strike.hit and not strike.countered for strike in job.strikes):
        ready = _focus(state, who) >= 1 and COUNTERATTACK not in state.reactions.get(who, ())
        if ready and has_reaction(combatant, COUNTERATTACK):
            weapons = weapons_against(state, who, job.who)
            if weapons:
                found.append(Chance(COUNTERATTACK, weapons=weapons, targets=(job.who,)))
    return (*found, *_own(state, who, "hit", job.who, hits))


def _at_movement(state: BeaconState, who: str, job: Movement) -> tuple[Chance, ...]:
    combatant = state.combatant(who)
    unseen = state.combatant(job.who).hidden
    if not job.provokes or unseen or who not in foes(state, job.who):
        return ()
    found = []
    if has_reaction(combatant, OPPORTUNITY) and OPPORTUNITY not in state.reactions.get(who, ()):
        weapons = weapons_against(state, who, job.who)
        if weapons:
            found.append(Chance(OPPORTUNITY, weapons=weapons, targets=(job.who,)))
    return (*found, *_own(state, who, "movement", job.who, (who,)))


def _own(state: BeaconState, who: str, event: str, actor: str, affected: tuple[str, ...]) -> tuple[Chance, ...]:
    """Return the sheet's reactions to an event; those that name an ally answer for others too."""
    combatant = state.combatant(who)
    found = []
    for ability in own_reactions(combatant):
        if trigger_of(ability) != event or unaffordable(state, who, ability, "BE-20") is not None:
            continue
        for_ally = "ally" in (ability.field("trigger") or ability.text).casefold()
        concerned = who in affected or (
            for_ally and any(state.combatant(name).side == combatant.side for name in affected)
        )
        far = spaces(ability, "range") or spaces(ability, "reach")
        if concerned and (for_ally or within(state, who, actor, far)):
            found.append(Chance(ability.name, targets=(actor,)))
    return tuple(found)


# Windows


def job_of(state: BeaconState, window: int) -> Job | None:
    return next((job for job in state.stack if getattr(job, "window", 0) == window and window), None)


def _set_top(step: BeaconStep, job: Job) -> None:
    step.emit(StackSet(stack=(*step.state.stack[:-1], job)))


def replace(step: BeaconStep, before: Job, after: Job) -> None:
    """Put a job that has a window in the place of its earlier state."""
    step.emit(StackSet(stack=tuple(after if job == before else job for job in step.state.stack)))


def _open(step: BeaconStep, job: Attack | Movement) -> None:
    """Ask everybody who could answer, in one window. Rule: BE-24."""
    state = step.state
    asked = [name for name in state.names if chances(state, name, job)]
    if not asked:
        _set_top(step, job)
        return
    window = step.new_window
    _set_top(step, job.evolve(window=window))
    for name in asked:
        _ask(step, name, job, window)
    visible = [name for name in asked if not state.combatant(name).hidden]
    if visible:
        step.tell("{who} may react.", who=", ".join(visible))


def join_windows(step: BeaconStep, who: str) -> None:
    """Ask somebody who has just become free to react in what is under way. Rule: BE-19, BE-24."""
    for job in step.state.stack:
        window = getattr(job, "window", 0)
        if not isinstance(job, (Attack, Movement)) or not window or not step.state.is_open(window):
            continue
        if chances(step.state, who, job):
            _ask(step, who, job, window)


def _ask(step: BeaconStep, who: str, job: Attack | Movement, window: int) -> None:
    words = f"{_event(step, job)}: {_possible(step.state, who, job)}?"
    step.ask(who, REACTION, words, ANSWERS, window=window)


def _event(step: BeaconStep, job: Attack | Movement) -> str:
    """Return in words what those are asked about whom it concerns."""
    actor = _shown(step, job.who)
    if isinstance(job, Movement):
        return f"{actor} begins to move"
    if job.stage == "before":
        return f"{actor} attacks {', '.join(_shown(step, each.target) for each in job.strikes)}, before the roll"
    return f"{actor} hits {', '.join(_shown(step, each.target) for each in job.strikes if each.hit)}"


def _possible(state: BeaconState, who: str, job: Job) -> str:
    """Return in words what somebody could react with; what is on the sheet of an NPC is not for everybody."""
    if state.combatant(who).owner is None:
        return REACT
    return " or ".join(chance.name.replace("-", " ") for chance in chances(state, who, job))


def _shown(step: BeaconStep, who: str) -> str:
    """Return a name for a question: one who is hidden is somebody."""
    return "somebody" if step.combatant(who).hidden else who


def is_void(state: BeaconState, question: Question) -> bool:
    """Tell whether what asks is over, or who is asked can no longer react to it."""
    if not question.window:
        return False
    job = job_of(state, question.window)
    return job is None or (question.about == REACTION and not chances(state, question.who, job))


def run(step: BeaconStep) -> None:
    """Work on what is under way, the innermost first, up to a question or the end."""
    while step.state.stack:
        job = step.state.stack[-1]
        window = getattr(job, "window", 0)
        if window and any(question.window == window for question in step.state.questions):
            return
        _go_on(step, job)


def _go_on(step: BeaconStep, job: Job) -> None:
    if _is_cut_short(step.state, job):
        _pop(step)
        step.tell("{who} is out of the round and does no more.", who=job.who)
    elif isinstance(job, Attack):
        _attack(step, job)
    elif isinstance(job, Movement):
        if job.stage == "declared":
            _open(step, job.evolve(stage="before"))
        else:
            _pop(step)
            carry_out(step, job)
    elif isinstance(job, Unleash):
        _pop(step)
        unleash(step, job)
    elif isinstance(job, Effects):
        run_effects(step)
    elif isinstance(job, Finish):
        _pop(step)
        finish_turn(step, job.who, job.surge)


def _is_cut_short(state: BeaconState, job: Job) -> bool:
    """Tell whether who would act is out by now: they have no further part in what they began. Rule: BE-26."""
    rolled = isinstance(job, Attack) and job.stage == "after"
    return isinstance(job, (Attack, Movement, Unleash)) and not rolled and is_out(state.combatant(job.who))


def _in_reach(step: BeaconStep, job: Attack) -> Attack:
    """Drop whom an earlier attack of the same action, or what answered it, has put out of reach."""
    state = step.state
    ability = None if job.ability is None else state.combatant(job.who).ability(job.ability)
    limit = spaces_of(state, job.who, job.kind, ability)
    kept = []
    for strike in job.strikes:
        if within(state, job.who, strike.target, limit):
            kept.append(strike)
        else:
            step.tell("{target} is out of reach by now.", target=strike.target)
    return job if len(kept) == len(job.strikes) else job.evolve(strikes=tuple(kept))


def _attack(step: BeaconStep, job: Attack) -> None:
    if job.stage == "declared":
        job = _in_reach(step, job)
        _open(step, job.evolve(stage="before"))
    elif job.stage == "before":
        rolled = tuple(roll_strike(step, job, strike) for strike in job.strikes)
        after = job.evolve(stage="after", strikes=rolled, window=0)
        if any(each.hit for each in rolled):
            _open(step, after)
        else:
            _set_top(step, after)
    else:
        _pop(step)
        step.emit(Happened())


def _pop(step: BeaconStep) -> None:
    step.emit(StackSet(stack=step.state.stack[:-1]))
