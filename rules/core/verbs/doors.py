"""`/board door`: doors that open, close, are locked, and go (design 3, maps). Rule: G-06."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.board import (
    CLOSED_DOOR,
    LOCKED_DOOR,
    OPEN_DOOR,
    Board,
    Cell,
    DoorState,
    covered,
    distance,
    edge_name,
    is_edge,
    names_of,
    parse_cell,
    parse_edge,
)
from rules.core.command import Command
from rules.core.errors import Illegal
from rules.core.events import BoardSet
from rules.core.names import resolve_name, shown
from rules.core.rights import Role
from rules.core.step import Step
from rules.core.verbs.boards import require_board
from rules.core.verbs.verb import Verb

REMOVE = "remove"
AFTER: Mapping[str, DoorState] = {
    "open": OPEN_DOOR,
    "close": CLOSED_DOOR,
    "lock": LOCKED_DOOR,
    "unlock": CLOSED_DOOR,
}
WAYS = (*AFTER, REMOVE)


def door(step: Step[Any], command: Command) -> None:
    """Open, close, lock, unlock or take away a door; whoever stands beside it opens and closes. Args: at, do."""
    board = require_board(step)
    place = _find(board, command.text("at") or "")
    held = board.doors[place]
    text = command.text("do")
    do = ("close" if held == OPEN_DOOR else "open") if text is None else resolve_name(text, WAYS, "way with a door")
    if not step.seat.gm:
        _require_hand(step, place, do)
    if held == LOCKED_DOOR and do == "open":
        raise Illegal(f"The door {place} is locked.", rule="G-06", instead="The GM can unlock it: do:unlock.")
    if do == REMOVE:
        doors = {other: state for other, state in board.doors.items() if other != place}
        step.emit(BoardSet(board=board.evolve(doors=doors)))
        step.tell("The door {place} is gone.", place=place)
        return
    after = AFTER[do]
    if after == held or (do == "unlock" and held == OPEN_DOOR):
        raise Illegal(f"The door {place} is {held} already.", rule="G-06", instead=f"Possible: {shown(WAYS)}.")
    if after != OPEN_DOOR:
        _require_clear(step, place)
    step.emit(BoardSet(board=board.evolve(doors={**board.doors, place: after})))
    step.tell("The door {place} is {after}.", place=place, after=after)


def _find(board: Board, text: str) -> str:
    """Return the place of the door that a cell or an edge names. Raises: Malformed, Illegal."""
    place = edge_name(*parse_edge(text)) if is_edge(text) else names_of((parse_cell(text),))[0]
    if place not in board.doors:
        raise Illegal(
            f"There is no door at {place}.", rule="G-06", instead=f"Doors here: {shown(sorted(board.doors)) or 'none'}."
        )
    return place


def _cells(place: str) -> tuple[Cell, ...]:
    return parse_edge(place) if is_edge(place) else (parse_cell(place),)


def _require_hand(step: Step[Any], place: str, do: str) -> None:
    """Refuse what players may not do with a door: only open and close, from beside it. Raises: Illegal."""
    if do not in ("open", "close"):
        raise Illegal(f"Only the GM may {do} a door.", rule="G-03", instead="do:open and do:close are for players.")
    if step.option("doors") == "gm":
        raise Illegal("At this table the GM opens and closes doors.", rule="G-03", instead="Ask the GM.")
    for combatant in step.state.combatants:
        if combatant.cell is None or not step.seat.owns(combatant):
            continue
        at = parse_cell(combatant.cell)
        if any(distance("eight", at, cell, combatant.size) <= 1 for cell in _cells(place)):
            return
    raise Illegal(f"None of your characters is beside {place}.", rule="G-06", instead="Move there, or ask the GM.")


def _require_clear(step: Step[Any], place: str) -> None:
    """Refuse to shut a door on somebody. Raises: Illegal."""
    cells = set(_cells(place))
    for combatant in step.state.combatants:
        if combatant.cell is None or combatant.hidden:
            continue
        within = cells & set(covered(parse_cell(combatant.cell), combatant.size))
        if len(within) == len(cells):
            raise Illegal(
                f"{combatant.name} stands in the door {place}.", rule="G-06", instead="They have to leave it."
            )


VERBS = (Verb("board door", door, Role.ANYONE),)
