"""The picture of the board, and the same in words."""

from __future__ import annotations

import doctest
import random
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.render.boards import view as board_view_module
from bot.render.boards.frame import frame_of
from bot.render.boards.picture import MOST_CROP, MOST_WHOLE, board_view, draw_board
from bot.render.boards.told import board_told, map_alt, told_alt
from bot.render.boards.view import BoardView, Token, token_labels
from bot.render.pictures.letters import is_kept
from bot.table.ground import Lies, read_picture
from rules.core.space.background import FINE
from rules.core.space.board import Background, Board, Wall
from rules.core.space.cells import cell_name, parse_cell, rectangles
from rules.core.typed.skeleton import look
from tests.rules.table import Game
from tests.rules.tactics.scene import board, duel, sheet, skip_all


def view_of_duel(game: Game, reader: str = "Ana") -> BoardView:
    view = board_view(game.state, game.seat(reader))
    assert view is not None
    return view


def pixels(view: BoardView) -> Image.Image:
    return Image.open(BytesIO(draw_board(view))).convert("RGB")


def token(name: str, cell: str, side: int = 0, **given: object) -> Token:
    return Token.model_validate(
        {"name": name, "label": name[:1], "cell": parse_cell(cell), "size": 1, "side": side, **given}
    )


@pytest.fixture
def game() -> Game:
    game = duel()
    board(game, Rhea="C4", Ogre="F6")
    game.do("Gwen", "board terrain", cells="A1:B2", kind="difficult", text="Swamp")
    game.do("Gwen", "board terrain", cells="H1:H5", kind="blocked")
    return game


def test_the_same_state_draws_the_same_bytes(game: Game) -> None:
    view = view_of_duel(game)
    assert draw_board(view) == draw_board(BoardView.model_validate_json(view.model_dump_json()))


def test_what_differs_draws_differently(game: Game) -> None:
    before = draw_board(view_of_duel(game))
    game.do("Gwen", "gm move", target="Ogre", to="G7")
    assert draw_board(view_of_duel(game)) != before


@pytest.mark.parametrize(
    ("system", "sheet", "verb", "given"),
    [
        ("classic", "HP 7", "gm set", {"pool": "hp", "value": "0"}),
        ("classic", "HP 7", "condition add", {"name": "dead"}),
        ("tactics", "INT 3, AGI 2, SPD 5, ATK 2, DEF 7, HP 12, TIER 1", "gm set", {"pool": "hp", "value": "0"}),
        ("beacon", "HP 7, INITIATIVE 3, SPEED 4", "gm set", {"pool": "hp", "value": "0"}),
    ],
)
def test_the_fallen_are_crossed_in_every_system(system: str, sheet: str, verb: str, given: dict[str, Any]) -> None:
    game = Game(system, people=("Gwen", "Ana"))
    game.do("Gwen", "gm add", name="Wolf", sheet=sheet)
    game.do("Gwen", "board size", size="8x6")
    game.do("Gwen", "board place", target="Wolf", cells="C4")
    assert [each.out for each in view_of_duel(game).tokens] == [False]
    game.do("Gwen", verb, target="Wolf", **given)
    assert [each.out for each in view_of_duel(game).tokens] == [True]


def test_whom_the_gm_keeps_fighting_is_not_crossed() -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "add", name="Wolf", result=5, hp="7")
    game.do("Gwen", "board size", size="8x6")
    game.do("Gwen", "board place", target="Wolf", cells="C4")
    game.do("Gwen", "gm set", target="Wolf", pool="hp", value="0")
    game.do("Gwen", "gm set", target="Wolf", pool="down", value="no")
    assert [each.out for each in view_of_duel(game).tokens] == [False]


