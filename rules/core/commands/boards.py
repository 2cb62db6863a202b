"""Laying out the board and placing combatants on it (design 3, `/board`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core import refusals
from rules.core.board.fog import lay_board, tell_way, veil_places
from rules.core.command import Command
from rules.core.commands.naming import targets
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.maps.file import require_room
from rules.core.registry import system_of
from rules.core.space import board as grid
from rules.core.space.cells import (
    UNIT,
    Cell,
    cell_name,
    covered,
    is_edge,
    names_of,
    parse_cell,
    parse_edge,
    parse_size,
    parse_token_size,
)
from rules.core.space.steps import rooms
from rules.core.step import Step
from rules.core.typed.names import resolve_name, shown
from rules.errors import Illegal, Malformed

MAX_TEXT = 30
_TAKES_AWAY = f"A board can have {{most}} at most: kind:{grid.OPEN} removes some."


def require_board(step: Step[Any]) -> grid.Board:
    """Return the encounter's board. Raises: Illegal if none is laid out."""
    board: grid.Board | None = step.state.board
    if board is None:
        raise refusals.no_board()
    return board


def size(step: Step[Any], command: Command) -> None:
    """Lay out a board, or change its size; what lies off it then is gone. Args: size."""
    width, height = parse_size(command.text("size") or "")
    held = step.state.board
    board = grid.Board(width=width, height=height)
    if held is not None:
        kept_texts = {
            text for cell, text in (*held.texts.items(), *held.unseen.texts.items()) if board.holds(parse_cell(cell))
        }
        kept = held.evolve(
            width=width,
            height=height,
            unseen=_within(board, held.unseen, held.lines),
            stands=_on_it(board, held.stands),
            starts=_on_it(board, held.starts),
            names={place: name for place, name in held.names.items() if _holds_place(board, place, held.lines)},
            lines={place: line for place, line in held.lines.items() if _holds_line(board, line)},
            notes={place: note for place, note in held.notes.items() if place in kept_texts},
            terrain={cell: kind for cell, kind in held.terrain.items() if board.holds(parse_cell(cell))},
            texts={cell: text for cell, text in held.texts.items() if board.holds(parse_cell(cell))},
            edges={edge: kind for edge, kind in held.edges.items() if _holds_place(board, edge)},
            doors={place: state for place, state in held.doors.items() if _holds_place(board, place, held.lines)},
            walls=tuple(wall for wall in held.walls if _holds_wall(board, wall)),
        )
        board = kept
    lay_board(step, board)
    step.tell(
        "The board has {width} columns and {height} rows: A1 to {last}.", width=width, height=height, last=board.last
    )
    for combatant in step.state.cast:
        if combatant.cell is not None and not board.holds(parse_cell(combatant.cell), combatant.size):
            take_off(step, combatant.name)


def _within(board: grid.Board, unseen: grid.Unseen, lines: Mapping[str, grid.Points]) -> grid.Unseen:
    return grid.Unseen(
        terrain={cell: kind for cell, kind in unseen.terrain.items() if _holds_place(board, cell)},
        texts={cell: text for cell, text in unseen.texts.items() if _holds_place(board, cell)},
        edges={edge: kind for edge, kind in unseen.edges.items() if _holds_place(board, edge)},
        doors={place: state for place, state in unseen.doors.items() if _holds_place(board, place, lines)},
        walls=tuple(wall for wall in unseen.walls if _holds_wall(board, wall)),
    )


