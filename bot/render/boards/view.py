"""What a picture of the board shows, as data for one seat, and the same in words.

A view is built up from what the seat may see; hidden combatants are in it for GMs alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.render.pictures.letters import readable
from rules.core.board.fog import as_known, as_seen, unknown_cells
from rules.core.encounter import Encounter
from rules.core.model import Frozen
from rules.core.reach.goals import dangers, foes_on_board
from rules.core.registry import system_of
from rules.core.space import board as grid
from rules.core.space.cells import Cell, cell_name, covered, distance, parse_cell
from rules.core.typed.skeleton import look
from rules.core.values import Combatant, Seat

_LABEL = 3
TERRAIN_WORDS = {
    grid.DIFFICULT: "Difficult",
    grid.BLOCKED: "Solid",
    grid.VOID: "Void",
    grid.LOW: "Low",
    grid.HAZARD: "Hazard",
    grid.WINDOW: "Window",
    grid.UNKNOWN: "Unknown",
}


class Token(Frozen):
    """A combatant as it is on the board. `side` counts the sides in the order of joining.

    `away` is how far it is from the one the picture is about, if that matters though it may lie beyond the crop.
    """

    name: str
    label: str
    cell: Cell
    size: int
    side: int
    now: bool = False
    out: bool = False
    hidden: bool = False
    own: bool = False
    away: int | None = None

    @property
    def where(self) -> str:
        """Return the cell, or the square of cells, as people write it."""
        column, row = self.cell
        first = cell_name(column, row)
        return first if self.size == 1 else f"{first}:{cell_name(column + self.size - 1, row + self.size - 1)}"


class BoardView(Frozen):
    """Everything that the picture shows.

    `off_board` are visible combatants without a place, `out_of_sight` those whose place this seat does not know.
    `needed` are the cells that have to be seen, the most important first; `part` is what else the picture is to show:
    `all`, `brief`, or a rectangle. `numbered` cells bear their number, or `points` do (in cells, from the top left).
    `dangers` are within reach of foes, `secret` cells and edges are the GM's alone, `fogged` cells are unknown to
    others, `secret_lines` are hidden walls and doors on no edge. `ground` is the picture under the cells, in WebP.
    """

    title: str
    board: grid.Board
    sides: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    off_board: tuple[str, ...] = ()
    out_of_sight: tuple[str, ...] = ()
    reach: tuple[grid.Area, ...] = ()
    ranges: tuple[grid.Area, ...] = ()
    needed: tuple[Cell, ...] = ()
    part: str = ""
    numbered: tuple[Cell, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    dangers: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    secret_lines: tuple[grid.Points, ...] = ()
    fogged: frozenset[str] = frozenset()
    ground: bytes = b""


def board_view(
    state: Encounter, seat: Seat, *, part: str = "", about: tuple[str, ...] = (), numbered: tuple[Cell, ...] = ()
) -> BoardView | None:
    """Return what this seat sees of the board; None without one.

    The picture is about those the table waits for, or those of `about`. You select from the `numbered` cells.
    """
    fogged = unknown_cells(as_known(state)) if seat.gm else frozenset()
    state = as_seen(state, seat)
    if state.board is None:
        return None
    system = system_of(state)
    visible = [each for each in state.cast if seat.gm or not each.hidden]
    sides = tuple(dict.fromkeys((*system.sides, *(each.side for each in visible))))  # players have one colour always
    turn = system.waits_for(state)
    placed = [each for each in visible if each.cell is not None]
    labels = token_labels([each.name for each in placed])
    central = [each for each in placed if each.name in (about or turn)]
    away = _spaces_away(state, [each.name for each in central])
    near = _near(state, away, placed)
    focus = central or placed
    tokens = tuple(
        Token(
            name=each.name,
            label=label,
            cell=parse_cell(each.cell or "A1"),
            size=each.size,
            side=sides.index(each.side),
            now=each.name in turn,
            out=_is_out(state, each),
            hidden=each.hidden,
            own=seat.owns(each),
            away=away.get(each.name),
        )
        for each, label in zip(placed, labels, strict=True)
    )
    acting = [token.name for token in tokens if (token.name in about if about else token.now)]
    foes_reach = [dangers(state, who) for who in acting if state.find(who) is not None] if begun(state) else []
    return BoardView(
        title=f"{state.name}, {system.headline(state)}" if begun(state) else state.name,
        board=state.board.whole if seat.gm else state.board,
        secret=state.board.unseen.places if seat.gm else frozenset(),
        secret_lines=_secret_lines(state.board) if seat.gm else (),
        sides=sides,
        tokens=tokens,
        off_board=tuple(each.name for each in visible if each.cell is None and each.name not in state.out_of_sight),
        out_of_sight=state.out_of_sight,
        reach=_together(state.board, (system.reach_cells(state, who) for who in acting)),
        ranges=_together(state.board, (system.range_cells(state, who) for who in acting)),
        needed=tuple(dict.fromkeys((*_cells_of(focus), *numbered, *_cells_of(near)))),
        part=part,
        numbered=numbered,
        dangers=frozenset().union(*foes_reach),
        fogged=fogged,
    )


def map_view(name: str, board: grid.Board, *, part: str = "all", ground: bytes = b"") -> BoardView:
    """Return a map without anybody on it, as its maker sees it: with what it hides."""
    return BoardView(
        title=name,
        board=board.whole,
        secret=board.unseen.places,
        secret_lines=_secret_lines(board),
        part=part,
        ground=ground,
    )


def _secret_lines(board: grid.Board) -> tuple[grid.Points, ...]:
    doors = (board.lines[place] for place in board.unseen.doors if place in board.lines)
    return (*(wall.points for wall in board.unseen.walls), *doors)


def begun(state: Encounter) -> bool:
    return state.status == "running" and state.round > 0


def _cells_of(combatants: Iterable[Combatant]) -> Iterator[Cell]:
    for each in combatants:
        yield from covered(parse_cell(each.cell or "A1"), each.size)


def _spaces_away(state: Encounter, central: Sequence[str]) -> dict[str, int]:
    """Return how far the foes of those that a picture is about are from them, and who a question aims at."""
    metric = system_of(state).metric
    targets = {name for question in state.questions if question.who in central for name in question.aimed}
    away: dict[str, int] = {}
    for own in (each for each in state.combatants if each.name in central and each.cell is not None):
        wanted = {foe.name for foe in foes_on_board(state, own.name)} | targets
        for each in (each for each in state.combatants if each.name in wanted and each.cell is not None):
            spaces = distance(metric, parse_cell(own.cell or "A1"), parse_cell(each.cell or "A1"), own.size, each.size)
            away[each.name] = min(spaces, away.get(each.name, spaces))
    return away


def _near(state: Encounter, away: Mapping[str, int], placed: Iterable[Combatant]) -> list[Combatant]:
    """Return those who have to be seen, the nearest first: who threatens, and the nearest of all."""
    system = system_of(state)
    nearest = sorted((each for each in placed if each.name in away), key=lambda each: away[each.name])
    return [
        each for at, each in enumerate(nearest) if not at or away[each.name] <= max(system.reaches(state, each.name))
    ]


def _is_out(state: Encounter, each: Combatant) -> bool:
    """Tell whether somebody has fallen: out by the rules of the system, or a player's character without health."""
    system = system_of(state)
    if state.find(each.name) is not None and system.is_out(state, each.name):
        return True
    health = each.pools.get(system.health)
    return system.out_at_zero and each.owner is not None and health is not None and health.now <= 0


