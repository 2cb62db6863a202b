"""Answers in advance: what one answers if asked, and for how long one lets pass what one is asked (play 5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.waiting.waits import PASS, wanted
from rules.core.registry import load_encounter, system_of
from rules.core.values import Question
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from tests.guide import guide_system
from tests.rules.table import Game


@pytest.fixture(autouse=True)
def baton(tmp_path: Path) -> Iterator[None]:
    with guide_system(tmp_path):
        yield


def circle() -> Game:
    """Ana holds the baton; Bo, Cai and the Ogre have not had it."""
    game = Game("baton", people=("Gwen", "Ana", "Bo", "Cai"))
    for name in ("Ana", "Bo", "Cai"):
        game.do(name, "join", document={"name": name, "owner": "0", "fields": {"BREATH": 3}})
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 9")
    game.do("Gwen", "encounter begin")
    return game


def question(game: Game, who: str) -> Question:
    found: Question | None = game.state.question_to(who)
    assert found is not None
    return found


def passed(game: Game) -> list[str]:
    """Return who is to be passed at a moment that nobody knows."""
    return [each.who for each in wanted(game.state) if each.kind == PASS]


def pass_silently(game: Game) -> None:
    """Let the moments come, as the reminders do."""
    while passed(game):
        who = passed(game)[0]
        default_answer = system_of(game.state).timeout_action(game.state, who)
        assert default_answer is not None
        game.do("Gwen", default_answer.action, character=who)


def everything(game: Game, who: str) -> str:
    view = view_of(game.table, game.seat(who))
    assert view is not None
    return f"{view.model_dump_json()} {export_view(game.table, game.seat(who))}"


def test_an_answer_in_advance_is_used_the_first_time_that_it_is_legal() -> None:
    game = circle()
    game.do("Bo", "catch", when="if-asked")
    assert "If Bo is asked: catch it." in game.said("Bo")
    assert game.lines("Cai") == []
    game.do("Ana", "toss", target="Bo")
    assert (game.state.holder, game.state.orders) == ("Bo", ())
    game.do("Bo", "toss", target="Cai")
    assert game.waits_for() == ("Cai",)


def test_an_answer_in_advance_waits_for_its_place() -> None:
    game = circle()
    game.do("Cai", "reach", when="if-asked")
    game.do("Ana", "throw")
    assert question(game, "Cai").sealed is not None
    assert game.waits_for() == ("Bo", "Cai", "Ogre")
    assert game.lines("Bo") == game.lines("Ana")
    game.do("Bo", "let-fly")
    assert game.state.reaching == "Cai"


def test_an_answer_in_advance_is_used_once() -> None:
    game = circle()
    game.do("Bo", "duck", when="if-asked")
    for _ in range(2):
        game.do("Ana", "toss", target="Bo")
    assert game.waits_for() == ("Bo",)


@pytest.mark.parametrize(("when", "other"), [("this-round", "this-turn"), ("this-turn", "this-fight")])
def test_one_who_lets_pass_is_asked_quietly_and_passed_at_a_stored_moment(when: str, other: str) -> None:
    game = circle()
    game.do("Bo", "let-fly", when=when)
    assert game.decisions[-1].secret
    assert [game.lines(who) for who in ("Ana", "Cai")] == [[], []]
    game.do("Ana", "throw")
    assert question(game, "Bo").quiet
    assert passed(game) == ["Bo"]
    assert game.waits_for() == ("Bo", "Cai", "Ogre")
    pass_silently(game)
    assert question(game, "Bo").answered
    assert game.waits_for() == ("Bo", "Cai", "Ogre")


def test_to_others_a_standing_pass_is_an_open_question_like_any() -> None:
    silent, spoken = circle(), circle()
    spoken.do("Bo", "let-fly", when="this-fight")
    for game in (silent, spoken):
        game.do("Ana", "throw")
    for who in ("Ana", "Cai"):
        assert everything(silent, who) == everything(spoken, who)
    pass_silently(spoken)
    assert everything(silent, "Ana") == everything(spoken, "Ana")


@pytest.mark.parametrize(("when", "kept"), [("this-turn", 0), ("this-round", 0), ("this-fight", 1)])
def test_a_standing_pass_ends_with_its_time(when: str, kept: int) -> None:
    game = circle()
    game.do("Bo", "let-fly", when=when)
    for who in ("Bo", "Cai", "Ogre"):
        game.do("Gwen", "pass-on", character=game.state.holder, target=who)
        if who == "Bo":
            assert len(game.state.orders) == (0 if when == "this-turn" else 1)
    game.do("Gwen", "pass-on", character="Ogre", target="Ana")
    assert game.state.round == 2
    assert len(game.state.orders) == kept


def test_unless_me_keeps_being_asked_about_what_targets_oneself() -> None:
    game = circle()
    game.do("Bo", "duck", when="this-fight", note="unless-me")
    game.do("Ana", "toss", target="Bo")
    assert not question(game, "Bo").quiet
    game.do("Bo", "duck")
    game.do("Bo", "order drop")
    game.do("Bo", "duck", when="this-fight")
    game.do("Ana", "toss", target="Bo")
    assert question(game, "Bo").quiet


def test_a_pass_for_longer_answers_what_is_asked_now_too() -> None:
    game = circle()
    game.do("Ana", "throw")
    game.do("Bo", "decline", when="this-round")
    assert question(game, "Bo").answered
    assert [order.when for order in game.state.orders] == ["this-round"]
    assert [game.lines(who) for who in ("Ana", "Cai")] == [[], []]


def test_a_pass_for_longer_takes_the_place_of_an_earlier_one_and_is_taken_back() -> None:
    game = circle()
    game.do("Bo", "let-fly", when="this-round")
    game.do("Bo", "let-fly", when="this-fight")
    assert [order.when for order in game.state.orders] == ["this-fight"]
    game.refused("Ana", "order drop", character="Bo")
    game.do("Bo", "order drop")
    game.do("Ana", "throw")
    assert not question(game, "Bo").quiet


def test_with_ten_answers_a_pass_for_longer_still_replaces_an_earlier_one() -> None:
    game = circle()
    for _ in range(9):
        game.do("Bo", "reach", when="if-asked")
    game.do("Bo", "let-fly", when="this-round")
    assert "has 10 orders" in str(game.refused("Bo", "reach", rule=None, when="if-asked"))
    game.do("Bo", "let-fly", when="this-fight")
    assert [order.when for order in game.state.orders] == ["if-asked"] * 9 + ["this-fight"]


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("reach", {"when": "this-round"}),
        ("pass-on", {"when": "if-asked"}),
        ("reach", {"when": "if-asked", "target": "Cai"}),
        ("let-fly", {"when": "this-round", "note": "maybe"}),
        ("let-fly", {"when": "some day"}),
        ("let-fly", {"when": "this-round", "character": "Cai"}),
    ],
)
def test_what_cannot_be_said_in_advance_is_refused(action: str, given: dict[str, str]) -> None:
    refusal = circle().refused("Bo", action, rule=None, **given)
    assert refusal.instead


def test_one_who_is_asked_again_about_a_reaction_is_passed_again() -> None:
    game = circle()
    game.do("Cai", "let-fly", when="this-round")
    game.do("Ana", "throw")
    game.do("Bo", "reach")
    assert question(game, "Cai").quiet
    assert passed(game) == ["Cai"]


def test_the_gm_answers_for_who_lets_pass_and_a_new_owner_is_asked_aloud() -> None:
    game = circle()
    game.do("Bo", "let-fly", when="this-round")
    game.do("Ana", "throw")
    game.do("Gwen", "gm set", target="Bo", pool="owner", value="Ana")
    assert not question(game, "Bo").quiet
    assert not question(game, "Bo").silent
    game.do("Gwen", "gm answer", target="Bo", choice="reach")
    assert game.state.reaching == "Bo"


def test_a_document_of_an_earlier_version_with_an_order_is_read() -> None:
    game = circle()
    document = game.state.model_dump(mode="json", exclude_defaults=True)
    document["orders"] = [
        {"who": "Bo", "command": {"action": "pass-on", "character": "Bo", "target": "Cai"}, "by": "102", "probed": True}
    ]
    document.pop("next_order", None)
    state = load_encounter(document)
    assert [(order.who, order.when, order.number) for order in state.orders] == [("Bo", "my-turn", 0)]
    game.table = game.table.evolve(encounter=state)
    game.do("Gwen", "order drop", character="Bo")
    assert game.state.orders == ()
