"""The story of a fight: headings at rounds and phases, who did what, nobody's secrets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.render.story import LogEntry, story
from rules.core.seen.lines import Line
from rules.core.values import Seat
from tests.render.seen import PUBLIC, seen
from tests.rules.table import Game


def entry(seq: int, *lines: Line, **given: Any) -> LogEntry:
    return LogEntry(seq=seq, at="2026-01-01T12:00:00Z", lines=lines, **given)


def line(words: str, **facts: Any) -> Line:
    return Line(words=words, facts=facts)


def test_the_story_has_rounds_and_phases_as_headings_where_they_begin() -> None:
    entries = [
        entry(1, line("{who} joins.", who="Ana")),
        entry(2, line("It begins."), line("Round {n}.", n=1), line("{phase} Phase: Bo.", phase="Battle"), round=1),
        entry(3, line("{who} ends the turn.", who="Bo"), line("Round {n}: {phase}.", n=2, phase="BRAWL"), round=2),
    ]
    entries[1] = replace(entries[1], phase="Battle")
    entries[2] = replace(entries[2], phase="BRAWL")
    told = story(seen(Game()), entries, PUBLIC).split("## What happened")[1].split("\n## ")[0]
    expected = [
        *("### Setting up", "- Ana joins.\n- It begins.", "### Round 1", "#### Battle"),
        *("- Battle Phase: Bo.\n- Bo ends the turn.", "### Round 2", "#### BRAWL"),
    ]
    assert told.strip().replace("**", "").split("\n\n") == expected


def test_what_one_does_in_a_row_is_one_bullet_that_begins_with_the_name() -> None:
    game = Game()
    game.do("Ana", "join", result=9)
    entries = [
        entry(1, line("Round {n}.", n=1), round=1),
        entry(2, line("{who} moves.", who="Ana")),
        entry(3, line("{who} says: {said}", who="Ana", said="Hold")),
        entry(4, line("{who} joins.", who="Bo"), ruling=True, by="Gwen"),
        entry(5, line("{who} ends the turn.", who="Ana")),
        entry(6, line("{by} takes back step 5.", by="Gwen"), moves_the_log=True),
    ]
    told = story(seen(game), entries, PUBLIC)
    assert "- **Ana** moves. Ana says: Hold.\n- *Ruling of Gwen:* Bo joins.\n- **Ana** ends the turn." in told
    assert "takes back" not in told


def test_no_ones_story_holds_what_others_alone_may_see() -> None:
    secret = Line(words="{who} draws {card}.", facts={"who": "Bo", "card": "Fire 4"}, seen_by=("102",))
    entries = [entry(1, line("Round {n}.", n=1), secret, round=1)]
    assert "Fire 4" not in story(seen(Game()), entries, Seat(user="101", name="Ana"))
    assert "Fire 4" in story(seen(Game()), entries, Seat(user="102", name="Bo"))
