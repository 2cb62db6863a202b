"""The cells that somebody may go to now, and the few worth a number in the picture (maps 6). Rule: G-06.

Everything is reckoned from what the mover knows: hidden combatants are in no list, no cost and no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rules.core.board.fog import known_to, sight_reaches
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.reach.free_moves import allowed_movement, free_movements
from rules.core.reach.spots import beside_door
from rules.core.reach.vision import creatures_cover, lines_drawn, threats_ask_sight
from rules.core.registry import system_of
from rules.core.space.board import cells_within
from rules.core.space.cells import Cell, cell_name, covered, distance, parse_cell, rectangles
from rules.core.space.exits import exits_of
from rules.core.space.paths import Movement, Ways, ways_within
from rules.core.space.sight import Lines, is_open, seen_from
from rules.core.space.steps import rooms
from rules.core.space.winds import offset, wind
from rules.core.typed.names import shown
from rules.core.values import Combatant

MOST_GOALS = 24
_BESIDE, _APART = 2, 2
_MOST_NAMED = 3
_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_Rectangle = tuple[int, int, int, int]
"""The left, top, right and bottom of what a place fills, all within."""


class Goal(NamedTuple):
    """A cell to end a movement on: what it costs, who is provoked on the way, the mildest movement there."""

    cell: Cell
    cost: int
    provoked: tuple[str, ...]
    movement: Movement

    @property
    def name(self) -> str:
        return cell_name(*self.cell)

    @property
    def given(self) -> Mapping[str, str]:
        """Return what the action is given."""
        return {**self.movement.given, "to": self.name}


@per_state
def movements_of(state: Encounter, who: str, action: str = "") -> tuple[Movement, ...]:
    """Return the ways in which somebody may move over the board now, the mildest first; those of one action alone."""
    own, allowed = system_of(state).movements(state, who), allowed_movement(state, who)
    movements = (*(() if allowed is None else (allowed,)), *own) if own else free_movements(state, who)
    return tuple(movement for movement in movements if movement.action == action) or movements


@per_state
def goals_of(state: Encounter, who: str, action: str = "") -> tuple[Goal, ...]:
    """Return every cell that somebody may end a movement on, the cheapest first; none without a board."""
    found: dict[Cell, Goal] = {}
    searched: dict[tuple[int, int], Ways] = {}
    for movement in movements_of(state, who, action):
        ways = searched.get((id(movement.ground), movement.budget))
        if ways is None:
            ways = searched[id(movement.ground), movement.budget] = ways_within(movement.ground, movement.budget)
        for cell in ways.ends():
            goal = Goal(cell, ways.cost(cell), ways.provoked(cell), movement)
            held = found.setdefault(cell, goal)
            if held.movement.weakens and not movement.weakens and not goal.provoked:
                found[cell] = goal
    return tuple(sorted(found.values(), key=lambda goal: (goal.cost, goal.cell[1], goal.cell[0])))


def goal_at(state: Encounter, who: str, cell: Cell, action: str = "") -> Goal | None:
    return next((goal for goal in goals_of(state, who, action) if goal.cell == cell), None)


@per_state
def numbered_goals(state: Encounter, who: str, action: str = "") -> tuple[Goal, ...]:
    """Return the cells worth a number, at most 24, in the order of their numbers: by cost, row, column."""
    every = goals_of(state, who, action)
    state = known_to(state, who)
    taken: dict[Cell, Goal] = {}
    for goal in _Numbering(state, who, every, taken).in_order():
        taken.setdefault(goal.cell, goal)
        if len(taken) == MOST_GOALS:
            break
    return tuple(goal for goal in every if goal.cell in taken)


class _Numbering:
    """The lists from which the numbered cells are taken, one after the other; `taken` are those so far."""

    def __init__(self, state: Encounter, who: str, every: tuple[Goal, ...], taken: Mapping[Cell, Goal]) -> None:
        self.state = state
        self.taken = taken
        self.who = state.combatant(who)
        self.metric = system_of(state).metric
        self.best = sorted(every, key=lambda goal: (len(goal.provoked), goal.cost, goal.cell[1], goal.cell[0]))
        self.foes = foes_on_board(state, who)
        self._at = {combatant.name: _cell(combatant) for combatant in state.combatants if combatant.cell is not None}
        self._melee = {foe.name: system_of(state).reaches(state, foe.name)[0] for foe in self.foes}

    def in_order(self) -> Iterator[Goal]:
        if not self.best:
            return
        melee, far = system_of(self.state).reaches(self.state, self.who.name)
        for foe in self.foes:
            yield from self._some(partial(self._may_strike, foe, melee), _BESIDE)
        if far > melee:
            for foe in self.foes:
                yield from self._covered(foe, far)
        yield from self._some(lambda goal: not any(self._seen(goal, foe) for foe in self.foes), _APART, far=True)
        yield from self._some(lambda goal: not any(self._reached(goal, foe) for foe in self.foes), _APART, far=True)
        for place in self._places():
            yield self._nearest(place)
        for ally in _allies_on_board(self.state, self.who):
            yield from self._some(partial(self._is_within, ally, 1), 1)
        yield from self._winds()
        yield from self._spread()

    def _is_within(self, other: Combatant, spaces: int, goal: Goal) -> bool:
        return 0 < self._spaces(goal, other) <= spaces

    def _may_strike(self, foe: Combatant, spaces: int, goal: Goal) -> bool:
        """Tell whether a foe is within reach from there, and seen if the table asks for sight."""
        return self._is_within(foe, spaces, goal) and sees_space(self.state, foe.name, goal.cell, self.who.size)

    def _spaces(self, goal: Goal, other: Combatant) -> int:
        return distance(self.metric, goal.cell, self._at[other.name], self.who.size, other.size)

    def _some(self, fits: Callable[[Goal], bool], most: int, *, far: bool = False) -> list[Goal]:
        """Return the best that fit; `far`: those as far from the nearest foe as possible."""
        goals = [goal for goal in self.best if fits(goal)]
        if far:
            goals.sort(key=lambda goal: -min((self._spaces(goal, foe) for foe in self.foes), default=0))
            goals = goals if self.foes else []
        return goals[:most]

    def _covered(self, foe: Combatant, far: int) -> Iterator[Goal]:
        """Return the best cell with sight of a foe, in range and with cover from it."""
        able = [goal for goal in self.best if self._seen(goal, foe) and 1 < self._spaces(goal, foe) <= far]
        stood = [cell for goal in able for cell in covered(goal.cell, self.who.size)]
        if self.state.board is None or (
            not creatures_cover(self.state)
            and is_open(self.state.board, (*stood, *covered(self._at[foe.name], foe.size)))
        ):
            return  # what is common, and looking along each line would take long
        for goal in able:
            if lines_at(self.state, self.who, goal.cell, foe).cover in ("light", "heavy"):
                yield goal
                return

    def _seen(self, goal: Goal, foe: Combatant) -> bool:
        return _is_in_sight(self.state, foe, goal.cell, self.who.size)

    def _reached(self, goal: Goal, foe: Combatant) -> bool:
        near = self._spaces(goal, foe) <= self._melee[foe.name]
        return near and sees_space(self.state, foe.name, goal.cell, self.who.size)

    def _places(self) -> list[list[_Rectangle]]:
        """Return what each place, door and way out fills."""
        board = self.state.board
        if board is None:
            return []
        named: dict[str, list[str]] = {}
        for cell, text in board.texts.items():
            named.setdefault(text, []).append(cell)
        doors = (map(_square, board.door_cells(place)) for place in sorted(board.doors))
        return [
            *(list(map(_rectangle, rectangles(cells))) for cells in named.values()),
            *map(list, doors),
            *([_square(cell)] for cell in exits_of(board)),
        ]

    def _nearest(self, place: Sequence[_Rectangle]) -> Goal:
        """Return the goal nearest to any of a place; one straight beside it is nearer than one at its corner."""
        size, is_orthogonal = self.who.size, self.metric == "orthogonal"

        def away(goal: Goal) -> tuple[int, int]:
            column, row = goal.cell
            found = []
            for left, top, right, bottom in place:
                across = max(0, left - column - size + 1, column - right)
                down = max(0, top - row - size + 1, row - bottom)
                found.append((across + down if is_orthogonal else max(across, down), across + down))
            return min(found)

        return min(self.best, key=away)

    def _winds(self) -> list[Goal]:
        farthest: dict[str, Goal] = {}
        at = _cell(self.who)
        for goal in self.best:
            where = wind(*offset(at, goal.cell))
            held = farthest.get(where)
            if held is None or self._from_start(goal) > self._from_start(held):
                farthest[where] = goal
        return [farthest[where] for where in _WINDS if where in farthest]

    def _from_start(self, goal: Goal) -> int:
        return distance(self.metric, _cell(self.who), goal.cell)

    def _spread(self) -> Iterator[Goal]:
        """Return the cell that lies farthest from all taken before, again and again."""
        before = tuple(self.taken) or (_cell(self.who),)
        apart = {goal.cell: min(distance(self.metric, goal.cell, cell) for cell in before) for goal in self.best}
        for _ in range(MOST_GOALS):
            goal = max(self.best, key=lambda each: apart[each.cell])
            yield goal
            for combatant in self.best:
                apart[combatant.cell] = min(apart[combatant.cell], distance(self.metric, goal.cell, combatant.cell))


def _rectangle(text: str) -> _Rectangle:
    first, _, last = text.partition(":")
    return (*parse_cell(first), *parse_cell(last or first))


def _square(cell: Cell) -> _Rectangle:
    return (*cell, *cell)


# Who is near


def _cell(combatant: Combatant) -> Cell:
    return parse_cell(combatant.cell or "A1")


def _others(state: Encounter, who: Combatant) -> Iterable[Combatant]:
    system = system_of(state)
    for combatant in state.combatants:
        known = not combatant.hidden or who.hidden
        if (
            combatant.name != who.name
            and combatant.cell is not None
            and known
            and not system.is_out(state, combatant.name)
        ):
            yield combatant


@per_state
def foes_on_board(state: Encounter, who: str) -> tuple[Combatant, ...]:
    """Return the foes on the board that somebody knows of, the nearest first."""
    state = known_to(state, who)
    own = state.combatant(who)
    if own.cell is None:
        return ()
    metric = system_of(state).metric
    combatants = [other for other in _others(state, own) if other.side != own.side]
    combatants.sort(key=lambda foe: distance(metric, _cell(own), _cell(foe), own.size, foe.size))
    return tuple(combatants)


def _allies_on_board(state: Encounter, who: Combatant) -> list[Combatant]:
    return [other for other in _others(state, who) if other.side == who.side]


@per_state
def _sight_of(state: Encounter, who: str) -> frozenset[Cell]:
    """Return what somebody sees from any of their cells, however far sight reaches."""
    one, board = state.combatant(who), state.board
    if board is None or one.cell is None:
        return frozenset()
    return frozenset().union(*(seen_from(board, cell) for cell in covered(_cell(one), one.size)))


def sees_space(state: Encounter, who: str, cell: Cell, size: int = 1) -> bool:
    """Tell whether somebody sees a token of that size on a cell, if the table asks for sight."""
    if not threats_ask_sight(state):
        return True
    return _is_in_sight(state, state.combatant(who), cell, size)


def _is_in_sight(state: Encounter, one: Combatant, cell: Cell, size: int) -> bool:
    """Tell whether a token of that size is seen on a cell: sight of any of its cells, and range from the nearest."""
    seen = _sight_of(state, one.name)
    return sight_reaches(state, _cell(one), cell, one.size, size) and any(each in seen for each in covered(cell, size))


def lines_at(state: Encounter, who: Combatant, cell: Cell, other: Combatant) -> Lines:
    """Count the lines between a combatant on a given cell, and another on its own."""
    return lines_drawn(state, cell, _cell(other), who.size, other.size, (who.name, other.name))


@per_state
def dangers(state: Encounter, who: str) -> frozenset[str]:
    """Return the cells that somebody's foes reach from their own, and others can stand on.

    What a foe does not see it does not threaten.
    """
    board = state.board
    if board is None:
        return frozenset()
    system = system_of(state)
    found: set[str] = set()
    for foe in foes_on_board(state, who):
        melee, _ = system.reaches(state, foe.name)
        near = cells_within(system.metric, board, _cell(foe), foe.size, melee)
        found.update(name for name in near if sees_space(state, foe.name, parse_cell(name)))
    free = rooms(board)
    return frozenset(name for name in found if free[(at := parse_cell(name))[1] * board.width + at[0]])


# In words


def goal_words(state: Encounter, who: str, goal: Goal) -> tuple[str, str]:
    """Return a goal's entry, *E5, 3 squares, beside Ogre*, and what else is to be known before."""
    return goal_entry(state, who, goal), "; ".join(goal_notes(state, who, goal))