def _together(board: grid.Board, groups: Iterable[tuple[grid.Area, ...]]) -> tuple[grid.Area, ...]:
    """Join the areas of all who act at once, label by label; walls are left out."""
    walls = frozenset(cell for cell, kind in board.terrain.items() if kind in (grid.BLOCKED, grid.VOID))
    joined: dict[str, frozenset[str]] = {}
    for areas in groups:
        for area in areas:
            joined[area.label] = joined.get(area.label, frozenset()) | area.cells - walls
    return tuple(grid.Area(label=label, cells=cells) for label, cells in joined.items())


# Labels on tokens


def token_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return one to three characters for each, no two alike to the eye: initials and numbers, longer if they meet.

    >>> token_labels(["Rhea", "Ogre", "Goblin 1", "Goblin 2", "Rolf"])
    ('Rh', 'O', 'G1', 'G2', 'Ro')
    """
    length = dict.fromkeys(range(len(names)), 1)
    while True:
        labels = [_label(name, length[number]) for number, name in enumerate(names)]
        looks = [look(label) for label in labels]
        doubles = {each for each in looks if looks.count(each) > 1 or not each}
        again = [number for number, each in enumerate(looks) if each in doubles and length[number] <= _LABEL]
        if not again:
            break
        for number in again:
            length[number] += 1
    spare = (str(number) for number in range(1, 1000) if str(number) not in looks)
    return tuple(next(spare) if each in doubles else label for label, each in zip(labels, looks, strict=True))


def _label(name: str, letters: int) -> str:
    """Return the beginning of a name, its last number kept; empty if its letters are used up."""
    plain = "".join(char for char in readable(name) if char.isalnum() or char == " ").strip()
    words = plain.split()
    if not words or letters > _LABEL:
        return ""
    if len(words) > 1 and words[-1].isdecimal() and len(words[-1]) < _LABEL:
        return readable("".join(words[:-1]).title())[: min(letters, _LABEL - len(words[-1]))] + words[-1]
    return readable("".join(words).capitalize())[:letters]
