"""The cells that somebody may go to, and those worth a number. Rule: G-06, TA-08, TA-11."""

from __future__ import annotations

import random

import pytest

from bot.render.boards.told import board_told
from rules.core.reach.goals import dangers, foes_on_board, goal_at, goal_words, goals_of, numbered_goals, sees_space
from rules.core.registry import system_of
from rules.core.space.board import Board
from rules.core.space.cells import Cell, distance, parse_cell
from rules.core.space.exits import exits_of
from rules.core.space.paths import best_path
from rules.core.space.sight import lines_between
from rules.core.space.winds import wind
from rules.systems.tactics.movement import watched_cells
from tests.rules.board.boards import draw
from tests.rules.stones.scene import duel as stones_duel
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, board, duel, sheet


@pytest.fixture
def game() -> Game:
    game = duel()
    board(game, Rhea="C4", Ogre="F6")
    return game


def test_the_mildest_movement_that_reaches_a_cell_is_taken_and_named(game: Game) -> None:
    by_name = {goal.name: goal.movement.label for goal in goals_of(game.state, "Rhea")}
    assert by_name["C5"] == "Shift"
    assert by_name["E4"] == "Walk"  # nobody is provoked by it, so that a Disengage would weaken for nothing
    assert by_name["C10"] == "Hustle"
    assert by_name["J9"] in ("Hustle", "Run")
    game.do("Gwen", "gm move", target="Rhea", to="E5")
    by_name = {goal.name: goal.movement.label for goal in goals_of(game.state, "Rhea")}
    assert by_name["C5"] == "Disengage"


def test_costs_and_provocations_are_those_of_the_best_path(game: Game) -> None:
    ground = system_of(game.state).ground(game.state, "Rhea", watched_cells(game.state, "Rhea"))
    assert ground is not None
    for goal in goals_of(game.state, "Rhea"):
        if goal.movement.label == "Run":
            path = best_path(ground, goal.cell, goal.movement.budget)
            assert path is not None
            assert (path.cost, path.provoked) == (goal.cost, goal.provoked)


def test_each_goal_is_legal_as_it_is_given(game: Game) -> None:
    goal = goal_at(game.state, "Rhea", parse_cell("E4"))
    assert goal is not None
    game.do("Ana", "move", to=goal.given["to"], using=goal.given["using"])
    assert game.state.combatant("Rhea").cell == "E4"


def test_numbers_go_first_to_cells_beside_foes_then_out_of_sight_and_reach(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="H2:H5", kind="solid")
    numbered = numbered_goals(game.state, "Rhea")
    assert len(numbered) == 24
    assert [(goal.cost, goal.cell[1], goal.cell[0]) for goal in numbered] == sorted(
        (goal.cost, goal.cell[1], goal.cell[0]) for goal in numbered
    )
    beside = [goal for goal in numbered if distance("eight", goal.cell, parse_cell("F6")) == 1]
    assert len(beside) >= 2
    assert all(not goal.provoked for goal in beside[:2])
    words = [goal_words(game.state, "Rhea", goal) for goal in numbered]
    assert any("beside Ogre" in entry for entry, _ in words)
    assert any("out of all foes' sight" in note for _, note in words)


@pytest.mark.parametrize(("options", "is_beside"), [("", False), ("sight=off", True)])
def test_no_number_is_beside_a_foe_behind_a_wall_if_sight_is_asked(options: str, *, is_beside: bool) -> None:
    game = duel(options)
    board(game, Rhea="A5", Ogre="D5")
    draw(game, "C1:C10/E", shape="edge", kind="wall")
    game.do("Gwen", "board terrain", cells="H1", kind="difficult")
    goal = goal_at(game.state, "Rhea", parse_cell("C5"))
    assert goal is not None
    entry, note = goal_words(game.state, "Rhea", goal)
    assert ("beside Ogre" in entry) is is_beside
    assert "out of all foes' sight" in note
    entries = [goal_words(game.state, "Rhea", each)[0] for each in numbered_goals(game.state, "Rhea")]
    assert any("beside Ogre" in each for each in entries) is is_beside


