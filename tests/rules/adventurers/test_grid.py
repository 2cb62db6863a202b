"""The grid and the tables as data; distances against an independent search. Rule: AD-01, AD-02, AD-18, AD-26."""

from __future__ import annotations

import json
from collections import deque
from itertools import combinations
from typing import Any

import pytest

from rules.core.registry import system_of
from rules.errors import Malformed
from rules.systems.adventurers.grid import SHIPPED, check_content, content_of, parse_cell, tables_of
from tests.rules.adventurers.scene import ARM, SWORD, ability, add, begin, check, duel, initiative, table

TABLES = tables_of({})
NAMES = [name for area in TABLES.grid for name in area]


def searched(start: str, filled: frozenset[int]) -> dict[str, int]:
    """Walk the grid breadth first: columns 0, 2, 4 … are areas, the odd ones gaps; a filled gap costs nothing."""
    squares = {name: (2 * a, r) for a, area in enumerate(TABLES.grid) for r, name in enumerate(area)}
    at = {square: name for name, square in squares.items()}
    best = {squares[start]: 0}
    queue = deque([squares[start]])
    while queue:
        column, row = queue.popleft()
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            square = (column + right, row + down)
            if not (0 <= square[0] <= 10 and 0 <= square[1] <= 10):
                continue
            free = right != 0 and square[0] % 2 == 1 and (square[0] + 1) // 2 in filled
            cost = best[column, row] + (0 if free else 1)
            if cost < best.get(square, 10**6):
                best[square] = cost
                queue.append(square)
    return {name: best[square] for square, name in at.items()}


@pytest.mark.parametrize("filled", [frozenset(c) for size in range(6) for c in combinations(range(1, 6), size)])
def test_ad_01_distances_equal_those_of_a_brute_force_search(filled: frozenset[int]) -> None:
    for start in NAMES[::5]:
        found = searched(start, filled)
        assert {name: TABLES.distance(start, name, filled) for name in NAMES} == found


def test_ad_01_the_shipped_grid_has_six_areas_of_eleven_parts_in_each_and_flee_and_yell() -> None:
    assert [len(area) for area in TABLES.grid] == [11] * 6
    assert len(set(NAMES)) == 66
    assert {"Flee", "Yell"} <= set(NAMES)
    assert all(TABLES.parts_of(area) for area in range(1, 7))


def test_ad_01_the_nearest_specialty_and_what_is_needed_are_shown_with_the_check() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Hand", "Courage"])
    game.do("Gwen", "encounter begin", dice=ARM)
    game.do("Ana", "initiative", dice=check(4, 4))
    # Hand is row 4, Arm row 7 of the same area.
    assert "Hand → Arm: 3 spaces, needs 8: 2d6 (4, 4) = 8, success" in game.said("Bo")


@pytest.mark.parametrize(("gaps", "needs"), [([], 7), (["1-2"], 7), (["2-3"], 6)])
def test_ad_01_a_filled_gap_is_no_space(gaps: list[str], needs: int) -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Shield"], GAPS=gaps)  # C7, beside Arm in B7
    game.do("Gwen", "encounter begin", dice=ARM)
    game.do("Ana", "initiative", dice=check(1, 2))
    assert f"needs {needs}" in game.said()


@pytest.mark.parametrize(
    ("options", "faces", "passed"),
    [
        ("", (6, 6), True),
        ("difficulty=12", (6, 5), False),
        ("difficulty=12", (6, 6), True),
        ("difficulty=0", (1, 1), False),
        ("difficulty=12, critical=11", (6, 5), True),
        ("fumble=6", (3, 3), False),
        ("", (3, 2), True),
        ("", (2, 2), False),
    ],
)
def test_ad_01_criticals_and_fumbles_beat_the_difficulty(options: str, faces: tuple[int, int], *, passed: bool) -> None:
    game = table(options)
    add(game, "Rhea", owner="Ana")
    begin(game)
    game.do("Ana", "initiative", dice=check(*faces))
    assert game.state.passed == ({"Rhea": passed} if game.state.passed else {})
    assert game.state.phase == ("advance" if passed else "late")


def test_ad_02_a_damaged_part_serves_no_check_but_may_be_its_target() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Arm", "Throw"])
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="Arm")
    game.do("Gwen", "encounter begin", dice=ARM)
    game.do("Ana", "initiative", dice=check(5, 4))
    assert "Throw → Arm: 5 spaces, needs 10" in game.said()
    assert game.state.passed == {"Rhea": False}


def test_ad_02_with_nothing_left_only_a_critical_succeeds() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Arm"], DAMAGED="Arm")
    begin(game)
    game.do("Ana", "initiative", dice=check(6, 5))
    assert "no specialty left, so it needs a Critical" in game.said()
    assert game.state.passed == {"Rhea": False}


@pytest.mark.parametrize("cell", ["A6", "B6", "C6", "A7", "C7", "A8", "B8", "C8"])
def test_ad_18_abilities_around_a_damaged_part_cannot_be_used(cell: str) -> None:
    throw = ability("Throw", type="Attack", specialty="Throw", damage="1", cell=cell)
    game = duel(rhea={"abilities": (throw, SWORD)})
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="Arm")
    refusal = game.refused("Ana", "attack", rule="AD-18", target="Ogre", using="Throw")
    assert "Arm" in str(refusal)
    assert game.state.done == ()


@pytest.mark.parametrize("cell", ["B7", "B5", "D7", "B9"])
def test_ad_18_abilities_elsewhere_and_on_the_part_itself_can(cell: str) -> None:
    throw = ability("Throw", type="Attack", specialty="Courage", damage="1", cell=cell)
    game = duel(rhea={"abilities": (throw,)})
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="Arm")
    game.do("Ana", "attack", target="Ogre", using="Throw", dice=[*check(3, 4)])


