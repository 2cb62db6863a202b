"""The sentences of one command are counted together, no matter who they are of, and hold no table up (kits 10)."""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

POOLS = "pool = { HP = { start = 90, out = true }, LUCK = { start = 9 } }\n"
ALL = '"everyone loses 1 LUCK"'
LEFT = "That is more than I carry out by myself, so the GM decides it: everyone gains 1 LUCK."


def table(text: str, foes: int) -> Game:
    game = seated(KitGame(f'kit = 1\nid = "counted"\n{POOLS}{text}'))
    for count in (min(foes, 30), foes - min(foes, 30)):
        if count:
            game.do("Gwen", "gm add", name="Ogre", count=count)
    game.do("Gwen", "encounter begin", seed=b"k" * 32)
    return game


def planned(text: str, foes: int, action: str = "gust") -> Game:
    """Let everybody plan the same; the last plan has them carried out."""
    game = table(f'phase = [ {{ name = "plans", type = "open", turns = 1, {text}', foes)
    for who in game.state.names:
        game.do("Gwen", action, character=who)
    return game


def test_what_follows_by_itself_is_counted_with_the_command_that_it_follows() -> None:
    gust = f"gust = {{ ends = true, do = [{', '.join([ALL] * 3)}] }}"
    text = f'when = {{ turn-start = [{ALL}, "everyone gains 1 LUCK"] }}\n[action]\n{gust}'
    game = table(text, foes=48)
    first = game.waits_for()[0]
    game.do("Gwen", "gust", character=first)
    assert LEFT in game.lines(), "50 in the action three times, 50 as the next turn starts, and no more"
    assert game.waits_for() not in ((), (first,))


def test_turns_that_start_with_much_hold_no_table_up() -> None:
    text = f"when = {{ turn-start = [{', '.join([ALL] * 3)}] }}\n[action]\nrest = {{ ends = true }}"
    game = table(text, foes=48)
    for _ in range(3):
        assert game.waits_for()
        game.do("Gwen", "rest", character=game.waits_for()[0])
    assert not game.state.is_stuck


@pytest.mark.parametrize("resolve", ["order", "together"])
@pytest.mark.parametrize("foes", [10, 20])
def test_plans_of_many_sentences_are_carried_out_as_far_as_200_and_the_round_goes_on(resolve: str, foes: int) -> None:
    text = f'plan = "open", resolve = "{resolve}" }} ]\n[action]\ngust = {{ do = [{ALL}] }}'
    game = planned(text, foes)
    assert game.state.round == 2
    assert not game.state.is_stuck
    halted = [
        line for line in game.lines() if "goes no further: One command can carry out 200 sentences at most" in line
    ]
    assert len(halted) == max(0, foes + 2 - 200 // (foes + 2))


def test_plans_of_many_dice_are_carried_out_as_far_as_a_thousand_and_the_round_goes_on() -> None:
    text = 'plan = "open" } ]\ncheck = { hit = { roll = "300d6" } }\n[action]\ngust = { check = "hit" }'
    game = planned(text, foes=2)
    assert game.state.round == 2
    assert sum("goes no further: " in line and "1000 dice" in line for line in game.lines()) == 1


def test_plans_of_the_most_that_a_table_holds_are_all_carried_out() -> None:
    text = 'plan = "open", resolve = "together", steps = 5 } ]\n[action]\nrest = {}'
    game = table(f'phase = [ {{ name = "plans", type = "open", turns = 1, {text}', foes=43)
    for who in game.state.names:
        for _ in range(5):
            game.do("Gwen", "rest", character=who)
    assert game.state.round == 2
    assert not game.state.is_stuck