def test_a_crop_is_as_wide_as_a_phone_and_its_cells_are_as_large_as_what_is_needed_lets_them_be() -> None:
    for foe, cell in (("C3", 144), ("G7", 108), ("J9", 84), ("M13", 72)):
        game = duel()
        board(game, "50x50", Rhea="B2", Ogre=foe)
        view = view_of_duel(game).evolve(needed=(parse_cell("B2"), parse_cell(foe)))
        frame = frame_of(view.board, view.needed)
        assert frame.cell == cell
        assert frame.holds(parse_cell("A1"))
        assert frame.holds(parse_cell(foe))
        image = pixels(view)
        assert image.width == frame.columns * cell + 72
        assert 1040 <= image.width <= 1080
        assert image.height <= 1440


def test_the_whole_board_is_at_most_1920_wide_and_a_part_is_what_was_asked_for() -> None:
    game = duel()
    board(game, "64x64", Rhea="A1", Ogre="C3")
    view = view_of_duel(game)
    assert pixels(view.evolve(part="all")).width <= 1920
    frame = frame_of(view.board, view.needed, "C3:N14")
    assert (frame.column, frame.row, frame.columns, frame.rows, frame.cell) == (2, 2, 12, 12, 84)
    assert frame_of(view.board, view.needed, "A1:BL64").columns == 64


def test_who_threatens_and_the_cells_around_oneself_are_needed() -> None:
    game = duel()
    for number in (1, 2):
        game.do("Gwen", "gm add", name=f"Wolf {number}", sheet="INT 1, AGI 2, SPD 5, ATK 2, DEF 7, HP 12, TIER 1")
    board(game, "50x50", **{"Rhea": "F6", "Ogre": "G6", "Wolf 1": "E6", "Wolf 2": "P16"})
    view = view_of_duel(game)
    assert set(view.needed) == {parse_cell(cell) for cell in ("F6", "G6", "E6")}, "the second wolf reaches nobody"
    frame = frame_of(view.board, view.needed)
    assert all(frame.holds((column, row)) for column in range(4, 8) for row in range(4, 7))


def test_who_is_needed_and_lies_beyond_the_crop_is_told_at_its_edge() -> None:
    game = duel()
    board(game, "50x50", Rhea="C4", Ogre="AR40")
    view = view_of_duel(game)
    ogre = next(token for token in view.tokens if token.name == "Ogre")
    assert ogre.away == 41
    assert not frame_of(view.board, view.needed).holds(ogre.cell)
    without = view.evolve(tokens=tuple(each.evolve(away=None) for each in view.tokens))
    assert draw_board(view) != draw_board(without)


def test_a_small_board_is_as_large_as_its_cells() -> None:
    view = BoardView(title="", board=Board(width=5, height=4), needed=((0, 0),))
    assert frame_of(view.board, view.needed).cell == 144
    assert pixels(view).width == 5 * 144 + 72


def test_numbers_are_drawn_on_the_cells_that_can_be_selected(game: Game) -> None:
    view = view_of_duel(game)
    numbered = board_view(game.state, game.seat("Ana"), about=("Rhea",), numbered=((2, 2), (6, 6)))
    assert numbered is not None
    assert {(2, 2), (6, 6)} <= set(numbered.needed)
    assert draw_board(numbered) != draw_board(view)


def test_a_kept_ground_is_not_drawn_on(game: Game) -> None:
    view = view_of_duel(game)
    first = draw_board(view)
    assert draw_board(view.evolve(tokens=(), dangers=frozenset(), reach=())) != first
    assert draw_board(view) == first


def test_sides_differ_by_form_and_not_by_colour_alone() -> None:
    """The silhouettes of six sides, in black and white, are six different ones."""
    found = set()
    for side in range(6):
        view = BoardView(
            title="", board=Board(width=1, height=1), sides=tuple("ABCDEF"), tokens=(token("X", "A1", side),)
        )
        bare_board = pixels(BoardView(title="", board=Board(width=1, height=1)))
        drawn = pixels(view)
        box = (20, 70, 200, 240)
        plain, with_token = bare_board.crop(box).tobytes(), drawn.crop(box).tobytes()
        found.add(bytes(plain[i : i + 3] != with_token[i : i + 3] for i in range(0, len(plain), 3)))
    assert len(found) == 6


