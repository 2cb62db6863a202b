"""Carrying out an action of a kit: its cost, what happens before the roll, the check, what others answer, the outcome.

Where somebody could answer, the action waits in the state, and goes on when nobody is asked any more.
"""

from __future__ import annotations

from functools import partial

from rules.core.action import Action
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.step import Step
from rules.errors import Refusal
from rules.kits.compiled import Deed, Kit
from rules.kits.sentences import Sentence
from rules.systems.kit.checks import outcome_of, roll_check, shifted
from rules.systems.kit.deeds import may, require_price
from rules.systems.kit.numbers import Scene
from rules.systems.kit.part import is_out
from rules.systems.kit.planning import plan, plans_in_secret
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, UnderWay, count_use
from rules.systems.kit.taking import chosen_targets, hinted, is_spent, params, taken_by, with_amount
from rules.systems.kit.turns import end_phase, end_turn, is_planning, pay, phase_now, take_turn, waiting
from rules.systems.kit.windows import open_window

AT_ONCE = ("first", "second")  # parts of an action that happens at the same time as others


def action_of(kit: Kit, deed: Deed) -> Action[KitState]:
    """Return an action of the kit as the core knows actions."""
    return Action(
        id=deed.id,
        label=deed.label,
        do=partial(perform, kit, deed),
        may=partial(may, kit, deed),
        public_may=partial(may, kit, deed, public=True),
        takes=taken_by(deed),
        narrow=partial(params, kit, deed),
        button_rank=deed.usual or 0,
        harms=deed.target == "foe",
        from_hand=plans_in_secret(kit),
        prospect=partial(hinted, deed),
    )


def perform(kit: Kit, deed: Deed, step: Step[KitState], who: str, command: Command) -> None:
    """Do an action on somebody's turn, or out of turn where it is free to be."""
    play = Play(kit, step)
    phase = phase_now(kit, step.state)
    command = with_amount(kit, deed, step.state, who, command)
    if is_planning(kit, step.state) and not (deed.any_time and who not in waiting(kit, step.state)):
        plan(kit, deed, step, who, command)
        return
    targets = chosen_targets(kit, deed, step.state, who, command)
    require_price(kit, deed, step.state, who, command, targets)
    is_free = deed.any_time and who not in waiting(kit, step.state)
    if not is_free and who not in step.state.begun:
        take_turn(play, who)
        if who not in step.state.begun:  # a sentence has ended it as it started
            return
    play.forget_moments()
    if phase.type == "clock" and not is_free:
        taken = step.state.ticks_taken
        ticks = phase.ticks if deed.ticks is None else deed.ticks
        step.change(ticks_taken={**taken, who: taken.get(who, 0) + ticks})
    start(play, deed, who, command, targets, is_free=is_free)


def start(
    play: Play, deed: Deed, who: str, command: Command, targets: tuple[str, ...], *, is_free: bool = False
) -> None:
    """Tell an action, pay for it, and carry it out as far as nobody answers."""
    under = UnderWay(
        action=deed.id,
        who=who,
        left=targets,
        amount=command.amount or 0,
        using=command.using or "",
        to=command.to or "",
        free=is_free,
    )
    tell_deed(play.step, deed, who, targets, command)
    pay(play, deed.cost, scene_of(play, deed, under, targets[0] if targets else ""), uses_turn=is_free)
    count_use(play.step, who, deed.id)
    go_on(play, deed, under)


def scene_of(play: Play, deed: Deed, under: UnderWay, target: str) -> Scene:
    """Return whom and what an action is about."""
    using = play.state.combatant(under.who).ability(under.using) if under.using else None
    target = under.who if deed.target == "self" else target
    return Scene(under.who, target, amount=under.amount, using=using, to=under.to)


def resume(play: Play) -> bool:
    """Go on with the action that waited for answers; tell whether there was one."""
    under = play.state.under_way
    if under is None:
        return False
    play.step.change(under_way=None)
    deed = play.kit.actions.get(under.action)
    if deed is None:  # the kit was replaced
        return True
    play.ends |= set(under.ends)
    play.hurt.update(dict.fromkeys(under.hurt))
    play.moved.update(under.moved)
    if under.part not in AT_ONCE and is_out(play.kit, play.state, under.who):
        play.step.tell("{who}'s {action} is over.", who=under.who, action=deed.label.lower())
        _finish(play, deed, under)
    else:
        carry_on(play, deed, under)
    return True


def carry_on(play: Play, deed: Deed, under: UnderWay) -> None:
    """Carry out what was begun or planned earlier: this command is not refused for it, so it ends where it must."""
    try:
        go_on(play, deed, under)
    except Refusal as refused:
        play.step.tell(
            "{who}'s {action} goes no further: {why}", who=under.who, action=deed.label.lower(), why=refused.reason
        )
        _finish(play, deed, under)


def go_on(play: Play, deed: Deed, under: UnderWay) -> None:
    """Carry an action out from where it is, target after target, until it is done or others are asked."""
    while True:
        if under.stage == "next":
            if under.handled and not under.left:
                break
            under = under.evolve(
                now=under.left[:1],
                left=under.left[1:],
                handled=under.handled + 1,
                stage="aimed",
                shift=0,
                edges=0,
                damage=None,
                is_stopped=False,
                is_rerolled=False,
                answered=(),
                rolled=None,
            )
            play.dealt = 0
            play.hurt.clear()
            play.moved.clear()
        if under.handled > 1 and under.part not in AT_ONCE and is_out(play.kit, play.state, under.who):
            break
        stage, under = _stage(play, deed, under)
        if stage and open_window(play, deed, under, stage):
            return
    _finish(play, deed, under)


