"""A way that meets what only the GM knew: it ends before that, which everybody sees from then on. Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rules.core.board.fog import known_to, notice, witnesses
from rules.core.registry import system_of
from rules.core.space.barriers import EDGE_FLAGS, STEPS, Barrier, edge_side, meets, side_of, sides_of_cell
from rules.core.space.board import BLOCKED, HAZARD, VOID, WINDOW, Board, Wall
from rules.core.space.cells import UNIT, Cell, cell_name, covered, names_of, parse_cell, rectangles, steps_of
from rules.core.space.paths import Ground, Path
from rules.core.space.steps import bar_between
from rules.core.step import Step
from rules.errors import Illegal

_HALF = UNIT // 2
_BARRED = (BLOCKED, VOID, WINDOW)
Place = str | Wall  # of an edge or cell its name


def halted(step: Step[Any], who: str, ground: Ground, path: Path, *, is_forced: bool = False) -> Path:
    """Return the part of a way that is really free. What ends it comes to light, and nothing more is paid.

    The GM's own creatures are refused the way unless it `is_forced`, so that nothing of it shows. Raises: Illegal.
    """
    state = step.state
    board: Board | None = state.board
    if board is None:
        return path
    if known_to(state, who) is not state:
        path = _unfogged(step, who, ground, path)
    if not (board.unseen.terrain or board.unseen.edges or board.unseen.walls):
        return path
    cells = (ground.start, *path.cells)
    for number, (before, after) in enumerate(pairwise(cells)):
        met = tuple(dict.fromkeys(_met(board, before, after, ground.size)))
        if not met:
            continue
        if step.state.combatant(who).owner is None and not is_forced:
            raise Illegal(
                f"There is something hidden between {cell_name(*before)} and {cell_name(*after)}.",
                rule="G-06",
                instead=f"Go another way, or reveal it with /board door at:{_at(met[0], before, after, ground.size)} "
                "do:reveal.",
            )
        places = tuple(place for place in met if isinstance(place, str))
        walls = tuple(place for place in met if isinstance(place, Wall))
        step.change(board=board.in_light(places, walls, with_doors=False))
        step.tell("{who} meets {what} on the way to {cell}.", who=who, what=_words(board, met), cell=cell_name(*after))
        taken = path.cells[:number]
        return replace(path, cells=taken, cost=_cost(ground, taken))
    return path


def _unfogged(step: Step[Any], who: str, ground: Ground, path: Path) -> Path:
    """Return the part of a way that is free beyond what the mover knew; their side learns what ends it."""
    truth = system_of(step.state).ground(step.state, who, in_truth=True)
    if truth is None:
        return path
    steps = steps_of(truth.metric)
    free, before = 0, truth.start
    for number, cell in enumerate(path.cells, 1):
        if not truth.step(before, steps.index((cell[0] - before[0], cell[1] - before[1]))):
            break
        before = cell
        free = number if number < len(path.cells) or truth.can_stay(cell) else free
    else:
        if free == len(path.cells):
            return path
    while free and not truth.can_stay(path.cells[free - 1]):
        free -= 1
    after, before = path.cells[free], path.cells[free - 1] if free else truth.start
    notice(step, who, covered(after, truth.size))
    readers = witnesses(step.state, (), step.combatant(who).side)
    what = _fogged(step, who, truth, before, after)
    words = "{who} meets {what} on the way to {cell}."
    step.tell(words, seen_by=readers, who=who, what=what, cell=cell_name(*after))
    taken = path.cells[:free]
    return replace(path, cells=taken, cost=_cost(ground, taken))


def _fogged(step: Step[Any], who: str, truth: Ground, before: Cell, after: Cell) -> str:
    """Return who or what bars a step: *Ogre*, *the wall at C4/D4*."""
    wanted = set(covered(after, truth.size))
    for combatant in step.state.combatants:
        is_there = combatant.cell is not None and combatant.name != who and not combatant.hidden
        if is_there and not wanted.isdisjoint(covered(parse_cell(combatant.cell or "A1"), combatant.size)):
            return str(combatant.name)
    solid = next((cell for cell in sorted(wanted) if truth.board.kind(cell) in _BARRED), None)
    return f"a wall at {cell_name(*solid)}" if solid else bar_between(truth.board, before, after, truth.size)


def _met(board: Board, before: Cell, after: Cell, size: int) -> Iterator[Place]:
    """Return what is hidden and bars a step, or is a hazard of the cell that it leads to."""
    unseen = board.unseen
    for one, other in zip(covered(before, size), covered(after, size), strict=True):
        start, end = ((cell[0] * UNIT + _HALF, cell[1] * UNIT + _HALF) for cell in (one, other))
        for edge, kind in unseen.edges.items():
            upright, line, at = edge_side(edge)
            if EDGE_FLAGS[kind] & STEPS and meets(start, end, side_of(upright, line, at, at, STEPS)):
                yield edge
        for wall in unseen.walls:
            if EDGE_FLAGS[wall.kind] & STEPS and meets(start, end, Barrier(*wall.points, STEPS)):
                yield wall
        for name, ground in unseen.terrain.items():
            cell = parse_cell(name)
            if ground == HAZARD:
                is_met = cell == other
            else:
                sides = (side_of(upright, line, at, at, STEPS) for upright, line, at in sides_of_cell(cell))
                is_met = ground in _BARRED and cell != one and any(meets(start, end, side) for side in sides)
            if is_met:
                yield name


def _at(met: Place, before: Cell, after: Cell, size: int) -> str:
    """Return what `/board door at:` takes for something hidden: its place, of a wall at an angle the step's cells."""
    if not isinstance(met, Wall):
        return met
    return " ".join(rectangles(names_of((*covered(before, size), *covered(after, size)))))


def _words(board: Board, met: tuple[Place, ...]) -> str:
    """Return what was met: *a wall*, *Pit trap*, *hidden hazard*."""
    unseen = board.unseen
    found = []
    for place in met:
        if isinstance(place, Wall):
            found.append(f"a hidden {place.kind}")
        elif place in unseen.edges:
            found.append(f"a hidden {unseen.edges[place]} at {place}")
        else:
            kind = unseen.terrain[place]
            what = "wall" if kind in (BLOCKED, VOID) else kind
            found.append(f"{unseen.texts.get(place) or f'a hidden {what}'} at {place}")
    return " and ".join(dict.fromkeys(found))


def _cost(ground: Ground, cells: tuple[Cell, ...]) -> int:
    """Return what a free way costs as the mover took it to be."""
    return sum(ground.cost(cell) or 1 for cell in cells)
