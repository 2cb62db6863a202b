"""Maps as text and as files, drawing, secrets, and the ones a map has a place for. Rule: G-06."""

from __future__ import annotations

import doctest
import json
import random

import pytest

from bot.render.boards.told import board_told, told_alt
from bot.render.boards.view import board_view
from rules.core.maps import shapes as drawing
from rules.core.maps.file import map_file, read_json, read_map_file
from rules.core.maps.text import map_summary, map_text, parse_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.space.board import Board, Unseen
from rules.core.space.cells import DIRECTIONS, cell_name
from rules.core.space.sight import lines_between
from rules.core.space.steps import step_bars
from rules.errors import Malformed, Refusal
from tests.rules.board.boards import is_barred, random_board
from tests.rules.table import Game

CAVE = """
```
####################
#......##....~~~...#
#.A....+.....~~~...#
#......##....~~~...#
###+#####....####+##
__#....?#....#...!.#
__#..^.##....=...#.#
__#....#..%%.#...#.#
__########/#########

A = Altar
~ = Brook
^ = Pit trap, hidden
```
"""


def test_a_cave_from_a_text_is_what_its_signs_say() -> None:
    board = parse_map(CAVE)
    assert (board.width, board.height) == (20, 9)
    assert board.terrain["A1"] == "blocked"
    assert board.terrain["N2"] == "difficult"
    assert board.terrain["A6"] == "void"
    assert board.texts["C3"] == "Altar"
    assert board.texts["N2"] == "Brook"
    assert (board.doors["H3"], board.doors["R6"], board.doors["K9"]) == ("closed", "locked", "open")
    assert board.terrain["H6"] == "blocked"
    assert board.unseen.doors == {"H6": "closed"}
    assert board.unseen.texts == {"F7": "Pit trap"}
    assert board.unseen.terrain == {"F7": "hazard"}
    assert "F7" not in board.terrain
    assert map_summary("Cave", board) == "Cave: 20 × 9, 5 doors, 1 secret, places Brook, Altar."


def test_the_edge_form_has_walls_between_the_cells() -> None:
    board = parse_map("edges\n       \n .|.+. \n   -  \n . .=#:\n      ")
    assert (board.width, board.height) == (3, 2)
    assert board.edges == {"A1/B1": "wall", "B1/B2": "wall", "B2/C2": "window"}
    assert board.doors == {"B1/C1": "closed"}
    secret = parse_map("edges\n   \n .?.\n     ")
    assert secret.edges == {"A1/B1": "wall"}
    assert secret.unseen.doors == {"A1/B1": "closed"}


def test_what_a_phone_makes_of_typed_signs_is_read_and_nothing_else_is_guessed() -> None:
    assert parse_map("#…#") == parse_map("#...#")
    assert parse_map("\r\n#’#\r\n...\r\n") == parse_map("#'#\n...")
    assert parse_map("##\n#").terrain["B2"] == "void"
    with pytest.raises(Malformed, match="line 2, column 3 has @"):
        parse_map("###\n#.@")
    with pytest.raises(Malformed, match="names Q, which is not on the map"):
        parse_map("...\n\nQ = Queen")
    with pytest.raises(Malformed, match="has a fixed meaning"):
        parse_map(".~.\n\n~ = Lava, hazard")
    with pytest.raises(Malformed, match="65 × 1"):
        parse_map("." * 65)
    for text in ("", "\n\n", "```\n```", "edges", "edges\n.."):
        with pytest.raises(Malformed):
            parse_map(text)


def test_letters_name_places_starts_and_the_one_who_is_there() -> None:
    board = parse_map("GG1w\n\nG = Goblin\n1 = start Heroes\nw = Well, difficult", here=("Goblin 1", "Ana"))
    assert board.stands == {"Goblin": ("A1", "B1")}
    assert board.starts == {"Heroes": ("C1",)}
    assert board.texts == {"D1": "Well"}
    assert board.terrain == {"D1": "difficult"}
    assert parse_map("X").texts == {"A1": "X"}