def test_a_cell_with_cover_from_a_foe_has_a_number_however_far_it_is() -> None:
    game = duel(rhea={"abilities": (ability("Gaze", range="any"),), "SPD": 7})
    game.do("Gwen", "board size", size="20x20")
    for name, cell in (("Rhea", "J10"), ("Ogre", "T10")):
        game.do("Gwen", "board place", target=name, cells=cell)
    draw(game, "J3:J5/E", shape="edge", kind="low")
    held = game.state.board
    every = goals_of(game.state, "Rhea")
    covers = {each.name: lines_between(held, each.cell, parse_cell("T10")).cover for each in every}
    assert not any(covers[each.name] != "none" for each in every[:30])
    nearest = next(each for each in every if covers[each.name] == "light")
    assert nearest in numbered_goals(game.state, "Rhea")
    assert "light cover from Ogre" in goal_words(game.state, "Rhea", nearest)[1]


def test_behind_somebody_who_gives_cover_there_is_a_number_on_open_ground() -> None:
    game = duel(rhea={"abilities": (ability("Gaze", range="any"),), "SPD": 7})
    board(game, Rhea="A5", Ogre="J5")
    add(game, "Bat")
    game.do("Gwen", "board place", target="Bat", cells="H4")
    game.do("Gwen", "encounter options", set="creatures_cover=on")
    every = goals_of(game.state, "Rhea")
    nearest = next(each for each in every if "cover from Ogre" in goal_words(game.state, "Rhea", each)[1])
    assert nearest in numbered_goals(game.state, "Rhea")


def test_the_last_numbers_go_to_the_farthest_toward_each_wind_and_then_to_the_farthest_from_all_of_them() -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Ana", "join", name="Pip", result=9)
    game.do("Gwen", "board size", size="20x13")
    game.do("Gwen", "board place", target="Pip", cells="F5")
    game.do("Gwen", "encounter begin")
    every = sorted(goals_of(game.state, "Pip"), key=lambda goal: (goal.cost, goal.cell[1], goal.cell[0]))
    farthest: dict[str, Cell] = {}
    for goal in every:
        toward = wind(goal.cell[0] - 5, goal.cell[1] - 4)
        held = farthest.get(toward)
        if held is None or distance("eight", (5, 4), goal.cell) > distance("eight", (5, 4), held):
            farthest[toward] = goal.cell
    picked = list(farthest.values())
    while len(picked) < 24:
        picked.append(
            max((goal.cell for goal in every), key=lambda cell: min(distance("eight", cell, at) for at in picked))
        )
    assert len(farthest) == 8
    assert {goal.cell for goal in numbered_goals(game.state, "Pip")} == set(picked)


@pytest.mark.parametrize(
    "solid",
    ["E10, E4, D8, C9, D2, C1", "D1, E7, F9, D9, F1, D4", "F4, E7, D10, E4, D9, D2", "C10, D7, C7, E1, D1, C2"],
)
def test_two_numbers_are_out_of_sight_of_each_cell_of_a_large_foe_as_far_away_as_possible(solid: str) -> None:
    game = duel()
    board(game, Rhea="B5")
    game.do("Gwen", "board place", target="Ogre", cells="G5", size="2")
    game.do("Gwen", "board terrain", cells=solid, kind="solid")
    foe = parse_cell("G5")
    unseen = [
        goal for goal in goals_of(game.state, "Rhea")
        if not lines_between(game.state.board, goal.cell, foe, 1, 2).sight
    ]  # fmt: skip
    unseen.sort(key=lambda goal: (-distance("eight", goal.cell, foe, 1, 2), len(goal.provoked)))
    assert {goal.cell for goal in unseen[:2]} <= {goal.cell for goal in numbered_goals(game.state, "Rhea")}


