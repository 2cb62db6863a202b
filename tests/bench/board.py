"""The board at its largest: 30 creatures on 50 × 50 cells.

Reach is measured beside a textbook Dijkstra over the same cells; what has no opponent, beside the 1.5 s after
which an answer is deferred.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from heapq import heappop, heappush
from io import BytesIO

from PIL import Image

from bot.render.boards.picture import MOST_CROP, MOST_WHOLE, BoardView, board_view, draw_board
from bot.table.ground import Ground, Lies, read_picture
from rules.core.encounter import Encounter
from rules.core.maps.imports import read_map
from rules.core.reach.goals import goal_words, numbered_goals
from rules.core.registry import system_of
from rules.core.space.board import Board
from rules.core.space.cells import Cell, edge_name, steps_of
from rules.core.space.paths import Ground as Floor
from rules.core.space.paths import best_path, reachable, ways_within
from rules.core.space.sight import Lines, _rows_seen, lines_between, seen_from
from rules.core.space.steps import step_bars
from rules.core.values import Seat
from rules.errors import Malformed
from rules.systems.tactics.movement import watched_cells
from tests.bench._rows import Row, micros
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add

CREATURES = 30
SQUARES = 12
DEFERRED = 1_500_000.0  # µs
UNTIL_DEFERRED = "until an answer is deferred"
ROUNDS = 7
_PAIRS = 200


def crowded() -> Game:
    """Return a fight of 30 on a board with rough ground and walls; the first one is to move."""
    rng = random.Random(30)
    game = Game("tactics")
    game.do("Gwen", "board size", size="50x50")
    for number in range(CREATURES):
        add(game, f"Creature {number}", SPD=SQUARES // 2, INT=number)
        game.do("Gwen", "gm set", target=f"Creature {number}", pool="side", value=("Red", "Blue")[number % 2])
        cell = f"{chr(ord('B') + number % 6 * 4)}{number // 6 * 9 + rng.randint(2, 9)}"
        game.do("Gwen", "board place", target=f"Creature {number}", cells=cell)
    game.do("Gwen", "board terrain", cells="AA1:AX20, C1:D40", kind="difficult")
    game.do("Gwen", "board terrain", cells="H1:H9, L12:L30, AA30:AX30", kind="blocked")
    game.do("Gwen", "encounter begin")
    return game


def textbook(ground: Floor, budget: int) -> set[Cell]:
    """Return the cells in reach by Dijkstra's algorithm as it is usually written."""
    best = {ground.start: 0}
    heap = [(0, ground.start)]
    while heap:
        spent, cell = heappop(heap)
        if spent > best[cell]:
            continue
        for direction, (across, down) in enumerate(steps_of(ground.metric)):
            after = (cell[0] + across, cell[1] + down)
            price = ground.step(cell, direction)
            if price and spent + price <= budget and spent + price < best.get(after, budget + 1):
                best[after] = spent + price
                heappush(heap, (spent + price, after))
    return {cell for cell in best if cell != ground.start and ground.can_stay(cell)}


def _median(job: Callable[[], object]) -> float:
    job()
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()  # of this core alone, whatever else the machine does meanwhile
        job()
        times.append((time.process_time() - began) * 1e6)
    return statistics.median(times)


def run() -> list[Row]:
    game = crowded()
    state = game.state
    system = system_of(state)
    grounds = [system.ground(state, name, watched_cells(state, name)) for name in state.names]
    found = [ground for ground in grounds if ground is not None]
    for ground in found:
        assert set(reachable(ground, SQUARES)) == textbook(ground, SQUARES)
    mover = state.current
    farthest = reachable(found[state.names.index(mover)], SQUARES)[-1]
    view = board_view(state, Seat(gm=True))
    assert view is not None
    reach = _median(lambda: [reachable(ground, SQUARES) for ground in found])
    plain = _median(lambda: [textbook(ground, SQUARES) for ground in found])
    offers = _median(lambda: [system.offers(state, name) for name in state.names])
    path = _median(lambda: best_path(found[state.names.index(mover)], farthest, SQUARES))
    whole = view.evolve(part="all")
    drawing = _median(lambda: draw_board(whole))
    crop = _median(lambda: draw_board(view))
    numbered = _median(lambda: _numbered(state.evolve(), mover or ""))
    searched = found[state.names.index(mover)]
    return [
        _row(f"reach of {SQUARES} squares, {CREATURES} creatures", reach, plain, "a textbook Dijkstra"),
        _row(f"legal actions of {CREATURES} creatures on a board", offers, DEFERRED, UNTIL_DEFERRED),
        _row("path that provokes least, farthest cell", path, DEFERRED, UNTIL_DEFERRED),
        _row("picture of 50 × 50 with reach, all of it", drawing, 250_000, "maps 9"),
        _row("picture of a crop for a phone, its ground kept", crop, 100_000, "maps 9"),
        _row("24 numbered cells with words, 15 foes", numbered, 60_000, "maps 9, for six foes"),
        _row("one search for all goals, 12 squares", _median(partial(ways_within, searched, 12)), 7_000, "maps 6"),
        _row("one search for all goals, 24 squares", _median(partial(ways_within, searched, 24)), 10_000, "maps 6"),
        *_of_six_foes(),
        *_of_barriers(),
        *_of_files(),
    ]


