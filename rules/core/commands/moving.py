"""`/board move`: your own token in systems without a movement of their own, in your own turn. Rule: G-06."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.core import refusals
from rules.core.action import plays
from rules.core.blows.opened import rules_of
from rules.core.board.fog import look_from, tell_way
from rules.core.command import Command
from rules.core.commands.boards import require_board
from rules.core.commands.naming import own_character
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.reach.bumps import halted
from rules.core.reach.free_moves import (
    FAR,
    allowed_movement,
    count_moved,
    free_movements,
    require_turn,
    spaces_left,
    spaces_spared,
    spaces_spent,
)
from rules.core.registry import system_of
from rules.core.space.cells import cell_name
from rules.core.space.paths import Leap, Movement, Path
from rules.core.space.typed_paths import typed_path
from rules.core.step import Step
from rules.errors import Illegal


def move(step: Step[Any], command: Command) -> None:
    """Move a token along a free way; it provokes nothing. Args: to, character."""
    require_board(step)
    who = own_character(step, command)
    state = step.state
    if not plays(state.combatant(who), step.seat):
        raise refusals.not_yours(who, "Only its owner, their stand-in or the GM can move it.")
    allowed = allowed_movement(state, who)
    if allowed is None:
        require_turn(state, who)
    ground = system_of(state).ground(state, who)
    if ground is None:
        raise refusals.off_board(who, instead="Only the GM can put it on, with /board place.")
    if allowed is not None:
        try:
            path = typed_path(who, allowed.ground, command.to or "", allowed.budget, rule="G-06")
        except Illegal:
            if not free_movements(state, who)[1:]:
                raise
        else:
            _move_besides(step, who, allowed, path)
            return
    left = spaces_left(state, state.combatant(who))
    path = typed_path(who, ground, command.to or "", FAR if left is None else left, rule="G-06")
    path = halted(step, who, ground, path)
    if not path.cells:
        return
    words = "{who} moves: {way}." if left is None else "{who} moves: {way} ({cost} of {left})."
    _enter(step, who, words, (cell_name(*ground.start), *path.names), cost=path.cost, left=left or 0)
    if left is not None and state.status == "running":
        leaps = allowed is not None and isinstance(allowed.ground, Leap)
        count_moved(step, who, spaces_spent(state, who) + path.cost, spaces_spared(state, who), leaps=leaps)


def _move_besides(step: Step[Any], who: str, movement: Movement, path: Path) -> None:
    """Make a movement that is no part of a turn's: a teleport leads to its last cell at once."""
    leaps = isinstance(movement.ground, Leap)
    path = replace(path, cells=path.cells[-1:]) if leaps else halted(step, who, movement.ground, path)
    if not path.cells:
        return
    words = "{who} teleports: {way}." if leaps else "{who} moves: {way} ({cost} of {left})."
    way = (cell_name(*movement.ground.start), *path.names)
    provokes, left = step.state.free_moves[who].provokes, 0 if leaps else movement.budget - path.cost
    facts = {"cost": path.cost, "left": movement.budget}
    if provokes:
        tell_way(step, who, words, way, way=" → ".join(way), **facts)
        rules_of(step).walk(step, who, way)
    else:
        _enter(step, who, words, way, **facts)
    count_moved(step, who, spaces_spent(step.state, who), left, provokes=provokes)


def _enter(step: Step[Any], who: str, words: str, way: tuple[str, ...], **facts: int) -> None:
    tell_way(step, who, words, way, way=" → ".join(way), **facts)
    look_from(step, who, way[1:])
    step.change_combatant(who, cell=way[-1])


COMMAND_SPECS = (CommandSpec("board move", move, Role.PLAYER),)
