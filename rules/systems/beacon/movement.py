"""Movement: over the board or by word of mouth, declared first, so that opportunity attacks come before it.

Rule: BE-04, BE-14, BE-22, BE-23, G-06.
"""

from __future__ import annotations

from rules.core.board.fog import look_from, tell_way
from rules.core.offer import Param
from rules.core.reach.bumps import halted
from rules.core.reach.free_moves import own_and_gm, spare
from rules.core.registry import system_of
from rules.core.space.cells import parse_cell
from rules.core.space.paths import walked
from rules.core.space.typed_paths import off_board, require_cell, typed_path
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon.sheet import BeaconStep, foes, side_of
from rules.systems.beacon.state import (
    BeaconState,
    Movement,
    Unleash,
    note_event,
    put_under_way,
    set_channel,
)

_COUNT = "Say how many spaces with the option amount."


def left_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    """Return whose reach a movement may leave, if no board tells. Rule: BE-23."""
    if state.board is not None and state.combatant(who).cell is not None:
        return ()
    near = tuple(name for name in foes(state, who) if not state.combatant(name).hidden)
    return (Param(name="target", label="away from", choices=near, many=True, required=False),) if near else ()


def path_to(state: BeaconState, who: str, to: str, limit: int, rule: str) -> tuple[str, ...]:
    """Return the cells that a movement enters. Raises: Malformed, Illegal."""
    ground = system_of(state).ground(state, who)
    if ground is None:
        raise off_board(who, state.board, _COUNT)
    return typed_path(who, ground, to, limit, rule=rule).names


def entered(step: BeaconStep, who: str, to: str, limit: int, rule: str) -> tuple[str, ...]:
    """Return the cells that a shift enters at once; something unknown ends it before. Raises: Malformed, Illegal."""
    ground = system_of(step.state).ground(step.state, who)
    if ground is None:
        raise off_board(who, step.state.board, _COUNT)
    wanted = typed_path(who, ground, to, limit, rule=rule)
    path = halted(step, who, ground, wanted)
    if len(path.cells) < len(wanted.cells):
        spare(step, who, limit - path.cost)
    return path.names


def declare_move(
    step: BeaconStep,
    who: str,
    to: str | None,
    amount: int | None,
    limit: int,
    *,
    what: str = "moves",
    rule: str = "BE-04",
    provokes: bool = True,
    left: tuple[str, ...] = (),
) -> None:
    """Declare a movement; it happens once those it provokes have answered."""
    state = step.state
    combatant = state.combatant(who)
    if state.board is not None and combatant.cell is not None:
        to = require_cell(to, amount)
        if left:
            raise Malformed("On the board I see who a movement leaves.", rule="BE-23", instead="Leave out target.")
        ground = system_of(state).ground(state, who)
        if ground is None:
            raise off_board(who, state.board, _COUNT)
        wanted = typed_path(who, ground, to, limit, rule=rule)
        walk = halted(step, who, ground, wanted)
        path = walk.names
        if len(path) < len(wanted.cells):
            _spare(step, who, limit - walk.cost)
        if not path:
            return
        way = (combatant.cell, *path)
        tell_way(step, who, "{who} {what}: {way}.", way, what=what, way=" → ".join(way))
        job = Movement(what="movement", who=who, start=combatant.cell, path=path, provokes=provokes, limit=limit)
    else:
        if to is not None and to.strip().isdecimal():
            amount, to = int(to), None
        if to is not None:
            raise off_board(who, state.board, _COUNT)
        count = limit if amount is None else amount
        if not 1 <= count <= limit:
            raise Illegal(f"{count} spaces is not possible.", rule=rule, instead=f"From 1 to {limit}.")
        away = ", away from {left}." if left else "."
        step.tell(
            "{who} {what} {count} of {limit} spaces" + away,
            who=who, what=what, count=count, limit=limit, left=", ".join(left) or None,
        )  # fmt: skip
        job = Movement(what="movement", who=who, left=left, provokes=provokes)
    put_under_way(step, job)


def _spare(step: BeaconStep, who: str, spaces: int) -> None:
    """Leave somebody what they could not move: `move` goes on with it in their own turn, else `release`. Rule: G-06."""
    turn = step.state.turn
    release = next((job for job in step.state.stack if isinstance(job, Unleash) and job.who == who), None)
    if release is not None:
        _hold_back(step, release, spaces)
    elif turn is None or turn.who != who:
        spare(step, who, spaces)
    elif spaces > 0:
        step.change(turn=turn.evolve(spared=spaces))


def _hold_back(step: BeaconStep, release: Unleash, spaces: int) -> None:
    """Let a release wait for the rest of its movement: its targets are named at the end of that. Rule: BE-13."""
    who, state = release.who, step.state
    step.change(stack=tuple(job for job in state.stack if job is not release), side=side_of(state.combatant(who)))
    set_channel(step, who, state.channels[who].evolve(spared=spaces))
    words = "{who} can still move {left}, and releases nothing yet: release goes on, with or without that movement."
    step.tell(words, who=who, left=spaces, seen_by=own_and_gm(step, who))


def most_spaces(state: BeaconState, who: str) -> int:
    """Return how far `move` leads now: what is left of a movement that was cut short, else SPEED."""
    turn = state.turn
    return turn.spared if turn is not None and turn.who == who and turn.spared else state.combatant(who).number("SPEED")


def most_at_release(state: BeaconState, who: str) -> int:
    """Return how far the movement of a release leads now, as above. Rule: BE-13."""
    return state.channels[who].spared or state.combatant(who).number("SPEED")


def carry_out(step: BeaconStep, job: Movement) -> bool:
    """Make the movement after its questions, unless something is in the way by now; tell whether it was made."""
    combatant = step.combatant(job.who)
    made = True
    if job.path:
        ground = system_of(step.state).ground(step.state, job.who)
        if ground is None or combatant.cell != job.start:
            made = False
            step.tell("{who} was moved, so the movement is over.", who=job.who)
        else:
            try:
                walked(ground, tuple(parse_cell(cell) for cell in job.path))
            except Refusal:
                made = False
                step.tell("{who} stays, because the way is no longer free.", who=job.who)
                _spare(step, job.who, job.limit)
            else:
                look_from(step, job.who, job.path)
                step.change_combatant(job.who, cell=job.path[-1])
    note_event(step)
    return made
