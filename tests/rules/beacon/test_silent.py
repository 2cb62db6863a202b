"""Somebody who does not answer costs a round one deadline and loses nothing but the turn. BE-02, play 6."""

from __future__ import annotations

from rules.core.registry import system_of
from tests.rules.beacon.rounds import of_the_clock
from tests.rules.beacon.scene import SPEAR, add
from tests.rules.table import Game

PEOPLE = ("Gwen", "Ana", "Bo", "Cai", "Dee")
HEROES = {"Rhea": "Ana", "Pip": "Bo", "Cat": "Cai", "Tam": "Dee"}


def four() -> Game:
    game = Game("beacon", people=PEOPLE)
    for name, owner in HEROES.items():
        add(game, name, owner=owner, abilities=(SPEAR,), FOCUS=0)
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    return game


def play_round(game: Game, silent: tuple[str, ...], phase: str = "brawl") -> int:
    """Let everybody act but the silent ones; return how many deadlines went by."""
    number, deadlines = game.state.round, 0
    for name, owner in HEROES.items():
        if name not in silent:
            game.do(owner, "plan", note=phase)
    while game.state.round == number:
        awake = [who for who in game.waits_for() if who not in silent]
        if awake:
            owner = HEROES.get(awake[0], "Gwen")
            if game.state.turn is None:
                game.do(owner, "begin", character=awake[0])
            game.do(owner, "end", character=awake[0])
            continue
        deadlines += 1
        for who in game.waits_for():  # all of one deadline
            if game.state.round == number and who in game.waits_for():
                of_the_clock(game, who)
    return deadlines


def test_be_02_one_silent_player_costs_each_round_one_deadline_and_is_back_in_the_next() -> None:
    game = four()
    before = game.state.combatant("Rhea")
    for number in (1, 2, 3):
        assert "Rhea" in game.waits_for()
        assert play_round(game, ("Rhea",)) == 1, number
    assert game.state.combatant("Rhea") == before
    assert (game.state.round, game.state.phase) == (4, "bolster")


def test_be_02_if_delay_has_others_there_may_be_a_second_deadline_and_no_more() -> None:
    game = four()
    assert play_round(game, ("Rhea",), phase="delay") <= 2


def test_be_02_all_silent_but_the_gm_cost_a_round_one_deadline() -> None:
    game = four()
    for _ in range(3):
        assert play_round(game, tuple(HEROES)) == 1


def test_be_02_somebody_who_falls_asleep_in_an_open_turn_has_had_it_at_one_deadline() -> None:
    game = four()
    game.do("Ana", "begin")
    of_the_clock(game, "Rhea")
    assert game.state.turn is None
    assert system_of(game.state).is_done(game.state, "Rhea")