def test_the_legend_may_say_the_ground_of_a_start_or_a_token_and_two_letters_are_one_name() -> None:
    text = "GgSs~\n\nG = Goblin\ng = Goblin, difficult\nS = start Heroes, hidden\ns = start heroes, hazard"
    board = parse_map(text, here=("Goblin",))
    assert board.stands == {"Goblin": ("A1", "B1")}
    assert board.starts == {"Heroes": ("C1", "D1")}
    assert board.terrain == {"B1": "difficult", "D1": "hazard", "E1": "difficult"}
    assert (board.texts, board.unseen) == ({}, Unseen())
    assert parse_map(map_text(board), here=("Goblin",)) == board
    veiled = parse_map("S.\n\nS = start Heroes, hazard, hidden")
    assert (veiled.terrain, veiled.unseen.terrain, veiled.starts) == ({}, {"A1": "hazard"}, {"Heroes": ("A1",)})
    assert parse_map(map_text(veiled)) == veiled


def laid(game: Game, text: str) -> None:
    game.do("Gwen", "map use", document=parse_map(text).model_dump(mode="json"))


def test_a_place_that_is_somebodys_name_is_the_gms_from_the_first_picture_on() -> None:
    game = Game("classic")
    game.do("Gwen", "board size", size="5x5")
    game.do("Gwen", "add", name="Ogre", count=2)
    game.do("Gwen", "add", name="Spy", hidden=True)
    game.do("Gwen", "board place", target="Ogre 1", cells="C3")
    laid(game, "OSA\n...\n...\n\nO = Ogre\nS = Spy\nA = Altar")
    board = game.state.board
    assert board.texts == {"C1": "Altar"}
    assert (board.unseen.texts, board.stands) == ({}, {"Ogre": ("A1",), "Spy": ("B1",)})
    assert game.state.combatant("Ogre 2").cell == "A1"
    assert "Spy" not in "".join(game.lines("Ana"))


def test_a_hidden_creature_is_placed_by_the_map_when_it_is_revealed() -> None:
    game = Game("classic")
    laid(game, "S.A\n...\n\nS = Spy, hidden\nA = Altar")
    game.do("Gwen", "add", name="Spy", hidden=True)
    assert game.state.board.unseen.texts == {"A1": "Spy"}
    game.do("Gwen", "gm reveal", target="Spy")
    assert game.state.combatant("Spy").cell == "A1"
    assert (game.state.board.unseen.texts, game.state.board.texts) == ({}, {"C1": "Altar"})
    assert "Spy stands on A1." in game.lines("Ana")
    placed = Game("classic")
    laid(placed, "S.A\n...\n\nS = Spy\nA = Altar")
    placed.do("Gwen", "add", name="Spy", hidden=True)
    placed.do("Gwen", "board place", target="Spy", cells="C2")
    placed.do("Gwen", "gm reveal", target="Spy")
    assert placed.state.combatant("Spy").cell == "C2"
    assert (placed.state.board.texts, placed.state.board.stands) == ({"C1": "Altar"}, {"Spy": ("A1",)})


@pytest.mark.parametrize("seed", range(20))
def test_a_map_survives_its_text_and_its_file(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng)
    corner = (64 * board.width, 64 * board.height) * 2
    walls = [wall for wall in board.walls if all(0 <= at <= most for at, most in zip(wall.points, corner, strict=True))]
    edges = {place: kind for place, kind in board.edges.items() if place not in board.doors}
    board = board.evolve(walls=tuple(walls), edges=edges)
    names = [cell_name(x, y) for x in range(board.width) for y in range(board.height)]
    free = [name for name in names if name not in board.terrain and name not in board.doors]
    board = board.evolve(
        texts=dict(zip(rng.sample(free, 3), ("Altar", "Well", "Well"), strict=True)),
        unseen=Unseen(terrain={free[0]: "hazard"}, texts={free[0]: "Trap"}),
    )
    board = board.evolve(texts={cell: text for cell, text in board.texts.items() if cell != free[0]})
    flat = board.evolve(walls=())
    again = parse_map(map_text(flat))
    assert again == flat
    name, read = read_map_file(read_json(map_file("Crypt", board)))
    assert (name, read) == ("Crypt", board)
    assert map_file(name, read) == map_file("Crypt", board)


