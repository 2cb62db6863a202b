"""Lists, sheets, hands, logs and the story, with the worst names and the longest lists."""

from __future__ import annotations

from typing import Any

import pytest

from bot.render.lists import (
    character_sheet,
    characters_list,
    condition_list,
    deck_card,
    discards_list,
    encounters_list,
    hand_message,
    help_page,
    init_list,
    log_page,
    macros_list,
    options_list,
    privacy_summary,
    rules_results,
    sorted_hand,
)
from bot.render.story import LogEntry, entries_of, story, unix_time
from data.rows import LIVE, UNDONE, LogRow
from rules.core.registry import systems
from rules.core.seen.lines import Line
from rules.core.sheets.sheet import Character
from rules.core.values import Ability, Condition, Seat
from rules.core.views.view import DeckSeen, HandSeen
from tests.render.seen import PUBLIC, seen
from tests.render.worst import NAMES, assert_sendable, crowd, texts_of
from tests.rules.table import Game

GM = Seat(user="100", gm=True)


@pytest.mark.parametrize("options", ["", "plain=on"])
def test_the_list_of_a_crowd_fits_with_conditions_and_notes(options: str) -> None:
    game = crowd(60, options=options)
    for name in game.state.names[:20]:
        game.do("Gwen", "condition add", target=name, name="Burn", duration="3", ticks="bearer-end", source=name)
        game.do("Gwen", "gm note", target=name, text=NAMES[0] * 4)
    for seat in (PUBLIC, GM):
        assert_sendable(init_list(seen(game, seat)))
        assert_sendable(condition_list(seen(game, seat)))
    assert NAMES[0][:8] not in "\n".join(texts_of(init_list(seen(game))))


def test_a_list_that_is_too_long_comes_whole_as_a_file() -> None:
    game = crowd(100)
    payload = init_list(seen(game))
    assert_sendable(payload)
    text = payload.files[0].data.decode()
    assert sum(line.startswith("- ") for line in text.splitlines()) == 100
    assert init_list(seen(crowd(5))).files == []


def test_the_options_say_what_was_changed_and_what_else_there_is() -> None:
    game = Game(options="order=low")
    payload = options_list(seen(game), systems()["classic"].options)
    assert_sendable(payload)
    text = payload.embeds[0]["description"]
    assert "**order=low**: whether high or low goes first (or high)" in text
    assert "by=each:" in text


def rows_of_game(game: Game) -> list[LogRow]:
    import json

    rows = []
    for seq, decision in enumerate(game.decisions, 1):
        rows.append(
            LogRow(
                channel="1",
                seq=seq,
                at=f"2026-01-01T12:{seq % 60:02}:00Z",
                kind="step",
                by="100",
                interaction=str(seq),
                encounter="77",
                command="{}",
                dice="[]",
                lines=json.dumps([line.model_dump(mode="json") for line in decision.lines]),
                secret=False,
                ruling=False,
                state=LIVE,
            )
        )
    return rows


def test_a_log_marks_undone_steps_and_rulings() -> None:
    entries = [
        LogEntry(seq=1, at="2026-01-01T12:00:00Z", lines=(Line(words="One."),), by="Ana"),
        LogEntry(seq=2, at="2026-01-01T12:00:00Z", lines=(Line(words="Two."),), undone=True),
        LogEntry(seq=3, at="2026-01-01T12:00:00Z", lines=(Line(words="Three."),), ruling=True),
        LogEntry(seq=4, at="2026-01-01T12:00:00Z", lines=(Line(words="Four.", seen_by=("gm",)),), secret=True),
    ]
    payload = log_page(entries, PUBLIC, number=1, pages=2, name="Battle")
    text = payload.embeds[0]["description"]
    assert "`1` <t:1767268800:t> One. (Ana)" in text
    assert "~~Two.~~ (undone)" in text
    assert "⚖️ Three." in text
    assert "Four" not in text
    assert "you can't see" in text
    footer = payload.embeds[0]["footer"]["text"]
    assert footer == "Page 1 of 2, newest first; /encounter log page:2 has what came before"


@pytest.mark.parametrize("plain", [False, True])
def test_a_long_log_fits(plain: bool) -> None:
    game = crowd(60)
    assert_sendable(
        log_page(entries_of(rows_of_game(game), game.users), GM, number=1, pages=1, name=NAMES[0], plain=plain)
    )


