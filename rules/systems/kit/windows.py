"""Reactions: who is asked whether they answer an action, and what an answer does to it.

Those are asked who could answer as far as everybody may know; of them, who cannot in truth is passed in silence.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from rules.core.action import Action
from rules.core.blows.todo import leave_to_gm
from rules.core.space.cells import distance, parse_cell
from rules.core.step import Step
from rules.errors import Illegal, Refusal
from rules.kits.compiled import Deed, Kit
from rules.systems.kit.blows import rolled_at
from rules.systems.kit.checks import outcome_of, roll_check
from rules.systems.kit.deeds import refused_by_state, scene_of
from rules.systems.kit.play import Play, play_of
from rules.systems.kit.state import KitBlow, KitState, Planned, put_under_way
from rules.systems.kit.taking import can_be_given, hinted, told
from rules.systems.kit.turns import pay
from rules.systems.kit.ways import clock

ABOUT = "reaction"


class Event(NamedTuple):
    """What may be answered: the moment, and who it happens to."""

    moment: str
    to: str


def reaction_of(deed: Deed) -> Action[KitState]:
    """Return a reaction of the kit as the core knows actions: it is done when asked, and never else."""
    reaction = told(deed, _react)
    return reaction.action(
        partial(_may, deed),
        ahead=reaction.params,
        answer=True,
        rule=deed.rule or "KI-09",
        button_rank=deed.usual or 1,
        prospect=partial(hinted, deed),
    )


def open_window(play: Play, deed: Deed, under: KitBlow, stage: str) -> bool:
    """Ask those who could answer, and let the action wait for them; tell whether anybody is asked."""
    kit = play.kit
    if not any(stage in (reaction.to, "after") for reaction in kit.reactions.values()):
        return False
    events = _events(play, under, stage)
    if not events:
        return False
    asked: dict[str, tuple[str, ...]] = {}
    for name in play.state.names:
        found = _answers(play, deed, under, name, events, public=True)
        if found:
            asked[name] = found
    if not asked:
        return False
    silent = [name for name in asked if not _answers(play, deed, under, name, events, public=False)]
    waits = under.evolve(ends=tuple(sorted(play.ends)), hurt=tuple(play.hurt), moved=dict(play.moved))
    put_under_way(play.step, waits)
    window = play.step.new_window
    for name, choices in asked.items():
        event = next(each for each in events if _of(kit, choices, each))
        play.step.ask(
            name,
            ABOUT,
            _words(under, deed, event),
            (*choices, "decline"),
            window=window,
            silent=name in silent,
            aimed=tuple(dict.fromkeys(each.to for each in events)),
        )
    return True


def _events(play: Play, under: KitBlow, stage: str) -> tuple[Event, ...]:
    if stage != "after":
        return () if under.now is None else (Event(stage, under.now.target),)
    hurt = (Event("hurt", name) for name in play.hurt if play.state.find(name) is not None)
    moved = (Event("moved-near", name) for name in play.moved)
    away = (Event("moved-away", name) for name in play.moved)
    return (*hurt, *moved, *away)


def _of(kit: Kit, choices: Iterable[str], event: Event) -> bool:
    return any(kit.reactions[choice].to == event.moment for choice in choices)


def _words(under: KitBlow, deed: Deed, event: Event) -> str:
    if event.moment == "targeted":
        return f"{under.source} aims {deed.label.lower()} at {event.to}: react?"
    if event.moment in ("succeeded", "failed"):
        at = f" against {event.to}" if event.to != under.source else ""
        return f"{under.source}'s {deed.label.lower()}{at} {event.moment}: react?"
    if event.moment == "damaged":
        damage = 0 if under.now is None else under.now.damage
        return f"{under.source}'s {deed.label.lower()} is about to do {damage} to {event.to}: react?"
    words = {"hurt": "is hurt", "moved-near": "comes near", "moved-away": "moves away"}[event.moment]
    return f"{event.to} {words}: react?"


def _answers(
    play: Play, deed: Deed, under: KitBlow, who: str, events: tuple[Event, ...], *, public: bool
) -> tuple[str, ...]:
    """Return the reactions that somebody could answer with."""
    answered = () if under.now is None else under.now.answered
    return tuple(
        reaction.id
        for reaction in play.kit.reactions.values()
        if f"{who} {reaction.id}" not in answered
        and (not reaction.kind or deed.is_one_of((reaction.kind,)))
        and any(_fits(play, reaction, under, who, event) for event in events)
        and refused_by_state(reaction, play.state, who, public=public) is None
        and can_be_given(reaction, play.state, who)
    )


def _fits(play: Play, reaction: Deed, under: KitBlow, who: str, event: Event) -> bool:
    """Tell whether a reaction answers an event of that kind that happens to somebody of that kind."""
    state = play.state
    if reaction.to != event.moment:
        return False
    if reaction.for_whom == "roller" or (who == under.source and event.to != who):
        return reaction.for_whom == "roller" and who == under.source
    is_ally = state.combatant(event.to).side == state.combatant(who).side
    whose = {"self": event.to == who, "ally": is_ally and event.to != who, "foe": not is_ally}
    if not whose.get(reaction.for_whom, True):
        return False
    if event.moment.startswith("moved"):
        before, after = play.moved[event.to]
        near = (_is_near(play, who, event.to, before), _is_near(play, who, event.to, after))
        return who != event.to and near == ((False, True) if event.moment == "moved-near" else (True, False))
    return True


def _is_near(play: Play, who: str, other: str, cell: str) -> bool:
    own, mover = play.state.combatant(who), play.state.combatant(other)
    if own.cell is None:
        return False
    return distance(play.kit.metric, parse_cell(own.cell), parse_cell(cell), own.size, mover.size) <= 1


def _may(deed: Deed, state: KitState, who: str) -> Refusal | None:
    if state.under_way is None or state.find(who) is None:
        return Illegal("There is nothing to answer now.", rule=deed.rule or "KI-09", instead="I ask you when there is.")
    return refused_by_state(deed, state, who)


def _react(deed: Deed, step: Step[KitState], who: str, said: Planned) -> None:
    """Pay for a reaction, roll its check, and carry out what it says; nobody answers to it."""
    play = play_of(step)
    play.forget_moments()
    under = step.state.under_way
    source = "" if under is None else under.source
    targets = said.targets
    target = {"self": who, "source": source}.get(deed.target, "".join(targets[:1]))
    scene = scene_of(deed, step.state, who, said, target)._replace(target=target, source=source)
    if under is not None and under.now is not None:
        answered = (*under.now.answered, f"{who} {deed.id}")
        put_under_way(step, under.with_strike(under.at, answered=answered))
        if deed.to == "damaged":
            scene = rolled_at(scene, under.now)
    pay(play, deed.cost, scene, uses_turn=True)
    if deed.ticks:
        _take_time(play, who, deed.ticks)
    words = "{who} reacts: {action} → {targets}." if targets else "{who} reacts: {action}."
    step.tell(words, who=who, action=deed.label, targets=", ".join(targets) or None)
    leave_to_gm(step, who, said.using or None, targets)
    for number, name in enumerate(targets or (target,)):
        there = scene._replace(target=name)
        follows = tuple(one for one in deed.do if number == 0 or one.who == "target")
        if deed.check:
            play.run(follows, there)
            result = roll_check(play.step, step.state.kit.checks[deed.check], there)
            follows, there = outcome_of(deed, result), there.after(result)
        if deed.damage is not None and any(sentence.uses_damage for sentence in (*follows, *deed.after)):
            there = there._replace(damage=play.damage(deed, there))
        play.run((*follows, *deed.after), there)
    under = step.state.under_way
    if under is not None and play.ends - set(under.ends):
        put_under_way(step, under.evolve(ends=tuple(sorted({*under.ends, *play.ends}))))


def _take_time(play: Play, who: str, ticks: int) -> None:
    """Move somebody on by what their answer takes, if ticks count; on one's own turn it counts as the turn ends."""
    phase, taken = play.state.this_phase, play.state.ticks_taken
    if phase.type != "clock":
        return
    if who in play.state.begun:
        play.step.change(ticks_taken={**taken, who: taken.get(who, 0) + ticks})
    else:
        clock.move(play, phase, who, ticks)
