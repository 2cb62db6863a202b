"""The board in words: people and their places as one knows them, doors, rows; enough to play a fight by."""

from __future__ import annotations

import doctest
import re
from typing import Any

import pytest

from bot.render.boards import told as board_told_module
from bot.render.boards.told import board_told, in_messages, told_alt
from bot.render.boards.view import board_view
from bot.render.payload import Payload, parted
from rules.core.reach.goals import goal_at, lines_at
from rules.core.space.cells import parse_cell
from tests.rules.stones.field import field
from tests.rules.table import Game
from tests.rules.tactics.scene import add, board, duel, sheet, skip_all, two_d6


@pytest.fixture
def game() -> Game:
    game = duel()
    board(game, Rhea="C4", Ogre="F6")
    game.do("Gwen", "board terrain", cells="H1:H5", kind="solid")
    game.do("Gwen", "board terrain", cells="H3", kind="door")
    draw(game, "C9/C10", shape="edge", text="Gate", kind="door")
    game.do("Gwen", "board terrain", cells="A1:B2", kind="difficult", text="Swamp")
    return game


def draw(game: Game, start: str, **given: Any) -> None:
    game.do("Gwen", "map draw", **{"from": start, **given})


def told(game: Game, reader: str = "Ana") -> list[str]:
    return board_told(game.state, game.seat(reader), spell=str).splitlines()


def test_first_oneself_then_everybody_nearest_first_then_doors_and_places_then_rows(game: Game) -> None:
    add(game, "Bat")
    game.do("Gwen", "board place", target="Bat", cells="D5")
    assert told(game)[:12] == [
        "2d6 Tactics: 10 columns, 10 rows, A1 to J10.",
        "You, Rhea: C4. Speed 5. In reach of Bat.",
        "Bat (side GM): D5, 1 square south-east, seen, no cover, reaches you.",
        "Ogre (side GM): F6, 3 squares south-east, seen, no cover.",
        "Swamp A1:B2, 2 squares north-west.",
        "Door H3, closed, 5 squares east.",
        "Gate, door C9/C10, closed, 5 squares south.",
        "Rows 1–2: solid H; difficult A–B.",
        "Rows 4–5: solid H.",
        "Rhea can go here without leaving anybody's reach where you don't name them:",
        *told(game)[10:12],
    ]


@pytest.mark.parametrize(
    ("cell", "way"),
    [("C4", "1 square east"), ("D4", "1 square west"), ("B6", "2 squares north-east"), ("F3", "2 squares south-west")],
)
def test_a_door_on_an_edge_lies_where_it_leads_and_the_nearest_is_in_the_first_line(
    game: Game, cell: str, way: str
) -> None:
    draw(game, "C4/D4", shape="edge", kind="door", text="Arch")
    game.do("Gwen", "board place", target="Rhea", cells=cell)
    assert f"You, Rhea: {cell}. Speed 5. {way[0].upper()}{way[1:]}: door Arch, closed." in told(game)[1]
    assert f"Arch, door C4/D4, closed, {way}." in told(game)


def test_areas_that_the_picture_draws_are_told_with_who_is_in_them(game: Game) -> None:
    add(game, "Bat")
    game.do("Gwen", "board place", target="Bat", cells="D5")
    skip_all(game)
    fighter = game.waits_for()[0]
    areas = [line for line in told(game, "Gwen") if line.startswith(f"{fighter}, range ")]
    view = board_view(game.state, game.seat("Gwen"))
    assert view is not None
    assert [line.partition(", ")[2].partition(":")[0] for line in areas] == [area.label for area in view.ranges]
    game.do("Gwen", "board place", target="Rhea, Ogre, Bat", cells="C4, F6, D5")
    near = {"Rhea": "Bat", "Bat": "Rhea", "Ogre": "nobody"}[fighter]
    assert f"{fighter}, range 1: {near}." in told(game)


def test_walls_are_told_by_row_and_those_at_an_angle_by_what_they_bar(game: Game) -> None:
    draw(game, "A5:C5/S, D7/E7", shape="edge")
    draw(game, "B8.", shape="wall", to="C9.")
    lines = told(game)
    assert "Row 5: solid H; wall below A–C." in lines
    assert "Row 7: wall between D and E." in lines
    barred = next(line for line in lines if line.startswith("You cannot step from"))
    assert "A8 south-east" in barred or "B8" in barred


def test_pillars_and_curtains_at_an_angle_are_told_by_the_cells_that_they_touch(game: Game) -> None:
    draw(game, "C8.", shape="wall", to="D9.", kind="prop")
    draw(game, "A9.", shape="wall", to="A10.", kind="curtain")
    lines = told(game)
    assert any(line.startswith("Pillars, which block only sight, at an angle: ") and "C8" in line for line in lines)
    assert any(line.startswith("Curtains at an angle: A8:A10") or "A9" in line for line in lines)
    assert not any(line.startswith("You cannot step") for line in lines)


def test_somebody_behind_a_wall_is_not_seen_and_the_hidden_are_the_gms(game: Game) -> None:
    game.do("Gwen", "gm move", target="Ogre", to="J2")
    assert "Ogre (side GM): J2, 7 squares east, not seen." in told(game)
    game.do("Gwen", "gm add", name="Spy", sheet=sheet(), hidden=True)
    game.do("Gwen", "board place", target="Spy", cells="D4")
    draw(game, "A9", shape="rect", kind="door", text="Bookcase", hidden=True)
    for reader, knows in (("Ana", False), ("Bo", False), ("Gwen", True)):
        words = "\n".join(told(game, reader))
        assert ("Spy" in words) is knows
        assert ("secret door A9" in words) is knows
        assert "Bookcase" in words or not knows
    assert told(game, "Bo")[1].startswith("Rhea, whose turn it is: C4.")


