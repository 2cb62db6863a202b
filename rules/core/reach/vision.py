"""Who can see who in an encounter, as its options say: what attacks, ranges and threats ask. Rule: G-06."""

from __future__ import annotations

from rules.core.board.fog import is_open_place, knows_place, sight_reaches
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.registry import option_value, system_of
from rules.core.space.board import OPEN_DOOR
from rules.core.space.cells import Cell, covered, distance, parse_cell
from rules.core.space.sight import OPEN_LINES, Lines, lines_between, seen_from
from rules.core.typed.clauses import Clause
from rules.core.typed.names import shown
from rules.core.values import Ability, Combatant
from rules.errors import Illegal

_MOST_CELLS = 3
_NO_SIGHT = "[no sight]"


@per_state
def lines_of(state: Encounter, who: str, other: str, at: Cell | None = None) -> Lines:
    """Count the lines between two combatants, of `who` as if it were `at`; all are clear if nobody asks sight."""
    one, its = state.combatant(who), state.combatant(other)
    if who != other and not knows_place(state, who, other):
        return Lines(0, 0)
    if state.board is None or one.cell is None or its.cell is None or who == other or not threats_ask_sight(state):
        return OPEN_LINES
    start, goal = parse_cell(one.cell) if at is None else at, parse_cell(its.cell)
    return lines_drawn(state, start, goal, one.size, its.size, (who, other))


def lines_drawn(
    state: Encounter, start: Cell, goal: Cell, size: int = 1, its: int = 1, two: tuple[str, ...] = ()
) -> Lines:
    """Count the lines between two tokens, `two` by name, on their own cells, whether or not anybody asks sight."""
    if state.board is None:
        return OPEN_LINES
    if not sight_reaches(state, start, goal, size, its):
        return Lines(0, 0)
    return lines_between(state.board, start, goal, size, its, between=_between(state, two))


