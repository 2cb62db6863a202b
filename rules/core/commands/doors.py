"""`/board door`: doors that open, close, are locked, and go (design 3, maps). Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.core.board.fog import as_seen, veil_places, witnesses
from rules.core.command import Command
from rules.core.commands.boards import require_board
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.space import board as grid
from rules.core.space.cells import Cell, covered, distance, edge_name, is_edge, names_of, parse_cell, parse_edge
from rules.core.space.line_doors import touches, with_public_names, without_door
from rules.core.step import Step
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.typed.skeleton import same
from rules.errors import Illegal

REMOVE = "remove"
REVEAL = "reveal"
AFTER: Mapping[str, grid.DoorState] = {
    "open": grid.OPEN_DOOR,
    "close": grid.CLOSED_DOOR,
    "lock": grid.LOCKED_DOOR,
    "unlock": grid.CLOSED_DOOR,
}
WAYS = (*AFTER, REVEAL, REMOVE)
OF_PLAYERS = ("open", "close")
OF_A_DOOR: Mapping[grid.DoorState, tuple[str, ...]] = {  # what changes one that all know
    grid.OPEN_DOOR: ("close", "lock", REMOVE),
    grid.CLOSED_DOOR: ("open", "lock", REMOVE),
    grid.LOCKED_DOOR: ("unlock", REMOVE),
}


def door(step: Step[Any], command: Command) -> None:
    """Open, close, lock, unlock or take away a door; a combatant beside it opens and closes it. Args: at, do.

    `reveal` shows everybody what is hidden there, doors and all else.
    """
    board = require_board(step)
    text = command.text("do")
    do = None if text is None else _way(step, text)
    if step.seat.gm and do == REVEAL:
        _reveal(step, board, command.text("at") or "")
        return
    known = as_seen(step.state, step.seat).board or board
    place = _find(step, known, command.text("at") or "")
    if place in board.unseen.doors:
        _change_unseen(step, board, place, do or "open")
        return
    held = board.doors.get(place)
    called = board.door_name(place)
    do = do or ("close" if held == grid.OPEN_DOOR else "open")
    if not step.seat.gm:
        _require_hand(step, known, place, do)
    if held is None:  # remembered, and gone since
        raise Illegal(
            f"There is no longer a door at {place}.", rule="G-06", instead="/board show shows the doors that there are."
        )
    if held == grid.LOCKED_DOOR and do == "open":
        raise Illegal(f"The door {called} is locked.", rule="G-06", instead="The GM can unlock it with do:unlock.")
    if not step.seat.gm:
        readers = witnesses(step.state, names_of(board.door_cells(place)), _side(step))
    else:
        veil_places(step, board.door_cells(place))
        readers = None
    if do == REMOVE:
        step.change(board=without_door(board, place))
        step.tell("The door {place} is gone.", place=called)
        return
    after = AFTER[do]
    if do not in OF_A_DOOR[held]:
        ways = shown(way for way in OF_A_DOOR[held] if way in _ways(step))
        instead = f"Possible: {ways}." if ways else "Ask the GM."
        raise Illegal(f"The door {called} is already {held}.", rule="G-06", instead=instead)
    if after != grid.OPEN_DOOR:
        _require_clear(step, place)
    step.change(board=board.evolve(doors={**board.doors, place: after}))
    step.tell("The door {place} is {after}.", seen_by=readers, place=called, after=after)
    step.veiled = step.veiled or readers is not None


def _ways(step: Step[Any]) -> tuple[str, ...]:
    return WAYS if step.seat.gm else OF_PLAYERS


def _way(step: Step[Any], text: str) -> str:
    """Return the way with a door that a text names; a slip is told what this person may do. Raises: Malformed."""
    return find_name(text, WAYS) or resolve_name(text, _ways(step), "way with a door")


def _side(step: Step[Any]) -> str | None:
    return next((combatant.side for combatant in step.state.combatants if step.seat.owns(combatant)), None)


def _reveal(step: Step[Any], board: grid.Board, text: str) -> None:
    """Show everybody what is hidden at a door, on cells, or under a place's name. Raises: Malformed, Illegal."""
    unseen = board.unseen
    named = {place for place, name in (*unseen.texts.items(), *board.names.items()) if same(name, text)}
    named |= {place for place in board.lines if same(place, text)}
    if named:
        places = named
    elif is_edge(text):
        places = {edge_name(*parse_edge(text))}
    else:
        places = with_edges(board, grid.parse_cells(text, board))
    if not reveal_marks(step, board, places, text.strip()[:40]):
        raise Illegal(f"There is nothing hidden at {text.strip()[:40]}.", rule="G-06", instead=hidden_where(board))


def reveal_marks(step: Step[Any], board: grid.Board, places: set[str], where: str) -> bool:
    """Show everybody what is hidden on cells and edges; tell whether anything was."""
    lines = board.lines
    board = with_public_names(board, sorted(places & board.unseen.doors.keys()))
    places = {*places, *(board.lines.keys() - lines.keys())}
    found, walls = hidden_at(board, places)
    if not found and not walls:
        return False
    doors = found & board.unseen.doors.keys()
    board = board.in_light(found, walls)
    step.change(board=board)
    for called in dict.fromkeys(board.door_name(at) for at in sorted(doors)):  # several may be called the same
        step.tell("A door comes to light: {place}.", place=called)
    others = sorted(found - doors)
    if others:
        step.tell("Revealed: {cells}.", cells=shown(others, 12))
    if walls:
        step.tell("Revealed: {count} at {places}.", count=_walls(len(walls)), places=where)
    return True


