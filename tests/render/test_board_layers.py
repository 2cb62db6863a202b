"""What lies over what in the picture of the board, and a legend that names what is in the crop alone (maps 6)."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest
from PIL import Image

from bot.render.boards.frame import MARGIN
from bot.render.boards.view import Token
from rules.core.space.background import FINE
from rules.core.space.board import Area, Background, Board, Wall
from rules.core.space.cells import cell_name
from tests.render.crops import CELL, Box, is_same, named, pixels

EVERY = frozenset(cell_name(column, row) for column in range(6) for row in range(4))


def around(column: int, row: int, half: int = 3) -> Box:
    """Return what lies about the middle of the right side of a cell."""
    x, y = (column + 1) * CELL, row * CELL + CELL // 2
    return x - half, y - half, x + half, y + half


REACH = {"reach": (Area(label="Walk 5", cells=EVERY),)}
DANGERS = {"dangers": EVERY}
RANGES = {"ranges": (Area(label="range 1", cells=EVERY),)}
BARRIERS = [
    Board(width=6, height=4, edges={"B2/C2": "wall"}),
    Board(width=6, height=4, edges={"B2/C2": "window"}),
    Board(width=6, height=4, doors={"B2/C2": "closed"}),
    Board(width=6, height=4, doors={"B2/C2": "locked"}),
    Board(width=6, height=4, walls=(Wall(points=(128, 64, 128, 128)),)),
]


@pytest.mark.parametrize("board", BARRIERS, ids=["wall", "window", "door", "locked", "line"])
@pytest.mark.parametrize("under", [REACH, DANGERS, {**REACH, **DANGERS}], ids=["reach", "dangers", "both"])
def test_barriers_lie_over_reach_and_dangers(board: Board, under: dict[str, object]) -> None:
    empty = Board(width=6, height=4)
    assert is_same(pixels(around(1, 1), board, **under), pixels(around(1, 1), board))
    assert not is_same(pixels(around(1, 1), empty, **under), pixels(around(1, 1), board, **under))
    beside = (150, 150, 270, 270)
    assert not is_same(pixels(beside, board, **under), pixels(beside, board))


def test_areas_lie_over_barriers_and_dangers_over_reach() -> None:
    wall = BARRIERS[0]
    assert not is_same(pixels(around(1, 1), wall, **RANGES), pixels(around(1, 1), wall))
    cell = (150, 150, 280, 280)
    for alone in (REACH, DANGERS):
        assert not is_same(pixels(cell, wall, **REACH, **DANGERS), pixels(cell, wall, **alone))


def test_what_lies_over_reach_stays_within_the_grid() -> None:
    board = Board(width=20, height=4, walls=(Wall(points=(0, 64, 1280, 65)),))
    margin = (-MARGIN, 0, -4, 3 * CELL)
    needed = {"needed": ((10, 1),), "part": "J1:N4"}
    assert is_same(pixels(margin, board, **needed, **REACH), pixels(margin, board, **needed))


def test_tokens_lie_over_names_and_numbers_over_tokens() -> None:
    ana = Token(name="Ana", label="A", cell=(1, 1), size=1, side=0)
    here = (CELL, CELL, 2 * CELL, 2 * CELL)
    middle = (CELL + 40, CELL + 40, CELL + 100, CELL + 100)
    named = Board(width=6, height=4, texts={"B2": "A"})
    bare = Board(width=6, height=4)
    given = {"tokens": (ana,), "sides": ("A",)}
    assert is_same(pixels(middle, named, **given), pixels(middle, bare, **given))
    numbered = pixels(here, bare, **given, numbered=((1, 1),))
    assert not is_same(numbered, pixels(here, bare, **given))
    assert not is_same(numbered, pixels(here, bare, numbered=((1, 1),)))


def _under(rest: tuple[int, int, int]) -> bytes:
    """Return a background of four columns: the two on the left are green, the others as asked."""
    image = Image.new("RGB", (4 * 48, 3 * 48), (30, 120, 60))
    image.paste(rest, (2 * 48, 0, 4 * 48, 3 * 48))
    out = BytesIO()
    image.save(out, "WEBP", lossless=True)
    return out.getvalue()


def test_nothing_of_the_background_is_on_cells_that_a_seat_does_not_know() -> None:
    unknown = {cell_name(column, row): "unknown" for column in (2, 3) for row in range(3)}
    whole = (-MARGIN, -MARGIN, 4 * CELL + MARGIN, 3 * CELL + MARGIN)

    def drawn(rest: tuple[int, int, int], terrain: dict[str, str]) -> Image.Image:
        data = _under(rest)
        under = Background(digest=hashlib.sha256(data).hexdigest(), cell=48 * FINE, fade=0, width=192, height=144)
        return pixels(whole, Board(width=4, height=3, terrain=terrain, picture=under), ground=data)

    assert not is_same(drawn((200, 40, 40), {}), drawn((40, 40, 200), {}))
    assert drawn((200, 40, 40), unknown).tobytes() == drawn((40, 40, 200), unknown).tobytes()


# The legend


FAR = frozenset({"AA27", "AB27", "AA28"})


def test_the_legend_names_the_kinds_that_are_in_the_crop_alone() -> None:
    board = Board(
        width=40,
        height=40,
        terrain={"B2": "difficult", "AA27": "low"},
        edges={"C2/D2": "window", "AA27/AB27": "curtain"},
        doors={"AA28": "closed"},
    )
    assert named(board, "A1:F6") == {"difficult", "window"}
    assert named(board, "Y25:AD30") == {"low", "curtain", "door"}


@pytest.mark.parametrize(
    ("points", "crops"),
    [
        ((0, 0, 100, 90), {"A1:F6"}),
        ((64, 2600, 2500, 0), {"Q17:V22"}),
        ((1700, 1600, 1900, 1800), {"Y25:AD30"}),
        ((32, 64, 2540, 66), {"A1:F6", "S1:X6"}),
    ],
)
def test_the_legend_names_a_wall_at_an_angle_if_it_crosses_the_crop(
    points: tuple[int, int, int, int], crops: set[str]
) -> None:
    board = Board(width=40, height=40, walls=(Wall(points=points, kind="prop"),))
    for crop in ("A1:F6", "Q17:V22", "Y25:AD30", "S1:X6"):
        assert ("pillar" in named(board, crop)) is (crop in crops), crop


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"dangers": FAR}, "in reach of foes"),
        ({"reach": (Area(label="Walk 5", cells=FAR),)}, "Walk 5"),
        ({"ranges": (Area(label="range 1", cells=FAR),)}, "range 1"),
        ({"fogged": FAR}, "unknown to players"),
    ],
)
def test_the_legend_names_areas_dangers_and_fog_if_they_are_in_the_crop(given: dict[str, object], words: str) -> None:
    board = Board(width=40, height=40)
    assert words in named(board, "Y25:AD30", **given)
    assert words not in named(board, "A1:F6", **given)
