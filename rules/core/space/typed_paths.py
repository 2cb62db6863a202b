"""Movements over the board as people type them, and why one cannot be made."""

from __future__ import annotations

from rules.core.space.board import OPEN_DOOR, Board, on_board
from rules.core.space.cells import A_CELL_OR_PATH, SAY_WHERE, Cell, cell_name, names_of, parse_path
from rules.core.space.paths import Ground, Path, best_path, costs_within, reachable, walked
from rules.core.space.steps import at_door
from rules.core.typed.names import shown
from rules.errors import Illegal, Malformed

_FAR = 10_000  # further than any way on a board
_NEAR = 30  # as far as a refusal looks for what is possible instead


def typed_path(who: str, ground: Ground, text: str, most: int, *, rule: str) -> Path:
    """Return the path that somebody types: cell by cell, or to a cell alone the best one that costs at most `most`.

    `rule` says which steps there are, how far it goes and who bars the way.

    Raises: Malformed, Illegal.
    """
    cells = parse_path(text)
    for cell in cells:
        on_board(cell, ground.board, ground.size)
    goal = cells[-1]
    possible = names_of(reachable(ground, min(most, _NEAR), toward=goal))
    where = f"In reach: {shown(possible, 12) or 'no cell'}."
    path = walked(ground, cells, rule=rule) if len(cells) > 1 else best_path(ground, goal, most)
    if path is None:
        away = f"{cell_name(*goal)} is {least_cost(ground, goal)} spaces away; you can move {most}."
        raise barred(who, ground, goal, rule=rule, where=where) or Illegal(away, rule=rule, instead=where)
    if path.cost > most:
        raise Illegal(f"That way is {path.cost} spaces long; you can move {most}.", rule=rule, instead=where)
    return path


def barred(who: str, ground: Ground, goal: Cell, *, rule: str, where: str) -> Illegal | None:
    """Return why a movement cannot end on a cell however far it goes; None if it can. Rule: G-06."""
    name = cell_name(*goal)
    if goal == ground.start:
        return Illegal(f"{who} is on {name}.", rule="G-06", instead=where)
    if not ground.cost(goal) or not ground.can_stay(goal):
        door = cell_name(*goal) if ground.size == 1 else ""
        if ground.board.doors.get(door, OPEN_DOOR) != OPEN_DOOR:
            state = f"The door {ground.board.door_name(door)} is {ground.board.doors[door]}."
            return Illegal(state, rule="G-06", instead=at_door(ground.board, door))
        cited = rule if ground.has_room(goal) else "G-06"
        return Illegal(f"{name} is {ground.barred_words(goal)}.", rule=cited, instead=where)
    if least_cost(ground, goal) is None:
        return Illegal(f"There is no way from {cell_name(*ground.start)} to {name}.", rule=rule, instead=where)
    return None


def least_cost(ground: Ground, goal: Cell) -> int | None:
    """Return what the cheapest way to a cell costs; None if there is none."""
    return costs_within(ground, _FAR).get(goal)


def require_cell(to: str | None, amount: int | None) -> str:
    """Return the end of a movement over the board. Raises: Malformed if it names no cell, or an amount too."""
    if to is None:
        raise Malformed(SAY_WHERE, rule="G-06", instead=A_CELL_OR_PATH)
    if amount is not None:
        raise Malformed("On a board you move to a cell, not by an amount.", rule="G-06", instead="Leave out amount.")
    return to


def off_board(who: str, board: Board | None, instead: str) -> Illegal:
    """Return why no cell can be named. Rule: G-06."""
    words = "There is no board here." if board is None else f"{who} is not on the board."
    return Illegal(words, rule="G-06", instead=instead)