def with_edges(board: grid.Board, cells: Iterable[Cell]) -> set[str]:
    """Return the names of cells, of those of their edges on which something is hidden, and of secret doors there."""
    names = set(names_of(cells))
    edges = (*board.unseen.edges, *(place for place in board.unseen.doors if is_edge(place)))
    lines = {place: grid.Wall(points=board.lines[place]) for place in board.unseen.doors if place in board.lines}
    names |= {place for place, line in lines.items() if any(touches(line, cell) for cell in names)}
    return names | {edge for edge in edges if not names.isdisjoint(edge.split("/"))}


def hidden_at(board: grid.Board, places: set[str]) -> tuple[set[str], tuple[grid.Wall, ...]]:
    """Return what is hidden on cells and edges: the places, and walls at an angle."""
    unseen = board.unseen
    return places & unseen.places, tuple(wall for wall in unseen.walls if any(touches(wall, place) for place in places))


def hidden_where(board: grid.Board) -> str:
    """Return the places of what is hidden, as `do:reveal` takes them: for the GM alone."""
    unseen = board.unseen
    named = (*sorted({*unseen.texts.values()}), *sorted(unseen.doors))
    places = (*named, *sorted((unseen.terrain.keys() | unseen.edges.keys()) - unseen.doors.keys()))
    if places:
        return f"You can reveal {shown(places, 12)}."
    at = next((cell for wall in unseen.walls for cell in _cells_at(board, wall)), None)
    return f"A hidden wall meets {at}." if at else "Nothing is hidden on this board: /map draw hidden:True hides."


def _cells_at(board: grid.Board, wall: grid.Wall) -> Iterator[str]:
    every = ((column, row) for row in range(board.height) for column in range(board.width))
    return (name for name in names_of(every) if touches(wall, name))


def _walls(count: int) -> str:
    return "a wall" if count == 1 else f"{count} walls"


def _change_unseen(step: Step[Any], board: grid.Board, place: str, do: str) -> None:
    """Open, lock or take away a door that only the GM knows: to others it stays a wall."""
    step.secret = step.opaque = True
    doors = {**board.unseen.doors, place: AFTER.get(do, grid.CLOSED_DOOR)}
    changed = without_door(board, place) if do == REMOVE else board.evolve(unseen=board.unseen.evolve(doors=doors))
    step.change(board=changed)
    after = "gone" if do == REMOVE else f"{doors[place]}, once it is revealed"
    step.tell("The secret door {place} is {after}.", place=place, after=after)


def _find(step: Step[Any], board: grid.Board, text: str) -> str:
    """Return the place of the door that a cell, an edge or its name names. Raises: Malformed, Illegal.

    Of several that are called so a player means the one at hand.
    """
    board = board.whole if step.seat.gm else board
    named = board.doors_called(text)
    if len(named) > 1 and not step.seat.gm:
        near = tuple(place for place in named if _is_at_hand(step, board, place))
        named = near if len(near) == 1 else named
    if len(named) > 1:
        raise Illegal(
            f"There are {len(named)} doors called {board.door_name(named[0])}.",
            rule="G-06",
            instead=f"Name one by its place: {shown(sorted(named), 12)}.",
        )
    place = named[0] if named else edge_name(*parse_edge(text)) if is_edge(text) else names_of((parse_cell(text),))[0]
    if place not in board.doors:
        here = shown(board.door_at(each) for each in sorted(board.doors))
        raise Illegal(f"There is no door at {place}.", rule="G-06", instead=f"Doors here: {here or 'none'}.")
    return place


def _require_hand(step: Step[Any], known: grid.Board, place: str, do: str) -> None:
    """Refuse what players may not do with a door: only open and close, from beside it. Raises: Illegal."""
    if do not in OF_PLAYERS:
        raise Illegal(f"Only the GM can {do} a door.", rule="G-03", instead="Players can use do:open and do:close.")
    if step.option("doors") == "gm":
        raise Illegal("At this table only the GM opens and closes doors.", rule="G-03", instead="Ask the GM.")
    if not _is_at_hand(step, known, place):
        raise Illegal(f"None of your characters is next to {place}.", rule="G-06", instead="Move there, or ask the GM.")


def _is_at_hand(step: Step[Any], known: grid.Board, place: str) -> bool:
    """Tell whether somebody's own token is beside a door."""
    cells = known.door_cells(place)
    return any(
        distance("eight", parse_cell(combatant.cell), cell, combatant.size) <= 1
        for combatant in step.state.combatants
        if combatant.cell is not None and step.seat.owns(combatant)
        for cell in cells
    )


def _require_clear(step: Step[Any], place: str) -> None:
    """Refuse to shut a door on somebody. Raises: Illegal."""
    board = require_board(step)
    cells = set(board.door_cells(place))
    for combatant in step.state.combatants:
        if combatant.cell is None or combatant.hidden:
            continue
        within = cells & set(covered(parse_cell(combatant.cell), combatant.size))
        if len(within) == len(cells) and (place not in board.lines or len(cells) > 1):
            raise Illegal(
                f"{combatant.name} is standing in the door {place}.",
                rule="G-06",
                instead="They have to move out of it first.",
            )


COMMAND_SPECS = (CommandSpec("board door", door, Role.ANYONE),)
