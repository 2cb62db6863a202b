"""A GM corrects the last action of a kit: what it did is taken back, also of shared pools, and the dice stay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

KIT = """kit = 2
id = "blows"
order = { type = "sides", first = "Players" }
[pool]
HP = { start = 20, out = true }
HEAT = { of = "table", start = 0, most = 9 }
FURY = { of = "side", start = 3 }
FAITH = { start = 2, most = 9 }
[check]
hit = { roll = "1d20", against = "11", degrees = { great = "success by 8" } }
[condition]
dazed = {}
[when]
HP-zero = ["table gains 3 HEAT"]
[action.strike]
target = "foe"
targets = 2
check = "hit"
damage = "1d8"
success = ["target loses {damage} HP", "target is dazed", "table gains 1 HEAT", "side loses 1 FURY"]
failure = ["target loses {damage}/2 HP"]
on = { great = ["target loses 2d8 HP", "target is not dazed"] }
after = ["self gains 1 FAITH"]
[action]
curse = { target = "foe", do = ["target loses 1d6 HP"] }
shove = { target = "foe", check = "hit", success = ["target loses 1 HP", "target acts again"] }
trip = { target = "foe", check = "hit", success = ["target loses 1 HP", "turn ends"] }
shout = { do = ["self gains 1 FAITH"] }
"""


def table(more: str = "", *foes: str) -> Game:
    game = seated(KitGame(KIT + more), *(foes or ("Ogre",)))
    game.do("Gwen", "encounter begin")
    return game


def health(game: Game, who: str = "Ogre") -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def shared(game: Game) -> tuple[int, int, int]:
    """Return what the table has of HEAT, the players' side of FURY and Ayla of FAITH."""
    state = game.state
    heat = state.table_pools["HEAT"].now if "HEAT" in state.table_pools else 0
    return heat, state.side_pools["Players"]["FURY"].now, state.combatant("Ayla").pools["FAITH"].now


def correct(game: Game, what: str, value: str, **more: Any) -> None:
    game.do("Gwen", "gm correct", what=what, value=value, **{"dice": [], **more})


def test_another_degree_takes_back_all_that_it_did_and_does_what_it_should_have_done() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    assert (health(game), shared(game)) == (14, (1, 2, 3))
    correct(game, "degree", "failure")
    assert (health(game), game.state.combatant("Ogre").conditions, shared(game)) == (17, (), (0, 3, 3))
    correct(game, "degree", "success")
    assert (health(game), game.state.combatant("Ogre").has("Dazed"), shared(game)) == (14, True, (1, 2, 3))


def test_a_degree_of_the_kits_own_gives_back_what_was_lifted_as_it_is_corrected() -> None:
    game = table()
    game.do("Gwen", "condition add", target="Ogre", name="Dazed")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 19), (8, 6), (8, 1)])
    assert (health(game), game.state.combatant("Ogre").conditions) == (13, ())
    correct(game, "degree", "failure", dice=[(8, 4)])
    assert (health(game), game.state.combatant("Ogre").has("Dazed")) == (18, True)
    correct(game, "degree", "great")
    assert health(game) == 13
    game.refused("Gwen", "gm correct", what="degree", value="critical")


def test_another_number_to_reach_is_compared_with_the_same_dice() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    for number in ("number", "AC"):
        correct(game, number, "16")
        assert health(game) == 17
        correct(game, number, "15")
        assert health(game) == 14


def test_the_number_of_somebody_whose_numbers_are_veiled_is_told_to_the_gm_alone() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    for option, is_told in (("words", False), ("exact", True)):
        game.do("Gwen", "encounter options", set=f"npc_pools={option}")
        correct(game, "AC", "1016")
        assert "1016" in " ".join(game.lines())
        assert ("1016" in " ".join(game.lines("Ana"))) is is_told


def test_an_amount_that_the_gm_says_is_what_the_target_loses() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    correct(game, "amount", "2")
    assert (health(game), shared(game)) == (18, (1, 2, 3))
    game.do("Ana", "curse", target="Ogre", dice=[(6, 4)])
    correct(game, "amount", "5")
    assert health(game) == 13


def test_what_follows_from_a_fall_is_taken_back_with_it() -> None:
    game = table()
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="5")
    game.do("Gwen", "gm add", name="Rat", sheet="HP 5")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    assert (health(game), shared(game)[0]) == (0, 4)
    correct(game, "degree", "failure")
    assert (health(game), shared(game)[0]) == (2, 0)


def test_one_of_several_targets_is_corrected_alone() -> None:
    game = table("", "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre, Rat", dice=[(20, 15), (8, 6), (20, 15)])
    correct(game, "degree", "failure", target="Rat")
    assert (health(game, "Ogre"), health(game, "Rat"), shared(game)) == (14, 17, (1, 2, 3))


def test_what_others_answered_stays() -> None:
    game = table('[reaction]\nshield = { to = "damaged", do = ["it is less by 2"] }\n')
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    game.refused("Gwen", "gm correct", what="degree", value="failure")
    game.do("Gwen", "shield", character="Ogre")
    correct(game, "degree", "failure")
    assert (health(game), game.state.questions) == (18, ())