@pytest.mark.parametrize("seed", range(20))
def test_no_bad_file_gets_through_or_gets_an_exceptions_text(seed: int) -> None:
    rng = random.Random(seed)
    whole = map_file("Crypt", random_board(random.Random(3)))
    keys = ("size", "cells", "walls", "doors")
    wrong: tuple[object, ...] = (None, 3, "x", [[]], {"a": 1})
    kinds = (
        lambda: whole[: rng.randrange(len(whole))],
        lambda: whole.replace(rng.choice(("wall", "closed", "A1", "format")), rng.choice(("", "Z99", "null")), 1),
        lambda: json.dumps({**json.loads(whole), rng.choice(keys): rng.choice(wrong)}),
        lambda: whole.replace("9", "NaN", 1),
        lambda: "[" * 100_000,
    )
    said = ""
    try:
        read_map_file(read_json(rng.choice(kinds)()))
    except Malformed as refused:  # anything else than a refusal is the fault that is looked for
        said = str(refused)
    assert len(said) < 400


@pytest.fixture
def game() -> Game:
    game = Game("classic")
    game.do("Ana", "join", result=9, dice=[])
    game.do("Gwen", "board size", size="12x10")
    return game


def draw(game: Game, shape: str, start: str, **given: object) -> Board:
    game.do("Gwen", "map draw", shape=shape, **{"from": start, **given})  # type: ignore[arg-type] # a command's options
    board: Board | None = game.state.board
    assert board is not None
    return board


def test_shapes_are_drawn_and_taken_away_again(game: Game) -> None:
    assert draw(game, "rect", "B2", to="C3").terrain == dict.fromkeys(("B2", "C2", "B3", "C3"), "blocked")
    assert draw(game, "rect", "B2:C3", kind="none").terrain == {}
    room = draw(game, "room", "B2", to="C3")
    assert len(room.edges) == 8
    assert room.edges["A2/B2"] == "wall"
    assert draw(game, "room", "B2", to="C3", kind="none").edges == {}
    assert len(draw(game, "disc", "F5", to="H5", kind="difficult").terrain) == 21
    draw(game, "disc", "F5", to="H5", kind="none")
    assert len(draw(game, "ring", "F5", to="H5", kind="low").terrain) == 12
    draw(game, "rect", "A1:L10", kind="none")
    assert list(draw(game, "line", "A1", to="C2", kind="hazard").terrain) == ["A1", "B1", "C2"]
    assert draw(game, "wall", "C4.", to="F6.").walls[0].points == (128, 192, 320, 320)
    assert draw(game, "wall", "F6.", to="C4.", kind="none").walls == ()
    assert set(draw(game, "edge", "C4:C6/E").edges) == {"C4/D4", "C5/D5", "C6/D6"}
    game.refused("Gwen", "map draw", shape="wall", to="C4", **{"from": "C4."})
    game.refused("Gwen", "map draw", shape="rect", **{"from": "Z99"})
    game.refused("Ana", "map draw", shape="rect", **{"from": "A1"})
    assert doctest.testmod(drawing).failed == 0


def test_a_named_door_is_opened_by_its_name(game: Game) -> None:
    board = draw(game, "edge", "C4/D4", kind="door", text="Gate")
    assert board.doors == {"C4/D4": "closed"}
    game.do("Gwen", "board door", at="gate", do="open")
    assert game.lines("Ana")[-1] == "The door Gate is open."


def test_a_secret_door_is_a_wall_to_all_but_the_gm_until_it_comes_to_light(game: Game) -> None:
    game.do("Gwen", "board place", target="Ana", cells="B4")
    told = len(game.lines("Ana"))
    board = draw(game, "rect", "C4", kind="door", text="Bookcase", hidden=True)
    assert board.terrain["C4"] == "blocked"
    assert board.doors == {}
    for reader, knows in (("Ana", False), ("Gwen", True)):
        view = board_view(game.state, game.seat(reader))
        assert view is not None
        alt = told_alt(game.state, game.seat(reader))
        assert ("Bookcase, secret door C4, closed" in alt) is knows
        assert ("door" in alt) is knows
        assert ("Bookcase" in view.board.model_dump_json(exclude={"names"})) is False
    refusal = game.refused("Ana", "board door", at="C4")
    assert "There is no door at C4" in str(refusal)
    assert "Bookcase" not in str(refusal)
    assert "no door at" in str(game.refused("Ana", "board door", at="D9"))
    game.do("Gwen", "board door", at="C4", do="lock")
    assert not [line for line in game.lines("Ana")[told:] if "C4" in line or "Bookcase" in line]
    game.do("Gwen", "board door", at="C4", do="reveal")
    state_board = game.state.board
    assert state_board is not None
    assert state_board.doors == {"C4": "locked"}
    assert state_board.terrain == {}
    assert game.lines("Ana")[-1] == "A door comes to light: Bookcase."