def _on_it(board: grid.Board, held: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    kept = {name: tuple(cell for cell in cells if _holds_place(board, cell)) for name, cells in held.items()}
    return {name: cells for name, cells in kept.items() if cells}


def _holds_place(board: grid.Board, place: str, lines: Mapping[str, grid.Points] | None = None) -> bool:
    """Tell whether a cell, both cells of an edge, or a door's line, lie on the board."""
    if lines and place in lines:
        return _holds_line(board, lines[place])
    return all(board.holds(cell) for cell in (parse_edge(place) if is_edge(place) else (parse_cell(place),)))


def _holds_wall(board: grid.Board, wall: grid.Wall) -> bool:
    return _holds_line(board, wall.points)


def _holds_line(board: grid.Board, line: grid.Points) -> bool:
    x, y, to_x, to_y = line
    return max(x, to_x) <= board.width * UNIT and max(y, to_y) <= board.height * UNIT


def place(step: Step[Any], command: Command) -> None:
    """Put combatants on cells, one each in the order named. Args: cells, size."""
    board = require_board(step)
    whom = targets(step, command.target)
    side_text = command.text("size")
    side = None if side_text is None else parse_token_size(side_text)
    text = command.text("cells") or command.to or ""
    cells = grid.parse_cells(text, board)
    if len(cells) < len(whom):
        raise Malformed(
            f"You named {len(cells)} cells; {len(whom)} combatants need {len(whom)}.",
            instead="Give one cell for each, or a rectangle with room for all, such as A1:C2.",
        )
    if len(whom) == 1 and len(cells) > 1:
        side = side or _side_of(cells)
    for who, cell in zip(whom, cells, strict=False):
        place_on(step, who, cell, side)


def _side_of(cells: tuple[Cell, ...]) -> int:
    """Read a square of cells for one token as its size: `C3:D4` is 2."""
    side = round(len(cells) ** 0.5)
    if tuple(covered(cells[0], side)) != cells:
        raise Malformed("A combatant fills one cell, or a square of cells.", instead="For example cells:C3:D4.")
    return parse_token_size(str(side))


def place_on(step: Step[Any], who: str, cell: Cell, side: int | None = None) -> None:
    """Put one combatant on a cell, within the board and as the system lets tokens share cells."""
    board = require_board(step)
    state = step.state
    combatant = state.combatant(who)
    side = combatant.size if side is None else side
    grid.on_board(cell, board, side)
    system = system_of(state)
    wanted = set(covered(cell, side))
    if not has_room(board, cell, side):
        raise Illegal(
            f"Nobody can stand on {cell_name(*cell)}.",
            rule="G-06",
            instead=f"Free cells next to it: {shown(_free_around(step, who, cell, side)) or 'none'}.",
        )
    for other in state.combatants:
        if other.name == who or other.cell is None or wanted.isdisjoint(covered(parse_cell(other.cell), other.size)):
            continue
        if not system.may_share(state, who, other.name):
            raise Illegal(
                f"{cell_name(*cell)} is taken by {other.name}.",
                rule="G-06",
                instead=f"Free cells next to it: {shown(_free_around(step, who, cell, side)) or 'none'}.",
            )
    before, after = combatant.cell, cell_name(*cell)
    tell_way(
        step,
        who,
        "{who}: {before} → {cell}{size}.",
        (before, after) if before else (after,),
        before=before or "off the board",
        cell=after,
        size=f" ({side}×{side})" if side != combatant.size else "",
    )
    step.change_combatant(who, cell=after, size=side)


def has_room(board: grid.Board, cell: Cell, size: int) -> bool:
    """Tell whether a token can stand there: on the board, and in no wall."""
    return board.holds(cell, size) and rooms(board, size)[cell[1] * board.width + cell[0]]


def _free_around(step: Step[Any], who: str, cell: Cell, side: int) -> tuple[str, ...]:
    board = require_board(step)
    state = step.state
    system = system_of(state)
    barred: set[Cell] = set()
    for other in state.combatants:
        if other.name != who and other.cell is not None and not system.may_share(state, who, other.name):
            barred.update(covered(parse_cell(other.cell), other.size))
    around = ((cell[0] + x, cell[1] + y) for y in (-1, 0, 1) for x in (-1, 0, 1))
    return names_of(each for each in around if has_room(board, each, side) and barred.isdisjoint(covered(each, side)))


def take_off(step: Step[Any], who: str) -> None:
    """Take a token off the board."""
    step.change_combatant(who, cell=None)
    step.tell("{who} is off the board.", who=who)


def terrain(step: Step[Any], command: Command) -> None:
    """Lay terrain on cells, one of `KINDS`; `open` takes it away again. Args: cells, kind, text.

    The text is what the cells are called, or a door of theirs.
    """
    board = require_board(step)
    text = command.text("text")
    if text is not None:
        text = " ".join(text.split())
        if len(text) > MAX_TEXT:
            raise refusals.too_long_a_place(MAX_TEXT, len(text))
    kind_text = command.text("kind")
    if kind_text is None and text is None:
        raise Malformed("Say what is there with the option kind.", instead=f"Kinds: {', '.join(grid.KINDS)}.")
    words = None if kind_text is None else grid.OTHER_WORDS.get(kind_text.strip().casefold(), kind_text)
    kind = grid.NAMED if words is None else resolve_name(words, grid.KINDS, "kind of terrain")
    if kind == grid.NAMED and text is None:
        raise Malformed("Named terrain needs its name: option text.", instead="For example kind:named text:Altar.")
    cells = grid.parse_cells(command.text("cells") or "", board)
    veil_places(step, cells)
    names = names_of(cells)
    kinds = dict(board.terrain)
    texts = dict(board.texts)
    doors, called = dict(board.doors), dict(board.names)
    for name in names:
        if kind != grid.NAMED:
            kinds.pop(name, None)
            if doors.pop(name, None) is not None:
                called.pop(name, None)
        if kind == grid.OPEN:
            texts.pop(name, None)
        elif kind == grid.DOOR:
            doors[name] = grid.CLOSED_DOOR
            if text is not None:
                called[name] = text
        elif kind != grid.NAMED:
            kinds[name] = kind
        if text is not None and kind not in (grid.OPEN, grid.DOOR):
            texts[name] = text
    after = board.evolve(terrain=kinds, texts=texts, doors=doors, names=called)
    require_room(after, "That would be", instead=_TAKES_AWAY, before=board)
    step.change(board=after)
    said = {grid.DIFFICULT: "difficult ground", grid.OPEN: "open ground", grid.DOOR: "a closed door"}.get(kind, kind)
    step.tell(
        "{cells}: {what}{text}.",
        cells=shown(names, 12),
        what=said,
        text=f" ({text})" if text is not None and kind != grid.OPEN else "",
    )


def clear(step: Step[Any], command: Command) -> None:
    """Take combatants off the board, or terrain off cells, or the whole board away. Args: cells."""
    board = require_board(step)
    text = command.text("cells")
    if command.target is not None:
        for who in targets(step, command.target):
            if step.combatant(who).cell is None:
                raise refusals.off_board(who)
            take_off(step, who)
    if text is not None:
        cells = grid.parse_cells(text, board)
        veil_places(step, cells)
        gone = set(names_of(cells))
        cleared = board.evolve(
            terrain={cell: kind for cell, kind in board.terrain.items() if cell not in gone},
            texts={cell: name for cell, name in board.texts.items() if cell not in gone},
            doors={place: state for place, state in board.doors.items() if place not in gone},
            names={at: name for at, name in board.names.items() if at not in gone or at not in board.doors},
        )
        step.change(board=cleared)
        step.tell("{cells}: open ground.", cells=shown(sorted(gone, key=lambda name: parse_cell(name)[::-1]), 12))
    if command.target is None and text is None:
        for combatant in step.state.cast:
            if combatant.cell is not None:
                step.change_combatant(combatant.name, cell=None)
        step.change(board=None, seen={}, recalled={})
        step.tell("The board is cleared away.")


COMMAND_SPECS = (
    CommandSpec("board size", size, Role.GM),
    CommandSpec("board place", place, Role.GM),
    CommandSpec("board terrain", terrain, Role.GM),
    CommandSpec("board clear", clear, Role.GM),
)