@per_state
def _between(state: Encounter, two: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the cells of others who give cover if they are between two: not the fallen, nor those nobody sees."""
    system = system_of(state)
    if not creatures_cover(state):
        return ()
    cells: set[Cell] = set()
    for combatant in state.combatants:
        stands = combatant.cell is not None and combatant.name not in two and not combatant.hidden
        if stands and not system.is_out(state, combatant.name):
            cells.update(covered(parse_cell(combatant.cell or ""), combatant.size))
    return tuple(sorted(cells))


def creatures_cover(state: Encounter) -> bool:
    """Tell whether others between two give cover at this table."""
    return system_of(state).find_option(state, "creatures_cover") == "on"


def sees(state: Encounter, who: str, other: str, at: Cell | None = None) -> bool:
    """Tell whether one combatant has sight of another; without a board, or off it, people say."""
    return lines_of(state, who, other, at).sight


def asks_sight(ability: Ability | None) -> bool:
    """Tell whether an ability asks for sight: what its text calls `[No Sight]` does not."""
    return ability is None or _NO_SIGHT not in " ".join(ability.text.casefold().split())


def asks_no_sight(clause: Clause) -> bool:
    """Tell whether a clause is `[No Sight]` and nothing more."""
    return not clause.head and " ".join(clause.text.casefold().split()).strip(".") == _NO_SIGHT


def sees_cell(state: Encounter, who: str, cell: Cell, size: int = 1) -> bool:
    """Tell whether a combatant on the board would see a token of that size on a cell."""
    one = state.combatant(who)
    if state.board is None or one.cell is None or not threats_ask_sight(state):
        return True
    start = parse_cell(one.cell)
    if not sight_reaches(state, start, cell, one.size, size):
        return False
    return lines_between(state.board, start, cell, one.size, size).sight


def cover_of(state: Encounter, who: str, target: str) -> Lines | None:
    """Return the lines of an attack against somebody in cover; None without cover, and beside one another."""
    if not _speaks_of_cover(state) or not is_open_place(state, who, target):
        return None
    one, other = state.combatant(who), state.combatant(target)
    lines = lines_of(state, who, target)
    if lines == OPEN_LINES or lines.cover not in ("light", "heavy"):
        return None
    near = distance("eight", parse_cell(one.cell or ""), parse_cell(other.cell or ""), one.size, other.size) <= 1
    return None if near else lines


def cover_from_foes(state: Encounter, who: str) -> tuple[str, ...] | None:
    """Return the enemies that somebody has cover from: without any they are outside of it; None if none sees them.

    Only systems whose rules need it ask this, at tables that play with sight and cover.
    """
    system, one = system_of(state), state.combatant(who)
    if not system.speaks_of_cover or state.board is None or one.cell is None:
        return None
    if not threats_ask_sight(state) or not _speaks_of_cover(state):
        return None
    found: dict[str, bool] = {}
    for foe in state.combatants:
        if foe.side == one.side or foe.cell is None or foe.hidden or system.is_out(state, foe.name):
            continue
        lines = lines_of(state, foe.name, who)
        near = distance("eight", parse_cell(foe.cell), parse_cell(one.cell), foe.size, one.size) <= 1
        if lines.sight:
            found[foe.name] = not near and lines.cover != "none"
    return tuple(name for name, covers in found.items() if covers) if found else None


def cover_counted(state: Encounter, who: str, target: str) -> str:
    """Return what cover does to an attack's roll, as the option says it; empty if it is only said, or none."""
    system = system_of(state)
    if system.find_option(state, "cover") != "count":
        return ""
    lines = cover_of(state, who, target)
    return "" if lines is None else system.find_option(state, f"cover_{lines.cover}") or ""


def cover_number(state: Encounter, who: str, target: str) -> int:
    """Return what cover adds to an attack's roll as a number; 0 if it does nothing or something else."""
    counted = cover_counted(state, who, target)
    return int(counted) if counted.lstrip("-").isdecimal() else 0


def cover_words(state: Encounter, who: str, target: str) -> str:
    """Return what is said of cover with an attack, such as *light cover (10 clear, 0 low of 25)*; empty without."""
    lines = cover_of(state, who, target)
    if lines is None:
        return ""
    number = cover_number(state, who, target)
    return f"{lines.cover} cover ({lines.words})" + (f", which counts {number:+d}" if number else "")


def unseen(state: Encounter, who: str, target: str, possible: tuple[str, ...]) -> Illegal:
    """Return the refusal for a target that is not seen: what is between, and the cells that would see it."""
    one, other = state.combatant(who), state.combatant(target)
    reason = f"{who} can't see {target}"
    if not knows_place(state, who, target):
        return Illegal(f"{reason}.", rule="G-06", instead=f"Possible: {shown(possible) or 'nobody'}.")
    if state.board is not None and one.cell is not None and other.cell is not None:
        door = _door_between(state, who, target)
        start, goal = parse_cell(one.cell), parse_cell(other.cell)
        if not sight_reaches(state, start, goal, one.size, other.size):
            between = distance(system_of(state).metric, start, goal, one.size, other.size)
            most = option_value(state, "sight_range")
            reason += f": it is {between} spaces away, and they can see for {most}"
        elif door is not None:
            reason += f": the door {state.board.door_name(door)} is {state.board.doors[door]}"
        else:
            reason += f": there is a wall between {one.cell} and {other.cell}"
    cells = _seen_from(state, one, target)
    where = f"From {' or '.join(cells)} they would." if cells else f"Possible: {shown(possible) or 'nobody'}."
    return Illegal(f"{reason}.", rule="G-06", instead=where)


@per_state
def threats_ask_sight(state: Encounter) -> bool:
    """Tell whether who is not seen is not threatened: in systems that ask for sight, if the table does."""
    return system_of(state).find_option(state, "sight") == "on"


def _speaks_of_cover(state: Encounter) -> bool:
    return system_of(state).find_option(state, "cover") in ("say", "count")


def _door_between(state: Encounter, who: str, target: str) -> str | None:
    """Return the door without which the two would see one another, if it is one."""
    board = state.board
    if board is None:
        return None
    for place, door in sorted(board.doors.items()):
        if door == OPEN_DOOR:
            continue
        opened = state.evolve(board=board.evolve(doors={**board.doors, place: OPEN_DOOR}))
        if sees(opened, who, target):
            return place
    return None


def _seen_from(state: Encounter, one: Combatant, target: str) -> tuple[str, ...]:
    """Return the nearest cells in reach from which the target would be seen."""
    other = state.combatant(target)
    if state.board is None or one.cell is None or other.cell is None:
        return ()
    areas = system_of(state).reach_cells(state, one.name)
    seen: set[Cell] = set()
    for cell in covered(parse_cell(other.cell), other.size):
        seen |= seen_from(state.board, cell)
    start = parse_cell(one.cell)
    metric = system_of(state).metric
    able = [
        name
        for name in dict.fromkeys(name for area in areas for name in area.cells)
        if not seen.isdisjoint(covered(parse_cell(name), one.size)) and sees(state, one.name, target, parse_cell(name))
    ]
    able.sort(key=lambda name: (distance(metric, start, parse_cell(name), one.size), parse_cell(name)[::-1]))
    return tuple(able[:_MOST_CELLS])
