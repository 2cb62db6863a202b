"""Several provoked creatures of one person answer in one press (TA-11, play 2)."""

from __future__ import annotations

from bot.render.prompt import turn_prompt
from rules.core.registry import system_of
from rules.core.views.view import view_of
from tests.rules.table import Game
from tests.rules.tactics.scene import add, trio, two_d6


def surrounded() -> Game:
    """Rhea leaves a square that four Goblins of the GM and no other threaten."""
    game = trio()
    for number in range(1, 5):
        add(game, f"Goblin {number}")
    game.do("Gwen", "board size", size="12x12")
    places = {"Rhea": "D4", "Pip": "A9", "Ogre": "A1", "Goblin 1": "C3", "Goblin 2": "D3", "Goblin 3": "E3"}
    for name, at in {**places, "Goblin 4": "C4"}.items():
        game.do("Gwen", "board place", target=name, cells=at)
    game.do("Ana", "move", using="Walk", to="E5 F6")
    return game


def buttons(game: Game) -> list[str]:
    view = view_of(game.table, game.seat("Bo"))
    assert view is not None
    payload = turn_prompt(view, 1, usual={}, mentions={})
    return [str(each.get("label")) for row in payload.components for each in row["components"]]


def test_four_goblins_are_asked_in_one_line_and_one_event() -> None:
    game = surrounded()
    assert game.waits_for() == ("Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4")
    assert len({each.window for each in game.state.questions}) == 1
    provoked = [line for line in game.lines("Ana") if "provokes" in line]
    assert provoked == ["Rhea leaves D4 and provokes Goblin 1, Goblin 2, Goblin 3, Goblin 4."]


def test_one_press_lets_all_of_them_go() -> None:
    game = surrounded()
    assert buttons(game)[:3] == ["React…", "Let it pass", "My turn"]
    game.do("Gwen", "let-go", character="*")
    assert game.state.questions == ()
    assert "Goblin 1, Goblin 2, Goblin 3, Goblin 4 do not react." in game.lines("Ana")


def test_one_press_lets_all_of_them_attack() -> None:
    game = surrounded()
    game.do("Gwen", "opportunity", character="*", dice=two_d6(1, 1, 1, 1, 1, 1, 1, 1))
    assert game.state.questions == ()
    assert sum("opportunity" in line for line in game.lines("Ana")) == 4


def test_one_attacks_and_the_others_let_go() -> None:
    game = surrounded()
    game.do("Gwen", "opportunity", character="Goblin 2", dice=two_d6(1, 1))
    game.do("Gwen", "let-go", character="*")
    assert game.state.questions == ()


def test_without_a_board_a_side_names_all_of_it_who_can_be_provoked() -> None:
    """Prove TA-11."""
    game = trio()
    add(game, "Goblin")
    game.do("Ana", "move", target="all of GM", amount=1)
    assert game.waits_for() == ("Ogre", "Goblin")


def test_a_side_of_nobody_and_an_ally_cannot_be_provoked() -> None:
    game = trio()
    game.refused("Ana", "move", target="all of Nobody", amount=1)
    game.refused("Ana", "move", target="Pip", amount=1, rule="TA-11")


def test_ta_11_without_a_board_the_one_who_was_passed_has_a_button_until_the_next_action() -> None:
    game = trio()
    game.do("Ana", "move", using="Walk", amount=3)
    assert game.waits_for() == ("Pip",)  # nobody waits for it
    offers_of_others = system_of(game.state).offers_of_others(game.state)
    assert [(aside.who, aside.label) for aside in offers_of_others] == [("Ogre", "Opportunity attack on Rhea")]
    assert "opportunity" not in game.legal("Pip")  # no foe
    game.do("Gwen", "opportunity", character="Ogre", dice=[(6, 6), (6, 6)])
    assert "Ogre takes the opportunity against Rhea" in game.said()
    assert game.waits_for() == ("Pip",)
    game.refused("Gwen", "opportunity", rule="TA-11", character="Ogre")  # once for a movement
    game.do("Bo", "move", using="Walk", amount=3)
    game.do("Gwen", "skip", character="Ogre")
    game.refused("Gwen", "opportunity", rule="TA-11", character="Ogre")
    assert system_of(game.state).offers_of_others(game.state) == ()


def test_ta_11_of_several_who_were_passed_there_is_one_button() -> None:
    game = trio()
    add(game, "Goblin")
    game.do("Ana", "move", using="Walk", amount=3)
    (aside,) = system_of(game.state).offers_of_others(game.state)
    assert (aside.who, aside.label) == ("", "Opportunity attack on Rhea")
    game.do("Gwen", "opportunity", character="Goblin", dice=[(6, 1), (6, 1)])
    (aside,) = system_of(game.state).offers_of_others(game.state)
    assert aside.who == "Ogre"


def test_ta_11_somebody_who_was_named_or_not_provoked_has_no_second_attack() -> None:
    game = trio()
    game.do("Ana", "move", using="Walk", amount=3, target="Ogre")
    game.do("Gwen", "let-go", character="Ogre")
    assert system_of(game.state).offers_of_others(game.state) == ()
    game.do("Bo", "move", using="Shift", amount=1)
    assert "opportunity" not in game.legal("Ogre")