def _stage(play: Play, deed: Deed, under: UnderWay) -> tuple[str, UnderWay]:
    """Do what comes next for one target; return the moment that others may answer, and where the action is."""
    target = under.now[0] if under.now else ""
    scene = scene_of(play, deed, under, target)
    if under.stage == "aimed":
        asks = target and (under.part != "second" or deed.check)
        return ("targeted" if asks else ""), under.evolve(stage="roll")
    if under.is_stopped or (deed.is_aimed and not target):
        play.step.tell("{who}'s {action} is stopped.", who=under.who, action=deed.label.lower())
        if under.part == "first":
            play.step.change(plan_dropped=(*play.state.plan_dropped, under.who))
        return "", under.evolve(stage="next")
    if under.stage == "roll" and deed.check:
        play.run(_before(deed, under), scene)
    if (under.stage == "roll" and deed.check) or under.is_rerolled:
        bonus = under.shift + (0 if under.rolled is None else under.rolled.bonus)
        rolled = roll_check(play, play.kit.checks[deed.check], scene, bonus, under.edges)
        moment = "succeeded" if rolled.succeeds else "failed"
        return moment, under.evolve(stage="outcome", rolled=rolled, shift=0, is_rerolled=False)
    if under.stage == "outcome" and under.rolled is not None and under.shift:
        judged = shifted(play, play.kit.checks[deed.check], scene, under.rolled, under.shift)
        under = under.evolve(rolled=judged, shift=0)
    follows = _before(deed, under) if under.rolled is None else outcome_of(deed, under.rolled)
    if under.stage != "applied" and any(sentence.uses_damage for sentence in (*follows, *deed.after)):
        total = under.total
        if total is None:
            total = play.damage(deed, scene)
        return "damaged", under.evolve(stage="applied", total=total, damage=total)
    there = scene._replace(damage=under.damage or 0)
    if under.rolled is not None:
        there = there._replace(by=under.rolled.by, high=under.rolled.high)
    play.run(follows, there)
    play.run(tuple(sentence for sentence in deed.after if not under.left or sentence.who == "target"), there)
    return "after", under.evolve(stage="next")


def _before(deed: Deed, under: UnderWay) -> tuple[Sentence, ...]:
    """Return what happens for this target before a roll, or without one: what is not about the target only once."""
    first = under.handled == 1
    return tuple(
        sentence for sentence in deed.do if (first or sentence.who == "target") and _is_now(deed, under, sentence)
    )


def _is_now(deed: Deed, under: UnderWay, sentence: Sentence) -> bool:
    """Tell whether a sentence belongs to this pass of what happens at once."""
    if under.part not in AT_ONCE or deed.check:
        return True
    return (sentence.only is None and sentence.unless is None) == (under.part == "first")


def _finish(play: Play, deed: Deed, under: UnderWay) -> None:
    """End the turn where the action does so, and hand on what sentences have ended."""
    if under.part:
        if deed.ends or "turn" in play.ends:
            for planned in play.state.plans.get(under.who, ())[play.state.plan_step :]:
                behind = play.kit.actions.get(planned.action)
                label = planned.action if behind is None else behind.label.lower()
                play.step.tell("{who}'s {action} is dropped: the turn has ended.", who=under.who, action=label)
            drop_rest(play, under.who)
        play.ends.discard("turn")
        if {"round", "phase"} & play.ends and play.state.over is None:
            _end_plans(play, under)
        return
    state, who = play.state, under.who
    phase = phase_now(play.kit, state)
    if any(price.pool == "turn" for price in deed.cost) or deed.ends or phase.type == "open":
        play.ends.add("turn")
    if not under.free and who in state.begun and ("turn" in play.ends or is_spent(play.kit, state, phase, who)):
        end_turn(play, who)
    play.ends.discard("turn")
    if {"round", "phase"} & play.ends and play.state.over is None:
        end_phase(play, is_round="round" in play.ends)


def _end_plans(play: Play, under: UnderWay) -> None:
    """End the phase or the round by what was planned; what happens at the same time happens all the same."""
    if under.part not in AT_ONCE:
        play.step.change(plan_queue=())
    drop_rest(play, *play.state.names)
    end_phase(play, is_round="round" in play.ends)
    play.ends.clear()


def drop_rest(play: Play, *who: str) -> None:
    """Let go of what somebody has planned for later steps."""
    plans = {name: steps[: play.state.plan_step] if name in who else steps for name, steps in play.state.plans.items()}
    play.step.change(plans=plans)


def tell_deed(step: Step[KitState], deed: Deed, who: str, targets: tuple[str, ...], command: Command) -> None:
    words = "{who}: {action}"
    if targets:
        words += " → {targets}"
    if command.using:
        words += " with {using}"
    if command.note:
        words += ": {note}"
    step.tell(
        f"{words}.",
        who=who,
        action=deed.label,
        targets=", ".join(targets) or None,
        using=command.using,
        note=command.note.rstrip(".") if command.note else None,
    )
    leave_to_gm(step, who, command.using, targets)
