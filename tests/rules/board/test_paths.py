"""Reach and paths against a plain search that weighs every path, over random boards. Rule: G-06, TA-09, TA-11."""

from __future__ import annotations

import random
import time
from heapq import heappop, heappush

import pytest

from rules.core.space.board import BLOCKED, DIFFICULT, Board
from rules.core.space.cells import Cell, Metric, cell_name, covered, edge_name, steps_of
from rules.core.space.paths import Ground, best_path, costs_within, lines_to, reachable, straight, walked, ways_within
from rules.core.space.typed_paths import typed_path
from rules.errors import Illegal

METRICS: tuple[Metric, Metric] = ("orthogonal", "eight")


def random_ground(rng: random.Random, metric: Metric) -> Ground:
    width, height = rng.randint(3, 7), rng.randint(3, 7)
    size = rng.choice((1, 1, 1, 2))
    cells = [(x, y) for x in range(width) for y in range(height)]
    start = (rng.randint(0, width - size), rng.randint(0, height - size))
    own = set(covered(start, size))
    terrain = {}
    for cell in cells:
        if cell not in own and rng.random() < 0.3:
            terrain[cell_name(*cell)] = rng.choice((BLOCKED, DIFFICULT))
    edges = {}
    for x, y in rng.sample(cells, 4):
        beside = rng.choice(((x + 1, y), (x, y + 1)))
        if beside in cells:
            edges[edge_name((x, y), beside)] = rng.choice(("wall", "low", "window", "curtain"))
    free = [cell for cell in cells if cell not in own]
    watchers = {
        f"W{n}": frozenset(rng.sample(cells, rng.randint(0, len(cells) // 2))) for n in range(rng.randint(0, 3))
    }
    return Ground(
        board=Board.model_validate({"width": width, "height": height, "terrain": terrain, "edges": edges}),
        metric=metric,
        start=start,
        size=size,
        walls=frozenset(rng.sample(free, min(len(free), rng.randint(0, 2)))),
        taken=frozenset(rng.sample(free, min(len(free), rng.randint(0, 3)))),
        watchers=watchers,
        free_corners=rng.random() < 0.5,
    )


def every_best(ground: Ground, budget: int) -> dict[Cell, tuple[int, int]]:
    """Return (how many are provoked, cost) of the best path to each cell, by keeping every state apart."""
    best: dict[Cell, tuple[int, int]] = {}
    seen: set[tuple[Cell, frozenset[str], int]] = set()
    heap: list[tuple[int, int, int, Cell, frozenset[str]]] = [(0, 0, 0, ground.start, frozenset())]
    number = 0
    while heap:
        count, cost, _, cell, provoked = heappop(heap)
        if (cell, provoked, cost) in seen:
            continue
        seen.add((cell, provoked, cost))
        if cell not in best:
            best[cell] = (count, cost)
        after = provoked | set(ground.provoked(cell))
        for direction, (x, y) in enumerate(steps_of(ground.metric)):
            beside = (cell[0] + x, cell[1] + y)
            price = ground.step(cell, direction)
            if price and cost + price <= budget:
                number += 1
                heappush(heap, (len(after), cost + price, number, beside, after))
    return best


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(20))
def test_the_path_found_provokes_least_and_then_costs_least(metric: Metric, seed: int) -> None:
    rng = random.Random(seed)
    ground = random_ground(rng, metric)
    budget = rng.randint(1, 6)
    expected = every_best(ground, budget)
    ends = reachable(ground, budget)
    assert set(ends) == {cell for cell in expected if cell != ground.start and ground.can_stay(cell)}
    for cell in ends:
        path = best_path(ground, cell, budget)
        assert path is not None
        assert (len(path.provoked), path.cost) == expected[cell]
        assert walked(ground, path.cells) == path
        assert path.cells[-1] == cell
    ways = ways_within(ground, budget)
    assert set(ways.ends()) == set(ends)
    for cell in ends:  # one search for all finds what a search for each finds
        assert ways.path(cell) == best_path(ground, cell, budget)
        assert (len(ways.provoked(cell)), ways.cost(cell)) == expected[cell]
        assert set(ways.provoked(cell)) == set(ways.path(cell).provoked)
    for column in range(ground.board.width):
        for row in range(ground.board.height):
            if (column, row) not in ends:
                assert best_path(ground, (column, row), budget) is None


@pytest.mark.parametrize("metric", METRICS)
def test_costs_are_the_cheapest(metric: Metric) -> None:
    board = Board(width=6, height=1, terrain={"C1": DIFFICULT, "E1": BLOCKED})
    costs = costs_within(Ground(board=board, metric=metric, start=(0, 0)), 9)
    assert costs == {(0, 0): 0, (1, 0): 1, (2, 0): 3, (3, 0): 4}


def test_an_orthogonal_path_has_no_diagonal_step() -> None:
    board = Board(width=5, height=5)
    path = best_path(Ground(board=board, metric="orthogonal", start=(0, 0)), (2, 2), 9)
    assert path is not None
    assert path.cost == 4
    with pytest.raises(Illegal):
        walked(Ground(board=board, metric="orthogonal", start=(0, 0)), ((1, 1),))


def test_equal_paths_give_the_one_with_fewer_diagonals_and_always_the_same() -> None:
    ground = Ground(board=Board(width=9, height=9), metric="eight", start=(0, 4))
    first = best_path(ground, (5, 5), 9)
    assert first is not None
    assert first == best_path(ground, (5, 5), 9)
    diagonals = sum(
        1 for one, two in zip(first.names, first.names[1:], strict=False) if one[0] != two[0] and one[1:] != two[1:]
    )
    assert diagonals <= 1


def test_one_may_pass_through_what_is_taken_and_not_stay_there() -> None:
    ground = Ground(board=Board(width=4, height=1), metric="eight", start=(0, 0), taken=frozenset({(1, 0)}))
    assert reachable(ground, 3) == ((2, 0), (3, 0))
    with pytest.raises(Illegal):
        walked(ground, ((1, 0),))


def test_a_large_token_needs_room_for_all_its_cells() -> None:
    board = Board(width=5, height=3, terrain={"C1": BLOCKED})
    ground = Ground(board=board, metric="eight", start=(0, 0), size=2)
    assert reachable(ground, 9) == ((0, 1), (1, 1), (2, 1), (3, 1), (3, 0))
    assert costs_within(ground, 9)[3, 0] == 5
    ground = Ground(board=board, metric="eight", start=(0, 0), size=2, free_corners=True)
    assert reachable(ground, 9) == ((0, 1), (1, 1), (2, 1), (3, 0), (3, 1))


def test_a_way_given_cell_by_cell_is_refused_at_the_wall_that_bars_it_and_told_what_is_free() -> None:
    board = Board(width=5, height=3, edges={"B1/C1": "wall"}, doors={"B2/C2": "closed"})
    ground = Ground(board=board, metric="eight", start=(1, 0))
    with pytest.raises(Illegal, match="B1 to C1 is blocked by the wall at B1/C1") as refused:
        walked(ground, ((2, 0),))
    assert refused.value.rule == "G-06"
    assert refused.value.instead == "Free cells next to it: B2, A1, A2."
    with pytest.raises(Illegal, match="the door B2/C2, which is closed"):
        walked(ground, ((1, 1), (2, 1)))
    path = best_path(ground, (2, 0), 9)
    assert path is not None
    assert path.names == ("B2", "B3", "C3", "C2", "C1")


def test_a_shut_door_is_named_with_what_opens_it() -> None:
    board = Board(width=6, height=3, doors={"B1/C1": "closed", "D2": "locked"}, names={"B1/C1": "Gate"})
    ground = Ground(board=board, metric="eight", start=(0, 0))
    for way, door, instead in (
        ("A1 B1 C1", "the door Gate, which is closed", "Open it with /board door at:B1/C1."),
        ("B2 C2 D2", "the door D2, which is locked", "It is locked; only the GM can unlock it."),
        ("D2", "The door D2 is locked.", "It is locked; only the GM can unlock it."),
    ):
        with pytest.raises(Illegal) as refused:
            typed_path("Ana", ground, way, 9, rule="G-06")
        assert door in refused.value.reason
        assert refused.value.instead == instead
        assert refused.value.rule == "G-06"


def test_lines_are_straight_and_bent_paths_are_not() -> None:
    for goal in ((5, 0), (5, 5), (5, 2), (-4, 1), (3, -2), (0, -3)):
        for line in lines_to((0, 0), goal):
            assert line[-1] == goal
            assert straight((0, 0), line)
            ground = Ground(board=Board(width=20, height=20), metric="eight", start=(9, 9))
            assert walked(ground, tuple((x + 9, y + 9) for x, y in line)).cost == len(line)
    assert not straight((0, 0), ((1, 1), (2, 1), (3, 0)))
    assert not straight((0, 0), ((1, 0), (2, 0), (1, 0)))


def test_the_largest_board_full_of_watchers_is_answered_in_time() -> None:
    rng = random.Random(5)
    board = Board(width=50, height=50)
    watchers = {}
    for number in range(29):
        x, y = rng.randint(5, 44), rng.randint(5, 44)
        watchers[f"W{number}"] = frozenset((x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
    ground = Ground(board=board, metric="eight", start=(0, 0), watchers=watchers)
    began = time.process_time()
    path = best_path(ground, (49, 49), 100)
    assert path is not None
    assert time.process_time() - began < 2.5
    began = time.process_time()
    ways = ways_within(ground, 100)  # there are more ways than are weighed: the rest are the cheapest ones
    assert set(ways.ends()) == set(reachable(ground, 100))
    assert all(ways.path(cell).provoked == ways.provoked(cell) for cell in ways.ends()[::97])
    assert time.process_time() - began < 5
