"""Drawing on the board, and laying out a whole map (maps 2.3 and 2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from rules.core import refusals
from rules.core.board.fog import BY_GM, BY_SIGHT, OFF, fog_of, lay_board, place_fact, veil_places
from rules.core.command import Command
from rules.core.commands.boards import MAX_TEXT, has_room, require_board
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.maps.file import require_room
from rules.core.maps.shapes import (
    disc_cells,
    edges_in,
    line_cells,
    outer_edges,
    rect_cells,
    rectangles_of,
    wall_points,
)
from rules.core.maps.text import is_called
from rules.core.space import board as grid
from rules.core.space.cells import Cell, covered, names_of, parse_cell
from rules.core.space.line_doors import with_door, without_door
from rules.core.step import Step
from rules.core.typed.names import resolve_name, shown
from rules.core.typed.skeleton import same
from rules.errors import Illegal, Malformed

SHAPES = ("rect", "room", "line", "disc", "ring", "wall", "edge")
NONE = "none"
TOKENS = ("keep", "off", "start")
_TAKES_AWAY = f"A board can have {{most}} at most: kind:{NONE} removes some."
_LINES = (grid.WALL, grid.WINDOW, grid.LOW, grid.CURTAIN, grid.PROP, grid.DOOR)


def draw(step: Step[Any], command: Command) -> None:
    """Draw a shape on the board. Args: shape, from, to, kind, text, hidden."""
    board = require_board(step)
    shape = resolve_name(command.text("shape") or "", SHAPES, "shape")
    start, to = command.text("from") or "", command.to or command.text("to")
    text = _text(command)
    hidden = command.flag("hidden")
    if hidden:
        step.secret = step.opaque = True
    elif board.unseen.doors or board.unseen.texts or board.unseen.terrain:
        step.veiled = True
    is_one = shape == "room" and ":" not in start and len(grid.listed(start)) < 2
    if (shape in ("line", "disc", "ring", "wall") or is_one) and to is None:
        raise Malformed(f"A {shape} needs an end: option to.", instead="For example from:C4 to:F8.")
    to = to or ""
    cells: tuple[Cell, ...] = ()
    if shape == "wall":
        after, what, where = (
            _with_line(board, command, wall_points(board, start, to), text, hidden=hidden),
            "wall",
            f"{start} to {to}".removesuffix("."),  # a corner's own dot ends the sentence
        )
    elif shape == "edge":
        names = edges_in(board, start)
        after = _with_edges(board, names, _kind(command, grid.WALL, (*_LINES, NONE)), text, hidden=hidden)
        what, where = shape, shown(names, 8)
    else:
        cells = {
            "rect": lambda: rect_cells(board, start, to or None),
            "room": lambda: rect_cells(board, start, to or None),
            "line": lambda: line_cells(board, start, to),
            "disc": lambda: disc_cells(board, start, to),
            "ring": lambda: disc_cells(board, start, to, ring=True),
        }[shape]()
        if shape == "room":
            kind = _kind(command, grid.WALL, (*_LINES, NONE))
            opened = _with_cells(board, cells, grid.OPEN, text, hidden=hidden)
            parts = rectangles_of(board, start, to or None)
            around = dict.fromkeys(edge for part in parts for edge in outer_edges(board, part))
            after = _with_edges(opened, tuple(around), kind, None, hidden=hidden)
        else:
            kinds = tuple(kind for kind in grid.KINDS if kind != grid.OPEN)
            asked = _kind(command, grid.NAMED if text else grid.BLOCKED, (*kinds, "solid", grid.OPEN, NONE))
            after = _with_cells(board, cells, grid.OTHER_WORDS.get(asked, asked), text, hidden=hidden)
        what, where = shape, shown(names_of(cells), 8)
    if hidden and after == board:
        raise Illegal(
            f"That would change nothing at {where}.",
            rule="G-06",
            instead="Without hidden, it changes what everybody sees.",
        )
    require_room(after, "That would be", instead=_TAKES_AWAY, before=board)
    if fog_of(step.state) != OFF and not step.opaque:
        touched = () if shape in ("wall", "edge") else cells
        everywhere = ((column, row) for row in range(board.height) for column in range(board.width))
        veil_places(step, touched or everywhere)
    step.change(board=after)
    kind_word = command.text("kind") or ""
    step.tell(
        "Drawn: {what} {where}{kind}{text}.",
        what=what,
        where=where,
        kind=f", {kind_word}" if kind_word else "",
        text=f" ({text})" if text else "",
    )


def _text(command: Command) -> str | None:
    text = command.text("text")
    words = None if text is None else " ".join(text.split())
    if words is not None and len(words) > MAX_TEXT:
        raise refusals.too_long_a_place(MAX_TEXT, len(words))
    return words or None


def _kind(command: Command, default: str, possible: tuple[str, ...]) -> str:
    given = command.text("kind")
    return default if given is None else resolve_name(given, possible, "kind")


def _with_line(
    board: grid.Board, command: Command, points: grid.Points, text: str | None, *, hidden: bool
) -> grid.Board:
    kind = _kind(command, grid.WALL, (*_LINES, NONE))
    if kind == grid.DOOR:
        return with_door(board, points, grid.CLOSED_DOOR, text or "", hidden=hidden)
    ends = (points, grid.turned(points))
    if kind == NONE:
        on_it = (place for place, line in board.lines.items() if line in ends)
        for place in tuple(on_it):
            if not hidden or place in board.unseen.doors:
                board = without_door(board, place)
    shown_walls = tuple(wall for wall in board.walls if hidden or wall.points not in ends)
    unseen_walls = tuple(wall for wall in board.unseen.walls if wall.points not in ends)
    if kind != NONE:
        wall = grid.Wall.model_validate({"points": points, "kind": kind})
        if hidden:
            unseen_walls = (*unseen_walls, wall)
        else:
            shown_walls = (*shown_walls, wall)
    return board.evolve(walls=shown_walls, unseen=board.unseen.evolve(walls=unseen_walls))


def _with_edges(board: grid.Board, names: Iterable[str], kind: str, text: str | None, *, hidden: bool) -> grid.Board:
    """Return the board with something on edges; a hidden door reads as a wall until it is revealed.

    Whatever else is hidden, even a door in a hidden wall, leaves the edge as it is for others.
    """
    edges: dict[str, str] = dict(board.edges)
    unseen_edges: dict[str, str] = dict(board.unseen.edges)
    doors, called, unseen_doors = dict(board.doors), dict(board.names), dict(board.unseen.doors)
    for name in names:
        beneath = hidden and (kind != grid.DOOR or name in unseen_edges)
        if not beneath or name in unseen_doors:
            called.pop(name, None)
        for held in (unseen_edges,) if beneath else (edges, unseen_edges):
            held.pop(name, None)
        for shut in (unseen_doors,) if beneath else (doors, unseen_doors):
            shut.pop(name, None)
        if kind == grid.DOOR and hidden:
            (unseen_edges if beneath else edges)[name] = grid.WALL
            unseen_doors[name] = grid.CLOSED_DOOR
        elif kind == grid.DOOR:
            doors[name] = grid.CLOSED_DOOR
        elif kind != NONE:
            (unseen_edges if hidden else edges)[name] = kind
        if text is not None and kind == grid.DOOR:
            called[name] = text
    unseen = board.unseen.evolve(edges=unseen_edges, doors=unseen_doors)
    return board.evolve(edges=edges, doors=doors, names=called, unseen=unseen)


def _with_cells(board: grid.Board, cells: Iterable[Cell], kind: str, text: str | None, *, hidden: bool) -> grid.Board:
    """Return the board with something on cells; a hidden door reads as solid until it is revealed.

    Whatever else is hidden, even a door in a hidden wall, leaves the cell as it is for others.
    """
    terrain, texts, doors, called = dict(board.terrain), dict(board.texts), dict(board.doors), dict(board.names)
    unseen = board.unseen
    under, notes, secret = dict(unseen.terrain), dict(unseen.texts), dict(unseen.doors)
    for name in names_of(cells):
        beneath = hidden and (kind != grid.DOOR or under.get(name) in (grid.BLOCKED, grid.VOID))
        if kind != grid.NAMED:
            if not beneath or name in secret:
                called.pop(name, None)
            for held in (under, secret) if beneath else (terrain, doors, under, secret):
                held.pop(name, None)
        if kind in (grid.OPEN, NONE):
            for held in (notes,) if hidden else (texts, notes):
                held.pop(name, None)
        elif kind == grid.DOOR:
            (secret if hidden else doors)[name] = grid.CLOSED_DOOR
            if hidden:
                (under if beneath else terrain)[name] = grid.BLOCKED
            if text is not None:
                called[name] = text
        elif kind != grid.NAMED:
            (under if hidden else terrain)[name] = kind
        if text is not None and kind not in (NONE, grid.DOOR):
            (notes if hidden else texts)[name] = text
    return board.evolve(
        terrain=terrain,
        texts=texts,
        doors=doors,
        names=called,
        unseen=unseen.evolve(terrain=under, texts=notes, doors=secret),
    )


# A whole map


def use(step: Step[Any], command: Command) -> None:
    """Lay out a map in place of the board. Args: document, name, tokens, stood, seen, recalled, fog, sight_range."""
    document = command.args.get("document")
    try:
        board = grid.Board.model_validate(document)
    except ValidationError:
        raise Malformed("That is not a map.", instead="/map list shows the saved maps.") from None
    tokens = resolve_name(command.text("tokens") or "keep", TOKENS, "way with the tokens")
    step.veiled = True  # the map holds what only the GM may know
    stood = command.args.get("stood")
    if isinstance(stood, Mapping):
        places = {str(who): (str(cell),) for who, cell in stood.items()}
        board = board.evolve(stands={**board.stands, **places})
    board = _learned(board, (each.name for each in step.state.cast))  # nobody reads these, not for one picture
    was = step.state.board
    fog = command.text("fog") or OFF
    comes = fog in (BY_GM, BY_SIGHT) and "fog" not in step.state.options  # what the table has set itself stays
    if comes:
        reach = {key: text for key in ("sight_range",) if key not in step.state.options and (text := command.text(key))}
        step.change(options={**step.state.options, "fog": fog, **reach})
    lay_board(step, board)
    seen = command.args.get("seen")
    if step.state.seen or seen:
        step.change(seen=seen or {}, recalled=command.args.get("recalled") or {})
        step.is_elsewhere = True
    step.tell(
        "{name} is laid out: {width} columns, {height} rows.",
        name=command.text("name") or "A map",
        width=board.width,
        height=board.height,
    )
    if comes:
        step.tell("Its fog comes with it: `fog={fog}`.", fog=fog)
    standing = [each for each in step.state.combatants if each.cell is not None]
    for combatant in standing:
        cell = parse_cell(combatant.cell or "A1")
        if tokens != "keep" or not has_room(board, cell, combatant.size):
            step.change_combatant(combatant.name, cell=None)
    gone = [each.name for each in standing if step.state.combatant(each.name).cell is None]
    if tokens == "start":
        place_newcomers(step, tuple(each.name for each in step.state.combatants), starts=True)
    else:
        others = tuple(each.name for each in step.state.combatants if each not in standing)
        place_newcomers(step, others, starts=was is None)  # those who came before there was a board begin there too
    off = [name for name in gone if step.state.combatant(name).cell is None]
    if off:
        step.tell("Off the board now: {who}.", who=shown(off, 12))


def place_newcomers(step: Step[Any], names: tuple[str, ...], *, starts: bool = True) -> None:
    """Put those on the board that the map has a place for: by their name, or at their side's start."""
    if step.state.board is None:
        return
    for name in names:
        combatant = step.state.find(name)
        if combatant is None:
            continue
        board = _learned(require_board(step), (name,))
        if board != step.state.board:
            step.change(board=board)
        if combatant.cell is not None:
            continue
        own = [cell for called, cells in board.stands.items() if is_called(name, called) for cell in cells]
        side = [cell for called, cells in board.starts.items() if same(called, combatant.side) for cell in cells]
        for at in (*own, *(side if starts else ())):
            if _is_free(step, board, parse_cell(at), combatant.size):
                step.change_combatant(name, cell=at)
                step.tell("{who} stands {place}.", who=name, place=place_fact(step.state, name, at, on=True))
                break


