"""A window of several people: what is asked, who may know what, what the prompt offers. BE-19, BE-24, design 4."""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.views.export import export_view
from tests.rules.beacon.rounds import brawl, finish, in_window, pools, scene, to_phase
from tests.rules.beacon.scene import BOW, PARRY, SPEAR, add
from tests.rules.table import Game

PEOPLE = ("Gwen", "Ana", "Bo")


def seen(game: Game) -> list[dict[str, Any]]:
    """Return what each person's export says beside the log."""
    return [export_view(game.table, game.seat(name)) for name in PEOPLE]


def by_timer(game: Game, who: str, *, dice: list[tuple[int, int]] | None = None) -> tuple[str, ...]:
    """Let the clock answer for somebody; return what anybody reads of it."""
    game.decided(Command(action="decline", character=who), dice=dice or [])
    return tuple(line for name in PEOPLE for line in game.lines(name))


def test_be_24_while_a_window_is_open_nobody_else_learns_who_has_answered() -> None:
    game = in_window()
    before = seen(game)
    badges = [system_of(game.state).row(game.state, "Rhea", game.seat(name)).badges for name in PEOPLE]
    game.do("Ana", "decline", dice=[])
    assert seen(game) == before
    assert [each["who"] for each in before[0]["waiting"]] == ["Rhea", "Pip"]
    assert game.lines("Gwen") == game.lines("Bo") == []
    assert "lets it pass" in game.said("Ana")
    after = [system_of(game.state).row(game.state, "Rhea", game.seat(name)).badges for name in PEOPLE]
    assert (after[0], after[2]) == (badges[0], badges[2])
    assert "has let it pass" in after[1]
    game.do("Ana", "decline", dice=[])  # once more changes nothing and says nothing to others
    assert game.lines("Bo") == []
    game.do("Bo", "decline", dice=[])
    assert "Rhea, Pip do not react." in game.lines("Gwen")
    assert game.state.combatant("Ogre").cell == "H3"
    assert game.state.questions == ()


def test_be_24_after_a_pass_you_may_still_react_until_all_have_answered() -> None:
    game = in_window()
    game.do("Ana", "decline", dice=[])
    game.do("Ana", "react", dice=[(20, 12), (6, 2)])
    assert pools(game, "Ogre")["HP"] == 17
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "decline", dice=[])
    game.refused("Ana", "react", rule="BE-20")


def test_be_24_the_clock_may_answer_and_nothing_is_said_of_it() -> None:
    game = in_window()
    before = seen(game)
    assert by_timer(game, "Rhea") == ()
    assert seen(game) == before
    assert [question.answered for question in game.state.questions] == [True, False]
    assert "Rhea, Pip do not react." in by_timer(game, "Pip")
    assert game.waits_for() == ("Ogre",)


def test_be_24_the_gm_answers_for_sleepers_and_nobody_learns_who_they_are() -> None:
    game = in_window()
    game.do("Gwen", "gm answer", target="Pip", choice="decline")
    assert game.lines("Ana") == []
    assert "Pip lets it pass" in game.said("Gwen")
    game.do("Gwen", "gm answer", target="Rhea", choice="react", dice=[(20, 2)])
    assert game.state.combatant("Ogre").cell == "H3"
    assert "Pip does not react." in game.lines("Ana")


def test_be_24_the_question_names_what_one_could_react_with_and_keeps_an_npcs_sheet() -> None:
    game = brawl(REACTIONS="Opportunity Attack + Counterattack", FOCUS=1)
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Pip", dice=[])
    (question,) = game.state.questions
    assert question.words == "Ogre attacks Pip, before the roll: interpose?"
    game.do("Ana", "decline", dice=[(20, 10), (6, 3)])
    (question,) = game.state.questions
    assert question.words == "Ogre hits Pip: counterattack or Riposte?"
    game.do("Bo", "react", using="counterattack", dice=[(20, 12), (6, 3)])
    (question,) = game.state.questions
    assert (question.who, question.words) == ("Ogre", "Pip hits Ogre: react?")