@pytest.mark.parametrize("gm_first", [True, False])
def test_players_have_the_same_colour_and_form_no_matter_who_came_in_first(gm_first: bool) -> None:
    numbers = {"INT": 2, "AGI": 3, "ATK": 3, "DEF": 8, "TIER": 1, "HP": 30, "SPD": 5}
    game = Game("tactics")
    sheet_words = ", ".join(f"{key} {at}" for key, at in numbers.items())
    for who in ("Gwen", "Ana") if gm_first else ("Ana", "Gwen"):
        if who == "Gwen":
            game.do("Gwen", "gm add", name="Ogre", sheet=sheet_words)
        else:
            game.do("Ana", "join", document={"name": "Ana", "owner": "0", "fields": numbers})
    game.do("Gwen", "board size", size="5x5")
    game.do("Gwen", "board place", target="Ana, Ogre", cells="A1, C3")
    view = board_view(game.state, game.seat("Ana"))
    assert view is not None
    assert {each.name: each.side for each in view.tokens} == {"Ana": 0, "Ogre": 1}


def test_reach_is_drawn_for_the_one_whose_turn_it_is_and_range_in_battle(game: Game) -> None:
    view = view_of_duel(game)
    assert [area.label for area in view.reach] == ["Walk 5", "Run 10"]
    assert "H1" not in view.reach[0].cells
    assert view.ranges == ()
    assert draw_board(view) != draw_board(view.evolve(reach=()))
    skip_all(game)
    view = view_of_duel(game)
    assert (view.reach, [area.label for area in view.ranges]) == ((), ["range 1"])
    assert view.ranges[0].cells == {"E5", "F5", "G5", "E6", "G6", "E7", "F7", "G7"}


def test_several_in_a_cell_are_all_drawn() -> None:
    one = BoardView(title="", board=Board(width=3, height=3), sides=("A",), tokens=(token("X", "B2"),))
    crowd = one.evolve(tokens=tuple(token(f"{n}", "B2") for n in range(7)))
    assert draw_board(one) != draw_board(crowd)
    assert draw_board(crowd) != draw_board(crowd.evolve(tokens=crowd.tokens[:6]))


def test_a_hidden_creature_is_in_no_picture_and_no_word_but_the_gms(game: Game) -> None:
    before = view_of_duel(game)
    game.do("Gwen", "gm add", name="Lurker", sheet=sheet(), hidden=True, side="Shadows")
    game.do("Gwen", "board place", target="Lurker", cells="E4")
    seen = view_of_duel(game)
    assert draw_board(seen) == draw_board(before)
    assert "Lurker" not in board_told(game.state, game.seat("Ana")) + told_alt(game.state, game.seat("Ana"))
    assert "Shadows" not in seen.model_dump_json()
    assert "Lurker (side Shadows, hidden): E4" in told_alt(game.state, game.seat("Gwen"))


