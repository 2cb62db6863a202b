"""Doors on lines, such as lie on no edge of the grid: `Door 1`, `Door 2` …, until somebody names them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rules.core.model import without_key
from rules.core.space.board import Board, DoorState, EdgeKind, Points, Wall
from rules.core.space.cells import UNIT, Cell, edge_name, find_cell

DOOR, SECRET = "Door ", "Secret door "  # what doors on lines are called, with a number
NEAR_LINE = 4  # in 1/64 cells: what lies so near to a line lies on it


def edge_on(board: Board, points: Points) -> str | None:
    """Return the edge of the grid that a line is, from one corner to the next; None if it is none.

    >>> edge_on(Board(width=5, height=5), (64, 0, 64, 64)), edge_on(Board(width=5, height=5), (64, 0, 64, 128))
    ('A1/B1', None)
    """
    x, y, to_x, to_y = points
    if any(point % UNIT for point in points) or abs(to_x - x) + abs(to_y - y) != UNIT:
        return None
    column, row = min(x, to_x) // UNIT, min(y, to_y) // UNIT
    one: Cell = (column - 1, row) if x == to_x else (column, row - 1)
    return edge_name(one, (column, row)) if board.holds(one) and board.holds((column, row)) else None


def with_door(board: Board, points: Points, state: DoorState, name: str = "", *, hidden: bool = False) -> Board:
    """Return the board with a door on a line; a wall that lies under it is cut there.

    A hidden door looks like a wall to others, and like nothing if the wall under it is hidden.
    """
    place = edge_on(board, points)
    if place is None:
        place = _secret_name(board) if hidden else f"{DOOR}{board.next_door}"
        number = board.next_door + (not hidden)
        board = board.evolve(lines={**board.lines, place: points}, next_door=number)
    gone = {place, *edges_under(board, points)}
    if hidden and (gone & board.unseen.edges.keys() or _cut_all(board.unseen.walls, points) != board.unseen.walls):
        board = _with_hidden_wall(board, place, points, gone)
        unseen = board.unseen.evolve(doors={**board.unseen.doors, place: state})
        return board.evolve(unseen=unseen, names={**board.names, place: name} if name else board.names)
    unseen = board.unseen
    walls = _cut_all(board.walls, points)
    edges: dict[str, EdgeKind] = {edge: kind for edge, kind in board.edges.items() if edge not in gone}
    if hidden:  # to others it is a wall
        unseen = unseen.evolve(doors={**unseen.doors, place: state})
        if place in board.lines:
            walls = (*walls, Wall(points=points))
        else:
            edges[place] = "wall"
    doors = without_key(board.doors, place)
    return board.evolve(
        walls=walls,
        edges=edges,
        doors=doors if hidden else {**doors, place: state},
        unseen=unseen,
        names={**board.names, place: name} if name else board.names,
    )


def _with_hidden_wall(board: Board, place: str, points: Points, gone: Collection[str]) -> Board:
    """Return the board with a hidden wall of its own if a hidden door comes to be in a longer one."""
    edges = {edge: kind for edge, kind in board.unseen.edges.items() if edge not in gone}
    walls = _cut_all(board.unseen.walls, points)
    if place not in board.lines:
        edges[place] = "wall"
    elif (wall := Wall(points=points)) in board.unseen.walls:
        walls = board.unseen.walls
    else:
        walls = (*walls, wall)
    return board.evolve(unseen=board.unseen.evolve(edges=edges, walls=walls))


def _cut_all(walls: Iterable[Wall], points: Points) -> tuple[Wall, ...]:
    return tuple(piece for wall in walls for piece in cut(wall, points))


def _secret_name(board: Board) -> str:
    """Return what only the GM calls a door on a line: the numbers of the others tell nothing of it."""
    numbers = (int(place.removeprefix(SECRET)) for place in board.lines if place.startswith(SECRET))
    return f"{SECRET}{max(numbers, default=0) + 1}"


def with_public_names(board: Board, places: Iterable[str]) -> Board:
    """Return the board in which secret doors on lines are called as others are, since they come to light."""
    for place in places:
        if place.startswith(SECRET) and place in board.lines:
            public = f"{DOOR}{board.next_door}"
            doors = board.unseen.doors
            board = board.evolve(
                lines={public if at == place else at: line for at, line in board.lines.items()},
                names={public if at == place else at: name for at, name in board.names.items()},
                next_door=board.next_door + 1,
                unseen=board.unseen.evolve(doors={public if at == place else at: door for at, door in doors.items()}),
            )
    return board


def without_door(board: Board, place: str) -> Board:
    """Return the board without a door and its line; of a secret one stays the wall that others see."""
    unseen = board.unseen
    return board.evolve(
        doors=without_key(board.doors, place),
        unseen=unseen.evolve(doors=without_key(unseen.doors, place)),
        names=without_key(board.names, place),
        lines=without_key(board.lines, place),
    )


def touches(wall: Wall, cell: str) -> bool:
    """Tell whether a wall at an angle meets a cell; what is no cell it does not."""
    at = find_cell(cell)
    if at is None:
        return False
    left, top = at[0] * UNIT, at[1] * UNIT
    x, y, to_x, to_y = wall.points
    right, bottom = left + UNIT, top + UNIT
    if max(x, to_x) < left or min(x, to_x) > right or max(y, to_y) < top or min(y, to_y) > bottom:
        return False
    corners = ((left, top), (right, top), (left, bottom), (right, bottom))
    sides = [(to_x - x) * (down - y) - (to_y - y) * (across - x) for across, down in corners]
    return not (min(sides) > 0 or max(sides) < 0)


def edges_under(board: Board, points: Points) -> Iterator[str]:
    """Return the edges of the grid that lie under a line along it."""
    x, y, to_x, to_y = points
    if x == to_x and not x % UNIT:
        line = x // UNIT
        for row in range(-(-min(y, to_y) // UNIT), max(y, to_y) // UNIT):
            if board.holds((line - 1, row)) and board.holds((line, row)):
                yield edge_name((line - 1, row), (line, row))
    elif y == to_y and not y % UNIT:
        line = y // UNIT
        for column in range(-(-min(x, to_x) // UNIT), max(x, to_x) // UNIT):
            if board.holds((column, line - 1)) and board.holds((column, line)):
                yield edge_name((column, line - 1), (column, line))


def cut(wall: Wall, points: Points) -> tuple[Wall, ...]:
    """Return what is left of a wall beside a door that lies on it; the wall itself if the door lies elsewhere.

    >>> [piece.points for piece in cut(Wall(points=(0, 0, 100, 0)), (60, 0, 40, 0))]
    [(0, 0, 40, 0), (60, 0, 100, 0)]
    """
    ax, ay, bx, by = wall.points
    ends = (points[:2], points[2:])
    across, down = bx - ax, by - ay
    length = across * across + down * down
    along = sorted(((x - ax) * across + (y - ay) * down, (x, y)) for x, y in ends)
    aside = ((x - ax) * down - (y - ay) * across for x, y in ends)
    if not length or any(off * off > NEAR_LINE * NEAR_LINE * length for off in aside):
        return (wall,)
    (first, near), (last, far) = along
    if last <= 0 or first >= length:
        return (wall,)
    pieces: Iterable[Points] = (
        *(((ax, ay, *near),) if first > 0 else ()),
        *(((*far, bx, by),) if last < length else ()),
    )
    return tuple(Wall(points=piece, kind=wall.kind) for piece in pieces if piece[:2] != piece[2:])