def test_the_react_button_asks_for_no_more_than_it_needs() -> None:
    game = in_window()
    (offer,) = [offer for offer in system_of(game.state).offers(game.state, "Pip") if offer.action == "react"]
    assert offer.params == ()  # one weapon, one target: one tap
    for name in ("Ana", "Bo"):
        game.do(name, "decline", dice=[])
    game.do("Gwen", "gm move", target="Ogre", to="E3")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    (offer,) = [offer for offer in system_of(game.state).offers(game.state, "Pip") if offer.action == "react"]
    (cell,) = offer.params
    assert (cell.name, cell.required) == ("to", True)  # Pip is too far away to take the blow
    assert set((cell.choices or ())[:3]) == {"B4", "C4", "D4"}
    game.refused("Bo", "react", using="interpose")
    game.do("Bo", "react", using="interpose", note="stay", dice=[(20, 1)])


def test_the_prompt_offers_the_phases_action_pass_and_plan_and_then_the_end() -> None:
    game = scene()
    system = system_of(game.state)

    def usual(who: str) -> list[str]:
        offers = [offer for offer in system.offers(game.state, who, public=True) if offer.button_rank]
        return [offer.action for offer in sorted(offers, key=lambda offer: offer.button_rank)][:3]

    assert usual("Rhea") == ["defend", "pass-phase", "plan"]
    game.do("Ana", "plan", note="skirmish")
    game.do("Bo", "plan", note="skirmish")
    assert usual("Rhea") == ["volley", "pass-phase", "plan"]
    (phase,) = next(offer.params for offer in system.offers(game.state, "Rhea") if offer.action == "plan")
    assert phase.notes["brawl"] == "Fight, Shove, Grapple"
    labels = {offer.action: offer.label for offer in system.offers(game.state, "Rhea")}
    assert labels["pass-phase"] == "Pass on SKIRMISH"
    assert labels["plan"] == "Change the plan"
    game.do("Ana", "begin")
    assert usual("Rhea") == ["volley", "move", "end"]
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 1)])
    assert usual("Rhea") == ["move", "end", "minor"]
    finish(game, "Rhea", "brawl")
    to_phase(game, "brawl")
    game.do("Bo", "pass-phase")
    labels = {offer.action: offer.label for offer in system.offers(game.state, "Rhea")}
    assert labels["begin"] == "Begin the surge turn"


def test_be_19_a_readied_action_has_a_button_as_soon_as_something_has_happened() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(BOW,))
    add(game, "Pip", owner="Bo", abilities=(SPEAR, PARRY))
    add(game, "Ogre", INITIATIVE=3)
    game.do("Gwen", "encounter begin")
    system = system_of(game.state)
    to_phase(game, "skirmish")
    game.do("Ana", "ready", using="volley:Bow", note="the Ogre moves")
    finish(game, "Rhea")
    assert system.offers_of_others(game.state) == ()
    game.do("Gwen", "move", character="Ogre", amount=1)
    offers_of_others = system.offers_of_others(game.state)
    assert [(aside.who, aside.label) for aside in offers_of_others] == [
        ("Rhea", "Use the readied action"),
        ("Pip", "Opportunity attack on Ogre"),
    ]
    assert game.waits_for() == ("Ogre",)  # play does not stop for it
    game.do("Ana", "react", target="Ogre", dice=[(20, 1)])
    assert system.offers_of_others(game.state) == ()


def test_g_03_what_a_gm_let_pass_for_a_player_is_told_when_all_have_answered() -> None:
    game = in_window()
    before = seen(game)
    game.do("Gwen", "decline", character="Rhea", dice=[])
    assert game.decisions[-1].ruling
    assert seen(game) == before
    assert game.lines("Ana") == game.lines("Bo") == []
    game.do("Bo", "decline", dice=[])
    assert "⚖️ Gwen let it pass for Rhea." in game.lines("Bo")


def test_g_03_what_the_player_then_answers_themselves_is_nobody_elses() -> None:
    game = in_window()
    game.do("Gwen", "decline", character="Rhea", dice=[])
    game.do("Ana", "decline", dice=[])
    game.do("Bo", "decline", dice=[])
    assert not any("Gwen" in line for line in game.lines("Bo"))


def test_g_03_a_gm_who_names_nobody_is_asked_whether_they_decide_for_a_player() -> None:
    game = in_window()
    game.do("Bo", "decline", dice=[])
    game.refused("Gwen", "react", rule="G-03")
