"""The deck, draws, secret hands and the discard pile."""

from __future__ import annotations

import pytest

from rules.core.cards import counted
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import deck_seen, hands_seen, offers_for
from rules.dice.decks import stones_deck
from rules.dice.source import ENCOUNTER, NEW, Deck, Dice, Draw, SeededFaces, Shuffle
from tests.rules.stones.scene import add, duel, everything, faces, game_of, give, held, player, stack, table, take_turn


def test_st_01_begin_shuffles_147_stones_before_any_other_die() -> None:
    game = duel(options="")
    records = game.decisions[-1].dice.records
    assert isinstance(records[0], Shuffle)
    assert records[0].size == 147
    assert sorted(records[0].cards) == sorted(stones_deck())
    assert [(sides, what) for sides, _, what in faces(game)][:2] == [(100, "first side"), (100, "first side")]


def test_st_01_the_pile_is_the_shuffle_of_the_seed_and_draws_come_from_its_top() -> None:
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A")
    add(game, "Borr", owner="Bo", side="B")
    expected = Dice(SeededFaces(b"s" * 32, str(game.number + 1))).shuffle(stones_deck(), Deck(ENCOUNTER, NEW, "stones"))
    game.do("Gwen", "encounter begin")
    assert game.state.pile == expected
    game.do("Ana", "begin")
    assert held(game, "Ana") == expected[:3]
    records = game.decisions[-1].dice.records
    assert [(record.count, record.by) for record in records if isinstance(record, Draw)] == [(3, game.users["Ana"])]


def test_st_01_elements_and_counts_are_options() -> None:
    game = duel(options="first=A, elements=Fire+Earth+Wind+Light, stones=2/1/0/0/1")
    assert game.state.definition == stones_deck(("Fire", "Earth", "Wind", "Light"), (2, 1, 0, 0, 1))


@pytest.mark.parametrize("options", ["stones=1/2/3", "stones=0/0/0/0/0", "stones=a/1/1/1/1", "elements=Fire+fire"])
def test_st_01_a_deck_that_cannot_be_is_refused(options: str) -> None:
    game = table()
    game.refused("Gwen", "encounter options", rule="ST-01", set=options)


def test_st_01_an_empty_pile_takes_the_shuffled_discards_in() -> None:
    game = game_of(
        ("Ayla", "Ana", "A"),
        ("Borr", "Bo", "B"),
        options="first=A, elements=Fire+Earth+Wind+Light, stones=1/0/0/0/0",  # four stones
    )
    game.do("Gwen", "encounter begin")
    whole = everything(game.state)
    take_turn(game, "Ana")
    game.do("Bo", "begin")
    assert len(held(game, "Bo")) == 1
    assert "draws 1 of 3 stones" in game.said()
    game.do("Bo", "discard", cards=counted(held(game, "Bo")))
    game.do("Bo", "end")
    game.do("Ana", "begin")
    records = game.decisions[-1].dice.records
    assert isinstance(records[0], Shuffle)
    assert len(records[0].before) == 1
    assert "1 discarded stones are shuffled" in game.said()
    assert "draws 1 of 3 stones, because pile and discards are empty" in game.said()
    assert everything(game.state) == whole


def test_st_01_a_draw_over_the_end_of_the_pile_goes_on_with_the_discards_oldest_first() -> None:
    game = duel()
    state = game.state
    game.table = game.table.evolve(
        encounter=state.evolve(pile=state.pile[:1], discards=("Fire 1", "Earth 2", "Wind 3", "Light 4"))
    )
    game.do("Ana", "begin")
    first, shuffle, second = game.decisions[-1].dice.records
    assert isinstance(first, Draw)
    assert isinstance(shuffle, Shuffle)
    assert isinstance(second, Draw)
    assert (first.count, shuffle.before, second.count) == (1, ("Fire 1", "Earth 2", "Wind 3", "Light 4"), 2)


def test_st_03_discards_lie_face_up_for_anyone() -> None:
    """Prove ST-03."""
    game = duel()
    give(game, "Ana", "Fire 2")
    game.do("Ana", "begin")
    game.do("Ana", "discard", cards="fire 2")
    seen = deck_seen(game.table)
    assert seen is not None
    assert seen.discard == ("Fire 2",)
    assert export_view(game.table, Seat(user="9"))["deck"] == {"left": len(game.state.pile), "discard": ["Fire 2"]}