def test_a_blow_that_was_aimed_anew_is_corrected_for_its_new_target() -> None:
    game = table('[reaction]\nguard = { to = "targeted", for = "ally", do = ["it is aimed at self"] }\n', "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre", dice=[])
    game.do("Gwen", "guard", character="Rat", dice=[(20, 15), (8, 6)])
    game.refused("Gwen", "gm correct", what="degree", value="failure", target="Ogre")
    correct(game, "degree", "failure", target="Rat")
    assert (health(game, "Ogre"), health(game, "Rat")) == (20, 17)


def test_an_action_without_target_or_check_leaves_the_last_blow_to_be_corrected() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    game.do("Ana", "shout")
    correct(game, "degree", "failure")
    assert (health(game), shared(game)[2]) == (17, 4)


def test_nothing_that_is_settled_means_nothing_to_correct() -> None:
    assert "settled" in str(table().refused("Gwen", "gm correct", what="degree", value="failure"))


def test_a_turn_that_is_owed_is_taken_back_unless_something_else_came_of_it() -> None:
    game = table()
    game.do("Ana", "shove", target="Ogre", dice=[(20, 15)])
    assert (health(game), game.state.owed) == (19, {"Ogre": 1})
    correct(game, "degree", "failure")
    assert (health(game), game.state.owed) == (20, {})
    correct(game, "degree", "success")
    game.do("Gwen", "gm turn", target="Bran", extra=True)
    refused = game.refused("Gwen", "gm correct", what="degree", value="failure", rule="G-01")
    assert "/encounter undo" in str(refused)
    assert health(game) == 19


def test_a_turn_ends_by_what_a_correction_makes_happen_and_that_is_not_taken_back() -> None:
    game = table()
    game.do("Ana", "trip", target="Ogre", dice=[(20, 5)])
    assert "Ayla" in game.waits_for()
    correct(game, "degree", "success")
    assert (health(game), "Ayla" in game.waits_for()) == (19, False)
    game.refused("Gwen", "gm correct", what="degree", value="failure", rule="G-01")


@pytest.mark.parametrize(("what", "value"), [("edge", "advantage"), ("degree", "half"), ("amount", "x"), ("AC", "x")])
def test_a_correction_that_means_nothing_changes_nothing(what: str, value: str) -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    before = game.state
    game.refused("Gwen", "gm correct", what=what, value=value)
    assert game.state == before


def test_an_action_without_a_check_has_no_degree_to_correct() -> None:
    game = table()
    game.do("Ana", "curse", target="Ogre", dice=[(6, 4)])
    game.refused("Gwen", "gm correct", what="degree", value="failure", rule="G-01")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 5), (8, 6)])
    correct(game, "degree", "great", dice=[(8, 1), (8, 1)])
    game.refused("Gwen", "gm correct", what="amount", value="-3")


SHIELD = '[reaction]\nshield = { to = "succeeded", do = ["it is harder by 10"] }\n'


def test_a_failure_that_is_corrected_to_a_success_may_be_answered() -> None:
    game = table(SHIELD)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 5), (8, 6)])
    game.do("Ana", "end")
    correct(game, "number", "4")
    assert (health(game), [each.who for each in game.state.questions]) == (20, ["Ogre"])
    before = game.table
    game.do("Gwen", "shield", character="Ogre", dice=[])
    assert (health(game), game.state.questions, game.waits_for()) == (17, (), ("Bran",))
    game.table = before  # an undo
    game.do("Gwen", "decline", character="Ogre", dice=[])
    assert (health(game), shared(game)) == (14, (1, 2, 3))


def test_another_degree_may_be_answered_anew_and_the_same_one_may_not() -> None:
    game = table('[reaction]\ndodge = { to = "damaged", do = ["it is less by 2"] }\n')
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 6)])
    game.do("Gwen", "decline", character="Ogre", dice=[])
    assert health(game) == 14
    correct(game, "number", "14")
    correct(game, "amount", "5")
    assert (health(game), game.state.questions) == (15, ())
    correct(game, "degree", "failure")
    game.do("Gwen", "dodge", character="Ogre", dice=[])
    assert health(game) == 18, "half of the 6, less 2"
    correct(game, "degree", "success")
    assert (health(game), game.state.questions) == (16, ()), "each answers with each thing once"


def test_a_correction_goes_on_after_an_answer_though_the_one_who_acted_has_fallen() -> None:
    game = table(SHIELD)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 5), (8, 6)])
    game.do("Gwen", "gm set", target="Ayla", pool="HP", value="0")
    correct(game, "degree", "success")
    game.do("Gwen", "decline", character="Ogre", dice=[])
    assert health(game) == 14


def test_a_target_that_was_pushed_is_put_back_and_is_pushed_again() -> None:
    game = table('bash = { target = "foe", check = "hit", success = ["target moves 2 away"] }\n')
    game.do("Gwen", "board size", size="8x8")
    for who, cell in (("Ayla", "B3"), ("Ogre", "C3")):
        game.do("Gwen", "board place", target=who, cells=cell)
    game.do("Ana", "bash", target="Ogre", dice=[(20, 15)])
    for degree, cell in (("failure", "C3"), ("success", "E3")):
        correct(game, "degree", degree)
        assert game.state.combatant("Ogre").cell == cell
