"""`/board fog`: what the GM reveals and hides of the board (maps 8). Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.core import refusals
from rules.core.board.fog import EVERYBODY, OFF, fog_of
from rules.core.command import Command
from rules.core.commands.boards import require_board
from rules.core.commands.doors import hidden_at, hidden_where, reveal_marks, with_edges
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.encounter import Encounter
from rules.core.space.board import CLOSED_DOOR, UNKNOWN, Board, on_board, parse_cells
from rules.core.space.cells import DIRECTIONS, Cell, names_of, parse_cell, rectangles
from rules.core.space.known_board import Laid, bits_of, cells_of_place
from rules.core.space.steps import step_bars
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import resolve_name, shown
from rules.core.typed.skeleton import same
from rules.errors import Illegal, Malformed

REVEAL, HIDE, RESET = "reveal", "hide", "reset"
WAYS = (REVEAL, HIDE, RESET)
_ROOM = "room "
_MOST_NAMED = 12


def fog(step: Step[Any], command: Command) -> None:
    """Reveal cells to all sides, hide them, or let all of them forget what they saw. Args: do, cells.

    What is hidden on cells comes to light if these are revealed already: lifting the fog shows no trap.
    """
    board = require_board(step)
    do = resolve_name(command.text("do") or "", WAYS, "way with the fog")
    text = command.text("cells")
    cells = () if text is None else _cells(board, text)
    if do == RESET:
        if text is not None:
            raise Malformed(
                "reset covers the whole board again, so it takes no cells.", instead="To cover some cells, use do:hide."
            )
        if fog_of(step.state) == OFF:
            raise _no_fog()
        step.change(seen={}, recalled={})
        step.is_elsewhere = True
        step.tell("The fog covers the whole board again.")
        return
    if text is None:
        raise refusals.which_cells(instead="Name cells, a place, or room C4.")
    where = shown(rectangles(names_of(cells)), _MOST_NAMED)
    bits = int(bits_of(board, cells), 16)
    held = {side: int(seen, 16) for side, seen in step.state.seen.items()}
    is_off = fog_of(step.state) == OFF
    if do == REVEAL and (is_off or not bits & ~held.get(EVERYBODY, 0)):
        if not reveal_marks(step, board, with_edges(board, cells), where):
            if is_off:
                raise _no_fog()
            raise Illegal(f"{where} is revealed; nothing was hidden there.", rule="G-06", instead=hidden_where(board))
        return
    if is_off:
        raise _no_fog()
    if do == REVEAL:
        held[EVERYBODY] = held.get(EVERYBODY, 0) | bits
    else:
        held = {side: seen & ~bits for side, seen in held.items()}
    seen = {side: f"{bits_seen:x}" for side, bits_seen in held.items() if bits_seen}
    step.change(seen=seen, recalled=_recalled_elsewhere(step.state, frozenset(cells)))
    step.is_elsewhere = True
    step.veiled = True
    if do == REVEAL:
        step.tell("The fog lifts over {cells}.", cells=where)
        if any(hidden_at(board, with_edges(board, cells))):
            step.tell("Something is still hidden there: do the same again to reveal it.", seen_by=GM_ONLY)
    else:
        step.tell("The fog covers {cells}.", cells=where, seen_by=GM_ONLY)


def _recalled_elsewhere(state: Encounter, cells: frozenset[Cell]) -> dict[str, dict[str, Laid]]:
    """Return what sides remember otherwise than it is on other cells: these are shown as they are, or not at all."""
    board = state.board
    if board is None:
        return {}
    kept = {
        side: {place: laid for place, laid in places.items() if cells.isdisjoint(cells_of_place(board, place, laid))}
        for side, places in state.recalled.items()
    }
    return {side: places for side, places in kept.items() if places}


def _no_fog() -> Illegal:
    return Illegal(
        "There is no fog here.", rule="G-06", instead="Bring it with /encounter options set:fog=sight (or fog=gm)."
    )


def _cells(board: Board, text: str) -> tuple[Cell, ...]:
    """Return the cells that a text means: cells and rectangles, a place's, or a whole room's."""
    named = [cell for cell, name in board.whole.texts.items() if same(name, text)]
    if named:
        return tuple(sorted(map(parse_cell, named), key=_row))
    if text.strip().casefold().startswith(_ROOM):
        return room_of(board, on_board(parse_cell(text.strip()[len(_ROOM) :]), board))
    return parse_cells(text, board)


def room_of(board: Board, start: Cell) -> tuple[Cell, ...]:
    """Return all cells that are reached from one without passing a wall or a door."""
    shut = board.whole.evolve(
        doors=dict.fromkeys(board.whole.doors, CLOSED_DOOR),
        terrain={cell: kind for cell, kind in board.whole.terrain.items() if kind != UNKNOWN},
    )
    bars = step_bars(shut)
    cells, edge = {start}, [start]
    while edge:
        column, row = edge.pop()
        for direction, (across, down) in enumerate(DIRECTIONS):
            after = (column + across, row + down)
            if after not in cells and not bars[row * board.width + column] >> direction & 1:
                cells.add(after)
                edge.append(after)
    return tuple(sorted(_with_sides(board, cells), key=_row))


def _with_sides(board: Board, cells: Iterable[Cell]) -> set[Cell]:
    """Return cells with the solid ones and the doors around them, which are what a room's walls look like."""
    inside = set(cells)
    around = {(x + across, y + down) for x, y in inside for across, down in DIRECTIONS}
    solid = {parse_cell(name) for name in (*board.terrain, *board.doors) if "/" not in name and name not in board.lines}
    return inside | {cell for cell in around if board.holds(cell) and cell in solid}


def _row(cell: Cell) -> Cell:
    return cell[1], cell[0]


COMMAND_SPECS = (CommandSpec("board fog", fog, Role.GM),)
