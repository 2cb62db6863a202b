"""`/board move`: one's own token in systems without a movement of their own, in one's turn. Rule: G-06."""

from __future__ import annotations

from typing import Any

from rules.core.action import plays
from rules.core.board import cell_name, names_of, on_board, parse_path
from rules.core.command import Command
from rules.core.errors import Illegal
from rules.core.events import FreeMoved, Placed
from rules.core.free_moves import FAR, require_turn, spaces_left, spaces_spent, turn_of
from rules.core.names import shown
from rules.core.paths import Ground, Path, best_path, reachable, walked
from rules.core.registry import system_of
from rules.core.rights import Role
from rules.core.step import Step
from rules.core.verbs.boards import require_board
from rules.core.verbs.naming import own_character
from rules.core.verbs.verb import Verb


def move(step: Step[Any], command: Command) -> None:
    """Move a token along a free way; it provokes nothing. Args: to, character."""
    require_board(step)
    who = own_character(step, command)
    state = step.state
    if not plays(state.combatant(who), step.seat):
        raise Illegal(f"{who} is not yours.", rule="G-03", instead="Its owner, a stand-in or the GM moves it.")
    require_turn(state, who)
    ground = system_of(state).ground(state, who)
    if ground is None:
        raise Illegal(f"{who} is not on the board.", rule="G-06", instead="The GM puts it on: /board place.")
    left = spaces_left(state, state.combatant(who))
    path = _path(who, ground, command.to or "", FAR if left is None else left)
    step.emit(Placed(who=who, cell=path.names[-1]))
    if left is not None and state.status == "running":
        step.emit(FreeMoved(who=who, turn=turn_of(state, who), spaces=spaces_spent(state, who) + path.cost))
    step.tell(
        "{who} moves: {way}{left}.",
        who=who,
        way=" → ".join((cell_name(*ground.start), *path.names)),
        left="" if left is None else f" ({path.cost} of {left})",
    )


def _path(who: str, ground: Ground, text: str, most: int) -> Path:
    cells = parse_path(text)
    for cell in cells:
        on_board(cell, ground.board, ground.size)
    possible = names_of(reachable(ground, min(most, 30), toward=cells[-1]))
    where = f"In reach: {shown(possible, 12) or 'no cell'}."
    if len(cells) > 1:
        path = walked(ground, cells)
        if path.cost > most:
            raise Illegal(f"That way is {path.cost} spaces; {most} are left.", rule="G-06", instead=where)
        return path
    name = cell_name(*cells[0])
    if cells[0] == ground.start:
        raise Illegal(f"{who} stands on {name}.", rule="G-06", instead=where)
    found = best_path(ground, cells[0], most)
    if found is not None:
        return found
    if not ground.cost(cells[0]) or not ground.can_stay(cells[0]):
        raise Illegal(f"{name} is {ground.barred_words(cells[0])}.", rule="G-06", instead=where)
    raise Illegal(
        f"No way leads to {name}." if most == FAR else f"No way of {most} spaces leads to {name}.",
        rule="G-06",
        instead=where,
    )


VERBS = (Verb("board move", move, Role.ANYONE),)
