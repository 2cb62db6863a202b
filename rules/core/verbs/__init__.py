"""The verbs that every system shares, and the one door through which commands are decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core import lurkers, promised, refusals
from rules.core.action import QUESTION
from rules.core.board.areas import is_area, within_area
from rules.core.board.fog import OFF, as_seen, fog_of, look_around
from rules.core.command import Command
from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of
from rules.core.rights import plays_somebody, require_right
from rules.core.seen.lines import Line
from rules.core.step import Step
from rules.core.turns import decisions, echoes
from rules.core.turns.fallen import note_risen, tell_fallen
from rules.core.turns.questions import settle
from rules.core.values import Seat
from rules.core.verbs import (
    absence,
    ahead,
    answers,
    asks,
    backgrounds,
    boards,
    casts,
    conditions,
    decks,
    doors,
    encounters,
    fog,
    health,
    maps,
    moving,
    roster,
    rulings,
    standing_orders,
)
from rules.core.verbs.acting import act
from rules.core.verbs.verb import Verb
from rules.dice.source import Dice

_CHAPTERS = (
    *(encounters, roster, casts, rulings, absence, conditions),
    *(asks, answers, decks, boards, maps, backgrounds, doors, fog, moving, standing_orders),
)
VERBS: Mapping[str, Verb] = {verb.id: verb for chapter in _CHAPTERS for verb in chapter.VERBS}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command came to: the table before and after, its words, its dice.

    `answers` are the ids of the questions that it answers, though they stay listed.
    `secret`: others learn that something happened, not what was said; `opaque`: what was commanded is, to others, that
    the GM did something; `unsaid`: it was not done, and stays with who ordered it. `actor`: who acted, if somebody did.
    `ruling`: a GM decided over the rules (G-01), or for somebody else (G-03).
    """

    before: Table
    table: Table
    answers: tuple[int, ...]
    lines: tuple[Line, ...]
    dice: Dice
    secret: bool
    opaque: bool
    unsaid: bool
    actor: str | None
    ruling: bool


def decide(
    table: Table,
    command: Command,
    seat: Seat,
    dice: Dice,
    *,
    shelf: Mapping[str, Encounter] | None = None,
    interaction: str = "",
) -> Decision:
    """Decide a command: the next table and what is told of it, or a refusal that changes nothing.

    `shelf` holds the channel's paused encounters by id, for those verbs that bring one back. `interaction` is what the
    dice are drawn from.
    Raises: Refusal.
    """
    step: Step[Any] = Step(table, seat, dice, shelf=shelf, interaction=interaction)
    actor: str | None = None
    before = table.active
    verb = require_allowed(table, command.action, seat)
    if verb is None and before is not None:
        system_of(before).require_readable()
    command = _areas_seen(step, command)
    if verb is not None:
        verb.do(step, command)
    elif health.is_by_hand(step, command):
        health.by_hand(step, command)
    elif command.text("when") is not None:
        actor = standing_orders.give(step, command, act)
    elif command.number(QUESTION) is not None:
        actor = answers.count(step, command, act)
    elif command.flag(standing_orders.ORDERED):
        actor = standing_orders.carry_out(step, command, act)
    else:
        actor = act(step, command)
    opaque, step.opaque = step.opaque, False  # what follows from it is everybody's
    active = step.table.active
    if active is not None:
        if seat.user is not None and seat.name and active.people.get(seat.user) != seat.name:
            step.change(people={**active.people, seat.user: seat.name})
        absence.note_return(step, before, actor)
        if not any(each.stops for each in active.lurkers):
            note_risen(step, before)
            echoes.note(step, before)
            promised.give(step)
            settle(step)
            absence.settle(step)
            if step.table.active is not None and step.state.next_turns:
                promised.give(step)
                settle(step)
        echoes.settle(step)
        lurkers.settle(step)
        standing_orders.review(step)
        ahead.review(step)
        if step.table.active is not None:
            decisions.note(step, before, actor)
            look_around(step, before)
    tell_fallen(step, before)
    if dice.unused_typed():
        raise refusals.unasked_faces(dice.unused_typed())
    return Decision(
        before=table,
        table=step.table,
        answers=tuple(step.answers),
        lines=tuple(step.lines),
        dice=dice,
        secret=step.secret,
        opaque=opaque or step.veiled,
        unsaid=step.unsaid,
        actor=actor,
        ruling=step.is_ruling or bool(step.decided_for) or (verb is not None and verb.is_ruling_of(seat)),
    )


def require_allowed(table: Table, action: str, seat: Seat) -> Verb | None:
    """Refuse whom a verb is not for, before anything is read of what they typed; return the verb. Raises: Illegal."""
    verb = VERBS.get(action)
    if verb is not None:
        require_right(verb.right, seat, table.active or table.encounter)
    return verb


def _areas_seen(step: Step[Any], command: Command) -> Command:
    """Write for an area that a player names those whom they see in it: nobody shoots at what fog hides by a name."""
    state = step.table.active
    if state is None or step.seat.gm or not plays_somebody(step.seat, state):
        return command
    if command.target is None or fog_of(state) == OFF:
        return command
    known = as_seen(state, step.seat)
    parts = [part.strip() for part in command.target.split(",")]
    named = [within_area(known, part, known.names) if is_area(part) else (part,) for part in parts]
    return command.evolve(target=", ".join(name for names in named for name in names))