@pytest.mark.parametrize(("options", "reached"), [("", False), ("sight=off", True)])
def test_foes_reach_no_cell_that_they_do_not_see(options: str, reached: bool) -> None:
    game = duel(options)
    board(game, Rhea="B4", Ogre="E4")
    draw(game, "D1:D9/E", shape="edge", kind="wall")
    assert ("D4" in dangers(game.state, "Rhea")) is reached
    assert "F4" in dangers(game.state, "Rhea")
    goal = goal_at(game.state, "Rhea", parse_cell("D4"))
    assert goal is not None
    told = board_told(game.state.evolve(), game.seat("Ana"))
    assert "reaches you" not in told
    game.do("Gwen", "board place", target="Rhea", cells="D4")
    told = board_told(game.state, game.seat("Ana"))
    assert ("In reach of Ogre" in told) is reached
    assert ("reaches you" in told) is False  # who is not seen is told so


@pytest.mark.parametrize("kind", ["solid", "void", "window"])
def test_no_danger_is_drawn_on_cells_that_nobody_can_enter(kind: str) -> None:
    game = duel()
    board(game, Rhea="B4", Ogre="E4")
    assert {"D4", "D3"} <= dangers(game.state, "Rhea")
    game.do("Gwen", "board terrain", cells="D4", kind=kind)
    draw(game, "D3.", shape="wall", to="E4.")  # through the middle of D3
    assert {"D4", "D3"}.isdisjoint(dangers(game.state, "Rhea"))
    assert "D5" in dangers(game.state, "Rhea")


@pytest.mark.parametrize(("spaces", "seen"), [(2, False), (3, True)])
def test_a_cell_is_seen_as_far_as_sight_reaches(spaces: int, seen: bool) -> None:
    game = duel(f"sight_range={spaces}")
    board(game, Rhea="B4", Ogre="G4")
    goal = goal_at(game.state, "Rhea", parse_cell("D4"))
    assert goal is not None
    assert sees_space(game.state, "Ogre", goal.cell) is seen
    assert ("out of all foes' sight" in goal_words(game.state, "Rhea", goal)[1]) is not seen


def test_named_places_and_doors_are_among_the_numbers(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="A9", text="Altar")
    numbered = numbered_goals(game.state, "Rhea")
    assert any(goal.name == "A9" for goal in numbered)
    assert any("Altar" in goal_words(game.state, "Rhea", goal)[0] for goal in numbered)


@pytest.mark.parametrize(
    ("at", "laid", "nearest"),
    [
        ("Q3:T5", {"text": "Hall"}, "Q5"),  # a place is more than its first cell
        ("N8/O8", {"shape": "edge", "kind": "door"}, "O8"),  # on one's own side of it
        ("M14/M15", {"shape": "edge", "kind": "door"}, "M15"),
        ("N10", {"kind": "door"}, "O10"),  # a shut one is entered by its sides alone
    ],
)
def test_the_number_of_a_place_or_door_is_on_the_cell_nearest_to_any_of_it(
    at: str, laid: dict[str, str], nearest: str
) -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="30x24")
    game.do("Gwen", "board terrain", cells="A2:M14, N2:N14", kind="solid")
    draw(game, at, **{"shape": "rect", "kind": "open", **laid})
    game.do("Ana", "join", name="Pip", result=9)
    game.do("Gwen", "board place", target="Pip", cells="R18")
    game.do("Gwen", "encounter begin")
    assert nearest in {goal.name for goal in numbered_goals(game.state, "Pip")}


def test_a_hidden_creature_moves_no_number_and_is_in_no_word(game: Game) -> None:
    before = [(goal, goal_words(game.state, "Rhea", goal)) for goal in numbered_goals(game.state, "Rhea")]
    game.do("Gwen", "gm add", name="Spy", sheet=sheet(), hidden=True)
    game.do("Gwen", "board place", target="Spy", cells="D5")
    after = [(goal, goal_words(game.state, "Rhea", goal)) for goal in numbered_goals(game.state, "Rhea")]
    assert [(goal.cell, goal.cost, words) for goal, words in after] == [
        (goal.cell, goal.cost, words) for goal, words in before
    ]
    assert dangers(game.state, "Rhea") == {"E5", "F5", "G5", "E6", "G6", "E7", "F7", "G7"}


