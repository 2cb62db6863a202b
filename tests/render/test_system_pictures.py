"""Grids, tracks and piles as pictures and in words, and how names are written in them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.render.drawn import picture_words
from bot.render.payload import Attachment
from bot.render.pictures import canvas, system_picture
from bot.render.pictures.canvas import WIDTH
from bot.render.pictures.letters import KEPT, is_kept, readable
from bot.render.pictures.models import GRID_WIDTH
from rules.core.seen.pictures import Grid, GridCell, Picture, Pile, PileItem, Stage, Track
from tests.render.worst import NAMES

LONG = "W" * 32


def grid(*, name: str = "Ayla", note: str = "Trip") -> Grid:
    column = (
        GridCell(words="Arm", signs=("filled", "ringed", "struck")),
        GridCell(words="Throw", note=note, signs=("hatched",)),
    )
    return Grid(
        title=f"{name}: grid",
        columns=("A", "B"),
        rows=("2", "3"),
        cells=(column, (GridCell(words=LONG), GridCell(words="Run"))),
        joined=frozenset({0}),
        gap="filled gap",
        legend={"filled": "own", "struck": "damaged", "hatched": "blocked", "ringed": "body part"},
        notes=(f"Blocked: {note} (A3), beside Arm.",),
    )


def track(*names: str) -> Track:
    return Track(
        title="Tower: round 2",
        stages=(Stage(words="BOLSTER", names=("Bo",)), Stage(words="CHANNEL", names=names), Stage(words="DELAY")),
        now=1,
        notes=("Not planned yet: Cai.",),
    )


def pile(*names: str) -> Pile:
    items = tuple(PileItem(words=name, who=name, note="reaction") for name in names)
    return Pile(title="Yard: stack", items=items, notes=("Still to decide: Bo.",))


WORST: tuple[Picture, ...] = (
    grid(name=LONG, note=LONG),
    track(*NAMES, *(f"{LONG[:28]} {number}" for number in range(40))),
    pile(*NAMES, LONG),
    pile(),
    track(),
)


@pytest.mark.parametrize("picture", WORST, ids=["grid", "track", "pile", "empty pile", "empty track"])
def test_the_worst_names_make_a_picture_for_a_phone_with_a_summary(picture: Picture) -> None:
    png, alt = system_picture(picture)
    with Image.open(io.BytesIO(png)) as image:
        assert image.width in (WIDTH, GRID_WIDTH)
        assert image.height <= 3 * image.width
    assert 0 < len(alt) <= 1024
    assert len(png) < 400_000
    assert Attachment("picture.png", png, alt).alt == alt


def test_the_same_model_is_the_same_picture() -> None:
    assert system_picture(grid()) == system_picture(grid())


def test_each_sign_changes_the_picture_even_without_its_colour() -> None:
    def grey(*signs: str) -> bytes:
        cells = ((GridCell.model_validate({"words": "Arm", "signs": signs}),),)
        png, _ = system_picture(Grid(title="x", columns=("A",), rows=("2",), cells=cells))
        with Image.open(io.BytesIO(png)) as image:
            return image.convert("L").point(lambda shade: 0 if shade < 200 else 255).tobytes()

    drawn = [grey(), grey("filled"), grey("ringed"), grey("struck"), grey("hatched")]
    assert len(set(drawn)) == len(drawn)


def test_a_grid_says_in_words_what_it_draws() -> None:
    words = picture_words(grid())
    assert "Own: Arm A2." in words
    assert "Damaged: Arm A2." in words
    assert "On the grid: Trip A3." in words
    assert "Filled gap: A-B." in words
    assert "Blocked: Trip (A3), beside Arm." in words
    assert "A: 2 Arm, 3 Throw" in words


def test_a_track_says_which_stage_it_is_and_who_acts_in_which() -> None:
    words = picture_words(track("Ana", "Cai"))
    assert "1 BOLSTER (over): Bo." in words
    assert "2 CHANNEL (now): Ana, Cai." in words
    assert "3 DELAY." in words


def test_a_pile_counts_from_the_top() -> None:
    words = picture_words(pile("Dodge", "Trip"))
    assert words.index("1\\. Dodge") < words.index("2\\. Trip")
    assert "Still to decide: Bo." in words


def test_names_in_words_break_no_markdown() -> None:
    assert "\\*\\*" in picture_words(pile("**Bo**"))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë Łęcka ♠", "Zoë Łęcka ♠"),
        ("Жанна", "Жанна"),
        ("Αθηνά", "Αθηνά"),
        ("שלום", "slvm"),
        ("アヤ", "aya"),
        ("竜王", "LongWang"),
        ("🐉🐉 7", "Dragon Dragon 7"),
        ("Ｗｉｄｅ", "Wide"),
        ("Bo\u0301 \u202eB\u200do\n\x7f", "Bó Bo"),
    ],
)
def test_a_picture_keeps_the_letters_of_its_font_and_spells_all_others(name: str, shown: str) -> None:
    assert readable(name) == shown


@given(st.text())
def test_a_picture_writes_nothing_but_what_it_may_keep(name: str) -> None:
    assert all(map(is_kept, readable(name)))


@pytest.mark.parametrize("bold", [False, True])
def test_each_character_that_a_picture_keeps_is_in_its_font(bold: bool) -> None:
    font = canvas._font(24, bold=bold)
    missing = bytes(font.getmask("\uffff"))
    kept = [char for chars in KEPT for char in map(chr, chars) if is_kept(char)]
    assert len(kept) > 2000
    assert [char for char in kept if bytes(font.getmask(char)) == missing] == []
