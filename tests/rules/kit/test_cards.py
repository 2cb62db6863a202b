"""Places by playing cards: aces are high, equal ranks by suit, and a joker acts at any moment (kits 5)."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

CARDS = """kit = 1
id = "dealt"
order = { key = "cards standard54", anew = "round", rule = "DE-01" }
pool = { HP = { start = 9, out = true }, ACT = { start = 1, refill = "turn" } }
[action]
hit = { cost = "1 ACT", target = "foe", do = ["target loses 1 HP"] }
run = { once = "turn" }
[rules]
DE-01 = "A card each round, the highest first."
"""
TWO_OF_CLUBS, ACE_OF_SPADES, JOKER = 1, 52, 53


def dealt(*cards: int, text: str = CARDS) -> Game:
    """Begin with Ayla, Bran and an ogre, dealt these cards, counted from the lowest."""
    game = seated(KitGame(text), "Ogre")
    faces, left = [], list(range(1, 55))
    for card in cards:
        faces.append((len(left), left.index(card) + 1))
        left.remove(card)
    game.do("Gwen", "encounter begin", dice=faces)
    return game


def test_a_card_of_the_deck_is_told_by_its_name_and_the_ace_is_high() -> None:
    game = dealt(TWO_OF_CLUBS, ACE_OF_SPADES, 48)
    assert "Bran is dealt AS." in game.lines()
    assert "Ogre is dealt KS." in game.lines()
    assert system_of(game.state).turn_order(game.state) == ("Bran", "Ogre", "Ayla")
    assert system_of(game.state).row(game.state, "Ayla", Seat()).standing == "2C"


def test_a_joker_is_waited_for_by_nobody_and_acts_at_any_moment() -> None:
    game = dealt(JOKER, 20, 30)
    assert game.waits_for() == ("Ogre",)
    assert system_of(game.state).row(game.state, "Ayla", game.seat("Bo")).badges == ("joker: can act at any moment",)
    assert [each.who for each in system_of(game.state).offers_of_others(game.state)] == ["Ayla"]
    assert game.refused("Bo", "back").rule == "KI-01"
    game.do("Gwen", "run", character="Ogre")
    game.do("Ana", "back")
    assert "Ayla plays the joker and acts now." in game.said()
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "hit", target="Ogre")
    game.do("Ana", "end")
    assert game.waits_for() == ("Ogre",), "the turn that was interrupted goes on"
    assert game.refused("Gwen", "run", character="Ogre").rule == "KI-10", "where it stopped"
    assert game.refused("Ana", "back").rule == "DE-01"
    game.do("Gwen", "end", character="Ogre")
    assert game.waits_for() == ("Bran",)


def test_a_sentence_can_ask_for_the_card_that_somebody_has() -> None:
    text = CARDS.replace("[action]", 'when = { turn-start = ["self loses 4 HP if KEY >= 53"] }\n[action]')
    game = dealt(JOKER, 20, 30, text=text)
    game.do("Ana", "back")
    assert [game.state.combatant(name).pools["HP"].now for name in ("Ayla", "Ogre")] == [5, 9]


def test_somebody_who_keeps_a_joker_acts_last() -> None:
    game = dealt(JOKER, 20, 30)
    game.do("Gwen", "end", character="Ogre")
    game.do("Bo", "end")
    assert (game.state.round, game.waits_for()) == (1, ("Ayla",))


def test_a_turn_that_the_gm_gives_in_the_midst_of_another_lets_nobody_act_twice() -> None:
    game = dealt(10, 20, 30)
    game.do("Gwen", "run", character="Ogre")
    game.do("Gwen", "gm turn", target="Ayla")
    game.do("Ana", "end")
    assert game.waits_for() == ("Ogre",)
    assert game.refused("Gwen", "run", character="Ogre").rule == "KI-10"
