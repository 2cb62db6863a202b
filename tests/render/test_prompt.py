"""The turn prompt over real encounters: who is called, what is shown, which buttons there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from bot import custom_ids
from bot.render.payload import Payload
from bot.render.prompt import gathering_card, turn_prompt
from bot.render.prompt_buttons import MOST_LINES
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Question, Seat
from rules.core.views import view as views
from rules.core.views.view import CombatantView, View, view_of
from rules.core.views.whole import WholeAction, public_actions
from tests.render.worst import assert_sendable, crowd, texts_of
from tests.rules.adventurers.scene import duel
from tests.rules.kit.tables import begun
from tests.rules.table import Game

PUBLIC = Seat()


def seen(game: Game, **changes: Any) -> View:
    view = view_of(game.table, PUBLIC)
    assert view is not None
    return view.evolve(**changes) if changes else view


def usual(game: Game) -> dict[str, tuple[WholeAction, ...]]:
    return {who: public_actions(game.table, who) for who in seen(game).turn}


def prompt(game: Game, view: View | None = None, **given: Any) -> Payload:
    mentions = {name: (user,) for name, user in game.users.items() if name in game.state.names}
    given.setdefault("mentions", mentions)
    payload = turn_prompt(view or seen(game), 7, usual=usual(game), **given)
    assert_sendable(payload)
    return payload


def started(options: str = "", results: tuple[int, int] = (15, 10)) -> Game:
    game = Game(options=options)
    game.do("Ana", "join", result=results[0])
    game.do("Bo", "join", result=results[1])
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 12/20", result=5)
    game.do("Gwen", "encounter begin")
    return game


def ask(game: Game, **given: Any) -> None:
    """Let the GM ask Ana and Bo for a d20 (`dice` is the name of the scripted faces in `Game.do`)."""
    command = Command(action="gm ask", args={"who": "Ana, Bo", "dice": "1d20", **given})
    game.decided(command, game.seat("Gwen"))


def labels(payload: Payload) -> list[str]:
    return [item["label"] for row in payload.components for item in row["components"]]


def pressed(payload: Payload, label: str) -> custom_ids.Pressed:
    found = next(
        item["custom_id"] for row in payload.components for item in row["components"] if item["label"] == label
    )
    parsed = custom_ids.parse_id(found)
    assert parsed is not None
    return parsed


def test_the_first_line_calls_the_player_with_the_gist() -> None:
    game = started()
    payload = prompt(game)
    assert payload.content.split("\n")[0] == f"<@{game.users['Ana']}>, your turn: round 1."
    assert payload.mentions == (game.users["Ana"],)


def test_an_npcs_turn_calls_the_gm_with_its_name() -> None:
    game = started()
    game.do("Ana", "next")
    game.do("Bo", "next")
    payload = prompt(game)
    assert payload.content == f"<@{game.users['Gwen']}>, Goblin's turn: round 1."
    assert payload.mentions == (game.users["Gwen"],)


def test_where_the_table_waits_for_a_hidden_npc_the_gm_is_called_and_nobody_named() -> None:
    game = Game(options="hidden=stop")
    game.do("Ana", "join", result=5)
    game.do("Gwen", "gm add", name="Assassin", sheet="HP 9", hidden=True, result=20)
    game.do("Gwen", "encounter begin")
    payload = prompt(game)
    assert payload.content == f"<@{game.users['Gwen']}>, your turn: round 1."
    assert "Assassin" not in str(payload.to_json())


def test_somebody_hidden_calls_nobody_if_the_table_goes_on() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 9", result=20)
    game.do("Ana", "join", result=5)
    game.do("Gwen", "gm add", name="Assassin", sheet="HP 9", hidden=True, result=19)
    game.do("Gwen", "encounter begin")
    assert set(system_of(game.state).waits_for(game.state)) == {"Goblin"}
    assert prompt(game).content == f"<@{game.users['Gwen']}>, Goblin's turn: round 1."
    game.do("Gwen", "next", character="Goblin")
    assert prompt(game).content == f"<@{game.users['Ana']}>, your turn: round 1."


def test_several_are_all_called() -> None:
    game = started("by=side", (15, 15))
    payload = prompt(game)
    assert all(f"<@{game.users[name]}>" in payload.content for name in ("Ana", "Bo"))
    assert "\n" not in payload.content
    assert pressed(payload, "End turn").parts[1] == ""  # who presses ends their own


def test_who_may_not_be_pinged_is_named_without_a_mention() -> None:
    game = started()
    payload = prompt(game, mentions={"Bo": (game.users["Bo"],)})
    assert payload.content == "Ana, your turn: round 1."
    assert payload.mentions == ()


def test_a_silent_prompt_pings_nobody() -> None:
    payload = prompt(started(), silent=True)
    assert payload.silent
    assert payload.mentions == ()
    assert "<@" not in payload.content


def test_the_embed_shows_order_pools_conditions_and_the_deadline() -> None:
    game = started()
    game.do("Gwen", "gm damage", target="Goblin", amount="5")
    game.do("Gwen", "condition add", target="Goblin", name="Burn", duration="2", ticks="bearer-start")
    text = prompt(game, deadline=1_800_000_000).embeds[0]["description"]
    assert "▶ 15 **Ana** (now)" in text
    assert "◦ 5 **Goblin** · HP\N{NO-BREAK SPACE}▰▱▱▱▱\N{NO-BREAK SPACE}7/20 · Burn (2 left)" in text
    assert "<t:1800000000:R>" in text


def test_marks_say_done_delayed_and_out_in_words() -> None:
    game = started()
    game.do("Gwen", "gm add", name="Wolf", result=2)
    game.do("Ana", "next")
    game.do("Bo", "delay")
    game.do("Gwen", "gm damage", target="Goblin", amount="50")
    text = prompt(game).embeds[0]["description"]
    assert "✓ 15 **Ana** (done)" in text
    assert "⏸ 10 **Bo** · delays" in text
    assert "✖ 5 **Goblin** (out)" in text
    assert "▶ 2 **Wolf** (now)" in text


def test_numbers_of_npcs_follow_the_option() -> None:
    game = started("npc_pools=words")
    assert "**Goblin** · hurt" in prompt(game).embeds[0]["description"]
    game = started("npc_pools=hidden")
    text = prompt(game).embeds[0]["description"]
    assert "HP" not in text
    assert "hurt" not in text


def test_plain_says_the_same_without_embeds() -> None:
    game = started("plain=on")
    payload = prompt(game, deadline=1_800_000_000)
    assert payload.embeds == []
    assert all(part in payload.content for part in ("your turn: round 1", "(now)", "12/20", "<t:1800000000:R>"))
    assert labels(payload)[0] == "My turn"


def test_the_buttons_are_my_turn_and_the_usual_actions() -> None:
    payload = prompt(started())
    assert labels(payload) == ["My turn", "End turn", "Delay", "Ready", "Ahead"]
    assert pressed(payload, "My turn").kind == custom_ids.PANEL
    assert pressed(payload, "Delay") == custom_ids.Pressed(custom_ids.ACT, "77", 7, ("delay", "Ana"))
    assert pressed(payload, "Ready").kind == custom_ids.CHOOSE


@pytest.mark.parametrize("wide", [10, 30, 44, 70])
def test_buttons_with_long_labels_take_three_lines_of_a_phone_and_one_of_them_ends_the_turn(wide: int) -> None:
    game = started()
    able = usual(game)
    (who, wholes), *_ = able.items()
    whole, end = (next(each for each in wholes if each.offer.action == action) for action in ("delay", "next"))
    foes = [f"{at} {'x' * wide}" for at in range(9)]
    many = [whole._replace(given={"target": foe}, pattern="{target}", asks="") for foe in foes]
    payload = turn_prompt(seen(game), 7, usual={who: (*many, end)}, mentions={})
    assert len(payload.components) <= MOST_LINES
    shown = labels(payload)
    assert shown[0] == "My turn"
    assert end.label in shown
    assert sum(label[1:3] == " x" for label in shown) >= 2


def question(number: int, who: str, **given: Any) -> Question:
    return Question(
        id=number, who=who, about="hit", words="an arrow flies. Evade?", choices=("evade", "let-go"), **given
    )


def test_a_question_has_a_button_for_each_choice() -> None:
    game = started()
    view = seen(game, questions=(question(1, "Bo"),), turn=("Bo",))
    payload = prompt(game, view)
    assert payload.content == f"<@{game.users['Bo']}>, a question: an arrow flies. Evade?"
    assert labels(payload)[:2] == ["Evade", "Let go"]
    assert pressed(payload, "Let go").parts == ("let-go", "Bo")
    assert "End turn" not in labels(payload)[1:]


def test_several_who_are_asked_share_a_button_for_each_choice() -> None:
    game = started()
    view = seen(game, questions=(question(1, "Bo", window=1), question(2, "Ana", window=1)), turn=("Bo", "Ana"))
    payload = prompt(game, view)
    assert labels(payload)[:2] == ["Evade", "Let go"]
    assert pressed(payload, "Evade").parts == ("evade", ""), "whoever presses answers for theirs"
    assert payload.content.count("\n") == 0


@pytest.mark.parametrize("who", ["Bo", "B" * 32])
def test_an_answer_beside_anothers_turn_and_the_turn_both_say_whose_they_are(who: str) -> None:
    game = started()
    asked = question(1, who).evolve(choices=("evade", "let go of all that was held for as long as anybody can say"))
    payload = prompt(game, seen(game, questions=(asked,), turn=("Ana", who), people={"1": "Ana", "2": who}))
    whose = [label for label in labels(payload) if label not in ("My turn", "Ahead")]
    assert {label.rpartition(" (")[2][:4] for label in whose} == {"Ana)", f"{who})"[:4]}
    assert {"End turn (Ana)", f"Evade ({who})"} <= {*whose}


def test_an_answered_question_looks_like_an_open_one() -> None:
    game = started()
    both = (question(1, "Bo", window=1), question(2, "Ana", window=1))
    answered = (both[0].evolve(answered=True), both[1])
    turn = ("Bo", "Ana")
    assert prompt(game, seen(game, questions=both, turn=turn)) == prompt(
        game, seen(game, questions=answered, turn=turn)
    )


def test_a_roll_that_is_asked_for_has_a_button_for_each_who_owes_it() -> None:
    game = started()
    ask(game, reason="Perception")
    game.do("Ana", "ask-roll")
    payload = prompt(game)
    assert "Roll Perception (Bo)" in labels(payload)
    assert not any(label.endswith("(Ana)") for label in labels(payload))
    assert pressed(payload, "Roll Perception (Bo)").kind == custom_ids.ASK
    assert f"<@{game.users['Bo']}>, a roll: Perception." in payload.content


def test_what_a_secret_roll_needs_is_not_shown() -> None:
    game = started()
    ask(game, at_least=17, show="gm")
    assert "17" not in str([*texts_of(prompt(game)), *labels(prompt(game))]).replace("177", "")


def test_when_it_is_decided_nobody_is_called() -> None:
    game = started()
    payload = prompt(game, seen(game, over="the players win", turn=()))
    assert payload.content.endswith("is decided: the players win.")
    assert payload.mentions == ()


@pytest.mark.parametrize("count", [30, 100])
@pytest.mark.parametrize("options", ["", "plain=on", "by=side", "by=popcorn", "by=side, plain=on"])
def test_a_crowd_with_the_worst_names_fits_and_keeps_those_near_the_turn(count: int, options: str) -> None:
    game = crowd(count, options=options)
    for _ in range(3):
        payload = prompt(game, deadline=1_800_000_000)
        text = "\n".join(texts_of(payload))
        assert "▶" in text
        shown = len(re.findall(r"^[▶✓◦⏸✖] ", text, re.MULTILINE))
        counted = sum(map(int, re.findall(r"^… and (\d+) more \(/", text, re.MULTILINE)))
        assert shown + counted == count
        game.do("Gwen", "gm next-phase" if options == "by=popcorn" else "gm skip", target=game.waits_for()[0])


def test_a_window_over_a_crowd_asks_with_buttons_that_fit() -> None:
    game = crowd(40)
    names = game.state.names
    asked = tuple(question(number, name, window=1) for number, name in enumerate(names, 1))
    payload = prompt(game, seen(game, questions=asked, turn=names))
    assert labels(payload)[:3] == ["Evade …", "Let go …", "My turn"]


@pytest.mark.parametrize("options", ["", "plain=on"])
def test_a_gathering_encounter_says_who_is_in_and_what_comes_next(options: str) -> None:
    game = Game(options=options)
    game.do("Ana", "join")
    card = gathering_card(seen(game))
    assert_sendable(card)
    assert "is gathering" in card.content
    assert "/init join" in card.content
    assert "Ana" in "\n".join(texts_of(card))
    assert card.mentions == ()


def test_of_a_crowd_the_prompt_shows_those_around_the_turn() -> None:
    payload = prompt(crowd(40))
    lines = payload.embeds[0]["description"].split("\n")
    assert len(lines) < 22
    assert sum("(now)" in line for line in lines) == 1
    assert "more (/init list)" in lines[-1]


def test_a_long_line_of_a_system_ends_with_a_count() -> None:
    game = started()
    line = "Still missing: " + ", ".join(f"Goblin {number}" for number in range(90))
    payload = prompt(game, seen(game, lines=(line,)))
    below = payload.embeds[0]["description"].split("\n\n")[1]
    assert len(below) <= 500
    assert re.search(r"… and \d+ more$", below)


def test_what_several_are_asked_about_one_event_is_said_once_without_the_numbers_that_differ() -> None:
    game = started()
    said = ("Storm hits for 3 damage (HP 10 → 7). Evade?", "Storm hits for 3 damage (HP 1 → 0). Evade?")
    both = tuple(
        question(number, who, window=1).evolve(words=words)
        for number, (who, words) in enumerate(zip(("Bo", "Ana"), said, strict=True), 1)
    )
    text = prompt(game, seen(game, questions=both, turn=("Bo", "Ana"))).content
    assert text.count("Storm hits") == 1
    assert text.endswith(", a question: Storm hits for 3 damage …")


def test_a_prompt_looks_only_at_those_of_a_crowd_whose_lines_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    look = views._combatant_view

    def counted(*given: Any, **options: Any) -> CombatantView:
        seen = look(*given, **options)
        looks.append(seen.name)
        return seen

    monkeypatch.setattr(views, "_combatant_view", counted)
    game = crowd(30)
    text = "\n".join(texts_of(prompt(game)))
    shown = [line for line in text.splitlines() if "HP" in line]
    assert 0 < len(looks) <= 20 < len(game.state.names)
    assert len(shown) <= len(looks)


def adventurers_enemies() -> tuple[Game, str]:
    """Return a table at which step C has begun, and its name."""
    game = duel()
    game.do("Ana", "pass")
    return game, "Enemy Actions"


def second_phase_of_a_kit() -> tuple[Game, str]:
    """Return a table at which a kit's second phase has begun, and its name."""
    game = begun(Game("fast-slow"), "Ogre")
    game.do("Ana", "wait")
    game.do("Bo", "wait")
    return game, game.state.this_phase.name


@pytest.mark.parametrize("opened", [adventurers_enemies, second_phase_of_a_kit])
def test_a_phase_that_the_first_line_names_is_not_named_again(opened: Callable[[], tuple[Game, str]]) -> None:
    game, phase = opened()
    story = game.lines("Ana")
    assert any(phase.casefold() in line.casefold() for line in story)
    content = prompt(game, story="\n".join(story)).content
    assert content.casefold().count(phase.casefold()) == 1
    struck = prompt(game, story="\n".join(f"~~{line}~~ (undone)" for line in story)).content
    assert struck.casefold().count(phase.casefold()) == 2