def test_the_story_reads_round_by_round() -> None:
    game = Game()
    game.do("Ana", "join", result=9)
    game.do("Bo", "join", result=5)
    game.do("Gwen", "gm add", name="Shade", sheet="HP 3", hidden=True)
    game.do("Gwen", "encounter begin")
    while game.state.round == 1:
        game.do("Gwen", "next", character=game.waits_for()[0])
    people = {user: name for name, user in game.users.items()}
    entries = entries_of(rows_of_game(game), people)
    text = story(seen(game), entries, PUBLIC)
    assert text.startswith("# Classic initiative")
    parts = ["## Who took part", "**Ana**", "### Round 1", "### Round 2"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "Shade" not in text
    assert "Shade" in story(seen(game, GM), entries, GM)


def test_an_undone_round_opens_no_chapter() -> None:
    line = Line(words="Round {number}.", facts={"number": 2})
    row = LogRow("1", 1, "2026-01-01T12:00:00Z", "step", None, "1", "77", "{}", "[]", "[]", state=UNDONE)
    entry = LogEntry(seq=1, at=row.at, lines=(line,), undone=True, round=2)
    text = story(seen(Game()), [entry], PUBLIC)
    assert "### Round" not in text
    assert "~~Round 2.~~ (undone)" in text
    assert entries_of([row], {})[0].undone


def test_times_are_read_as_utc() -> None:
    assert unix_time("2026-01-01T12:00:00Z") == 1_767_268_800


def test_encounters_of_a_server_name_their_channels() -> None:
    payload = encounters_list(
        [("Battle", "Classic", "running", "55", [("Ana", 5.0)]), (NAMES[0], "Classic", "paused", "6", ())]
    )
    assert_sendable(payload)
    listing = encounters_list([("Battle", "Classic", "running", "55", [("Ana", None)])], server=True)
    assert "in <#55>, waits for Ana" in listing.embeds[0]["description"]


def character(**given: Any) -> Character:
    return Character(
        name=NAMES[0],
        owner="5",
        system="stones",
        fields={f"KEY{at}": NAMES[at % len(NAMES)] * 8 for at in range(90)},
        abilities=tuple(
            Ability(name=name, kind="weapon", fields={"cost": name}, text=name * 30) for name in NAMES for _ in range(5)
        ),
        conditions=(Condition(name=NAMES[1], left=3, save="2d6>=7"),),
        **given,
    )


def test_what_a_person_owns_fits() -> None:
    assert_sendable(character_sheet(character()))
    assert_sendable(characters_list([character()] * 60))
    assert_sendable(macros_list([(name, f"{name} 4d6kh3" * 30) for name in NAMES] * 9))
    assert_sendable(macros_list([]))
    assert_sendable(characters_list([]))


def test_a_sheet_shows_values_and_abilities() -> None:
    sheet = Character(
        name="Ayla",
        owner="5",
        fields={"HP": "10/20", "SPECIALTIES": ("Arm", "Throw")},
        abilities=(Ability(name="Searing Blow", fields={"cost": "3"}, text="[Burn]"),),
    )
    text = character_sheet(sheet).embeds[0]["description"]
    assert "HP **10/20**" in text
    assert "SPECIALTIES **Arm + Throw**" in text
    assert "• **Searing Blow**: cost 3; text \\[Burn\\]" in text


def test_a_hand_is_sorted_by_suit_and_number() -> None:
    assert sorted_hand(("10H", "AS", "2H", "KC", "X1")) == ("KC", "2H", "10H", "AS", "X1")
    assert sorted_hand(("Fire inf", "Fire 2", "Earth 10", "Earth 9")) == ("Earth 9", "Earth 10", "Fire 2", "Fire inf")


def test_a_hand_that_is_not_to_be_seen_is_a_number() -> None:
    assert hand_message(HandSeen(count=3, cards=None), "Bo", "", own=False).content == "🃏 Bo's hand: 3 cards."
    own = HandSeen(count=2, cards=("Fire 2", "Earth 1"), fused={"Ayla": {"Stone Skin": ("Earth 3",)}}, limit=5)
    text = hand_message(own, "Bo", "Battle, #dungeon").content
    assert "2 cards, 1 fused, limit 5:" in text
    assert "Fire 2, Earth 1" in text  # as the system sorts it
    assert "Fused beside Ayla: Stone Skin (Earth 3)" in text


def test_hands_and_decks_of_500_cards_with_the_worst_names_fit() -> None:
    cards = tuple(f"{NAMES[at % len(NAMES)][:30]} {at}" for at in range(500))
    assert_sendable(hand_message(HandSeen(count=500, cards=cards), NAMES[0], NAMES[0]))
    deck = DeckSeen(left=0, discard=cards)
    for plain in (False, True):
        assert_sendable(discards_list(deck, plain=plain))
        assert_sendable(deck_card(deck, dict.fromkeys(NAMES, 4), kind="list", plain=plain))
    assert_sendable(deck_card(None, {}))
    assert_sendable(discards_list(None))


def test_a_deck_without_an_encounter_says_by_mention_who_holds_how_many() -> None:
    shown = deck_card(DeckSeen(left=48, discard=()), {"100": 3, "101": 1})
    assert "<@100> holds 3 cards\n<@101> holds 1 card" in str(shown.embeds[0]["description"])
    assert shown.mentions == ()


def test_rules_help_privacy_and_reminders_fit() -> None:
    rules = [("ST-05", "Activate one at a time. " * 20, "refuses the second " * 9)] * 40
    assert_sendable(rules_results(NAMES[0], rules, system="Speaking Stones"))
    assert "matches" in rules_results("xyz", [], system="Classic").embeds[0]["description"]
    page = help_page(
        "First steps",
        ["Words. " * 60] * 20,
        [("/init join bonus:3", "comes in")] * 40,
        others={"roll": "roll", "gm": "For the GM"},
    )
    assert_sendable(page)
    assert [each["label"] for row in page.components for each in row["components"]] == ["roll", "For the GM"]
    assert_sendable(privacy_summary({"characters": 3, "log rows": 0}))
    assert_sendable(privacy_summary({}))
