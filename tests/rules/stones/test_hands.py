"""What a hand holds is read from no refusal, offer or order by who may not see it. Rule: G-04."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rules.core.views.view import legal_for, offers_for
from rules.errors import Refusal
from tests.rules.stones.scene import MEND, SEARING, SKIN, add, duel, game_of, give, held
from tests.rules.table import Game

HANDS = (
    (),
    ("Fire 1",),
    ("Fire 1", "Fire 2"),
    ("Fire 4", "Light inf", "Earth 3"),
    ("Light 1", "Light inf", "Earth 1", "Earth 1", "Fire 1"),
)
TRIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("discard", {}),
    ("discard", {"cards": "X, Light inf, Light inf"}),
    ("discard", {"cards": "Fire 1"}),
    ("discard", {"cards": "Fire 4", "when": "my-turn"}),
    ("ability", {}),
    ("ability", {"using": "Searing Blow"}),
    ("ability", {"using": "Searing Blow", "target": "Foe"}),
    ("ability", {"using": "Searing Blow", "target": "Foe", "cards": "Fire 1"}),
    ("ability", {"using": "Searing Blow", "target": "Foe", "cards": "Fire 1, Fire 3", "when": "my-turn"}),
    ("ability", {"using": "Mend", "cards": "Light inf, Light inf"}),
    ("fuse", {}),
    ("fuse", {"using": "Stone Skin"}),
    ("fuse", {"using": "Stone Skin", "cards": "Earth 3"}),
)


def gm_against_ana(hand: tuple[str, ...]) -> Game:
    """Ana's turn, with these stones in her hand; her foe is the GM's, who so plays a side."""
    game = game_of(("Ayla", "Ana", "A"), abilities={"Ayla": (SEARING, SKIN, MEND)})
    add(game, "Foe", side="B")
    return begun(game, hand)


def gm_who_may_not_look(hand: tuple[str, ...]) -> Game:
    """Ana's turn against Bo; the GM plays nobody, and the option keeps hands from them."""
    game = game_of(
        ("Ayla", "Ana", "A"),
        ("Foe", "Bo", "B"),
        options="first=A, gm_sees_hands=off",
        abilities={"Ayla": (SEARING, SKIN, MEND)},
    )
    return begun(game, hand)


def begun(game: Game, hand: tuple[str, ...]) -> Game:
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    give(game, "Ana", *hand)
    return game


@pytest.mark.parametrize("world", [gm_against_ana, gm_who_may_not_look])
def test_one_sentence_refuses_anothers_stones_whatever_the_hand_holds(world: Any) -> None:
    games = [world(hand) for hand in HANDS]
    for (action, given), named in itertools.product(TRIES, (True, False)):
        # An order is for one's own unless it says whose.
        who = {"character": "Ayla"} if named or "when" in given else {}
        compared = games if who else games[1:]  # that a hand is empty is public
        refusals = {str(game.refused("Gwen", action, rule="G-04", **who, **given)) for game in compared}
        assert len(refusals) == 1, refusals


@pytest.mark.parametrize("world", [gm_against_ana, gm_who_may_not_look])
def test_a_gm_is_offered_nothing_of_anothers_stones_and_all_the_rest(world: Any) -> None:
    offered, public = [], []
    for hand in HANDS:
        game = world(hand)
        offered.append(offers_for(game.table, "Ayla", game.seat("Gwen")))
        public.append([each.action for each in legal_for(game.table, "Ayla", game.seat("Gwen"))])
        assert {each.action for each in offered[-1]}.isdisjoint({"fuse", "ability", "discard"})
    assert offered[1] == offered[2]  # an empty hand and one over the limit differ in public
    assert {"move", "end"} <= {each.action for each in offered[1]}
    assert public[1] == public[2]
    assert {"fuse", "ability"} <= set(public[1])


def test_what_is_wrong_with_named_stones_is_said_in_detail_to_who_may_see_the_hand() -> None:
    game = gm_against_ana(("Fire 1", "Fire 2"))
    missing = game.refused("Ana", "ability", using="Searing Blow", target="Foe", cards="Fire 4", rule="ST-12")
    assert "Fire 4" in str(missing)
    assert "Fire 1" in str(missing)
    duelling = duel()
    give(duelling, "Ana", "Fire 1")
    duelling.do("Ana", "begin")
    duelling.do("Gwen", "discard", character="Ayla", cards="Fire 1")  # plays no side, and sees hands
    assert held(duelling, "Ana").count("Fire 1") == 0


def test_an_order_of_a_player_is_nobody_elses_if_the_gm_plays_a_side() -> None:
    game = gm_against_ana(("Fire 1",))
    game.do("Ana", "end")
    game.do("Ana", "discard", cards="Fire 1", when="my-turn")
    assert "When it is Ayla's turn: discard Fire 1." in game.lines("Ana")
    assert game.lines("Gwen") == []
    game.refused("Gwen", "order drop", character="Ayla")
    game.do("Gwen", "gm remove", target="Ayla")
    assert "order" not in game.said("Gwen")


def test_an_order_of_a_player_is_the_gms_to_read_if_hands_are() -> None:
    game = duel()
    give(game, "Bo", "Earth 1")
    game.do("Bo", "discard", cards="Earth 1", when="my-turn")
    assert "When it is Borr's turn: discard Earth 1." in game.lines("Gwen")
    assert game.lines("Ana") == []
    game.do("Gwen", "order drop", character="Borr")
    assert game.state.orders == ()


@pytest.mark.parametrize("do", ["discard", "give", "take"])
def test_a_ruling_says_publicly_whose_hand_was_reached_into_hit_or_miss(do: str) -> None:
    said = set()
    for hand in (("Fire 1", "Earth 3"), ("Fire 2", "Earth 3")):
        game = gm_against_ana(hand)
        ana, gwen = game.users["Ana"], game.users["Gwen"]
        before = held(game, "Ana")
        game.do("Gwen", "gm cards", who=ana, do=do, cards="Fire 1", to_user=gwen)
        assert game.decisions[-1].ruling
        assert (held(game, "Ana") == before) is ("Fire 1" not in hand)
        said.add(game.lines("Bo")[0])
        if "Fire 1" not in hand:
            assert game.lines("Bo") == ["Gwen reaches into the hand of Ana."]
            assert "Fire 1" in game.lines("Gwen")[1]
    assert said == {"Gwen reaches into the hand of Ana."}


def test_a_gm_who_sees_hands_reaches_in_without_a_word_more() -> None:
    game = duel()
    give(game, "Ana", "Fire 1")
    game.do("Gwen", "gm cards", who=game.users["Ana"], do="discard", cards="Fire 1")
    assert game.lines("Bo") == ["Ana discards Fire 1."]
    with pytest.raises(Refusal):
        game.do("Gwen", "gm cards", who=game.users["Ana"], do="discard", cards="Fire 1")


def test_a_hand_that_goes_with_a_character_to_another_player_goes_openly() -> None:
    game = gm_against_ana(("Fire 1", "Earth 3"))
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value="gm")
    assert game.lines("Bo") == ["Ayla now belongs to the GM.", "The hand of 2 stones goes from Ana to the GM (A)."]
