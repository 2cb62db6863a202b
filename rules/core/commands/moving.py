"""`/board move`: your own token in systems without a movement of their own, in your own turn. Rule: G-06."""

from __future__ import annotations

from typing import Any

from rules.core import refusals
from rules.core.action import plays
from rules.core.board.fog import look_from, tell_way
from rules.core.command import Command
from rules.core.commands.boards import require_board
from rules.core.commands.naming import own_character
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.reach.bumps import halted
from rules.core.reach.free_moves import FAR, count_moved, require_turn, spaces_left, spaces_spared, spaces_spent
from rules.core.registry import system_of
from rules.core.space.cells import cell_name
from rules.core.space.typed_paths import typed_path
from rules.core.step import Step


def move(step: Step[Any], command: Command) -> None:
    """Move a token along a free way; it provokes nothing. Args: to, character."""
    require_board(step)
    who = own_character(step, command)
    state = step.state
    if not plays(state.combatant(who), step.seat):
        raise refusals.not_yours(who, "Only its owner, their stand-in or the GM can move it.")
    require_turn(state, who)
    ground = system_of(state).ground(state, who)
    if ground is None:
        raise refusals.off_board(who, instead="Only the GM can put it on, with /board place.")
    left = spaces_left(state, state.combatant(who))
    path = typed_path(who, ground, command.to or "", FAR if left is None else left, rule="G-06")
    path = halted(step, who, ground, path)
    if not path.cells:
        return
    words = "{who} moves: {way}." if left is None else "{who} moves: {way} ({cost} of {left})."
    way = (cell_name(*ground.start), *path.names)
    tell_way(step, who, words, way, way=" → ".join(way), cost=path.cost, left=left or 0)
    look_from(step, who, path.names)
    step.change_combatant(who, cell=path.names[-1])
    spent, spared = spaces_spent(state, who), spaces_spared(state, who)
    if spared:
        count_moved(step, who, spent, spared - path.cost)
    elif left is not None and state.status == "running":
        count_moved(step, who, spent + path.cost)


COMMAND_SPECS = (CommandSpec("board move", move, Role.PLAYER),)