def test_st_04_a_player_draws_one_and_two_for_each_character_incapacitated_ones_too() -> None:
    """Prove ST-04."""
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ash", amount="99")
    game.do("Ana", "begin")
    assert len(held(game, "Ana")) == 5
    assert "Ana draws 5 stones." in game.lines("Bo")


def test_st_04_kept_stones_do_not_reduce_the_draw_and_a_hand_bonus_raises_the_limit_alone() -> None:
    game = duel(HAND=2)
    game.do("Ana", "begin")
    game.do("Ana", "end")
    take_turn(game, "Bo")
    game.do("Ana", "begin")
    assert len(held(game, "Ana")) == 6
    assert "1 stone over the limit of 5" in str(game.refused("Ana", "end", rule="ST-16"))


def test_the_cards_drawn_are_told_to_their_owner_alone() -> None:
    game = duel()
    stack(game, "Fire 4", "Light inf", "Wind 3")
    game.do("Ana", "begin")
    assert "Drawn: Wind 3, Fire 4, Light inf." in game.lines("Ana")
    assert "Fire 4" not in game.said("Bo")
    assert "Fire 4" not in game.said("Gwen")


def test_a_gm_who_draws_for_an_absent_player_reads_what_was_drawn_if_hands_are_theirs_to_see() -> None:
    game = duel()
    stack(game, "Fire 4", "Light inf", "Wind 3", "Earth 4", "Earth 3", "Earth 2")
    game.do("Gwen", "begin", character="Ayla")
    assert "Drawn: Wind 3, Fire 4, Light inf." in game.lines("Gwen")
    assert "Drawn: Wind 3, Fire 4, Light inf." in game.lines("Ana")
    game.do("Gwen", "end", character="Ayla")
    game.do("Gwen", "encounter options", set="gm_sees_hands=off")
    game.do("Gwen", "begin", character="Borr")
    assert "Earth" not in game.said("Gwen")
    assert "Drawn: Earth 2, Earth 3, Earth 4." in game.lines("Bo")


def test_a_hand_is_its_owners_alone_and_its_number_public() -> None:
    game = duel()
    give(game, "Ana", "Light 4", "Fire 2", "Fire 1")
    own, other = game.users["Ana"], game.users["Bo"]
    mine = hands_seen(game.table, game.seat("Ana"))[own]
    assert mine.cards == ("Fire 1", "Fire 2", "Light 4")  # by element and worth
    theirs = hands_seen(game.table, game.seat("Bo"))[own]
    assert (theirs.count, theirs.cards, theirs.limit) == (3, None, 3)
    assert hands_seen(game.table, Seat(user="9", stands_in_for=(own,)))[own].cards == mine.cards
    assert hands_seen(game.table, game.seat("Gwen"))[own].cards == mine.cards
    game.do("Gwen", "encounter options", set="gm_sees_hands=off")
    assert hands_seen(game.table, game.seat("Gwen"))[own].cards is None
    assert hands_seen(game.table, game.seat("Ana"))[other].cards is None


def test_my_hand_says_what_each_ability_could_be_paid_with_to_its_owner_alone() -> None:
    game = duel()
    give(game, "Ana", "Fire 2", "Fire 2", "Fire inf", "Earth 1")
    own = game.users["Ana"]
    assert hands_seen(game.table, game.seat("Ana"))[own].uses == (
        "Ayla, Searing Blow (3 Fire): 2x Fire 2 (1 lost) or Fire inf",
        "Ayla, Bolt (1 Wind): not yet, 1 short",
        "Ayla, Stone Skin (2 Earth): not yet, 1 short",
        "Ayla, Boots (1 Wind): not yet, 1 short",
        "Ayla, Mend (1 Light): not yet, 1 short",
    )
    assert hands_seen(game.table, game.seat("Bo"))[own].uses == ()


