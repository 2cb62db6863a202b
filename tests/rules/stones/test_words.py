"""Abilities in plain words: stones that are drawn and taken, several targets, allies, attacks that are stronger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.rules.stones.scene import ability, add, table
from tests.rules.table import Game


def ready(text: str, card: str = "offensive", board: bool = False) -> Game:
    """Ayla (Ana, side A) has the ability and is active; Arin is her ally, Borr and Bran are their opponents."""
    game = table("first=A", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Ayla", owner="Ana", side="A", abilities=(ability("Rite", text, card=card, cost="0"),), CRT=1)
    add(game, "Arin", owner="Cai", side="A")
    add(game, "Borr", owner="Bo", side="B")
    add(game, "Bran", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ayla, Arin, Borr, Bran", amount="9")
    if board:
        game.do("Gwen", "board size", size="12x12")
        for name, cell in (("Ayla", "B2"), ("Arin", "D2"), ("Borr", "B4"), ("Bran", "B9")):
            game.do("Gwen", "board place", target=name, cells=cell)
    game.do("Ana", "begin")
    if "activate" in game.legal("Ayla"):
        game.do("Ana", "activate", character="Ayla")
    return game


def hp(game: Game, who: str) -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def used(game: Game, target: str | None, dice: Sequence[tuple[int, int]] = ()) -> Game:
    aimed: dict[str, Any] = {} if target is None else {"target": target}
    game.do("Ana", "ability", using="Rite", dice=dice, **aimed)
    return game


def held(game: Game, who: str) -> int:
    return len(game.state.hands.get(game.users[who], ()))


def test_st_14_a_draw_in_words_draws() -> None:
    game = ready("Draw 2 Speaking Stones.")
    before = held(game, "Ana")
    assert held(used(game, None), "Ana") == before + 2


def test_st_14_stones_are_stolen_at_random_and_only_the_two_learn_which() -> None:
    game = ready("Steal 1 Speaking Stone from the defending player.")
    game.do("Gwen", "gm cards", who=game.users["Bo"], do="draw", count=3)
    mine, theirs = held(game, "Ana"), held(game, "Bo")
    game.do("Ana", "ability", using="Rite", target="Borr")
    assert (held(game, "Ana"), held(game, "Bo")) == (mine + 1, theirs - 1)
    assert len(game.lines("Bo")) == len(game.lines("Ana")) > len(game.lines("Cai"))


def test_st_14_what_is_discarded_at_random_lies_face_up() -> None:
    game = ready("The opposing player discards 1 Speaking Stone at random.")
    before, theirs = len(game.state.discards), held(game, "Bo")
    game.do("Ana", "ability", using="Rite", target="Borr")
    assert (len(game.state.discards), held(game, "Bo")) == (before + min(1, theirs), max(0, theirs - 1))


@pytest.mark.parametrize(
    ("text", "dice", "left"),
    [
        ("[Standard Attack] twice.", [(100, 50), (100, 50)], 3),
        ("[Standard Attack] with +2 ATK.", [(100, 50)], 5),
        ("[Standard Attack], ignores armor.", [(100, 50)], 5),
        ("Deal ATK damage.", [], 7),
    ],
)
def test_st_13_a_standard_attack_may_be_made_twice_or_be_stronger(
    text: str, dice: list[tuple[int, int]], left: int
) -> None:
    assert hp(used(ready(text), "Borr", dice), "Borr") == left


def test_st_10_what_is_done_to_each_opponent_within_so_many_spaces_reaches_no_farther() -> None:
    game = ready("Deal 5 damage to each opposing character within 3 spaces.", board=True)
    game.refused("Ana", "ability", rule="ST-10", using="Rite", target="Borr, Bran")
    used(game, "Borr")
    assert (hp(game, "Borr"), hp(game, "Bran")) == (8, 11)
    both = used(ready("Deal 5 damage to each opposing character."), "Borr, Bran")
    assert (hp(both, "Borr"), hp(both, "Bran")) == (8, 8)


def test_st_12_what_helps_an_ally_is_for_allies_whatever_the_card() -> None:
    game = ready("An ally within 4 spaces recovers 5 HP.", board=True)
    game.refused("Ana", "ability", rule="ST-12", using="Rite", target="Borr")
    assert hp(used(game, "Arin"), "Arin") == 16


def test_st_10_an_adjacent_ally_is_one_space_away() -> None:
    game = ready("One adjacent ally recovers 5 HP.", board=True)
    game.do("Gwen", "gm set", target="Ayla", pool="RNG", value="3")
    game.refused("Ana", "ability", rule="ST-10", using="Rite", target="Arin")
    game.do("Gwen", "board place", target="Arin", cells="C2")
    assert hp(used(game, "Arin"), "Arin") == 16


def test_st_14_a_number_changes_for_a_time() -> None:
    game = used(ready("This character gains ARM +3 until the end of the round."), None)
    assert game.state.combatant("Ayla").has("+3 ARM")


def test_st_14_who_cannot_use_abilities_may_still_attack() -> None:
    game = ready("This character can't use abilities until the end of its next turn.")
    game.do("Gwen", "condition add", target="Ayla", name="No abilities")
    game.refused("Ana", "ability", rule="ST-14", using="Rite")
    assert "attack" in game.legal("Ayla")


def test_st_06_a_fused_ability_heals_as_the_turn_starts() -> None:
    game = ready("[Fuse] At the start of your turn, this character regains 5 HP.", card="defensive")
    game.do("Ana", "fuse", using="Rite")
    assert hp(game, "Ayla") == 11
    for _ in range(40):
        if game.state.round > 1 and game.state.current == game.users["Ana"]:
            break
        who = game.waits_for()[0]
        by = next(name for name in ("Ana", "Bo", "Cai") if game.state.combatant(who).owner == game.users[name])
        action = next(each for each in ("begin", "end", "discard") if each in game.legal(who))
        game.do(by, action, character=who) if action != "discard" else game.do("Gwen", "gm skip")
    assert hp(game, "Ayla") == 16


def test_st_10_only_words_that_are_read_say_how_far_an_ability_reaches() -> None:
    game = ready("Deal 5 damage to one opposing character within 2 spaces.", board=True)
    assert hp(used(game, "Borr"), "Borr") == 8
    near = ready("[Standard Attack]. Crows within 9 spaces fly up.", board=True)
    near.refused("Ana", "ability", rule="ST-10", using="Rite", target="Borr")
