"""One event asks everybody at the same time; answers that count in an order are sealed till their place comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.core.registry import load_encounter
from rules.core.turns.questions import due_answer
from rules.core.values import Question, Seat
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from tests.guide import guide_system
from tests.rules.table import Game, hangs


@pytest.fixture(autouse=True)
def baton(tmp_path: Path) -> Iterator[None]:
    with guide_system(tmp_path):
        yield


def thrown(options: str = "") -> Game:
    """Ana throws the baton high: Bo, Cai, then the Ogre may reach for it."""
    game = Game("baton", options, people=("Gwen", "Ana", "Bo", "Cai"))
    for name in ("Ana", "Bo", "Cai"):
        game.do(name, "join", document={"name": name, "owner": "0", "fields": {"BREATH": 2}})
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 9")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "throw")
    return game


def asked(game: Game) -> list[str]:
    return [each.who for each in game.state.questions]


def question(game: Game, who: str) -> Question:
    found: Question | None = game.state.question_to(who)
    assert found is not None
    return found


def everything(game: Game, who: str) -> str:
    """Return all that somebody may know of the table."""
    seat = game.seat(who)
    view = view_of(game.table, seat)
    assert view is not None
    return f"{view.model_dump_json()} {export_view(game.table, seat)}"


def test_all_are_asked_at_once_and_any_of_them_may_answer() -> None:
    game = thrown()
    assert game.waits_for() == ("Bo", "Cai", "Ogre")
    assert all(set(game.legal(who)) == {"reach", "let-fly"} for who in asked(game))
    assert {each.window for each in game.state.questions} == {1}
    assert all(each.timed for each in game.state.questions)


def test_an_answer_is_sealed_till_those_before_it_have_counted() -> None:
    game = thrown()
    game.do("Cai", "reach")
    assert game.decisions[-1].secret
    assert "sealed" in game.said("Cai")
    assert [game.lines(who) for who in ("Ana", "Bo")] == [[], []]
    assert asked(game) == ["Bo", "Cai", "Ogre"]
    game.do("Bo", "let-fly")
    assert game.state.reaching == "Cai"
    assert "Cai reaches for the baton." in game.lines("Ana")
    assert asked(game) == ["Bo", "Ogre"]


def test_nobody_but_its_giver_and_a_gm_who_plays_no_side_sees_a_sealed_answer() -> None:
    game = thrown()
    before = {who: everything(game, who) for who in ("Ana", "Bo")}
    game.do("Cai", "reach")
    assert {who: everything(game, who) for who in ("Ana", "Bo")} == before
    for who in ("Cai", "Gwen"):
        view = view_of(game.table, game.seat(who))
        assert view is not None
        assert [each.sealed is not None for each in view.questions] == [False, True, False]
    assert [each["who"] for each in export_view(game.table, Seat())["waiting"]] == ["Bo", "Cai", "Ogre"]


def test_a_gm_who_plays_a_side_does_not_see_what_is_sealed() -> None:
    game = Game("baton", people=("Gwen", "Ana", "Bo"))
    for name in ("Ana", "Gwen", "Bo"):
        game.do(name, "join", document={"name": name, "owner": "0", "fields": {"BREATH": 2}})
    game.do("Gwen", "encounter begin")
    game.do("Ana", "throw")
    before = everything(game, "Gwen")
    game.do("Bo", "reach")
    assert game.lines("Gwen") == []
    assert everything(game, "Gwen") == before


def test_those_who_come_later_are_asked_again_when_somebody_reacts_and_only_they() -> None:
    game = thrown()
    game.do("Gwen", "let-fly", character="Ogre")
    game.do("Cai", "reach")
    ids = {each.who: each.id for each in game.state.questions}
    game.do("Bo", "reach")
    # Cai's answer was kept and counted in its place; the Ogre is asked about it.
    assert game.state.reaching == "Cai"
    assert asked(game) == ["Ogre"]
    ogre = question(game, "Ogre")
    assert (ogre.answered, ogre.words) == (False, "Cai reaches for the baton: reach for it too?")
    assert ogre.id > ids["Ogre"]
    game.do("Gwen", "let-fly", character="Ogre")
    assert game.state.holder == "Cai"


def test_one_who_has_answered_is_asked_again_like_the_others_so_that_nobody_learns_it() -> None:
    silent, spoken = thrown(), thrown()
    spoken.do("Gwen", "let-fly", character="Ogre")
    for game in (silent, spoken):
        game.do("Bo", "reach")
    assert everything(silent, "Ana") == everything(spoken, "Ana")
    assert [each.id for each in silent.state.questions] == [each.id for each in spoken.state.questions]


def test_somebody_already_there_is_not_asked_again() -> None:
    game = thrown()
    game.do("Bo", "let-fly")
    game.do("Cai", "reach")
    assert [each.who for each in game.state.questions if not each.answered] == ["Ogre"]
    game.do("Gwen", "gm skip", target="Ogre")
    assert game.state.holder == "Cai"
    assert "Bo, Ogre do not react." in game.lines("Ana")


def test_a_sealed_answer_can_be_changed_until_its_place_comes() -> None:
    game = thrown()
    game.do("Cai", "reach")
    game.do("Cai", "let-fly")
    game.do("Bo", "let-fly")
    assert game.state.reaching is None
    assert game.waits_for() == ("Bo", "Cai", "Ogre")  # nobody learns that only the Ogre is missing
    game.do("Gwen", "let-fly", character="Ogre")
    assert game.state.questions == ()
    assert game.state.holder == "Ana"


def test_a_sealed_answer_is_dropped_with_a_private_word_if_what_it_answers_is_over() -> None:
    game = thrown()
    game.do("Cai", "reach")
    game.do("Gwen", "gm remove", target="Ana")
    assert game.state.questions == ()
    assert "Cai's answer is dropped: reach for it. That is over." in game.said("Cai")
    assert "reach" not in game.said("Bo")
    assert hangs(game) is None


def test_a_sealed_answer_that_is_no_longer_legal_is_dropped_and_its_giver_asked_again() -> None:
    game = thrown()
    game.do("Cai", "reach")
    document = game.state.model_dump(mode="json", exclude_defaults=True)
    cai = next(each for each in document["questions"] if each["who"] == "Cai")
    cai["sealed"]["command"]["target"] = "Nobody"  # as if it had named somebody who is gone
    game.table = game.table.evolve(encounter=load_encounter(document))
    before = question(game, "Cai").id
    game.do("Bo", "let-fly")
    after = question(game, "Cai")
    assert (after.answered, after.sealed) == (False, None)
    assert after.id > before
    assert "I ask you again." in game.said("Cai")
    assert "dropped" not in game.said("Bo")
    game.do("Cai", "reach")
    assert game.state.reaching == "Cai"


@pytest.mark.parametrize("who", ["Bo", "Cai", "Ogre"])
@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("gm answer", {"choice": "let-fly"}),
        ("gm answer", {"choice": "reach"}),
        ("gm skip", {}),
        ("gm remove", {}),
        ("gm set", {"pool": "owner", "value": "Ana"}),
        ("gm set", {"pool": "mark:dead", "value": "on"}),
    ],
)
def test_the_gm_rules_for_any_of_those_asked_no_matter_whose_place_it_is(
    who: str, verb: str, given: dict[str, Any]
) -> None:
    game = thrown()
    game.do("Gwen", verb, target=who, **given)
    assert hangs(game) is None
    others = [each.who for each in game.state.questions if each.who != who]
    assert set(others) == {"Bo", "Cai", "Ogre"} - {who}
    game.do("Gwen", "gm skip", target="all")
    assert game.state.questions == ()
    assert hangs(game) is None


def test_what_an_old_owner_has_sealed_is_asked_of_the_new_one() -> None:
    game = thrown()
    game.do("Cai", "reach")
    game.do("Gwen", "gm set", target="Cai", pool="owner", value="Ana")
    assert question(game, "Cai").sealed is None
    assert not question(game, "Cai").answered
    assert question(game, "Cai").place == 2


def test_nobody_else_go_on() -> None:
    game = thrown()
    game.do("Cai", "reach")
    game.refused("Ana", "gm skip", target="all")
    game.do("Gwen", "gm skip", target="all")
    assert "There is nobody else, so the GM goes on." in game.lines("Ana")
    assert game.state.questions == ()
    assert game.state.holder == "Cai"  # what was sealed counted, and nobody was asked again about it


def test_a_sealed_answer_draws_its_dice_from_the_interaction_that_gave_it() -> None:
    game = thrown()
    game.do("Cai", "reach")
    sealed = question(game, "Cai").sealed
    assert sealed is not None
    assert (sealed.interaction, sealed.by) == (str(game.number), game.users["Cai"])
    assert due_answer(game.table) is None


def among_several() -> Game:
    """The Ogre throws the baton; three creatures of the GM's and Ana may reach for it."""
    game = Game("baton", people=("Gwen", "Ana", "Bo"))
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 9")
    game.do("Gwen", "gm add", name="Wolf", sheet="HP 9", count=3)
    game.do("Ana", "join", document={"name": "Ana", "owner": "0", "fields": {"BREATH": 2}})
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "throw")
    return game


