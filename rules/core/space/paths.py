"""Movement over the board: which cells are in reach, and the path that provokes least, then costs least.

Nothing here knows a system: what a step costs, who can be passed and whose cell can be shared comes in `Ground`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from rules.core.refusals import is_taken
from rules.core.space.board import DIFFICULT, LOW, UNKNOWN, Board, on_board
from rules.core.space.cells import Cell, Metric, cell_name, covered, distance, names_of, steps_of
from rules.core.space.steps import at_door, bar_between, door_between, opposite, rooms, rough_steps, step_bars
from rules.core.typed.names import shown
from rules.errors import Illegal

# Costs are weighed so that of equally dear paths the one with fewer diagonal steps is taken.
_WEIGHT = 4096
_MOST_LABELS = 60_000


@dataclass(frozen=True)
class Ground:
    """The board as one mover finds it. Cells are the mover's top left ones if it is larger than one cell.

    `walls` are cells that others bar, `taken` those one may pass and not stay in; `watchers` holds, for each who
    would be provoked, the mover's cells that they threaten: leaving one of these provokes, once a movement.
    """

    board: Board
    metric: Metric
    start: Cell
    size: int = 1
    difficult_cost: int = 2
    walls: frozenset[Cell] = frozenset()
    taken: frozenset[Cell] = frozenset()
    watchers: Mapping[str, frozenset[Cell]] = field(default_factory=dict)
    free_corners: bool = False

    def cost(self, cell: Cell) -> int:
        """Return what entering a cell costs if nothing bars it; 0 if nobody could stand."""
        if not self.has_room(cell):
            return 0
        cost = 1
        for each in (cell,) if self.size == 1 else covered(cell, self.size):
            if each in self.walls:
                return 0
            if self.board.terrain.get(cell_name(*each)) in (DIFFICULT, LOW):
                cost = self.difficult_cost
        return cost

    def has_room(self, cell: Cell) -> bool:
        """Tell whether the mover could stand there if nobody else were on the board."""
        return self.board.holds(cell) and self._rooms[cell[1] * self.board.width + cell[0]]

    @cached_property
    def _rooms(self) -> Sequence[bool]:
        return rooms(self.board, self.size, free_corners=self.free_corners)

    def is_seen(self, cell: Cell) -> bool:
        """Tell whether the mover's cells would be seen now, on a board as somebody knows it."""
        return self._unseen.isdisjoint(names_of(covered(cell, self.size)))

    @cached_property
    def _unseen(self) -> frozenset[str]:
        unknown = (name for name, kind in self.board.terrain.items() if kind == UNKNOWN)
        return frozenset((*self.board.remembered, *unknown))

    @cached_property
    def bars(self) -> Sequence[int]:
        """Return the barred steps of each cell, row by row, as `rules.core.space.steps` has them."""
        return step_bars(self.board, self.size, free_corners=self.free_corners)

    @cached_property
    def rough(self) -> Sequence[int] | None:
        return rough_steps(self.board, self.size)

    def step(self, before: Cell, direction: int) -> int:
        """Return what a step from a cell on the board costs; 0 if it is barred or nobody could stand there."""
        place = before[1] * self.board.width + before[0]
        if self.bars[place] >> direction & 1:
            return 0
        across, down = steps_of(self.metric)[direction]
        cost = self.cost((before[0] + across, before[1] + down))
        if cost and self.rough is not None and self.rough[place] >> direction & 1:
            return max(cost, self.difficult_cost)
        return cost

    def barred_words(self, cell: Cell) -> str:
        """Return what keeps the mover out of a cell: somebody there, or the board."""
        return "taken" if self.has_room(cell) else "blocked"

    def can_stay(self, cell: Cell) -> bool:
        if not self.taken:
            return True
        return not any(each in self.taken for each in covered(cell, self.size))

    def provoked(self, cell: Cell) -> tuple[str, ...]:
        """Return who is provoked by leaving this cell."""
        return tuple(name for name, cells in self.watchers.items() if cell in cells)

    def without_difficulty(self) -> Ground:
        return replace(self, difficult_cost=1)


@dataclass(frozen=True)
class Leap(Ground):
    """The board as one finds it who needs no way: what is between two cells bars nothing."""

    @cached_property
    def bars(self) -> Sequence[int]:
        return (0,) * (self.board.width * self.board.height)

    @cached_property
    def rough(self) -> Sequence[int] | None:
        return None

    def cost(self, cell: Cell) -> int:
        return int(self.board.holds(cell, self.size))

    def can_stay(self, cell: Cell) -> bool:
        return self.has_room(cell) and super().can_stay(cell) and self.is_seen(cell)