def test_what_is_hidden_on_cells_is_revealed_by_cell_or_name(game: Game) -> None:
    draw(game, "rect", "E5", kind="hazard", text="Pit", hidden=True)
    game.do("Gwen", "board door", at="pit", do="reveal")
    board = game.state.board
    assert board is not None
    assert (board.terrain, board.texts, board.unseen) == ({"E5": "hazard"}, {"E5": "Pit"}, Unseen())
    game.refused("Gwen", "board door", at="E5", do="reveal")


def use(game: Game, text: str, **given: object) -> None:
    document = parse_map(text, game.state.names).model_dump(mode="json", exclude_defaults=True)
    game.do("Gwen", "map use", document=document, name="Crypt", **given)  # type: ignore[arg-type] # a command's options


def test_a_map_keeps_tokens_that_have_room_and_puts_others_where_it_says(game: Game) -> None:
    game.do("Gwen", "gm add", name="Goblin", count=2)
    game.do("Gwen", "board place", target="Ana, Goblin 1", cells="B2, A1")
    use(game, "#..\n...\n.GG\n\nG = Goblin")
    assert game.state.combatant("Ana").cell == "B2"
    assert [game.state.combatant(f"Goblin {number}").cell for number in (1, 2)] == ["B3", "C3"]
    use(game, "#..\n...\n.GG\n\nG = Goblin", tokens="off")
    assert game.state.combatant("Ana").cell is None


def test_a_latecomer_is_placed_by_the_map(game: Game) -> None:
    use(game, "...\n1.K\n\nK = Kobold\n1 = start GM")
    assert "Kobold" in str(game.state.board)
    game.do("Gwen", "gm add", name="Kobold")
    assert game.state.combatant("Kobold").cell == "C2"
    board = game.state.board
    assert board is not None
    assert board.texts == {}
    game.do("Gwen", "gm add", name="Rat")
    assert game.state.combatant("Rat").cell == "A2"


def test_latecomers_are_placed_in_reading_order(game: Game) -> None:
    use(game, "G.G\nG..\n\nG = Goblin")
    game.do("Gwen", "gm add", name="Goblin", count=3)
    assert [game.state.combatant(f"Goblin {number}").cell for number in (1, 2, 3)] == ["A1", "C1", "A2"]


def test_a_board_that_changes_its_size_keeps_what_lies_on_it(game: Game) -> None:
    draw(game, "rect", "C4", kind="door", text="Gate")
    draw(game, "rect", "J9", kind="hazard", hidden=True)
    game.do("Gwen", "board size", size="5x5")
    board = game.state.board
    assert board is not None
    assert board.names == {"C4": "Gate"}
    assert board.unseen == Unseen()


def test_no_map_is_laid_out_that_is_none(game: Game) -> None:
    with pytest.raises(Refusal):
        game.do("Gwen", "map use", document={"width": "x"}, name="Crypt")


def test_a_pillar_stands_on_an_edge_as_on_a_line_and_bars_sight_alone() -> None:
    game = Game("tactics")
    game.do("Gwen", "board size", size="5x5")
    board = draw(game, "edge", "B1:B5/E", kind="prop")
    assert board.edges == {f"B{row}/C{row}": "prop" for row in range(1, 6)}
    assert not lines_between(board, (0, 2), (4, 2)).sight
    east = DIRECTIONS.index((1, 0))
    assert not is_barred(step_bars(board), board, (1, 2), east)
    _, read = read_map_file(read_json(map_file("Hall", board)))
    assert read == board
    written = json.loads(uvtt_file(board))
    assert (len(written["objects_line_of_sight"]), written["line_of_sight"]) == (5, [])
    again = parse_map(map_text(board))  # a text has no sign of its own for it
    assert again.edges == dict.fromkeys(board.edges, "curtain")
    assert "Rows 1–5: pillar between B and C." in board_told(game.state, game.seat("Gwen"))
    assert set(draw(game, "room", "D4", to="E5", kind="prop", hidden=True).unseen.edges.values()) == {"prop"}