NAMES = st.text(min_size=1, max_size=32)


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=100, unique=True), st.integers(1, 50))
def test_the_worst_names_break_nothing(names: list[str], width: int) -> None:
    labels = token_labels(names)
    assert len(set(map(look, labels))) == len(names)
    assert all(1 <= len(label) <= 3 and all(map(is_kept, label)) for label in labels)
    said = {cell_name(n % width, n // width % 50): name for n, name in enumerate(names)}
    alt = map_alt(names[0], Board(width=width, height=50, texts=said))
    assert len(alt) <= 1024
    assert "@everyone" not in alt


def test_a_full_table_with_long_names_is_drawn_and_counted() -> None:
    names = [f"{'Wolfgang Amadeus von Lichtenberg'[: 31 - len(str(n))]} {n}" for n in range(100)]
    tokens = tuple(
        Token(name=name, label=label, cell=(n % 50, n // 2), size=1, side=n % 3)
        for n, (name, label) in enumerate(zip(names, token_labels(names), strict=True))
    )
    view = BoardView(title="x" * 200, board=Board(width=50, height=50), sides=("A", "B", "C"), tokens=tokens)
    assert len(draw_board(view)) < 1_000_000


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40))
def test_rectangles_cover_the_cells_and_nothing_else(cells: set[tuple[int, int]]) -> None:
    covered: list[tuple[int, int]] = []
    for text in rectangles(cell_name(*cell) for cell in cells):
        first, _, last = text.partition(":")
        one, other = parse_cell(first), parse_cell(last or first)
        covered.extend((x, y) for x in range(one[0], other[0] + 1) for y in range(one[1], other[1] + 1))
    assert sorted(covered) == sorted(cells)


def test_without_a_board_there_is_nothing_to_draw() -> None:
    game = duel()
    assert board_view(game.state, game.seat("Ana")) is None


def test_the_examples_in_docstrings_run() -> None:
    done = doctest.testmod(board_view_module)
    assert done.attempted > 0
    assert done.failed == 0


def test_every_kind_of_cell_edge_and_door_is_drawn_apart_and_told_in_words() -> None:
    kinds = ("difficult", "blocked", "void", "low", "hazard", "window")
    plain = Board(width=6, height=4)
    boards = [plain] + [plain.evolve(terrain={"B2": kind}) for kind in kinds]
    boards += [plain.evolve(edges={"B2/C2": kind}) for kind in ("wall", "window", "low", "curtain")]
    boards += [
        plain.evolve(doors={place: state}) for place in ("B2", "B2/C2") for state in ("open", "closed", "locked")
    ]
    boards.append(plain.evolve(walls=(Wall(points=(10, 10, 200, 150)),)))
    drawn = {draw_board(BoardView(title="Kinds", board=board)) for board in boards}
    assert len(drawn) == len(boards)
    words = {map_alt("Kinds", board) for board in boards}
    assert len(words) == len(boards)
    assert "Door B2/C2, locked." in map_alt("Kinds", boards[-2])


@pytest.mark.parametrize(("part", "most"), [("all", MOST_WHOLE), ("A1:N12", MOST_CROP)])
def test_a_picture_over_a_busy_background_is_no_longer_to_download_than_a_phone_bears(part: str, most: int) -> None:
    data = BytesIO()
    noise = Image.effect_noise((40 * 20, 30 * 20), 60).resize((40 * 48, 30 * 48), Image.Resampling.BICUBIC)
    noise.convert("RGB").save(data, "JPEG", quality=85)
    ground = read_picture(data.getvalue(), 40, Lies())
    rng = random.Random(5)
    walls = tuple(
        Wall(points=(x, y, x + rng.randrange(-300, 300), y + rng.randrange(-300, 300)))
        for x, y in ((rng.randrange(300, 2200), rng.randrange(300, 1600)) for _ in range(120))
    )
    board = Board(width=40, height=30, walls=walls, picture=ground.picture)
    drawn = draw_board(BoardView(title="Deep", board=board, part=part, ground=ground.data))
    assert drawn[:4] == b"RIFF"
    assert len(drawn) <= most


@pytest.mark.parametrize(("part", "most"), [("C3:N14", MOST_CROP), ("all", MOST_WHOLE)])
def test_a_picture_of_nothing_but_noise_that_is_not_faded_is_no_longer_either(part: str, most: int) -> None:
    size = (40 * 48, 40 * 48)
    grains = [Image.effect_noise(size, 90).rotate(90 * turn) for turn in range(3)]
    data = BytesIO()
    Image.merge("RGB", [each.resize(size) for each in grains]).save(data, "WEBP", quality=80)
    picture = Background(digest=f"noise {part}", width=size[0], height=size[1], cell=48 * FINE, fade=0)
    board = Board(width=40, height=40, picture=picture)
    assert len(draw_board(BoardView(title="Deep", board=board, part=part, ground=data.getvalue()))) <= most
