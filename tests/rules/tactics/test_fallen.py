"""Somebody who is out rolls no initiative, rolls off with nobody and is in no order, until they are healed."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.dice.source import Die
from tests.reminders.silence import table_of
from tests.rules.table import Game


def dice_of(game: Game) -> list[Die]:
    """Return the dice of the last command."""
    return [each for each in game.decisions[-1].dice.records if isinstance(each, Die)]


def _next_round(game: Game) -> list[str]:
    """End the round; return whose dice fell as the next one opened, and which."""
    game.do("Gwen", "gm next-phase")
    game.do("Gwen", "gm next-phase")
    return [f"{each.who}: {each.purpose}" for each in dice_of(game) if each.purpose in ("initiative", "tie")]


def test_ta_05_the_fallen_roll_nothing_and_are_in_neither_order() -> None:
    game = table_of("tactics")
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    assert "Ogre" not in game.state.initiative or "Ogre" not in system_of(game.state).turn_order(game.state)
    rolled = _next_round(game)
    assert rolled
    assert not [each for each in rolled if each.startswith("Ogre")]
    assert "Ogre" not in system_of(game.state).turn_order(game.state)


def test_ta_05_one_who_is_healed_rolls_then_and_acts_in_the_round() -> None:
    game = table_of("tactics")
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    _next_round(game)
    game.do("Gwen", "gm heal", target="Ogre", amount="5")
    assert [each.who for each in dice_of(game) if each.purpose == "initiative"] == ["Ogre", "Ogre"]
    assert "Ogre" in system_of(game.state).turn_order(game.state)


def test_ta_05_with_one_roll_for_the_fight_the_one_who_is_healed_has_the_number_of_before() -> None:
    game = table_of("tactics", "initiative=once")
    held = game.state.initiative["Ogre"]
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    _next_round(game)
    game.do("Gwen", "gm heal", target="Ogre", amount="5")
    assert game.state.initiative["Ogre"] == held
