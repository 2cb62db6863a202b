"""`hold` if a phase closes, another one opens, or somebody leaves in between (kits 4 and 12)."""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

BY = {"Ayla": "Ana", "Bran": "Bo", "Ogre": "Gwen"}
KIT = """kit = 1
id = "two-parts"
order = {{ key = "{{DEX}}", ties = ["{{DEX}}"] }}
sheet = {{ DEX = 0 }}
phase = [ {{ name = "dawn"{first} }}, {{ name = "dusk"{second} }} ]
pool = {{ HP = {{ start = 3, out = true }} }}
[action]
poke = {{ ends = true, target = "foe", do = ["target loses 1 HP"] }}
"""


def begun(first: str = "", second: str = "") -> Game:
    """Ayla comes first, then Bran, then the Ogre."""
    game = seated(KitGame(KIT.format(first=first, second=second)))
    game.do("Gwen", "gm add", name="Ogre")
    for who, dexterity in (("Ayla", "5"), ("Bran", "3")):
        game.do("Gwen", "gm set", target=who, pool="DEX", value=dexterity)
    game.do("Gwen", "encounter begin")
    assert game.waits_for() == ("Ayla",)
    return game


def act(game: Game, who: str, action: str = "end") -> None:
    game.do(BY[who], action, character=who)


def place(game: Game) -> tuple[int, str, tuple[str, ...]]:
    return game.state.round, game.state.phase, game.waits_for()


def test_somebody_who_holds_has_the_turn_before_the_phase_closes() -> None:
    game = begun()
    act(game, "Ayla", "hold")
    act(game, "Bran")
    act(game, "Ogre")
    assert place(game) == (1, "dawn", ("Ayla",))
    act(game, "Ayla")
    assert place(game) == (1, "dusk", ("Ayla",)), "and a turn of its own in the next one"


@pytest.mark.parametrize(("shares", "left"), [("", ("Ayla",)), (', shares = "turn"', ("Ayla",))], ids=["own", "shared"])
def test_what_is_held_as_the_gm_closes_a_phase_is_gone_with_it_and_not_used_up(
    shares: str, left: tuple[str, ...]
) -> None:
    game = begun(first=shares, second=shares)
    act(game, "Ayla", "hold")
    game.do("Gwen", "gm next-phase")
    assert game.state.held == ()
    assert place(game) == (1, "dusk", left)
    game.refused("Ana", "back", rule="KI-01")


def test_a_turn_that_phases_share_is_not_held_into_the_next_one_by_itself() -> None:
    shared = ', shares = "turn"'
    game = begun(first=shared, second=shared)
    act(game, "Ayla", "hold")
    act(game, "Bran")
    act(game, "Ogre")
    assert place(game) == (1, "dawn", ("Ayla",)), "the phase that one held in gives it back"
    act(game, "Ayla")
    assert place(game) == (2, "dawn", ("Ayla",)), "nobody has a turn left in dusk"


def test_somebody_who_holds_and_waits_for_a_later_phase_has_the_turn_there() -> None:
    shared = ', shares = "turn", optional = true'
    game = begun(first=shared, second=', shares = "turn"')
    act(game, "Ayla", "hold")
    act(game, "Bran", "wait")
    act(game, "Ogre", "wait")
    assert place(game) == (1, "dawn", ("Ayla",))
    act(game, "Ayla", "wait")
    assert place(game) == (1, "dusk", ("Ayla",))
    act(game, "Ayla")
    act(game, "Bran")
    act(game, "Ogre")
    assert place(game) == (2, "dawn", ("Ayla",))


def test_what_is_held_is_taken_back_after_anybody_s_turn_but_not_in_the_midst_of_one() -> None:
    game = begun()
    act(game, "Ayla", "hold")
    game.refused("Ana", "hold", rule="KI-01")
    act(game, "Bran")
    game.do("Ana", "back")
    assert game.waits_for() == ("Ayla",)
    act(game, "Ayla")
    assert place(game) == (1, "dawn", ("Ogre",))


@pytest.mark.parametrize("what", ["out", "leaves", "skipped"])
def test_nobody_waits_for_somebody_who_holds_and_is_gone(what: str) -> None:
    game = begun()
    act(game, "Ayla", "hold")
    if what == "out":
        game.do("Gwen", "gm set", target="Ayla", pool="HP", value="0")
    else:
        game.do("Gwen", "gm remove" if what == "leaves" else "gm skip", target="Ayla")
    act(game, "Bran")
    act(game, "Ogre")
    assert place(game) == (1, "dusk", ("Bran",)), "a skip is for the whole round"


def test_the_last_one_has_nobody_to_wait_for_and_all_who_hold_come_after_it() -> None:
    game = begun()
    act(game, "Ayla", "hold")
    act(game, "Bran", "hold")
    assert game.refused("Gwen", "hold", character="Ogre", rule="KI-01").reason == "There is nobody left to wait for."
    act(game, "Ogre")
    for who in ("Ayla", "Bran"):
        assert place(game) == (1, "dawn", (who,))
        act(game, who)
    assert place(game) == (1, "dusk", ("Ayla",))