def goal_entry(state: Encounter, who: str, goal: Goal) -> str:
    """Return a goal's cell, what it costs, and what is beside it."""
    state = known_to(state, who)
    size = state.combatant(who).size
    near = (foe.name for foe in foes_on_board(state, who) if _from_goal(state, who, goal, foe) == 1)
    beside = [name for name in near if sees_space(state, name, goal.cell, size)]
    label = goal.movement.label
    entry = f"{goal.name}, {goal.cost} {'square' if goal.cost == 1 else 'squares'}"
    entry += f" with {label}" if label else ""
    entry += f", beside {shown(beside, 2)}" if beside else ""
    place = None if state.board is None else state.board.texts.get(goal.name)
    entry += f", {place}" if place else ""
    door = None if state.board is None else beside_door(state.board, goal.cell)
    if state.board is not None and door is not None:
        entry += f", at the door {state.board.door_name(door)}"
    elif state.board is not None and goal.cell in exits_of(state.board):
        entry += ", a way out"
    return entry


def goal_notes(state: Encounter, who: str, goal: Goal) -> list[str]:
    """Return those whose reach a way leaves, or ends in from afar, and those it has cover from or no sight of."""
    state = known_to(state, who)
    own = state.combatant(who)
    system, foes = system_of(state), foes_on_board(state, who)
    apart = {foe.name: _from_goal(state, who, goal, foe) for foe in foes}
    reached = [
        each
        for each, spaces in apart.items()
        if 1 < spaces <= system.reaches(state, each)[0] and sees_space(state, each, goal.cell, own.size)
    ]
    notes = [f"leaves {shown(goal.provoked, _MOST_NAMED)}'s reach"] if goal.provoked else []
    notes += [f"in reach of {_few(reached)}"] if reached else []
    unseen = []
    cover: dict[str, list[str]] = {}
    for foe in foes:
        lines = lines_at(state, own, goal.cell, foe)
        if not lines.sight:
            unseen.append(foe.name)
        elif apart[foe.name] > 1 and lines.cover != "none":
            cover.setdefault(lines.cover, []).append(foe.name)
    notes += [f"{kind} cover from {_few(names)}" for kind, names in cover.items()]
    if unseen:
        notes.append("out of all foes' sight" if len(unseen) == len(foes) else f"out of sight of {_few(unseen)}")
    return notes


def _from_goal(state: Encounter, who: str, goal: Goal, foe: Combatant) -> int:
    return distance(system_of(state).metric, goal.cell, _cell(foe), state.combatant(who).size, foe.size)


def _few(names: list[str]) -> str:
    return shown(names) if len(names) < _MOST_NAMED else f"{len(names)} foes"