class Movement(NamedTuple):
    """One way to move over the board: what it is called, the ground as it finds it, how far it leads, what it takes.

    One that `weakens` the mover is taken only if the next one would provoke somebody. What is `drawn` has its ends in
    the picture, under that label.
    """

    label: str
    ground: Ground
    budget: int
    given: Mapping[str, str] = {}
    action: str = "move"
    weakens: bool = False
    drawn: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """Cells entered one by one, without the first; what they cost together; who is provoked on the way."""

    cells: tuple[Cell, ...]
    cost: int
    provoked: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.cells)


def costs_within(ground: Ground, budget: int) -> dict[Cell, int]:
    """Return what every cell costs that can be entered for at most `budget`, the start for 0."""
    steps = tuple(enumerate(steps_of(ground.metric)))
    bars, rough, width, most = ground.bars, ground.rough, ground.board.width, ground.difficult_cost
    best = {ground.start: 0}
    price: dict[Cell, int] = {}
    layers: list[list[Cell]] = [[] for _ in range(budget + 1)]
    layers[0].append(ground.start)
    for spent, layer in enumerate(layers):
        for cell in layer:
            if best[cell] != spent:
                continue
            column, row = cell
            place = row * width + column
            barred = bars[place]
            dear = 0 if rough is None else rough[place]
            for direction, (across, down) in steps:
                if barred >> direction & 1:
                    continue
                after = (column + across, row + down)
                cost = price.get(after)
                if cost is None:
                    cost = price[after] = ground.cost(after)
                if not cost:
                    continue
                total = spent + (max(cost, most) if dear >> direction & 1 else cost)
                if total <= budget and total < best.get(after, budget + 1):
                    best[after] = total
                    layers[total].append(after)
    return best


def reachable(ground: Ground, budget: int, toward: Cell | None = None) -> tuple[Cell, ...]:
    """Return the cells that end a movement of `budget`, nearest first (to `toward`), then by row and column."""
    costs = costs_within(ground, budget)
    ends = [cell for cell in costs if cell != ground.start and ground.can_stay(cell)]
    return (
        nearest_first(ground, ends, toward)
        if toward
        else tuple(sorted(ends, key=lambda cell: (costs[cell], cell[1], cell[0])))
    )


def nearest_first(ground: Ground, cells: Iterable[Cell], goal: Cell) -> tuple[Cell, ...]:
    """Return cells as they lie near a goal that is out of reach: a refusal offers the first of them."""
    return tuple(sorted(cells, key=lambda cell: (distance(ground.metric, cell, goal), cell[1], cell[0])))


class Label(NamedTuple):
    """How a cell is entered best: who is provoked (a bit for each watcher), the weighed cost, the label before it."""

    cell: Cell
    provoked: int
    weight: int
    before: int

    @property
    def cost(self) -> int:
        return self.weight // _WEIGHT


