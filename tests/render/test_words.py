"""Escaping, shortening, and the guard before Discord's limits."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from bot import custom_ids
from bot.render.components import button, rows_of, select
from bot.render.payload import Attachment, Payload, clip_words, fit
from bot.render.words import and_more, escape, joined, listed, markdown, shorten
from rules.core.seen.lines import Dice, Line, Veiled
from rules.core.values import Seat
from tests.render.worst import NAMES, assert_sendable

GM = Seat(user="9", gm=True)
PLAYER = Seat(user="5")
TYPED = st.text(st.sampled_from("*_~`|<>[]()#@!&:\\ -+.1aé🐉\n"), max_size=60)


def shown(text: str) -> str:
    """Read markdown as Discord does as far as escapes go: a backslash before punctuation disappears."""
    return re.sub(r"\\([^\w\s]|_)", r"\1", text).replace("\u200b", "")


@given(TYPED)
def test_what_is_escaped_reads_as_it_was_typed(text: str) -> None:
    assert shown(escape(text)) == text


@given(TYPED)
def test_no_mark_of_what_is_escaped_stays_active(text: str) -> None:
    bare = re.sub(r"\\(?:[^\w\s]|_)", "x", escape(text))
    assert not re.search(r"[*_~`|<>\[\]#\\]", bare)
    assert "@everyone" not in escape(text + "@everyone")
    assert not re.search(r"^\s*(?:[-+]|\d+\.)\s", bare, re.MULTILINE)


@given(st.text(st.sampled_from("*~|\\ <@1>ab\n"), max_size=300), st.integers(40, 200))
def test_a_shortened_text_keeps_its_limit_and_says_how_much_is_left_out(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or re.search(r"\(\d+ more characters\)$", short)


def test_a_cut_through_bold_faces_closes_them() -> None:
    text = "2d6 (" + "**3**, " * 100 + ")"
    for limit in range(50, 120):
        head = shorten(text, limit).rpartition("…")[0]
        assert head.count("**") % 2 == 0


@given(st.lists(st.text(max_size=80), min_size=1, max_size=40), st.integers(120, 400))
def test_a_list_that_is_too_long_ends_with_a_count(texts: list[str], limit: int) -> None:
    text = and_more(texts, limit)
    assert len(text) <= limit
    assert text == "\n".join(texts) or "more" in text


def test_a_line_escapes_names_and_keeps_the_dice_bold() -> None:
    line = Line(words="{who} rolls {roll}.", facts={"who": "**Bo**", "roll": Dice(text="2d6 (**3**, ~~1~~) = **3**")})
    assert markdown(line) == "\\*\\*Bo\\*\\* rolls 2d6 (**3**, ~~1~~) = **3**."


def test_a_veiled_fact_shows_each_reader_their_side() -> None:
    line = Line(words="{pool}", facts={"pool": Veiled(full="HP 12 → 5/20", public="hurt", seen_by=("gm", "5"))})
    assert markdown(line, GM) == markdown(line, PLAYER) == "HP 12 → 5/20"
    assert markdown(line) == "hurt"


def test_a_line_for_the_gm_alone_is_nothing_for_others() -> None:
    line = Line(words="secret", seen_by=("gm",))
    assert markdown(line, PLAYER) is None
    assert joined([line], GM) == "secret"
    assert joined([line], PLAYER) == ""


def test_many_lines_are_counted_if_they_do_not_fit() -> None:
    text = joined([Line(words=f"line {number}") for number in range(100)], limit=200)
    left = int(re.search(r"and (\d+) lines", text)[1])  # type: ignore[index] # no match fails the test too
    assert text.count("\n") + left == 100


def test_a_list_of_names_reads_as_a_sentence() -> None:
    assert [listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"]), listed([])] == [
        "A",
        "A and B",
        "A, B and C",
        "",
    ]
    assert listed([str(number) for number in range(20)], 3) == "0, 1, 2 and 17 more"


def test_the_guard_makes_any_message_sendable() -> None:
    embed = {
        "title": "t" * 400,
        "description": "d" * 9000,
        "footer": {"text": "f" * 3000},
    }
    buttons = [button(f"x|1|{number}", f"{NAMES[0]} {number}" * 9) for number in range(40)]
    payload = Payload(
        content="c" * 5000,
        embeds=[dict(embed) for _ in range(12)],
        components=[
            *rows_of(buttons, 4),
            select("s|1|1", "p" * 400, [("l" * 300, str(at)) for at in range(60)], most=60),
        ],
        files=[Attachment("a.png", b"", "alt " * 600)],
        mentions=tuple(str(number) for number in range(150)),
    )
    fitted = fit(payload)
    assert_sendable(fitted)
    assert "more characters" in fitted.content
    assert "(25 of 60)" in fitted.components[4]["components"][0]["placeholder"]
    assert "characters in all" in fitted.files[0].alt


@given(st.text(max_size=3000))
def test_an_alternative_text_is_a_summary_with_its_length(text: str) -> None:
    assert len(clip_words(text, 1024)) <= 1024


def test_a_bar_in_a_name_survives_a_custom_id() -> None:
    pressed = custom_ids.Pressed(custom_ids.ACT, "1" * 20, 123456, ("enter-conflict", "||Bo||"))
    assert custom_ids.parse_id(pressed.written()) == pressed


def test_one_line_that_is_left_out_is_one_line() -> None:
    assert joined([Line(words="a" * 90), Line(words="b" * 90)], limit=130).endswith("… and 1 line in /encounter log")
