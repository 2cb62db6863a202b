"""Absence costs a turn, never a seat (play 6): sitting a round out, coming back, going on without somebody."""

from __future__ import annotations

from bot.waiting.people import Person
from bot.waiting.waits import GM, TURN, Arming, ReminderPlan, Reminding, Wanted, wanted
from rules.core.command import Command
from rules.core.commands import Decision
from rules.core.commands.absence import SIT_OUT
from rules.core.encounter import Absence
from rules.core.views.view import view_of
from tests.rules.table import Game
from tests.rules.tactics import scene as tactics


def fight() -> Game:
    game = Game()
    for name, result in (("Ana", 20), ("Bo", 10)):
        game.do(name, "join", result=result)
    game.do("Gwen", "gm add", name="Ogre", result=5)
    game.do("Gwen", "encounter begin")
    return game


def deadline(game: Game, who: str) -> Decision:
    """Let somebody's deadline pass, as a timer does."""
    return game.decided(Command(action=SIT_OUT, target=who))


def test_a_deadline_ends_the_turn_and_the_next_round_has_them_again() -> None:
    game = fight()
    deadline(game, "Ana")
    assert game.said("Bo").startswith("Ana is not here this round: next.\nAna ends the turn.")
    assert game.waits_for() == ("Bo",)
    game.do("Bo", "next")
    game.do("Gwen", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))


def test_all_phases_of_a_round_cost_one_deadline() -> None:
    game = tactics.trio()
    deadline(game, "Rhea")
    game.do("Bo", "skip")
    game.do("Gwen", "skip")
    game.do("Gwen", "pass")
    game.do("Bo", "pass")
    assert (game.state.round, game.state.phase) == (2, "movement")
    assert "Rhea is not here this round: pass." in game.said("Bo")


def test_one_deadline_is_for_all_that_a_person_plays() -> None:
    game = fight()
    game.do("Ana", "join", document={"name": "Owl", "owner": "0", "fields": {}}, result=7)
    deadline(game, "Ana")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)
    assert game.state.is_absent("Owl")


def test_who_acts_is_there_again() -> None:
    game = tactics.trio()
    deadline(game, "Rhea")
    game.do("Gwen", "gm damage", target="Rhea", amount="1")
    assert game.state.is_absent("Rhea"), "what others do is no sign of her"
    game.do("Ana", "condition add", target="Rhea", name="Tired")
    assert not game.state.is_absent("Rhea")
    game.do("Bo", "skip")
    game.do("Gwen", "skip")
    game.do("Gwen", "pass")
    game.do("Bo", "pass")
    assert game.waits_for() == ("Rhea",), "what is left of the round is theirs"


def test_a_second_round_in_a_row_asks_the_gm_once_whether_to_go_on_without_them() -> None:
    game = fight()
    for number in (1, 2, 3):
        deadline(game, "Ana")
        is_asked = any(each.kind == GM for each in wanted(game.state))
        assert is_asked is (number == 2), number
        if number == 2:
            view = view_of(game.table, game.seat("Gwen"))
            assert view is not None
            assert view.missing == ("Ana",)
            game.do("Gwen", "gm away", target="Ana", wait=True)
        game.do("Bo", "next")
        game.do("Gwen", "next")
        assert game.waits_for() == ("Ana",)


def test_no_round_waits_for_somebody_away_until_they_act() -> None:
    game = fight()
    game.do("Gwen", "gm away", target="Ana")
    for _ in range(2):
        assert game.waits_for() == ("Bo",)
        game.do("Bo", "next")
        game.do("Gwen", "next")
    assert game.state.round == 3
    game.do("Ana", "react")
    game.do("Bo", "next")
    game.do("Gwen", "next")
    assert game.waits_for() == ("Ana",)


def test_a_table_of_absent_people_plays_one_round_at_most_in_one_step() -> None:
    game = fight()
    for name in ("Bo", "Ogre", "Ana"):
        game.do("Gwen", "gm away", target=name)
    assert (game.state.round, game.waits_for()) == (3, ("Ana",))


def test_the_gm_skips_the_rest_of_somebodys_round_with_one_command() -> None:
    game = tactics.trio()
    game.do("Gwen", "gm skip", target="Pip")
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "skip")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "skip")
    game.do("Gwen", "pass")
    assert game.waits_for() == ("Rhea",)
    game.refused("Gwen", "gm skip", target="Pip", rule="G-01")
    game.do("Gwen", "gm turn", target="Pip")
    assert game.waits_for() == ("Pip",), "the GM's word is the last"


def test_one_who_has_missed_rounds_in_a_row_gets_one_nudge() -> None:
    class Nobody:
        def asked_for(self, *_: object) -> tuple[str, ...]:
            return ()

        def get(self, _: object) -> Person:
            return Person()

        def stand_in(self, *_: object) -> None:
            return None

        def is_away(self, *_: object) -> bool:
            return False

        def clock(self) -> float:
            return 0

    plan = ReminderPlan(after=10, every=10, times=3, then="skip")
    for rounds, times in ((1, 3), (2, 1)):
        state = fight().state.evolve(absences={"Ana": Absence(round=1, rounds=rounds)})
        armed = Arming(Nobody(), state, "1", Reminding(plan=plan))(Wanted(TURN, "t", "Ana"), 0)  # type: ignore[arg-type] # asks nothing else of people
        assert armed is not None
        assert armed[1] is not None
        assert armed[1].times == times


def opportunity() -> Game:
    """Rhea leaves the reach of an Ogre of the GM and of a Wolf of Bo's: both are asked."""
    game = Game("tactics")
    tactics.add(game, "Rhea", owner="Ana")
    tactics.add(game, "Ogre")
    tactics.add(game, "Wolf", owner="Bo")
    game.do("Gwen", "gm set", target="Wolf", pool="side", value="GM")
    game.do("Gwen", "encounter begin", dice=tactics.two_d6(1, 1, 3, 3, 6, 6))
    tactics.board(game, Rhea="C3", Ogre="D4", Wolf="B4")
    return game


def test_others_who_are_asked_do_not_wait_for_an_absentee_and_nothing_tells_before_all_have() -> None:
    game = opportunity()
    game.do("Gwen", "gm skip", target="Wolf")
    game.do("Ana", "move", using="Walk", to="C1")
    assert [(each.who, each.answered) for each in game.state.questions] == [("Ogre", False), ("Wolf", False)]
    assert [each.who for each in wanted(game.state) if each.kind == TURN] == ["Ogre"], "nobody pings who is absent"
    game.do("Gwen", "let-go", character="Ogre")
    assert game.state.questions == ()
    assert "Ogre, Wolf do not react." in game.said("Ana")


def test_a_deadline_of_a_sealed_question_stays_sealed() -> None:
    game = opportunity()
    game.do("Ana", "move", using="Walk", to="C1")
    deadline(game, "Wolf")
    assert game.lines("Ana") == []
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert view.combatants["Wolf"].badges == ()
    game.do("Gwen", "let-go", character="Ogre")
    game.do("Bo", "condition add", target="Wolf", name="Tired")
    assert not game.state.is_absent("Wolf")
