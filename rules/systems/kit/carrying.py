"""Carrying out an action of a kit: its cost, what happens before the roll, the check, what others answer, the outcome.

If somebody could answer, the action waits in the state, and goes on when nobody is asked any more.
"""

from __future__ import annotations

from functools import partial

from rules.core.action import Action
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.step import Step
from rules.core.values import Ability
from rules.errors import Refusal
from rules.kits.compiled import Deed, Kit
from rules.systems.kit.blows import AT_ONCE, apply, before_roll, corrected, uses_damage, with_damage
from rules.systems.kit.checks import roll_check, shifted
from rules.systems.kit.deeds import may, scene_of
from rules.systems.kit.part import is_out
from rules.systems.kit.planning import plan, plans_in_secret
from rules.systems.kit.play import Play, play_of
from rules.systems.kit.state import KitBlow, KitState, KitStrike, Planned, Rolled, count_use, put_under_way
from rules.systems.kit.taking import aims_alone, hinted, is_spent, told
from rules.systems.kit.turns import end_phase, end_turn, pay, take_turn, waiting
from rules.systems.kit.windows import open_window


def action_of(kit: Kit, deed: Deed) -> Action[KitState]:
    """Return an action of the kit as the core knows actions."""
    return told(deed, _perform).action(
        partial(may, deed),
        public_may=partial(may, deed, public=True),
        button_rank=deed.usual or 0,
        harms=deed.target == "foe",
        from_hand=plans_in_secret(kit),
        is_open=aims_alone(deed) and not plans_in_secret(kit),
        prospect=partial(hinted, deed),
    )


def _perform(deed: Deed, step: Step[KitState], who: str, said: Planned) -> None:
    """Do an action on somebody's turn, or out of turn if it is free to be."""
    play = play_of(step)
    phase = step.state.this_phase
    is_free = deed.any_time and who not in waiting(step.state)
    if step.state.is_planning and not is_free:
        plan(step, who, said)
        return
    if not is_free and who not in step.state.begun:
        take_turn(play, who)
        if who not in step.state.begun:  # a sentence has ended it as it started
            return
    play.forget_moments()
    if phase.type == "clock" and not is_free:
        taken = step.state.ticks_taken
        ticks = phase.ticks if deed.ticks is None else deed.ticks
        step.change(ticks_taken={**taken, who: taken.get(who, 0) + ticks})
    blow = begun(play, deed, who, said, uses_turn=is_free)
    go_on(play, deed, blow.evolve(ends_turn=not is_free))


def begun(play: Play, deed: Deed, who: str, said: Planned, part: str = "", *, uses_turn: bool = False) -> KitBlow:
    """Tell an action and pay for it."""
    blow = blow_of(play, deed, who, said, part)
    tell_deed(play.step, deed, who, said)
    scene = scene_of(deed, play.state, who, said, "".join(said.targets[:1]))
    pay(play, deed.cost, scene, uses_turn=uses_turn)
    count_use(play.step, who, deed.id)
    return blow


def blow_of(play: Play, deed: Deed, who: str, said: Planned, part: str = "") -> KitBlow:
    """Return an action as it begins."""
    aimed = said.targets if deed.is_aimed else (who,)
    return KitBlow(
        number=max((blow.number for blow in play.state.blows), default=0) + 1,
        source=who,
        ability=Ability(name=deed.label),
        action=deed.id,
        strikes=tuple(KitStrike(target=name, is_first=name == aimed[0]) for name in aimed),
        amount=said.amount,
        using=said.using,
        to=said.to,
        part=part,
    )


def resume(play: Play) -> bool:
    """Go on with the action that waited for answers; tell whether there was one."""
    blow = play.state.under_way
    if blow is None:
        return False
    put_under_way(play.step, None)
    deed = play.kit.actions.get(blow.action)
    if deed is None:  # the kit was replaced
        return True
    play.ends |= set(blow.ends)
    play.hurt.update(dict.fromkeys(blow.hurt))
    play.moved.update(blow.moved)
    if _is_over(play, blow):
        play.step.tell("{who}'s {action} is over.", who=blow.source, action=deed.label.lower())
        _finish(play, deed, blow)
    else:
        carry_on(play, deed, blow)
    return True


def _is_over(play: Play, blow: KitBlow) -> bool:
    """Tell whether an action ends as the one who does it falls: not if it happens at once, or was over already."""
    return blow.part not in AT_ONCE and not blow.is_corrected and is_out(play.state, blow.source)


def carry_on(play: Play, deed: Deed, blow: KitBlow) -> None:
    """Carry out what was begun or planned earlier: this command is not refused for it, so it ends as it must."""
    try:
        go_on(play, deed, blow)
    except Refusal as refused:
        play.step.tell(
            "{who}'s {action} goes no further: {why}", who=blow.source, action=deed.label.lower(), why=refused.reason
        )
        _finish(play, deed, blow)


def go_on(play: Play, deed: Deed, blow: KitBlow) -> None:
    """Carry an action out from its present stage, target after target, until it is done or others are asked."""
    if not blow.strikes:
        _tell_stopped(play, deed, blow)
    while (strike := blow.now) is not None:
        if strike.stage == "next":
            blow = blow.with_strike(blow.at, stage="done")
            continue
        if not strike.is_first and _is_over(play, blow):
            break
        stage, blow = _stage(play, deed, blow, strike)
        if stage and open_window(play, deed, blow, stage):
            return
    _finish(play, deed, blow)