def test_ad_18_a_cell_is_a_letter_for_the_area_and_the_row() -> None:
    cell = parse_cell("C7")
    assert cell is not None
    assert (cell.area, cell.row, TABLES.at(cell)) == (3, 7, "Shield")
    assert (parse_cell("G7"), parse_cell("C1"), parse_cell("C13")) == (None, None, None)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SPECIALTIES": ["Juggling"]}, "Juggling"),
        ({"GAPS": ["1-3"]}, "1-3"),
        ({"KIND": "dragon"}, "dragon"),
        ({"abilities": (ability("Bolt", type="Attack", specialty="Zap", damage="1"),)}, "Zap"),
        ({"abilities": (ability("Bolt", type="Support", cell="Z9"),)}, "Z9"),
    ],
)
def test_ad_01_a_sheet_is_checked_against_the_grid_on_joining(changes: dict[str, Any], words: str) -> None:
    game = table()
    fields = {"STAMINA": 5, "WILLPOWER": 3, **{key: value for key, value in changes.items() if key != "abilities"}}
    document = {"name": "Rhea", "owner": "101", "fields": fields, "abilities": list(changes.get("abilities", ()))}
    assert words in str(game.refused("Ana", "join", document=document))


# A table's own file


def test_the_tables_in_force_have_the_form_that_the_file_takes() -> None:
    game = table()
    shown = content_of(game.state.tables)
    assert set(shown) == set(SHIPPED)
    assert check_content(json.loads(json.dumps(shown))) == shown


def test_a_tables_own_grid_replaces_ours() -> None:
    game = table()
    grid = [[f"S{area}x{row}" for row in range(2, 13)] for area in range(1, 7)]
    grid[4][10] = "Flee"
    game.do("Gwen", "encounter options", tables={"grid": grid, "parts": ["S2x7"]})
    add(game, "Rhea", owner="Ana", SPECIALTIES=["s2X7"], abilities=())
    begin(game)
    assert game.state.specialty == "S2x7"
    assert content_of(game.state.tables)["parts"] == ["S2x7"]


ROWS = [f"R{row}" for row in range(11)]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({}, "no table"),
        ({"gird": []}, "gird is not a table"),
        ({"grid": []}, "grid has 0 areas"),
        ({"grid": {}}, "grid has to be a list"),
        ({"grid": [["a"]] * 6}, "grid[0] has 1 rows"),
        ({"grid": [["Same"] * 11] * 6}, "grid[0][1]: Same "),
        ({"grid": [[*ROWS[:10], 7], *([ROWS] * 5)]}, "grid[0][10] has to be a text"),
        ({"grid": [[*ROWS[:10], "a;b"], *([ROWS] * 5)]}, "grid[0][10]: "),
        ({"grid": [[f"{area}{name}" for name in ROWS] for area in "abcdef"]}, "parts: "),
        ({"parts": ["Arm", "Tail"]}, "parts[1]: Tail is not on the grid"),
        ({"parts": ["Arm", "arm"]}, "parts[1]: Arm "),
        ({"parts": []}, "parts is empty"),
        ({"hit-critical": ["one"]}, "hit-critical has 1 texts"),
        ({"evasion-fumble": "none"}, "evasion-fumble has to be a list"),
        ({"hit-fumble": ["a", "b", "c", "d", "e", ""]}, "hit-fumble[5] has to be a text"),
        ({"hit-fumble": ["a", "b" * 301, "c", "d", "e", "f"]}, "hit-fumble[1] has 301 characters"),
        ({"ailments": ["Dazed"]}, "ailments has to be an object"),
        ({"ailments": {"Dazed": 3}}, "ailments.Dazed has to be a text"),
        ({"ailments": {"Da;zed": "x"}}, "ailments.Da;zed: "),
        ({"initiative": []}, "initiative is empty"),
        ({"initiative": ["Run", "Nowhere"]}, "initiative[1]: Nowhere"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_path_and_changes_nothing(
    content: dict[str, Any], path: str
) -> None:
    with pytest.raises(Malformed) as refused:
        check_content(content)
    assert path in str(refused.value)
    game = table()
    game.refused("Gwen", "encounter options", tables=content)


def test_what_is_shown_after_a_grid_of_ones_own_can_be_given_back() -> None:
    game = table()
    grid = [[f"{area}{row}" for row in range(11)] for area in "abcdef"]
    grid[1][5] = "Arm"
    game.do("Gwen", "encounter options", tables={"grid": grid})
    shown = dict(content_of(game.state.tables))
    assert shown["parts"] == ["Arm"]
    assert check_content(shown) == shown


def test_ad_04_a_tables_own_list_decides_the_check() -> None:
    game = table()
    game.do("Gwen", "encounter options", tables={"initiative": ["Run", "Hide", "Cook"]})
    add(game, "Rhea", owner="Ana")
    game.do("Gwen", "encounter begin", dice=[(3, 2)])
    assert game.state.specialty == "Hide"
    initiative(game)


def test_the_tables_say_whose_they_are() -> None:
    game = table()
    system = system_of(game.state)
    assert "this program's own" in system.own_tables.note(game.state)
    assert "this table's own" not in system.own_tables.note(game.state)
    grid = [[f"{area}{row}" for row in range(11)] for area in "abcdef"]
    game.do("Gwen", "encounter options", tables={"grid": grid, "parts": ["a0"], "ailments": {"Frost": "Cold."}})
    words = system.own_tables.note(game.state)
    assert "These are this table's own: grid, parts, ailments." in words
    assert "no Flee or Yell" in words