def _of_files() -> list[Row]:
    """Return the rows of a map from a file: 200 walls, and a picture of 40 × 30 cells under them."""
    rng = random.Random(24)
    data = BytesIO()
    blots = Image.effect_noise((40 * 7, 30 * 7), 60).resize((40 * 70, 30 * 70), Image.Resampling.BICUBIC)
    blots.convert("RGB").save(data, "JPEG", quality=85)
    ground = read_picture(data.getvalue(), 40, Lies())
    walls = [[{"x": rng.random() * 40, "y": rng.random() * 30} for _ in range(2)] for _ in range(200)]
    size = {"map_size": {"x": 40, "y": 30}, "pixels_per_grid": 70}
    text = json.dumps({"resolution": size, "line_of_sight": walls})
    board = read_map(text).board.evolve(picture=ground.picture)
    heavy = json.dumps({"resolution": size, "line_of_sight": walls, "image": "A" * 10_000_000})
    points = [[{"x": rng.random() * 40, "y": rng.random() * 30} for _ in range(40)] for _ in range(7000)]
    curves = json.dumps({"resolution": size, "line_of_sight": points})
    bare = board.evolve(picture=None)
    crop = BoardView(title="Deep", board=board, part="A1:N12", ground=ground.data)
    whole = BoardView(title="Deep", board=board, part="all", ground=ground.data)

    def anew(view: BoardView) -> bytes:
        """Draw what nothing is kept of: a picture under a digest that never was."""
        fresh = ground.picture.evolve(digest=str(rng.random()))
        return draw_board(view.evolve(board=board.evolve(picture=fresh)))

    return [
        _row("a picture of 40 × 30 cells read and written anew", _median(lambda: _read_again(data)), 1e6, "maps 9"),
        _row("a file of 10 MB read, most of it a picture", _median(lambda: read_map(heavy)), 1e6, "maps 9"),
        _row(
            "a file of 14 MB, 280,000 points, refused",
            _median(lambda: _refused(curves)),
            250_000,
            "a quarter of that second",
        ),
        _row("200 walls of a file read", _median(lambda: read_map(text)), 1e6, "maps 9"),
        _row("picture of a crop over a picture, nothing kept", _median(lambda: anew(crop)), 150_000, "maps 9"),
        _row("picture of a crop over a picture, its ground kept", _median(lambda: draw_board(crop)), 100_000, "maps 9"),
        _row("picture of all over a picture, nothing kept", _median(lambda: anew(whole)), 250_000, "maps 9"),
        _size("a crop over a busy picture, sent", anew(crop), MOST_CROP),
        _size("all of it over a busy picture, sent", anew(whole), MOST_WHOLE),
        _size("a crop without a picture, sent", draw_board(crop.evolve(ground=b"", board=bare)), MOST_CROP),
        _size("all of it without a picture, sent", draw_board(whole.evolve(ground=b"", board=bare)), MOST_WHOLE),
    ]


def _size(what: str, data: bytes, most: int) -> Row:
    return Row(
        what=what,
        ours=f"{len(data) / 1024:.0f} KB",
        beside=f"{most // 1024} KB, maps 9",
        ratio=most / len(data),
        remark="times smaller",
    )


def _refused(text: str) -> None:
    with suppress(Malformed):
        read_map(text)
        raise AssertionError("It was read.")


def _read_again(data: BytesIO) -> Ground:
    return read_picture(data.getvalue(), 40, Lies())