def test_those_who_are_not_seen_are_told_after_those_who_are(game: Game) -> None:
    add(game, "Bat")
    game.do("Gwen", "board place", target="Ogre, Bat", cells="E4, C9")
    draw(game, "C1:C9/E", shape="edge")
    assert [line.partition(" ")[0] for line in told(game)[2:4]] == ["Bat", "Ogre"]


def test_the_words_follow_the_tables_option_for_sight_and_those_in_between(game: Game) -> None:
    add(game, "Bat")
    game.do("Gwen", "board place", target="Rhea, Bat, Ogre", cells="C4, D4, F4")
    assert "Ogre (side GM): F4, 3 squares east, seen, no cover." in told(game)
    game.do("Gwen", "encounter options", set="creatures_cover=on")
    assert "Ogre (side GM): F4, 3 squares east, seen, light cover." in told(game)
    behind = parse_cell("B4")
    assert lines_at(game.state, game.state.combatant("Rhea"), behind, game.state.combatant("Ogre")).cover == "light"
    game.do("Gwen", "encounter options", set="sight_range=2")
    assert "Ogre (side GM): F4, 3 squares east, not seen." in told(game)


def test_the_places_of_hidden_things_are_told_to_the_gm_alone(game: Game) -> None:
    for at, what in (("B2:C2", {"kind": "hazard", "text": "Pit"}), ("H2/I2", {"shape": "edge", "kind": "wall"})):
        draw(game, at, **{"shape": "rect", "hidden": True, **what})
    draw(game, "E8.", shape="wall", to="F9.", hidden=True)
    (words,) = [line for line in told(game, "Gwen") if line.startswith("Known to the GM alone")]
    assert words == "Known to the GM alone: B2:C2, D7:E8, F8:F9, E9, H2/I2."
    assert not any("alone" in line or "Pit" in line or "H and I" in line for line in told(game))


def test_a_fight_is_played_with_the_words_alone(game: Game) -> None:
    """Rhea reads which cells are beside the Ogre, goes there, and is told that it reaches her."""
    entry = next(line for line in told(game) if re.match(r"\d+: .*beside Ogre$", line))
    match = re.match(r"\d+: ([A-Z]+\d+), (\d+) squares with (\w+)", entry)
    assert match is not None
    goal = goal_at(game.state, "Rhea", parse_cell(match[1]))
    assert goal is not None
    game.do("Ana", "move", to=match[1], using=match[3])
    assert "In reach of Ogre." in told(game)[1]
    game.do("Gwen", "skip", character="Ogre")
    while game.state.current != "Rhea":
        game.do("Gwen", "gm turn", target="Rhea")
    game.do("Ana", "attack", target="Ogre", dice=two_d6(6, 6))
    assert "Ogre" in told(game)[2]


def test_the_alternative_text_begins_with_oneself_and_ends_within_its_limit(game: Game) -> None:
    alt = told_alt(game.state, game.seat("Ana"))
    assert "You, Rhea: C4. Speed 5. Ogre (side GM): F6, 3 squares south-east, seen, no cover." in alt
    assert len(alt) <= 1024
    for number in range(25):
        add(game, f"Bat {number}")
        game.do("Gwen", "board place", target=f"Bat {number}", cells=f"{'ABDEG'[number % 5]}{5 + number // 5}")
    assert len(told_alt(game.state, game.seat("Ana"))) <= 1024


def test_the_examples_hold() -> None:
    assert doctest.testmod(board_told_module).failed == 0


def test_health_is_told_in_words_as_far_as_the_reader_may_know(game: Game) -> None:
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="15")
    assert any(line.startswith("Ogre (side GM, hurt): F6") for line in told(game))
    game.do("Gwen", "encounter options", set="npc_pools=hidden")
    assert any(line.startswith("Ogre (side GM): F6") for line in told(game))


def test_a_long_board_comes_in_two_messages_with_nothing_cut() -> None:
    told_lines = "\n".join(f"{number} " + "x" * 90 for number in range(30))
    first, rest = in_messages(told_lines)
    assert len(first) <= 2000
    assert "\n".join((first, *rest)) == told_lines
    assert [part.content for part in parted(Payload(content=first, rest=rest))] == [first, *rest]


def test_each_of_your_own_is_told_who_it_sees_beginning_with_the_actor() -> None:
    game = field(Ayla="A1", Ash="A5", Borr="G1")
    draw(game, "D1:D3/E", shape="edge")
    game.do("Ana", "activate", character="Ash")
    lines = told(game)
    assert lines[1] == "You, Ash: A5. Speed 4."
    assert "You, Ayla: A1. Speed 4. From there Borr 6 squares east, not seen." in lines
    assert not any("From there" in line for line in told(game, "Bo"))


def test_somebody_who_is_in_range_and_not_seen_is_told_so(game: Game) -> None:
    skip_all(game)
    fighter = game.waits_for()[0]
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C4, D4")
    assert any(line.startswith(f"{fighter}, range 1: ") and "not seen" not in line for line in told(game))
    draw(game, "C3:C5/E", shape="edge")
    assert any(line.startswith(f"{fighter}, range 1: ") and line.endswith("(not seen).") for line in told(game))


def test_windows_are_told_with_their_distance_and_direction(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="G4:G5", kind="window")
    draw(game, "C6/C7", shape="edge", kind="window")
    lines = told(game)
    assert "Window G4:G5, 4 squares east." in lines
    assert "Window C6/C7, 2 squares south." in lines
