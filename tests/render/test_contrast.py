"""Every text of a board's picture has 4.5 : 1 on what lies under it, whatever that is (maps 6).

It is measured at the letters: each is drawn by itself, and the points on it and close around it are
compared with the colour of the letters before those are on them.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFilter

from bot.render.boards import base, sprites
from bot.render.boards.base import base_of
from bot.render.boards.cells import DOOR_INK, FILLS
from bot.render.boards.frame import MARGIN, frame_of
from bot.render.boards.ink import CELL, DANGER, FAINT, FRAME, INK, OUT, PAPER, RANGE, REACH, SECRET, SIDES, WALL, Colour
from bot.render.boards.picture import draw_board
from bot.render.boards.view import BoardView, Token
from bot.table.ground import Lies, read_picture
from rules.core.space.background import FINE
from rules.core.space.board import UNKNOWN, VOID, Area, Background, Board, Wall
from rules.core.space.cells import parse_cell

LEAST, LEAST_LINE = 4.5, 3.0  # of text; of what is no text (WCAG 2.2, 1.4.3 and 1.4.11)
KINDS = ("difficult", "blocked", "low", "hazard", "window", "void", "unknown")
CELLS = tuple(f"{column}{row}" for row in range(1, 9) for column in "ABCDEFGH")


def luminance(colour: tuple[int, ...]) -> float:
    parts = [part / 255 for part in colour[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the ratio of two colours.

    >>> round(contrast((0, 0, 0), (255, 255, 255)), 1)
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


Worst = dict[str, tuple[float, tuple[int, ...], tuple[int, ...]]]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worst]:
    """Measure each text that is written: by its words the least ratio, its colour and that of the worst ground."""
    found: Worst = {}
    write = ImageDraw.ImageDraw.text

    def measured(pen: ImageDraw.ImageDraw, xy: Any, text: str, *args: Any, **given: Any) -> None:
        image: Image.Image = pen._image  # what it draws on
        plain = {key: value for key, value in given.items() if key in ("font", "anchor")}
        left, top, right, bottom = (int(side) for side in pen.textbbox(xy, text, **plain))
        box = (max(0, left - 2), max(0, top - 2), min(image.width, right + 3), min(image.height, bottom + 3))
        if right > left and bottom > top:
            mask = Image.new("L", (box[2] - box[0], box[3] - box[1]))
            write(ImageDraw.Draw(mask), (xy[0] - box[0], xy[1] - box[1]), text, fill=255, **plain)
            mask = mask.filter(ImageFilter.MaxFilter(3))
            under, on = image.crop(box).convert("RGBA").tobytes(), mask.tobytes()
            colours = {under[4 * at : 4 * at + 4] for at, ink in enumerate(on) if ink > 127}
            assert all(each[3] == 255 for each in colours), f"{text} is written beside its plate"
            least = min((contrast(given["fill"], tuple(each)), tuple(each)) for each in colours)
            if text not in found or least[0] < found[text][0]:
                found[text] = (least[0], tuple(given["fill"]), least[1])
        write(pen, xy, text, *args, **given)

    _forget()
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", measured)
    yield found
    _forget()


def _forget() -> None:
    """Let everything be drawn anew: what is kept was measured before, or would not be measured later."""
    sprites.token_sprite.cache_clear()
    sprites.plate_sprite.cache_clear()
    base._kept.clear()


def ground(kind: str) -> bytes:
    """Return a picture to lie under the cells: white, black, or of every colour at once."""
    image = Image.new("RGB", (384, 384), {"white": (255, 255, 255)}.get(kind, (0, 0, 0)))
    if kind == "wild":
        rng = random.Random(3)
        image.putdata([tuple(rng.choices((0, 90, 180, 255), k=3)) for _ in range(384 * 384)])
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def crowded(under: str) -> BoardView:
    """Return a view with everything that is ever written, on each kind of cell."""
    rng = random.Random(7)
    terrain = {cell: rng.choice(KINDS) for cell in CELLS if rng.random() < 0.6}
    board = Board(
        width=8,
        height=8,
        terrain=terrain,
        texts={cell: f"Place {cell}" for cell in CELLS[::5]},
        doors={"C4/D4": "locked", "E5": "closed", "F1": "open"},
        walls=(Wall(points=(0, 30, 500, 480)),),
        remembered=CELLS[3:20],
    )
    tokens = [
        Token(
            name=f"Wolf {side}{state}", label=f"{'WXYZQM'[side]}{state}", size=1 + (state == 2), side=side,
            cell=parse_cell(CELLS[(9 * side + state) % 64]),
            now=state == 1, out=state == 3, hidden=state == 4, own=state == 5,
        )
        for side in range(6)
        for state in range(6)
    ]  # fmt: skip
    away = Token(name="Og", label="Og", cell=(7, 7), size=1, side=1, away=17)
    view = BoardView(
        title="Deep",
        board=board,
        sides=("Red", "Blue", "Green", "Pink", "Brown", "Grey"),
        tokens=(*tokens, away),
        reach=(Area(label="Walk", cells=frozenset(CELLS[:30])), Area(label="Run", cells=frozenset(CELLS[:50]))),
        ranges=(Area(label="burst 2", cells=frozenset(CELLS[20:40])),),
        numbered=tuple(map(parse_cell, CELLS[1::3])),
        dangers=frozenset(CELLS[10:60]),
        secret=frozenset({"C4/D4", "B2"}),
        fogged=frozenset(CELLS[40:]),
    )
    if under == "paper":
        return view
    laid = read_picture(ground(under), 8, Lies(fade=0))
    return view.evolve(ground=laid.data, board=board.evolve(picture=laid.picture))


@pytest.mark.parametrize("under", ["paper", "white", "black", "wild"])
def test_each_text_of_the_picture_stands_out_from_what_lies_under_it(under: str, written: Worst) -> None:
    draw_board(crowded(under))
    draw_board(crowded(under).evolve(part="C3:F6"))
    assert {"Deep", "A", "8", "1", "W0", "Place A1", "Og 17"} <= written.keys()
    faint = {text: worst for text, worst in written.items() if worst[0] < LEAST}
    assert not faint


@pytest.mark.parametrize(
    ("line", "colour"),
    [
        ("outline of a reach", REACH[0]), ("outline of a farther reach", REACH[1]), ("outline of an area", RANGE[0]),
        ("outline of another area", RANGE[1]), ("dangers", DANGER), ("secret", SECRET), ("walls", INK),
        ("doors", DOOR_INK), ("outline of a place", FAINT), ("low and curtains", FRAME), ("solid", WALL),
        ("the fallen", OUT),
        *((f"side {number}", side) for number, side in enumerate(SIDES)),
    ],
)  # fmt: skip
def test_each_line_and_form_stands_out_from_open_ground(line: str, colour: Colour) -> None:
    assert min(contrast(colour, PAPER), contrast(colour, CELL)) >= LEAST_LINE, line


@pytest.mark.parametrize("kind", [kind for kind in FILLS if kind not in (UNKNOWN, VOID)])
@pytest.mark.parametrize("under", [(0, 0, 0), (90, 60, 30), (128, 128, 128), (230, 214, 178), (255, 255, 255)])
def test_the_form_of_a_cell_is_read_over_a_picture_of_any_colour_that_is_not_faded(
    kind: str, under: tuple[int, int, int]
) -> None:
    out = BytesIO()
    Image.new("RGB", (48, 48), under).save(out, "WEBP", lossless=True)
    data = out.getvalue()
    picture = Background(digest=hashlib.sha256(data).hexdigest(), cell=48 * FINE, fade=0, width=48, height=48)
    board = Board(width=1, height=1, terrain={"A1": kind}, picture=picture)
    whole = base_of(board, frame_of(board, ()), data)
    inside = whole.crop((MARGIN + 8, MARGIN + 8, whole.width - MARGIN - 8, whole.height - MARGIN - 8))
    data = inside.tobytes()
    many = Counter(tuple(data[at : at + 3]) for at in range(0, len(data), 3))
    common = [colour for colour, count in many.items() if count > 60]
    assert max(contrast(one, other) for one in common for other in common) >= LEAST_LINE