def test_a_gm_who_plays_a_side_sees_no_hand_but_their_own() -> None:
    game = game_of(("Ayla", "Ana", "A"))
    add(game, "Ogre", side="B")
    game.do("Gwen", "encounter begin")
    give(game, "Ana", "Fire 4")
    give(game, "Gwen", "Earth 3")
    seen = hands_seen(game.table, game.seat("Gwen"))
    assert seen[game.users["Ana"]].cards is None
    assert seen[game.users["Gwen"]].cards == ("Earth 3",)
    assert hands_seen(game.table, game.seat("Ana"))[game.users["Gwen"]].cards is None


def test_what_a_hand_decides_is_told_to_others_in_public_terms() -> None:
    game = duel()
    give(game, "Ana")
    stack(game, "Water 1", "Water 2", "Water 3")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    mine = {offer.action for offer in offers_for(game.table, "Ayla", game.seat("Ana"))}
    others = {offer.action for offer in offers_for(game.table, "Ayla", game.seat("Bo"))}
    assert {"fuse", "ability"} & mine == set()
    assert {"fuse", "ability"} <= others


def test_the_order_of_the_deck_is_in_no_view() -> None:
    game = duel()
    game.do("Ana", "begin")
    for seat in (game.seat("Gwen"), game.seat("Ana"), Seat(user="9")):
        exported = export_view(game.table, seat)
        assert exported["deck"]["left"] == len(game.state.pile)
        assert "pile" not in str(exported)
    assert exported["hands"][game.users["Ana"]]["cards"] is None


def test_hand_and_deck_commands_only_show_here() -> None:
    game = duel()
    game.refused("Ana", "hand draw", rule="G-04")
    game.refused("Gwen", "deck new", rule="G-04", kind="stones")


def test_the_gm_moves_stones_by_hand() -> None:
    game = duel()
    whole = everything(game.state)
    ana, bo = game.users["Ana"], game.users["Bo"]
    give(game, "Ana", "Fire 2", "Fire 2", "Earth 1")
    game.do("Gwen", "gm cards", who=ana, do="draw", count=2)
    assert len(held(game, "Ana")) == 5
    game.do("Gwen", "gm cards", who=ana, do="give", cards="2x Fire 2", to_user=bo)
    assert held(game, "Bo") == ("Fire 2", "Fire 2")
    assert game.decisions[-1].secret
    assert game.lines("Gwen") == ["Ana gives 2 stones to Bo."]
    assert game.lines("Bo") == ["Ana gives 2 stones to Bo.", "Ana gave Bo: 2x Fire 2."]
    game.do("Gwen", "gm cards", who=bo, do="discard", cards="Fire 2")
    assert game.state.discards == ("Fire 2",)
    game.do("Gwen", "gm cards", who=bo, do="take", cards="Fire 2")
    assert game.state.hands[game.users["Gwen"]] == ("Fire 2",)
    game.refused("Gwen", "gm cards", rule="G-04", who=bo, do="discard", cards="Fire 2")
    assert everything(game.state) == whole


def test_st_01_a_reshuffle_after_an_undo_mixes_the_pile_alone() -> None:
    game = duel()
    game.do("Ana", "begin")
    game.do("Ana", "discard", cards=held(game, "Ana")[0])
    before = game.state
    game.do("Gwen", "deck reshuffle")
    assert sorted(game.state.pile) == sorted(before.pile)
    assert game.state.pile != before.pile
    assert game.state.discards == before.discards
    (shuffle,) = game.decisions[-1].dice.records
    assert isinstance(shuffle, Shuffle)
    places = [game.state.definition.index(card) for card in shuffle.before]
    assert places == sorted(places)  # in definition order before the shuffle
    assert len(places) == len(before.pile)


def test_an_undone_draw_comes_again_the_same() -> None:
    game = duel()
    before = game.table
    game.do("Ana", "begin")
    drawn = held(game, "Ana")
    game.table = before
    game.do("Ana", "begin")
    assert held(game, "Ana") == drawn


def test_my_hand_is_found_under_the_gms_user_id_for_the_gms_own_characters() -> None:
    game = table("first=A")
    add(game, "Ogre", side="A")
    add(game, "Orc", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "begin")
    assert player(game, "Gwen") == "gm:A"
    assert set(hands_seen(game.table, game.seat("Gwen"))) == {game.users["Gwen"], "gm:B"}
