"""What a live message tells of the log's rows: whose ruling it was, and turns in which nothing happened."""

from __future__ import annotations

from bot.render.record import StoryRow, story_of
from rules.core.seen.lines import Line

WORDS = "{who} ends the turn."


def ended(seq: int, who: str) -> StoryRow:
    return StoryRow(seq, (Line(words=WORDS, facts={"who": who}, shown="with-next"),))


def test_a_ruling_names_its_gm_once() -> None:
    assert StoryRow(1, (Line(words="The GM skips {who}.", facts={"who": "Bo"}),), ruling_by="Gwen").text.endswith(
        " Gwen skips Bo."
    )


def test_turns_in_which_nothing_happened_share_lines_that_a_phone_shows_whole() -> None:
    lines = story_of([ended(seq, f"Cultist of the Deep {seq}") for seq in range(1, 9)]).split("\n")
    assert [line.count("ends the turn") for line in lines] == [3, 3, 2]