class Ways:
    """The best way to each cell within a budget, found by one search: for a goal, what `best_path` returns for it."""

    def __init__(self, ground: Ground, labels: list[Label], best: Mapping[Cell, int]) -> None:
        self.ground = ground
        self._labels = labels
        self._best = best

    def ends(self) -> tuple[Cell, ...]:
        """Return the cells that the movement may end on, the cheapest first, then by row and column."""
        able = [cell for cell in self._best if cell != self.ground.start and self.ground.can_stay(cell)]
        return tuple(sorted(able, key=lambda cell: (self.cost(cell), cell[1], cell[0])))

    def __contains__(self, cell: Cell) -> bool:
        return cell in self._best

    def cost(self, cell: Cell) -> int:
        return self._labels[self._best[cell]].cost

    def provoked(self, cell: Cell) -> tuple[str, ...]:
        """Return who is provoked on the way."""
        bits = self._labels[self._best[cell]].provoked
        return tuple(name for at, name in enumerate(self.ground.watchers) if bits >> at & 1)

    def cells(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the cells entered on the way."""
        cells = []
        number = self._best[cell]
        while number > 0:
            cells.append(self._labels[number].cell)
            number = self._labels[number].before
        return tuple(reversed(cells))

    def path(self, cell: Cell) -> Path:
        return walked(self.ground, self.cells(cell))


def ways_within(ground: Ground, budget: int) -> Ways:
    """Search once for the best ways to all cells: those that provoke fewest, then cost least, as `best_path` does.

    If there would be too many labels, the cells that are left have the ways that cost least.
    """
    labels, best, is_whole = _labelled(ground, budget, thrifty=False)
    if not is_whole:
        more, cheapest, _ = _labelled(ground, budget, thrifty=True)
        shift = len(labels)
        labels += [label._replace(before=label.before + shift) if label.before > 0 else label for label in more]
        best = {**{cell: number + shift for cell, number in cheapest.items()}, **best}
    return Ways(ground, labels, best)


def _labelled(ground: Ground, budget: int, *, thrifty: bool) -> tuple[list[Label], dict[Cell, int], bool]:
    """Label the cells within a budget; return the best label of each, and whether the search came to its end.

    A label that is no better than another of its cell, in those it provokes and in cost, falls away; of a `thrifty`
    search cost alone counts.
    """
    masks: dict[Cell, int] = {}
    for bit, watched in enumerate(ground.watchers.values()):
        for cell in watched:
            masks[cell] = masks.get(cell, 0) | 1 << bit
    steps = tuple(
        (number, step, 1 if step[0] and step[1] else 0) for number, step in enumerate(steps_of(ground.metric))
    )
    bars, rough, width, dear = ground.bars, ground.rough, ground.board.width, ground.difficult_cost
    most = (budget + 1) * _WEIGHT
    price: dict[Cell, int] = {}
    labels = [Label(ground.start, 0, 0, -1)]
    heap = [(0, 0, 0)]
    settled: dict[Cell, list[tuple[int, int]]] = {}
    best: dict[Cell, int] = {}
    offered: dict[tuple[Cell, int], int] = {}  # the least weight with which a cell was reached by provoking the same
    while heap:
        _, weight, number = heappop(heap)
        cell, provoked, _, _ = labels[number]
        known = settled.setdefault(cell, [])
        if known and (thrifty or any(before & ~provoked == 0 and spent <= weight for before, spent in known)):
            continue
        known.append((provoked, weight))
        best.setdefault(cell, number)
        leaving = provoked | masks.get(cell, 0)
        column, row = cell
        barred = bars[row * width + column]
        difficult = 0 if rough is None else rough[row * width + column]
        for direction, (across, down), diagonal in steps:
            if barred >> direction & 1:
                continue
            after = (column + across, row + down)
            cost = price.get(after)
            if cost is None:
                cost = price[after] = ground.cost(after)
            if not cost:
                continue
            total = weight + (max(cost, dear) if difficult >> direction & 1 else cost) * _WEIGHT + diagonal
            if total >= most or offered.get((after, leaving), most) <= total:
                continue
            offered[after, leaving] = total
            if any(before & ~leaving == 0 and spent <= total for before, spent in settled.get(after, ())):
                continue
            if len(labels) >= _MOST_LABELS:
                return labels, best, False
            labels.append(Label(after, leaving, total, number))
            heappush(heap, (0 if thrifty else leaving.bit_count(), total, len(labels) - 1))
    return labels, best, True


def best_path(ground: Ground, goal: Cell, budget: int) -> Path | None:
    """Return the path to a cell that provokes fewest, then costs least, within the budget; None if there is none.

    Of equal ones: fewer diagonal steps, then the order of the directions, so that the answer is always the same.
    """
    if goal == ground.start or not ground.cost(goal) or not ground.can_stay(goal):
        return None
    to_go = _costs_to(ground, goal, budget)
    if to_go.get(ground.start, budget + 1) > budget:
        return None
    masks: dict[Cell, int] = {}
    for bit, cells in enumerate(ground.watchers.values()):
        for cell in cells:
            masks[cell] = masks.get(cell, 0) | 1 << bit
    steps = tuple(
        (number, step, 1 if step[0] and step[1] else 0) for number, step in enumerate(steps_of(ground.metric))
    )
    # A label: how many are provoked, weighed cost, number, cell, who (as bits), the label it came from.
    labels: list[tuple[Cell, int]] = [(ground.start, -1)]
    heap: list[tuple[int, int, int, Cell, int]] = [(0, 0, 0, ground.start, 0)]
    settled: dict[Cell, list[tuple[int, int]]] = {}
    while heap:
        _, weight, number, cell, provoked = heappop(heap)
        if cell == goal:
            return walked(ground, _cells_of(labels, number))
        known = settled.setdefault(cell, [])
        if any(before & ~provoked == 0 and spent <= weight for before, spent in known):
            continue
        known.append((provoked, weight))
        after_leaving = provoked | masks.get(cell, 0)
        for direction, (across, down), diagonal in steps:
            after = (cell[0] + across, cell[1] + down)
            rest = to_go.get(after)
            cost = 0 if rest is None else ground.step(cell, direction)
            if rest is None or not cost:
                continue
            new_weight = weight + cost * _WEIGHT + diagonal
            if new_weight // _WEIGHT + rest > budget:
                continue
            if len(labels) >= _MOST_LABELS:
                return _cheapest(ground, goal, to_go)
            labels.append((after, number))
            heappush(heap, (after_leaving.bit_count(), new_weight, len(labels) - 1, after, after_leaving))
    return None


def _costs_to(ground: Ground, goal: Cell, budget: int) -> dict[Cell, int]:
    """Return what is still to pay from each cell to the goal: a step costs what the cell entered costs."""
    steps = steps_of(ground.metric)
    best = {goal: 0}
    layers: list[list[Cell]] = [[] for _ in range(budget + 1)]
    layers[0].append(goal)
    for spent, layer in enumerate(layers):
        for cell in layer:
            if best[cell] != spent:
                continue
            for direction, (across, down) in enumerate(steps):
                before = (cell[0] + across, cell[1] + down)
                if before != ground.start and not ground.cost(before):
                    continue
                cost = ground.step(before, opposite(direction))
                total = spent + cost
                if cost and total <= budget and total < best.get(before, budget + 1):
                    best[before] = total
                    layers[total].append(before)
    return best


def _cells_of(labels: Sequence[tuple[Cell, int]], number: int) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    while number > 0:
        cell, number = labels[number]
        cells.append(cell)
    return tuple(reversed(cells))


def _cheapest(ground: Ground, goal: Cell, to_go: Mapping[Cell, int]) -> Path:
    """Follow the falling costs to the goal: the answer if too many paths would have to be weighed."""
    cells: list[Cell] = []
    cell = ground.start
    while cell != goal:
        column, row = cell
        cell = next(
            after
            for direction, (across, down) in enumerate(steps_of(ground.metric))
            if (after := (column + across, row + down)) in to_go
            and (cost := ground.step((column, row), direction))
            and to_go[after] + cost == to_go[(column, row)]
        )
        cells.append(cell)
    return walked(ground, tuple(cells))


def walked(ground: Ground, cells: tuple[Cell, ...], *, rule: str = "G-06") -> Path:
    """Return a path given cell by cell, priced.

    Raises: Illegal (G-06): off the board, not from neighbour to neighbour, through what bars the way, or to an end
    that one cannot stay in.
    """
    if cells and cells[0] == ground.start:
        cells = cells[1:]
    if not cells:
        raise Illegal(f"They are already on {cell_name(*ground.start)}.", rule="G-06", instead="Name another cell.")
    steps = steps_of(ground.metric)
    before = ground.start
    cost = 0
    provoked: dict[str, None] = {}
    for cell in cells:
        on_board(cell, ground.board, ground.size)
        wanted = (cell[0] - before[0], cell[1] - before[1])
        if wanted not in steps:
            raise Illegal(
                f"There is no step from {cell_name(*before)} to {cell_name(*cell)}.",
                rule=rule,
                instead=_free_around(ground, before),
            )
        door = door_between(ground.board, before, cell, ground.size)
        if not ground.cost(cell) and door is None:
            raise Illegal(
                f"{cell_name(*cell)} is {ground.barred_words(cell)}.",
                rule="G-06",
                instead="Go around it, or name only the last cell.",
            )
        step_cost = ground.step(before, steps.index(wanted))
        if not step_cost:
            what = bar_between(ground.board, before, cell, ground.size)
            raise Illegal(
                f"The way from {cell_name(*before)} to {cell_name(*cell)} is blocked by {what}.",
                rule="G-06",
                instead=_free_around(ground, before) if door is None else at_door(ground.board, door),
            )
        provoked.update(dict.fromkeys(ground.provoked(before)))
        cost += step_cost
        before = cell
    if not ground.can_stay(before):
        raise is_taken(cell_name(*before), rule="G-06", instead="Pass through, and end on a free cell.")
    return Path(cells, cost, tuple(provoked))


def _free_around(ground: Ground, cell: Cell) -> str:
    free = names_of(
        (cell[0] + across, cell[1] + down)
        for direction, (across, down) in enumerate(steps_of(ground.metric))
        if ground.step(cell, direction)
    )
    return f"Free cells next to it: {shown(free) or 'none'}."


def straight(start: Cell, cells: Sequence[Cell]) -> bool:
    """Tell whether cells lie on a line from the start to the last: each is nearest to it, halves either way."""
    count = len(cells)
    across, down = cells[-1][0] - start[0], cells[-1][1] - start[1]
    if max(abs(across), abs(down)) != count:
        return False
    return all(
        2 * abs((cell[0] - start[0]) * count - across * number) <= count
        and 2 * abs((cell[1] - start[1]) * count - down * number) <= count
        for number, cell in enumerate(cells, 1)
    )


def lines_to(start: Cell, goal: Cell) -> tuple[tuple[Cell, ...], ...]:
    """Return the line between two cells; both if a half can be rounded either way."""
    count = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]))
    if not count:
        return ()
    across, down = goal[0] - start[0], goal[1] - start[1]

    def at(number: int, up: int) -> Cell:
        return (
            start[0] + (2 * across * number + count - 1 + up) // (2 * count),
            start[1] + (2 * down * number + count - 1 + up) // (2 * count),
        )

    one, other = (tuple(at(number, up) for number in range(1, count + 1)) for up in (0, 1))
    return (one,) if one == other else (one, other)