def test_one_answer_counts_for_all_that_somebody_acts_for() -> None:
    game = among_several()
    assert game.waits_for() == ("Wolf 1", "Wolf 2", "Wolf 3", "Ana")
    game.do("Gwen", "let-fly", character="*")
    assert [each.who for each in game.state.questions if not each.answered] == ["Ana"]
    assert game.lines("Ana") == []
    game.do("Ana", "reach", character="*")
    assert game.state.holder == "Ana"


def test_one_answer_counts_for_those_who_are_named() -> None:
    game = among_several()
    game.do("Gwen", "let-fly", character="Wolf 1, Wolf 3")
    assert [each.who for each in game.state.questions if not each.answered] == ["Wolf 2", "Ana"]
    game.refused("Ana", "let-fly", rule="G-03", character="Ana, Wolf 2")
    refusal = game.refused("Bo", "let-fly", rule="BA-05", character="*")
    assert "any of your characters" in str(refusal)


def test_sealed_answers_of_one_press_have_dice_of_their_own() -> None:
    game = among_several()
    game.do("Gwen", "gm set", target="Wolf 1", pool="owner", value="Ana")
    game.do("Gwen", "reach", character="*")
    sealed = [each.sealed for each in game.state.questions if each.sealed is not None]
    assert [each.interaction for each in sealed] == [str(game.number), f"{game.number}:2"]


def test_a_pass_for_longer_counts_for_all_that_somebody_acts_for() -> None:
    game = among_several()
    game.do("Gwen", "decline", character="*", when="this-round")
    assert [order.who for order in game.state.orders] == ["Ogre", "Wolf 1", "Wolf 2", "Wolf 3"]
    assert [each.who for each in game.state.questions if not each.answered] == ["Ana"]


def test_a_pass_for_longer_counts_for_those_who_are_not_asked_now() -> None:
    game = among_several()
    game.do("Gwen", "let-fly", character="Wolf 1")
    game.do("Gwen", "decline", character="*", when="this-round")
    assert [order.who for order in game.state.orders] == ["Ogre", "Wolf 1", "Wolf 2", "Wolf 3"]
    told = [line for line in game.lines("Gwen") if "in this round" in line]
    assert [line.partition(" let pass")[0] for line in told] == ["Ogre, Wolf 1, Wolf 2, Wolf 3"]
