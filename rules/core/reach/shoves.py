"""Forced movement over the board: pushes, pulls, two who swap places (effects 4.7). It provokes nobody. Rule: G-06.

If not everybody with a player sees all the cells in question, nothing is done and the GM is asked: from where somebody
stops, nobody learns who or what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rules.core.board.fog import as_known, look_from
from rules.core.encounter import Encounter
from rules.core.reach.bumps import halted
from rules.core.registry import system_of
from rules.core.space.cells import Cell, cell_name, covered, distance, names_of, parse_cell, steps_of
from rules.core.space.paths import Ground, Path
from rules.core.step import Step
from rules.core.values import Combatant
from rules.errors import BrokenInvariant


def are_on_board(state: Encounter, *names: str) -> bool:
    return state.board is not None and all(state.combatant(name).cell is not None for name in names)


def shove(step: Step[Any], source: str, who: str, spaces: int, *, toward: bool = False, to: str = "") -> bool:
    """Push somebody straight away from another, or pull them to them, as far as the way is free; False: the GM says.

    `to` is the cell that was chosen of those one space away.
    """
    known = as_known(step.state)
    if not are_on_board(known, source, who):
        return False
    ground = _ground(known, who)
    if to in names_of(free_steps(known, source, who, toward=toward)):
        cells: tuple[Cell, ...] | None = (parse_cell(to),)
    else:
        cells = _straight(ground, known.combatant(source), spaces, toward=toward)
    if cells is None:
        return False
    cells = halted(step, who, ground, Path(cells, len(cells)), is_forced=True).cells
    verb = "pulled" if toward else "pushed"
    if not cells:
        step.tell(f"{{who}} can't be {verb} from {{cell}}.", who=who, cell=cell_name(*ground.start))
        return True
    names = names_of(cells)
    count = f"{len(cells)} of {spaces}" if len(cells) < spaces else str(spaces)
    words = f"{{who}} is {verb} {{count}} space{'s' * (spaces != 1)}, to {{cell}}."
    step.tell(words, who=who, count=count, cell=names[-1])
    look_from(step, who, names)
    step.change_combatant(who, cell=names[-1])
    return True


def swap(step: Step[Any], one: str, other: str) -> bool:
    """Let two change places, if there is room for both; False: the GM says."""
    known = as_known(step.state)
    if not are_on_board(known, one, other):
        return False
    grounds = _ground(known, one), _ground(known, other)
    for ground, goal in zip(grounds, (grounds[1].start, grounds[0].start), strict=True):
        others = frozenset(occupied(known, one, other))
        if not ground.has_room(goal) or not others.isdisjoint(covered(goal, ground.size)):
            return False
    cells = [cell_name(*ground.start) for ground in grounds]
    step.tell("{who} and {other} swap places: {there} and {here}.", who=one, other=other, there=cells[1], here=cells[0])
    for who, cell in ((one, cells[1]), (other, cells[0])):
        look_from(step, who, (cell,))
        step.change_combatant(who, cell=cell)
    return True


def free_steps(state: Encounter, source: str, who: str, *, toward: bool = False) -> tuple[Cell, ...]:
    """Return the free cells one space farther from somebody, or nearer to them, the straight way first."""
    if not are_on_board(state, source, who):
        return ()
    ground = _ground(state, who)
    cells = _neighbours(ground, state.combatant(source), ground.start, toward=toward)
    return tuple(cell for cell in cells if _is_free(ground, ground.start, cell))


def _ground(state: Encounter, who: str) -> Ground:
    """Return the board as somebody who is moved finds it: nobody makes room for them. Raises: BrokenInvariant."""
    ground = system_of(state).ground(state, who)
    if ground is None:
        raise BrokenInvariant(f"{who} is moved off the board")
    return replace(ground, taken=frozenset(occupied(state, who)))


def occupied(state: Encounter, *but: str) -> Iterator[Cell]:
    """Return the cells of all others, as far as they are known; the fallen make room."""
    for other in state.combatants:
        if other.cell is None or other.name in but or other.hidden or system_of(state).is_out(state, other.name):
            continue
        yield from covered(parse_cell(other.cell), other.size)


def _is_free(ground: Ground, before: Cell, after: Cell) -> bool:
    direction = steps_of(ground.metric).index((after[0] - before[0], after[1] - before[1]))
    return ground.step(before, direction) > 0 and ground.can_stay(after)


def _straight(ground: Ground, source: Combatant, spaces: int, *, toward: bool) -> tuple[Cell, ...] | None:
    """Return the cells of the straight way as far as it is free; None if it leads where not everybody sees."""
    cells = [ground.start]
    while len(cells) <= spaces:
        ahead = _neighbours(ground, source, cells[-1], toward=toward)
        if not ahead or not ground.board.holds(ahead[0], ground.size):
            break
        if not ground.is_seen(ahead[0]):
            return None
        if not _is_free(ground, cells[-1], ahead[0]):
            break
        cells.append(ahead[0])
    return tuple(cells[1:])


def _neighbours(ground: Ground, source: Combatant, cell: Cell, *, toward: bool) -> tuple[Cell, ...]:
    """Return the cells beside one that are farther from a token, or nearer, by how straight the way to them is."""
    at = parse_cell(source.cell or "A1")
    middle = 2 * at[0] + source.size, 2 * at[1] + source.size

    def from_middle(one: Cell) -> Cell:
        return 2 * one[0] + ground.size - middle[0], 2 * one[1] + ground.size - middle[1]

    def far(one: Cell) -> int:
        return distance(ground.metric, at, one, source.size, ground.size)

    along, down = from_middle(ground.start)

    def astray(one: Cell) -> tuple[int, int, Cell]:
        x, y = from_middle(one)
        farther = along * x + down * y
        return abs(along * y - down * x), farther if toward else -farther, one

    beside = [(cell[0] + x, cell[1] + y) for x, y in steps_of(ground.metric)]
    fitting = (one for one in beside if (0 < far(one) < far(cell) if toward else far(one) > far(cell)))
    return tuple(sorted(fitting, key=astray))
