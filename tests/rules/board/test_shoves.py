"""What abilities do to tokens on a board: pushes, pulls, slides, teleports, places that are swapped. Rule: G-06."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.reach.goals import goals_of
from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game
from tests.rules.tactics.scene import board as lay_out
from tests.rules.tactics.scene import duel

PUSH = "+5 to hit; 1d8 damage, and the target is pushed 10 feet away from you"


def table(text: str, options: str = "", **cells: str) -> Game:
    """Ana has the turn and the ability, Bo and the Ogre have only a place on a board of eight columns and rows."""
    game = fight(f"npc_pools=exact{options}", Ana=20, Bo=10, Ogre=5)
    arm(game, "Ana", ("Gust", text))
    for who in game.state.names:
        for pool, value in (("AC", "15"), ("HP", "20"), ("SPEED", "6"), ("STR", "0")):
            game.do("Gwen", "gm set", target=who, pool=pool, value=value, dice=[])
    game.do("Gwen", "board size", size="8x8", dice=[])
    for who, cell in cells.items():
        game.do("Gwen", "board place", target=who, cells=cell, dice=[])
    return game


def draw(game: Game, start: str, shape: str = "edge", **given: Any) -> None:
    game.do("Gwen", "map draw", dice=[], **{"from": start, "shape": shape, **given})


def hit(game: Game, target: str = "Ogre") -> None:
    game.do("Ana", "attack", using="Gust", target=target, dice=[(20, 15), (8, 4)])


def use(game: Game, target: str | None = "Ogre", **given: Any) -> None:
    game.do("Ana", "use", using="Gust", target=target, dice=[], **given)


def cell(game: Game, who: str = "Ogre") -> str | None:
    at: str | None = game.state.combatant(who).cell
    return at


def todo(game: Game) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.who, each.targets) for each in game.state.todo]


def test_a_push_goes_straight_away_as_far_as_it_says() -> None:
    for at, after in (("C3", "E3"), ("C2", "D1"), ("A3", "A3"), ("B4", "B6"), ("C4", "E6")):
        game = table(PUSH, Ana="B3", Ogre=at)
        hit(game)
        assert cell(game) == after, at


@pytest.mark.parametrize(
    ("bar", "after"),
    [
        ({"action": "map draw", "from": "D3/E3", "shape": "edge"}, "D3"),
        ({"action": "map draw", "from": "D3", "shape": "rect"}, "C3"),
        ({"action": "board place", "target": "Bo", "cells": "E3"}, "D3"),
        ({"action": "board place", "target": "Bo", "cells": "D3"}, "C3"),
        ({"action": "map draw", "from": "D3", "shape": "rect", "kind": "difficult"}, "E3"),
    ],
)
def test_walls_and_others_end_a_push(bar: dict[str, Any], after: str) -> None:
    game = table(PUSH, Ana="B3", Ogre="C3")
    game.do("Gwen", bar.pop("action"), dice=[], **bar)
    hit(game)
    assert cell(game) == after
    spaces = ord(after[0]) - ord("C")
    assert any((f"{spaces} of 2" if spaces == 1 else after) in line for line in game.lines("Bo"))


def test_a_miss_and_a_save_that_succeeds_push_nobody() -> None:
    game = table(PUSH, Ana="B3", Ogre="C3")
    game.do("Ana", "attack", using="Gust", target="Ogre", dice=[(20, 2)])
    assert cell(game) == "C3"
    game = table("The target must succeed on a DC 12 Strength saving throw or be pushed 10 feet", Ana="B3", Ogre="C3")
    for face, after in ((15, "C3"), (4, "E3")):
        game.do("Ana", "use", using="Gust", target="Ogre", dice=[(20, face)])
        assert cell(game) == after


def test_a_pull_ends_beside_the_one_who_pulls() -> None:
    game = table("pulls the target 20 feet", Ana="B3", Ogre="G3")
    use(game)
    assert cell(game) == "C3"
    game = table("pulls the target 2", Ana="B3", Ogre="G3")
    use(game)
    assert cell(game) == "E3"


def test_a_push_provokes_nobody_and_needs_no_answer() -> None:
    game = table("pushes the target 2", Ana="B3", Ogre="C3", Bo="C4")
    use(game)
    assert (cell(game), game.state.questions, game.state.current) == ("E3", (), ("Ana",))


def test_two_swap_places_if_both_have_room() -> None:
    game = table("You swap places with the target", Ana="B3", Ogre="G6")
    use(game)
    assert (cell(game, "Ana"), cell(game)) == ("G6", "B3")
    game = table("You swap places with the target", Ana="B3", Bo="C3")
    game.do("Gwen", "board place", target="Ogre", cells="F6", size="2", dice=[])
    use(game)
    assert (cell(game, "Ana"), cell(game)) == ("B3", "F6")
    assert todo(game) == [("Ana", ("Ogre",))]


def test_without_a_board_it_is_told() -> None:
    for text, told in ((PUSH, "10 feet"), ("pulls the target 3", "3 spaces"), ("You may teleport 30 feet", "30 feet")):
        game = table(text)
        game.do("Gwen", "board clear", dice=[])
        if text == PUSH:
            hit(game)
        else:
            use(game, None if "may" in text else "Ogre")
        assert any(told in line for line in game.lines("Bo")), text
        assert todo(game) == []


def test_where_somebody_is_slid_the_gm_is_asked() -> None:
    game = table("slides the target 2", Ana="B3", Ogre="C3")
    use(game)
    assert (cell(game), todo(game)) == ("C3", [("Ana", ("Ogre",))])


def test_nobody_learns_from_a_push_that_an_unseen_creature_is_there() -> None:
    asked = []
    for lurks in (True, False):
        game = table(PUSH, ", fog=gm", Ana="B3", Bo="A1", Ogre="C3")
        game.do("Gwen", "board fog", do="reveal", cells="A1:D8", dice=[])
        game.do("Gwen", "add", name="Wolf", result=1, dice=[])
        game.do("Gwen", "board place", target="Wolf", cells="E3" if lurks else "H8", dice=[])
        hit(game)
        assert (cell(game), todo(game)) == ("C3", [("Ana", ("Ogre",))])
        asked.append(game.lines("Ana"))
    assert asked[0] == asked[1]


def test_a_hidden_creature_stops_no_push() -> None:
    game = table(PUSH, Ana="B3", Ogre="C3")
    game.do("Gwen", "add", name="Imp", result=1, hidden=True, dice=[])
    game.do("Gwen", "board place", target="Imp", cells="D3", dice=[])
    hit(game)
    assert cell(game) == "E3"
    assert not any("Imp" in line for line in game.lines("Ana"))


def test_a_hidden_wall_ends_a_push_and_comes_to_light() -> None:
    game = table(PUSH, Ana="B3", Ogre="C3")
    draw(game, "D3/E3", "edge", hidden=True)
    hit(game)
    assert cell(game) == "D3"
    assert game.state.board.edges == {"D3/E3": "wall"}


def test_a_teleport_passes_walls_and_is_used_up_by_one_movement() -> None:
    game = table("You can teleport up to 15 feet to an unoccupied space you can see", Ana="B3", Ogre="C3", Bo="D3")
    draw(game, "B1:B8/E", "edge")
    game.refused("Ana", "board move", to="E3")
    use(game, None)
    assert "E3" in {goal.name for goal in goals_of(game.state, "Ana")}
    game.refused("Ana", "board move", to="D3")
    game.refused("Ana", "board move", to="G3")
    game.do("Ana", "board move", to="E3", dice=[])
    assert cell(game, "Ana") == "E3"
    game.refused("Ana", "board move", to="A3")
    game.do("Ana", "board move", to="G3", dice=[])  # the movement of the turn is still there
    assert game.state.free_moves["Ana"].spaces == 2


def test_who_may_move_besides_does_it_out_of_turn_as_far_as_they_may() -> None:
    game = table("The target can move up to half its speed", Ana="B3", Bo="C4", Ogre="H8")
    game.refused("Bo", "board move", to="C6")
    use(game, "Bo")
    game.refused("Bo", "board move", to="C8")
    game.do("Bo", "board move", to="C6", dice=[])
    game.do("Bo", "board move", to="C7", dice=[])
    game.refused("Bo", "board move", to="C8")
    assert cell(game, "Bo") == "C7"


def test_a_correction_puts_back_who_was_pushed_and_takes_back_who_may_move() -> None:
    game = table(f"{PUSH}. The target can move up to 10 feet", Ana="B3", Ogre="C3", Bo="A1")
    hit(game)
    assert (cell(game), game.state.free_moves["Ogre"].left) == ("E3", 2)
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (cell(game), game.state.free_moves["Ogre"].left) == ("C3", 0)
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[])
    assert cell(game) == "E3"
    game.do("Gwen", "board place", target="Bo", cells="C3", dice=[])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert cell(game) == "E3"


def test_a_swap_is_taken_back_whole() -> None:
    game = table("+5 to hit; on a hit you swap places with the target", Ana="B3", Ogre="C3")
    game.do("Ana", "attack", using="Gust", target="Ogre", dice=[(20, 15)])
    assert (cell(game, "Ana"), cell(game)) == ("C3", "B3")
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (cell(game, "Ana"), cell(game)) == ("B3", "C3")


def test_a_large_token_is_pushed_as_a_whole() -> None:
    game = table(PUSH, Ana="B3")
    game.do("Gwen", "board place", target="Ogre", cells="C3", size="2", dice=[])
    draw(game, "F4", "rect")
    hit(game)
    assert cell(game) == "D3"


def test_tactics_pushes_and_lets_shift_but_asks_for_movements_that_provoke() -> None:
    game = duel()
    lay_out(game, "8x8", Rhea="B3", Ogre="C3")
    sheet = systems()["tactics"].sheet
    for clause, is_done in (
        ("On a hit: push the target 1 square", True),
        ("On a hit: you shift 1 square", True),
        ("On a hit: you move 2 squares", False),
        ("On a hit: you move 2 squares without provoking opportunity attacks", True),
    ):
        reading = reading_of(parse_ability("Bash", f"phase battle; reach 2; damage 1d8; {clause}"), sheet)
        assert (clause not in reading.asks) is is_done, clause


@pytest.mark.parametrize(
    "text",
    [
        "You can push the target 10 feet",
        "The target is pushed by its ally",
        "The target is pushed aside",
        "pushes the door 10 feet",
        "the wall pushes the target 10 feet",
        "The target pushes you 10 feet",
        "You are pushed 10 feet",
        "the target is not pushed 10 feet",
        "pushes the target 10/30 feet",
        "You can swap places with the target",
        "The target can swap places with you",
        "teleports 30 feet",
        "The target's ally can move 10 feet",
        "The target can't move 10 feet",
        "Two allies can teleport 30 feet",
        "slides the crate 2",
    ],
)
def test_what_moves_somebody_else_or_something_else_is_asked(text: str) -> None:
    reading = reading_of(parse_ability("Gust", text), systems()["classic"].sheet)
    assert (reading.does, reading.asks) == ((), (text,))
