"""The verbs that every system shares, and the one door through which commands are decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core import hiding, refusals
from rules.core.action import QUESTION
from rules.core.board.areas import is_area, within_area
from rules.core.board.fog import OFF, as_seen, fog_of, look_around
from rules.core.command import Command
from rules.core.commands import (
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
from rules.core.commands.acting import act
from rules.core.commands.rights import plays_somebody, require_right
from rules.core.commands.spec import CommandSpec
from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of
from rules.core.seen.lines import Line
from rules.core.step import Step
from rules.core.turns import decisions, echoes
from rules.core.turns.fallen import note_risen, tell_fallen
from rules.core.turns.questions import settle
from rules.core.values import Seat
from rules.dice.source import Dice

_CHAPTERS = (
    *(encounters, roster, casts, rulings, absence, conditions),
    *(asks, answers, decks, boards, maps, backgrounds, doors, fog, moving, standing_orders),
)
COMMAND_SPECS: Mapping[str, CommandSpec] = {verb.id: verb for chapter in _CHAPTERS for verb in chapter.COMMAND_SPECS}


def _name_person(step: Step[Any]) -> None:
    """Keep the typist's name, as the server shows it."""
    seat, people = step.seat, step.state.people
    if seat.user is not None and seat.name and people.get(seat.user) != seat.name:
        step.change(people={**people, seat.user: seat.name})


def _play_on(step: Step[Any]) -> None:
    """Let play go on until the table waits for somebody who is there; not while somebody unseen has the turn."""
    if any(hidden.stops for hidden in step.state.hidden):
        return
    note_risen(step)
    echoes.note(step, step.earlier.active)
    hiding.give_promised(step)
    settle(step)
    absence.settle(step)
    if step.table.active is not None and step.state.next_turns:
        hiding.give_promised(step)
        settle(step)


# What follows from a command, in this order, as long as an encounter is open.
_PASSES: tuple[Callable[[Step[Any]], None], ...] = (
    _name_person,
    absence.note_return,
    _play_on,
    echoes.settle,
    hiding.settle,
    standing_orders.review,
    ahead.review,
    decisions.note,
    look_around,
    tell_fallen,
)


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
    before = table.active
    spec = require_allowed(table, command.action, seat)
    if spec is None and before is not None:
        system_of(before).require_readable()
    command = _areas_seen(step, command)
    if spec is not None:
        spec.do(step, command)
    elif health.is_by_hand(step, command):
        health.by_hand(step, command)
    elif command.text("when") is not None:
        step.actor = standing_orders.give(step, command, act)
    elif command.number(QUESTION) is not None:
        step.actor = answers.count(step, command, act)
    elif command.flag(standing_orders.ORDERED):
        step.actor = standing_orders.carry_out(step, command, act)
    else:
        step.actor = act(step, command)
    opaque, step.opaque = step.opaque, False  # what follows from it is everybody's
    for follow in _PASSES:
        if step.table.active is not None:
            follow(step)
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
        actor=step.actor,
        ruling=step.is_ruling or bool(step.decided_for) or (spec is not None and spec.is_ruling_of(seat)),
    )


def require_allowed(table: Table, action: str, seat: Seat) -> CommandSpec | None:
    """Refuse who a verb is not for, before anything is read of what they typed; return the verb. Raises: Illegal."""
    spec = COMMAND_SPECS.get(action)
    if spec is not None:
        require_right(spec.right, seat, table.active or table.encounter)
    return spec


def _areas_seen(step: Step[Any], command: Command) -> Command:
    """Write for an area that a player names those they see in it: nobody shoots at what fog hides by a name."""
    state = step.table.active
    if state is None or step.seat.gm or not plays_somebody(step.seat, state):
        return command
    if command.target is None or fog_of(state) == OFF:
        return command
    known = as_seen(state, step.seat)
    parts = [part.strip() for part in command.target.split(",")]
    named = [within_area(known, part, known.names) if is_area(part) else (part,) for part in parts]
    return command.evolve(target=", ".join(name for names in named for name in names))
