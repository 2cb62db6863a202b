"""Each form of a sentence, carried out: what it changes (kits 6)."""

from __future__ import annotations

import pytest

from rules.errors import Malformed
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

HEAD = """kit = 2
id = "forms"
order = { type = "sides", first = "Players" }
sheet = { SPEED = 3 }
check = { easy = { roll = "1", against = "1" }, hard = { roll = "1", against = "2" } }
condition = { weak = { lasts = 2 } }
[pool]
HP = { start = 9, out = true }
LUCK = { start = 2, most = 5 }
FURY = { of = "side", most = 6 }
HEAT = { of = "table", start = 4 }
"""


def done(*sentences: str) -> Game:
    """Let Ayla do something to the ogre that does all this."""
    written = ", ".join(f'"{each}"' for each in sentences)
    game = begun(KitGame(f'{HEAD}[action]\nact = {{ target = "foe", do = [{written}] }}'), "Ogre")
    game.do("Ana", "act", target="Ogre")
    return game


def pool(game: Game, who: str, name: str) -> int:
    return int(game.state.combatant(who).pools[name].now)


@pytest.mark.parametrize(
    ("sentence", "who", "name", "now"),
    [
        ("self gains 2 LUCK", "Ayla", "LUCK", 4),
        ("self gains 9 LUCK", "Ayla", "LUCK", 5),
        ("target loses {SPEED}+1 HP", "Ogre", "HP", 5),
        ("target loses 2-{SPEED} HP", "Ogre", "HP", 9),
        ("target LUCK becomes 1", "Ogre", "LUCK", 1),
        ("allies loses 1 HP", "Bran", "HP", 8),
        ("allies loses 1 HP", "Ayla", "HP", 9),
        ("foes loses 1 HP", "Ogre", "HP", 8),
        ("everyone loses 1 LUCK", "Bran", "LUCK", 1),
        ("GM loses 1 HP", "Ogre", "HP", 8),
        ("target loses 1 HP if LUCK >= 2", "Ogre", "HP", 8),
        ("target loses 1 HP if target LUCK > 2", "Ogre", "HP", 9),
        ("target loses 1 HP if round >= 2", "Ogre", "HP", 9),
        ("target loses 1 HP if LUCK >= 2 and target LUCK = 2 and round = 1", "Ogre", "HP", 8),
        ("target loses 1 HP if LUCK >= 2 and target is weak", "Ogre", "HP", 9),
        ("target loses 1 HP unless self makes easy", "Ogre", "HP", 9),
        ("target loses 1 HP unless target makes hard", "Ogre", "HP", 8),
    ],
)
def test_a_pool_goes_up_and_down(sentence: str, who: str, name: str, now: int) -> None:
    assert pool(done(sentence), who, name) == now


def test_pools_of_a_side_and_of_the_table_do_too() -> None:
    game = done("side gains 2 FURY", "GM gains 1 FURY", "table HEAT becomes 0")
    assert [game.state.side_pools[side]["FURY"].now for side in ("Players", "GM")] == [2, 1]
    assert game.state.table_pools["HEAT"].now == 0


def test_a_condition_comes_for_so_many_turns_and_goes() -> None:
    (held,) = done("target is weak for 3 turns").state.combatant("Ogre").conditions
    assert (held.name, held.left, held.source) == ("Weak", 3, "Ayla")
    assert done("target is weak", "target is not weak").state.combatant("Ogre").conditions == ()


def test_somebody_acts_next_or_once_more() -> None:
    assert done("target acts next", "turn ends").waits_for() == ("Ogre",)
    game = done("self acts again")
    game.do("Ana", "end")
    assert "Ayla" in game.waits_for()


@pytest.mark.parametrize(
    ("sentence", "round_number", "waits"),
    [("turn ends", 1, {"Bran"}), ("phase ends", 2, {"Ayla", "Bran"}), ("round ends", 2, {"Ayla", "Bran"})],
)
def test_a_turn_a_phase_and_a_round_end(sentence: str, round_number: int, waits: set[str]) -> None:
    game = done(sentence)
    assert (game.state.round, set(game.waits_for())) == (round_number, waits)


def test_a_fight_ends_and_words_are_said_and_the_gm_is_asked() -> None:
    assert done("fight ends: the bell is rung").state.over == "the bell is rung"
    assert "all is well" in done("say all is well").lines()
    assert done("GM decides: what the curse does").waits_for() == ("the GM",)
    assert "Ayla moves up to 3." in done("self moves {SPEED}").lines()


def test_going_first_puts_somebody_before_the_others_from_then_on() -> None:
    game = begun(KitGame(HEAD.replace('type = "sides", first = "Players"', 'key = "{SPEED}", ties = []').replace(
        "kit = 1", "kit = 2") + '[action]\nlead = { any_time = true, do = ["self goes first"] }'), "Ogre")  # fmt: skip
    game.do("Gwen", "lead", character="Ogre")
    game.do("Ana", "end")
    assert game.waits_for() == ("Ogre",)


@pytest.mark.parametrize(
    ("sentence", "start", "after"),
    [
        ("target moves {SPEED} away", "C3", "F3"),
        ("target moves 9 away", "C4", "F7"),
        ("target moves 2 closer", "F3", "D3"),
        ("target moves 9 closer", "F3", "C3"),
        ("target moves 2 away if target is weak", "C3", "C3"),
    ],
)
def test_somebody_is_pushed_away_or_pulled_closer(sentence: str, start: str, after: str) -> None:
    game = begun(KitGame(f'{HEAD}[action]\nact = {{ target = "foe", do = ["{sentence}"] }}'), "Ogre")
    game.do("Gwen", "board size", size="10x7")
    for who, cell in (("Ayla", "B3"), ("Ogre", start), ("Bran", "G3")):
        game.do("Gwen", "board place", target=who, cells=cell)
    game.do("Ana", "act", target="Ogre")
    assert game.state.combatant("Ogre").cell == after


def test_without_a_board_a_push_is_told_and_nobody_pushes_themselves() -> None:
    assert any("3 spaces" in line or "pushed 3" in line for line in done("target moves 3 away").lines())
    with pytest.raises(Malformed, match="themselves"):
        done("self moves 3 away")
    with pytest.raises(Malformed, match="kit = 2"):
        begun(KitGame(HEAD.replace("kit = 2", "kit = 1") + '[action]\nact = { do = ["foes moves 3 away"] }'), "Ogre")
