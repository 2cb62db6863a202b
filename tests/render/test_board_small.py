"""What a phone shows of the board: forms that differ when they are small, and nothing beyond the crop (maps 6)."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from bot.render.boards import picture
from bot.render.boards.cells import mark_edge
from bot.render.boards.frame import BRIEF, BRIEF_HEIGHT, MARGIN, TITLE, frame_of
from bot.render.boards.ink import GLOW, PAPER, SECRET
from bot.render.boards.legend import INSET, Legend
from bot.render.boards.picture import draw_board
from bot.render.boards.sprites import plate_sprite
from bot.render.boards.view import BoardView, Token, board_view
from rules.core.space.board import Board
from rules.core.space.cells import parse_cell
from tests.render.crops import Box, is_same, named, pixels
from tests.rules.table import Game


def _pixels_of(data: bytes) -> list[bytes]:
    return [data[at : at + 3] for at in range(0, len(data), 3)]


def _is_violet(pixel: bytes) -> bool:
    return max(abs(one - other) for one, other in zip(pixel, SECRET, strict=True)) < 24


def swatch(kind: str) -> bytes:
    image = Image.new("RGB", (60, 60), (255, 255, 255))
    mark_edge(ImageDraw.Draw(image), kind, (12, 30, 48, 30), 36)
    return image.tobytes()


def test_what_is_on_an_edge_has_a_form_of_its_own_in_the_legend_too() -> None:
    kinds = ("wall", "prop", "window", "low", "curtain", "closed", "locked", "open")
    assert len({swatch(kind) for kind in kinds}) == len(kinds)
    for kind, is_one_bar in (("wall", True), ("prop", False)):
        grey = Image.frombytes("RGB", (60, 60), swatch(kind)).convert("L").tobytes()
        thick = [sum(shade < 60 for shade in grey[x::60]) for x in (18, 30)]
        assert (thick[0] == thick[1]) is is_one_bar


def test_a_whole_board_that_a_phone_shows_has_a_phones_width_and_a_larger_one_its_cells_size() -> None:
    assert frame_of(Board(width=12, height=12), (), "all") == (0, 0, 12, 12, 84)
    assert frame_of(Board(width=14, height=14), (), "all").cell == 72
    assert frame_of(Board(width=40, height=40), (), "all").cell == 44
    for side, is_noted in ((12, False), (40, True)):
        board = Board(width=side, height=side)
        frame = frame_of(board, (), "all")
        right = side * frame.cell
        title = pixels((right - 600, -frame.margin - TITLE, right, -frame.margin), board, part="all")
        assert is_same(title, Image.new("RGB", title.size, PAPER)) is not is_noted


def _ink_above(board: Board, column: int, **given: object) -> Box | None:
    """Return what is in the margin above a column, as parts of a thousand of the picture's width."""
    frame = frame_of(board, (), "all")
    left = column * frame.cell
    above = pixels((left, 4 - frame.margin, left + frame.cell, -4), board, part="all", **given)
    unlike = ImageChops.difference(above, Image.new("RGB", above.size, PAPER)).convert("L")
    box = unlike.point(lambda each: 255 * (each > 40)).getbbox()
    width = frame.columns * frame.cell + 2 * frame.margin
    return box and (box[0] * 1000 // width, box[1] * 1000 // width, box[2] * 1000 // width, box[3] * 1000 // width)


@pytest.mark.parametrize(("side", "bare"), [(14, 0), (20, 0), (40, 1), (64, 4)])
def test_the_letters_of_a_whole_board_are_as_large_for_a_phone_if_not_each_column_has_one(side: int, bare: int) -> None:
    board = Board(width=side, height=side)
    crop, whole = _ink_above(Board(width=12, height=12), 0), _ink_above(board, 0)
    assert crop is not None
    assert whole is not None
    assert whole[3] - whole[1] == pytest.approx(crop[3] - crop[1], abs=2)
    for column in range(1, 1 + bare):
        assert _ink_above(board, column) is None
    assert _ink_above(board, 1 + bare) is not None


def test_one_who_acts_has_their_column_on_gold_while_others_go_without() -> None:
    board = Board(width=40, height=40)
    now = Token(name="Ana", label="A", cell=(11, 7), size=1, side=0, now=True)
    assert _ink_above(board, 11) is None
    assert _ink_above(board, 11, tokens=(now,)) is not None


def test_the_legend_of_a_whole_board_is_as_large_for_a_phone_as_that_of_a_crop() -> None:
    view = BoardView(title="", board=Board(width=40, height=40, terrain={"B2": "low"}), part="all")
    small, large = (Legend(view, frame_of(view.board, (), "all"), (), width) for width in (1080, 1912))
    assert large.height / small.height == pytest.approx(1912 / 1080, rel=0.2)
    assert Legend(view, frame_of(view.board, (), "all"), (), 560).height == small.height


@pytest.mark.parametrize("part", ["A1:G7", "H8:N14", "A8:G14"])
def test_a_large_token_that_is_partly_in_the_crop_ends_at_its_border(part: str) -> None:
    ogre = Token(name="Ogre", label="O", cell=parse_cell("G7"), size=2, side=1)
    frame = frame_of(Board(width=40, height=40), (), part)
    board = Board(width=40, height=40)
    view = BoardView(title="", board=board, tokens=(ogre,), sides=("A", "B"), part=part)
    with_it, without = (Image.open(BytesIO(draw_board(each))).convert("RGB") for each in (view, view.evolve(tokens=())))
    grid = (MARGIN, TITLE + MARGIN, MARGIN + frame.columns * frame.cell, TITLE + MARGIN + frame.rows * frame.cell)
    above = (0, 0, with_it.width, grid[3] + MARGIN)  # below is the legend, which names it
    found = ImageChops.difference(with_it.crop(above), without.crop(above))
    box = found.point([255 if value > 24 else 0 for value in range(256)] * 3).getbbox()
    assert box is not None
    assert grid[0] <= box[0]
    assert grid[1] <= box[1]
    assert box[2] <= grid[2]
    assert box[3] <= grid[3]


SECRETS = (
    ({"secret": frozenset(("C2/D2",))}, (3 * 144 - 9, 144, 3 * 144 + 9, 288)),
    ({"secret_lines": ((64, 64, 192, 128),)}, (144, 144, 3 * 144, 288)),
)


@pytest.mark.parametrize(("given", "box"), SECRETS)
def test_what_only_the_gm_knows_is_violet_at_any_angle_and_named_in_the_legend(
    given: dict[str, object], box: Box
) -> None:
    board = Board(width=6, height=4)
    assert any(_is_violet(pixel) for pixel in _pixels_of(pixels(box, board, **given).tobytes()))
    assert not any(_is_violet(pixel) for pixel in _pixels_of(pixels(box, board).tobytes()))
    assert "the GM's alone" in named(Board(width=40, height=40), "A1:F6", **given)
    assert "the GM's alone" not in named(Board(width=40, height=40), "Y25:AD30", **given)


def test_a_hidden_wall_at_an_angle_is_the_gms_picture_alone() -> None:
    game = Game("classic")
    game.do("Gwen", "board size", size="8x6")
    drawn: tuple[dict[str, Any], ...] = ({"from": "B2.", "to": "D3."}, {"from": "E2.", "to": "G3.", "kind": "door"})
    for given in drawn:
        game.do("Gwen", "map draw", shape="wall", hidden=True, **given)
    for reader, lines in (("Gwen", 2), ("Ana", 0)):
        view = board_view(game.state, game.seat(reader))
        assert view is not None
        assert len(view.secret_lines) == lines


def _is_dark(part: str, x: int, y: int) -> bool:
    """Tell whether a point is dark in the corner of the legend in which the crop lies on the map."""
    view = BoardView(title="", board=Board(width=40, height=40), part=part)
    image = Image.open(BytesIO(draw_board(view))).convert("L")
    return image.getpixel((image.width - INSET - MARGIN + x, image.height - INSET - 16 + y)) in range(90)


def test_a_corner_of_200_pixels_shows_where_the_crop_lies_on_the_map() -> None:
    right_of_first, left_of_last = (58, 30), (142, 170)  # twelve of forty columns are 60 pixels
    for part, is_first in (("A1:L12", True), ("AC29:AN40", False)):
        assert _is_dark(part, *right_of_first) is is_first
        assert _is_dark(part, *left_of_last) is not is_first
        assert _is_dark(part, INSET, 100)  # the board's own border


def test_numbers_and_arrows_are_black_on_white_and_twelve_points_high(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int, float | None]] = []

    def kept(text: str, height: int, *, arrow: float | None = None) -> Image.Image:
        told.append((text, height, arrow))
        return plate_sprite(text, height, arrow=arrow)

    monkeypatch.setattr(picture, "plate_sprite", kept)
    far = Token(name="Ogre", label="Og", cell=(40, 2), size=1, side=1, away=38)
    nearer = Token(name="Wolf", label="W", cell=(25, 7), size=1, side=1, away=23)
    tokens = (far, nearer)
    draw_board(
        BoardView(title="", board=Board(width=50, height=9), tokens=tokens, needed=((2, 2),), numbered=((3, 3),))
    )
    assert ("1", 36, None) in told
    arrows = [each for each in told if each[2] is not None]
    assert [each[0] for each in arrows] == ["W 23", "Og 38"], "the nearest first"
    words, height, to = arrows[1]
    assert (words, height >= 30, to == pytest.approx(0, abs=0.2)) == ("Og 38", True, True)
    plate = plate_sprite("8", 36)
    assert plate.convert("L").getpixel((4, plate.height // 2)) == 255
    black = plate.convert("L").point(lambda each: 255 * (each < 90)).crop((6, 4, plate.width - 6, plate.height - 4))
    box = black.getbbox()
    assert box is not None
    assert box[3] - box[1] >= 24  # figures fill two thirds of the height of their letters


def test_ones_own_token_has_a_gold_ring_and_nobody_elses() -> None:
    for own in (True, False):
        ana = Token(name="Ana", label="A", cell=(1, 1), size=1, side=0, own=own)
        around = pixels((144, 144, 288, 288), Board(width=3, height=3), tokens=(ana,), part="all")
        gold = ImageChops.difference(around, Image.new("RGB", around.size, GLOW)).convert("L")
        assert (gold.point(lambda each: 255 * (each < 24)).getbbox() is not None) is own


@pytest.mark.parametrize("size", [8, 20, 60])
def test_a_prompts_picture_is_half_as_high_as_a_phone_is_wide(size: int) -> None:
    board = Board(width=size, height=size)
    needed = ((size // 2, size // 2), (0, 0))
    image = Image.open(BytesIO(draw_board(BoardView(title="Bridge", board=board, needed=needed, part=BRIEF))))
    assert image.height <= BRIEF_HEIGHT
    assert frame_of(board, needed, BRIEF).holds(needed[0])