def _learned(board: grid.Board, names: Iterable[str]) -> grid.Board:
    """Return the board without places that are somebody's name: only the GM knows these."""
    here = tuple(names)
    texts = {**board.texts, **board.unseen.texts}
    meant = {text for text in texts.values() if any(is_called(who, text) for who in here)}
    if not meant:
        return board
    in_order = sorted(texts, key=lambda cell: parse_cell(cell)[::-1])  # the state holds cells by rectangles
    stands = {name: tuple(cell for cell in in_order if texts[cell] == name) for name in sorted(meant)}
    unseen = board.unseen.evolve(texts={at: text for at, text in board.unseen.texts.items() if text not in meant})
    shown_texts = {at: text for at, text in board.texts.items() if text not in meant}
    return board.evolve(texts=shown_texts, unseen=unseen, stands={**board.stands, **stands})


def _is_free(step: Step[Any], board: grid.Board, cell: Cell, size: int) -> bool:
    wanted = set(covered(cell, size))
    taken = (combatant for combatant in step.state.cast if combatant.cell is not None)
    return has_room(board, cell, size) and all(
        wanted.isdisjoint(covered(parse_cell(combatant.cell or "A1"), combatant.size)) for combatant in taken
    )


COMMAND_SPECS = (CommandSpec("map draw", draw, Role.GM), CommandSpec("map use", use, Role.GM))
