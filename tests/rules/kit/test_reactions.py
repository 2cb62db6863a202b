"""Reactions: who is asked, what an answer does to the action, and what it costs (kits 6)."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from tests.rules.kit.reacting import KIT, table
from tests.rules.kit.reading import mistakes
from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

PARRY = '[reaction]\nparry = { to = "succeeded", kind = "blow", cost = "1 REACT", do = ["it is harder by 2"] }\n'


def hp(game: Game, who: str) -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def test_ki_09_a_parry_makes_a_blow_that_succeeded_harder_after_the_roll() -> None:
    game = table(PARRY)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    assert game.waits_for() == ("Ogre",)
    assert hp(game, "Ogre") == 10, "the outcome waits"
    assert game.refused("Bo", "strike", target="Ogre").rule == "KI-09"
    game.do("Gwen", "parry", character="Ogre")
    assert "harder by 2, failure" in game.said()
    assert (hp(game, "Ogre"), hp(game, "Ayla")) == (10, 9)
    assert game.state.combatant("Ogre").pools["REACT"].now == 0


def test_somebody_who_has_visibly_nothing_left_to_react_with_is_not_asked() -> None:
    game = table(PARRY)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "parry", character="Ogre")
    game.do("Bo", "strike", target="Ogre", dice=[(20, 12)])
    assert hp(game, "Ogre") == 6
    assert not game.state.questions


def test_somebody_who_lets_it_pass_changes_nothing_and_a_failure_asks_nobody() -> None:
    game = table(PARRY)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "decline", character="Ogre")
    assert hp(game, "Ogre") == 6
    game.do("Bo", "strike", target="Ogre", dice=[(20, 3)])
    assert not game.state.questions


def test_a_skip_and_a_pass_ahead_let_it_pass_too() -> None:
    game = table(PARRY)
    game.do("Gwen", "decline", character="Ogre", when="this-round")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    assert game.state.questions[0].quiet
    game.do("Gwen", "gm skip", target="Ogre")
    assert hp(game, "Ogre") == 6


def test_a_reaction_whose_cost_nobody_sees_is_asked_for_in_silence() -> None:
    game = table('[reaction]\nrage = { to = "targeted", cost = "1 FURY", do = ["self gains 1 HP"] }\n')
    game.do("Gwen", "gm set", target="Ogre", pool="FURY", value="0")
    game.do("Ana", "curse", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    assert game.state.questions[0].silent
    assert game.refused("Gwen", "rage", character="Ogre").rule == "KI-03"


def test_what_is_aimed_at_somebody_can_be_stopped_before_the_roll() -> None:
    game = table('[reaction]\nveil = { to = "targeted", check = "skill", success = ["it is stopped"] }\n')
    game.do("Ana", "strike", target="Ogre", dice=[])
    game.do("Gwen", "veil", character="Ogre", dice=[(20, 3)])
    assert "Ayla's strike is stopped." in game.said()
    game.do("Bo", "strike", target="Ogre", dice=[])
    game.do("Gwen", "veil", character="Ogre", dice=[(20, 19), (20, 15)])
    assert hp(game, "Ogre") == 6


def test_several_targets_are_answered_one_after_the_other() -> None:
    game = table(PARRY, "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre, Rat", dice=[(20, 12)])
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "parry", character="Ogre", dice=[(20, 19)])
    assert game.waits_for() == ("Rat",)
    game.do("Gwen", "decline", character="Rat")
    assert (hp(game, "Ogre"), hp(game, "Rat")) == (10, 2)
    assert "Ayla" in game.waits_for()


def test_a_turn_is_what_a_parry_may_cost() -> None:
    more = '[reaction]\nblock = { to = "succeeded", cost = "1 turn", do = ["it is stopped"] }\n'
    game = table(more)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "block", character="Ogre")
    assert "Ogre's turn is used up." in game.said()
    game.do("Bo", "strike", target="Ogre", dice=[(20, 12)])
    assert not game.state.questions, "there is no turn left to give"
    game.do("Ana", "end")
    game.do("Bo", "end")
    assert game.state.round == 2, "the ogre has no turn in this round"


def test_allies_and_foes_answer_what_happens_to_others() -> None:
    more = (
        '[reaction]\nshield = { to = "targeted", for = "ally", do = ["it is harder by 5"] }\n'
        'gloat = { to = "failed", for = "anyone", do = ["self gains 1 FURY"] }\n'
    )
    game = table(more, "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre", dice=[])
    assert game.waits_for() == ("Rat",), "the ogre's ally, and not the ogre"
    game.do("Gwen", "shield", character="Rat", dice=[(20, 14)])
    assert set(game.waits_for()) == {"Bran", "Ogre", "Rat"}, "it failed"
    for by, who in (("Bo", "Bran"), ("Gwen", "Ogre")):
        game.do(by, "gloat", character=who)
    game.do("Gwen", "decline", character="Rat")
    assert hp(game, "Ayla") == 9


def test_somebody_who_is_hurt_answers_after_it() -> None:
    more = '[reaction]\nflinch = { to = "hurt", target = "foe", do = ["target loses 2 HP", "source loses 3 HP"] }\n'
    game = table(more)
    game.do("Ana", "curse", target="Ogre")
    assert hp(game, "Ogre") == 9
    game.do("Gwen", "flinch", character="Ogre", target="Bran")
    assert (hp(game, "Bran"), hp(game, "Ayla")) == (8, 7)


def test_somebody_who_comes_near_or_goes_away_is_answered_on_a_board() -> None:
    more = '[reaction]\nlash = { to = "moved-away", for = "foe", do = ["source loses 2 HP"] }\n'
    game = table(more)
    game.do("Gwen", "board size", size="8x8")
    for who, cell in (("Ayla", "A1"), ("Ogre", "A2"), ("Bran", "H8")):
        game.do("Gwen", "board place", target=who, cells=cell)
    game.do("Bo", "walk", to="H6")
    assert not game.state.questions
    game.do("Ana", "walk", to="C1")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "lash", character="Ogre")
    assert hp(game, "Ayla") == 8


def test_one_who_acted_leaves_or_falls_in_the_midst_and_nothing_hangs() -> None:
    game = table(PARRY)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "remove", target="Ayla")
    assert not game.state.questions
    assert (game.state.under_way, game.waits_for()) == (None, ("Bran",))
    game.do("Bo", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "gm set", target="Bran", pool="HP", value="0")
    game.do("Gwen", "decline", character="Ogre")
    assert game.state.over is not None


def test_a_target_that_leaves_in_the_midst_leaves_the_others() -> None:
    game = table(PARRY, "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre, Rat", dice=[(20, 12)])
    game.do("Gwen", "remove", target="Ogre", dice=[(20, 15)])
    game.do("Gwen", "decline", character="Rat")
    assert hp(game, "Rat") == 6


def test_undoing_an_answer_asks_again() -> None:
    game = table(PARRY)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    before = game.table
    game.do("Gwen", "parry", character="Ogre")
    game.table = before
    assert system_of(game.state).waits_for(game.state) == ("Ogre",)
    game.do("Gwen", "decline", character="Ogre")
    assert hp(game, "Ogre") == 6


TWO = """[reaction]
veil = { to = "targeted", do = ["it is harder by 1"] }
duck = { to = "targeted", do = ["it is harder by 2"] }
flinch = { to = "hurt", do = ["source loses 1 HP"] }
"""


def test_one_answers_an_event_once_and_nobody_answers_an_answer() -> None:
    game = table(TWO)
    game.do("Ana", "strike", target="Ogre")
    (asked,) = game.state.questions
    assert asked.choices == ("veil", "duck", "decline")
    game.do("Gwen", "veil", character="Ogre", dice=[(20, 19)])
    assert game.refused("Gwen", "duck", character="Ogre").rule == "KI-09"
    (asked,) = game.state.questions
    assert (asked.who, asked.choices) == ("Ogre", ("flinch", "decline")), "being hurt is another event"
    game.do("Gwen", "flinch", character="Ogre")
    assert hp(game, "Ayla") == 9
    assert not game.state.questions, "Ayla is hurt by an answer, and nobody answers that"


def test_somebody_who_is_hurt_before_the_roll_answers_after_it_though_others_answered_in_between() -> None:
    more = (
        'graze = { target = "foe", check = "hit", do = ["target loses 1 HP"] }\n'
        '[reaction]\nblock = { to = "failed", do = ["self gains 1 HP"] }\n'
        'flinch = { to = "hurt", do = ["source loses 3 HP"] }\n'
    )
    game = table(more)
    game.do("Ana", "graze", target="Ogre", dice=[(20, 3)])
    game.do("Gwen", "block", character="Ogre")
    assert game.state.questions
    game.do("Gwen", "flinch", character="Ogre")
    assert hp(game, "Ayla") == 7


CLOCK = """kit = 1
id = "ticking"
order = { type = "clock", key = "{PLACE}", ticks = 3 }
sheet = { PLACE = 1 }
pool = { HP = { start = 9, out = true } }
action = { hit = { target = "foe", do = ["target loses 1 HP"], ends = true } }
[reaction]
block = { to = "targeted", ticks = 2, do = ["it is stopped"] }
duck = { to = "targeted", do = ["it is stopped"] }
"""


@pytest.mark.parametrize(("answer", "count"), [("block", 7), ("duck", 5)])
def test_an_answer_takes_the_ticks_that_it_names_and_none_else(answer: str, count: int) -> None:
    game = seated(KitGame(CLOCK))
    game.do("Gwen", "gm add", name="Ogre", sheet="PLACE 5")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "hit", character=game.waits_for()[0], target="Ogre")
    game.do("Gwen", answer, character="Ogre")
    assert game.state.places["Ogre"]["{PLACE}"].key == count


def test_ticks_of_an_answer_count_elsewhere_for_nothing() -> None:
    game = table('[reaction]\nduck = { to = "targeted", ticks = 2, do = ["it is stopped"] }\n')
    before = game.state.side_places
    game.do("Ana", "strike", target="Ogre")
    game.do("Gwen", "duck", character="Ogre")
    assert game.state.side_places == before


@pytest.mark.parametrize("says", ["it is stopped", "it is harder by 2", "it is easier by 2"])
@pytest.mark.parametrize("moment", ["hurt", "moved-near", "moved-away"])
def test_ki_09_what_changes_a_deed_is_refused_for_a_moment_after_it(moment: str, says: str) -> None:
    late = f'[reaction]\nshrug = {{ to = "{moment}", for = "anyone", do = ["{says}"] }}\n'
    assert any("too late" in each for each in mistakes(KIT + late))


def test_a_reaction_can_end_the_phase_once_the_action_it_answers_is_over() -> None:
    game = table('[reaction]\nroar = { to = "targeted", do = ["phase ends"] }\n')
    game.do("Ana", "strike", target="Ogre", dice=[])
    game.do("Gwen", "roar", character="Ogre", dice=[(20, 12)])
    assert hp(game, "Ogre") == 6
    assert game.state.round == 2