@pytest.mark.parametrize("seed", range(6))
def test_the_numbered_cells_are_goals_each_once_on_any_board(seed: int) -> None:
    rng = random.Random(seed)
    game = duel()
    add(game, "Bat")
    names = [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)]
    cells = rng.sample(names, 40)
    board(game, Rhea=cells[0], Ogre=cells[1], Bat=cells[2])
    kinds = ("solid", "difficult", "low", "door")
    for cell in cells[3:30]:
        game.do("Gwen", "board terrain", cells=cell, kind=rng.choice(kinds))
    every = goals_of(game.state, "Rhea")
    numbered = numbered_goals(game.state, "Rhea")
    assert len({goal.cell for goal in numbered}) == len(numbered) == min(24, len(every))
    assert [foe.name for foe in foes_on_board(game.state, "Rhea")][:1] in (["Ogre"], ["Bat"])


def test_without_a_board_or_a_turn_there_is_nowhere_to_go(game: Game) -> None:
    assert goals_of(game.state, "Ogre") == ()
    game.do("Gwen", "board clear")
    assert goals_of(game.state, "Rhea") == ()


def test_in_stones_the_goals_are_the_ends_of_the_movement() -> None:
    game = stones_duel(RNG=3)
    game.do("Gwen", "board size", size="9x9")
    names = game.state.names
    game.do("Gwen", "board place", target=", ".join(names[:2]), cells="B2, H8")
    who = getattr(game.state, "active", None)
    for name in names:
        found = goals_of(game.state, name)
        assert bool(found) is (name == who)


def test_in_plain_initiative_the_token_may_be_moved_in_its_turn() -> None:
    game = Game("classic")
    game.do("Ana", "join", result=9, dice=[])
    game.do("Bo", "join", result=8, dice=[])
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Ana, Bo", cells="B2, H8")
    game.do("Gwen", "encounter begin")
    assert len(goals_of(game.state, "Ana")) >= 79
    assert goals_of(game.state, "Bo") == ()
    assert goals_of(game.state, "Ana")[0].movement.action == "board move"


def test_an_opening_in_the_border_is_a_way_out_and_has_a_number() -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="30x24")
    game.do("Gwen", "board terrain", cells="A1:AD1, A24:AD24, A1:A24, AD1:AD24", kind="solid")
    game.do("Gwen", "board terrain", cells="A11:A12", kind="open")
    game.do("Ana", "join", name="Pip", result=9)
    game.do("Gwen", "board place", target="Pip", cells="L4")
    game.do("Gwen", "encounter begin")
    assert exits_of(game.state.board) == ((0, 11),)
    words = [goal_words(game.state, "Pip", goal)[0] for goal in numbered_goals(game.state, "Pip")]
    assert any(entry.startswith("A12,") and entry.endswith("a way out") for entry in words)
    assert exits_of(Board(width=9, height=9)) == ()
    river = dict.fromkeys(("E1", "F1", "E8", "F8"), "blocked")
    assert exits_of(Board(width=10, height=8, terrain=river)) == ()  # banks are no ways out


def _four(rhea: str, ogre: str, bat: str, pip: str) -> Game:
    game = duel()
    add(game, "Bat")
    add(game, "Pip", owner="Bo")
    board(game, "20x14", Rhea=rhea, Ogre=ogre, Bat=bat, Pip=pip)
    return game


def test_two_numbers_are_outside_all_reach_and_as_far_from_the_nearest_foe_as_possible() -> None:
    cells = ("E13", "C5", "J5", "E5")
    state = _four(*cells).state
    foes = [parse_cell(cell) for cell in cells[1:3]]
    best = sorted(goals_of(state, "Rhea"), key=lambda each: (len(each.provoked), each.cost, each.cell[1], each.cell[0]))
    best.sort(key=lambda each: -min(distance("eight", each.cell, foe) for foe in foes))
    assert {goal.cell for goal in best[:2]} <= {goal.cell for goal in numbered_goals(state, "Rhea")}


def test_a_number_is_beside_each_ally() -> None:
    state = _four("E6", "M3", "S5", "P7").state
    assert any(distance("eight", goal.cell, parse_cell("P7")) == 1 for goal in numbered_goals(state, "Rhea"))