def _stage(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike) -> tuple[str, KitBlow]:
    """Do what comes next for one target; return the moment that others may answer, and the action's stage."""
    at, scene = blow.at, scene_of(deed, play.state, blow.source, blow, strike.target)
    if strike.stage in ("aimed", "judged", "again"):
        play.dealt = 0
        play.hurt.clear()
        play.moved.clear()
    if strike.stage == "aimed":
        asks = deed.is_aimed and (blow.part != "second" or deed.check)
        return ("targeted" if asks else ""), blow.with_strike(at, stage="roll")
    if strike.stage == "judged" and strike.result is not None:
        return _moment(strike.result), blow.with_strike(at, stage="outcome")
    if strike.stage == "again":
        return "", apply(play, deed, blow, at).with_strike(at, stage="next")
    if strike.is_stopped:
        _tell_stopped(play, deed, blow)
        return "", blow.with_strike(at, stage="next")
    if strike.stage == "roll" and deed.check:
        play.run(before_roll(deed, blow, strike), scene)
    if (strike.stage == "roll" and deed.check) or strike.is_rerolled:
        bonus = strike.shift + (0 if strike.result is None else strike.result.bonus)
        rolled = roll_check(play.step, play.kit.checks[deed.check], scene, bonus, strike.edges, strike)
        return _moment(rolled), blow.with_strike(at, stage="outcome", result=rolled, shift=0, is_rerolled=False)
    if strike.stage == "outcome" and strike.result is not None and strike.shift:
        judged = shifted(play.step, play.kit.checks[deed.check], scene, strike.result, strike.shift)
        blow = blow.with_strike(at, result=judged, shift=0)
    if strike.stage != "applied" and uses_damage(play, deed, blow, blow.strikes[at]):
        return "damaged", with_damage(play, deed, blow, at).with_strike(at, stage="applied")
    _leave_settled(play, deed, blow, blow.strikes[at])
    return "after", apply(play, deed, blow, at).with_strike(at, stage="next")


def _leave_settled(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike) -> None:
    """Leave to the GM what an ability says of how a roll ended; a degree that the kit lacks goes with its side."""
    if deed.check and strike.result is not None:
        side, best = ("hit", "critical") if strike.result.succeeds else ("miss", "fumble")
        is_known = any(degree.name == best for degree in play.kit.checks[deed.check].degrees)
        degrees = {side, strike.result.degree if is_known else best} - {""}
        leave_to_gm(play.step, blow.source, blow.using or None, (strike.target,), degrees=degrees)


def _moment(result: Rolled) -> str:
    return "succeeded" if result.succeeds else "failed"


def _tell_stopped(play: Play, deed: Deed, blow: KitBlow) -> None:
    play.step.tell("{who}'s {action} is stopped.", who=blow.source, action=deed.label.lower())
    if blow.part == "first":
        play.step.change(plan_dropped=(*play.state.plan_dropped, blow.source))


def _finish(play: Play, deed: Deed, blow: KitBlow) -> None:
    """End the turn if the action does so, and hand on what sentences have ended."""
    if any(strike.degree for strike in blow.strikes):
        play.step.change(blows=(blow.evolve(is_open=False),))
    is_said = "turn" in play.ends
    if blow.is_corrected and blow.part:  # what was planned goes on by itself
        return
    if blow.part:
        if deed.ends or "turn" in play.ends:
            for planned in play.state.plans.get(blow.source, ())[play.state.plan_step :]:
                behind = play.kit.actions.get(planned.action)
                label = planned.action if behind is None else behind.label.lower()
                play.step.tell("{who}'s {action} is dropped: the turn has ended.", who=blow.source, action=label)
            drop_rest(play, blow.source)
        play.ends.discard("turn")
        if {"round", "phase"} & play.ends and play.state.over is None:
            _end_plans(play, blow)
        return
    state, who = play.state, blow.source
    phase = state.this_phase
    if any(price.pool == "turn" for price in deed.cost) or deed.ends or phase.type == "open":
        play.ends.add("turn")
    may_end = is_said if blow.is_corrected else blow.ends_turn
    if may_end and who in state.begun and ("turn" in play.ends or is_spent(state, phase, who)):
        end_turn(play, who)
    play.ends.discard("turn")
    if {"round", "phase"} & play.ends and play.state.over is None:
        end_phase(play, is_round="round" in play.ends)


def correct(play: Play, command: Command) -> None:
    """Put the last action right, and go on from there. Raises: Refusal."""
    blow = corrected(play, command)
    play.step.change(blows=())
    go_on(play, play.kit.actions[blow.action], blow)


def _end_plans(play: Play, blow: KitBlow) -> None:
    """End the phase or the round by what was planned; what happens at the same time happens all the same."""
    if blow.part not in AT_ONCE:
        play.step.change(plan_queue=())
    drop_rest(play, *play.state.names)
    end_phase(play, is_round="round" in play.ends)
    play.ends.clear()


def drop_rest(play: Play, *who: str) -> None:
    """Let go of what somebody has planned for later steps."""
    plans = {name: steps[: play.state.plan_step] if name in who else steps for name, steps in play.state.plans.items()}
    play.step.change(plans=plans)


def tell_deed(step: Step[KitState], deed: Deed, who: str, said: Planned) -> None:
    words = "{who}: {action}"
    if said.targets:
        words += " → {targets}"
    if said.using:
        words += " with {using}"
    if said.note:
        words += ": {note}"
    step.tell(
        f"{words}.",
        who=who,
        action=deed.label,
        targets=", ".join(said.targets) or None,
        using=said.using or None,
        note=said.note.rstrip(".") or None,
    )
    leave_to_gm(step, who, said.using or None, said.targets, degrees=() if deed.check else None)