def _numbered(state: Encounter, who: str) -> list[tuple[str, str]]:
    return [goal_words(state, who, goal) for goal in numbered_goals(state, who)]


def _of_six_foes() -> list[Row]:
    """Return the rows of a mover's choice, six foes around: what all of them see is kept, or is not."""
    game = Game("tactics")
    places = ("K20", "S14", "X22", "P27", "H12", "V9", "O19")
    for number, place in enumerate(places):
        add(game, f"Creature {number}", SPD=SQUARES // 2, INT=number, abilities=(ability("Gaze", range="any"),))
        game.do("Gwen", "gm set", target=f"Creature {number}", pool="side", value="Red" if number else "Blue")
        game.do("Gwen", "board size", size="50x50") if number == 0 else None
        game.do("Gwen", "board place", target=f"Creature {number}", cells=place)
    game.do("Gwen", "encounter begin")
    walled = _walled(200)
    state = game.state.evolve(board=walled)
    mover = "Creature 0"
    assert len(_numbered(state, mover)) == 24

    def anew() -> None:
        _rows_seen.cache_clear()
        _numbered(state.evolve(board=walled.evolve()), mover)

    kept = _median(lambda: _numbered(state.evolve(), mover))
    pair = _median(partial(_pairs, walled, random.Random(5)))
    few = game.state.evolve(board=_walled(2))
    return [
        _row(
            "24 numbered cells, 6 foes, 2 walls, sights kept",
            _median(lambda: _numbered(few.evolve(), mover)),
            60_000,
            "maps 9; cover is looked for in every cell",
        ),
        _row("24 numbered cells, 6 foes, 200 walls, sights kept", kept, 60_000, "maps 9"),
        _row("24 numbered cells, 6 foes, 200 walls, nothing kept", _median(anew), 250_000, "maps 9"),
        _row("sight and cover of a pair, its barriers kept", pair / _PAIRS, 500, "maps 9"),
    ]


def _pairs(board: Board, rng: random.Random) -> None:
    """Look from cell to cell, each time from a new one."""
    for _ in range(_PAIRS):
        one, other = ((rng.randrange(50), rng.randrange(50)) for _ in range(2))
        lines_between(board, one, other)


def _of_barriers() -> list[Row]:
    """Return the rows of a board of 50 × 50 with so many walls on its edges: nothing is kept from one to the next."""
    few, many = _walled(200), _walled(1000)
    return [
        _row("step bars with 200 walls", _median(lambda: step_bars(few.evolve())), 25_000, "maps 9"),
        _row("step bars with 1,000 walls", _median(lambda: step_bars(many.evolve())), 100_000, "maps 9"),
        _row("sight and cover of a pair, its barriers anew", _median(lambda: _pair(few.evolve())), 1_000, "maps 9"),
        _row("all that one cell sees, 200 walls", _median(lambda: _all_seen(few.evolve())), 150_000, "maps 9"),
        _row("the same within 12 squares", _median(lambda: _all_seen(few.evolve(), 12)), 40_000, "maps 9"),
        _row(
            "what a side sees of 12 squares of a way in fog", _median(partial(_in_fog, few)), DEFERRED, UNTIL_DEFERRED
        ),
    ]


def _in_fog(board: Board) -> int:
    """Look from each cell of a way, nothing kept of it."""
    _rows_seen.cache_clear()
    fresh = board.evolve()
    return len(frozenset[Cell]().union(*(seen_from(fresh, (10 + number, 10)) for number in range(12))))


def _pair(board: Board) -> Lines:
    return lines_between(board, (10, 10), (20, 17))


def _all_seen(board: Board, within: int = 0) -> frozenset[Cell]:
    _rows_seen.cache_clear()
    return seen_from(board, (10, 10), within)


def _walled(count: int) -> Board:
    rng = random.Random(9)
    edges: dict[str, str] = {}
    while len(edges) < count:
        x, y = rng.randrange(49), rng.randrange(49)
        edges[edge_name((x, y), rng.choice(((x + 1, y), (x, y + 1))))] = "wall"
    return Board.model_validate({"width": 50, "height": 50, "edges": edges})


def _row(what: str, ours: float, theirs: float, beside: str) -> Row:
    return Row(
        what=what,
        ours=micros(ours / 1e6),
        beside=f"{micros(theirs / 1e6)}, {beside}",
        ratio=theirs / ours,
        remark="times faster",
    )
