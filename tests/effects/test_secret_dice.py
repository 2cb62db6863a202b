"""Who reads the dice of what an ability does to a creature of the GM. Rule: G-08."""

from __future__ import annotations

import pytest

from rules.core.seen.lines import plain
from tests.effects.test_played import fight, use
from tests.rules.table import Game

ABILITIES = {
    "classic": "+5 to hit; 2d4+3 damage",
    "tactics": "kind power; phase battle; range 6; damage 2d4+3",
    "stones": "card offensive; cost 0; deals 2d4+3 damage",
    "adventurers": "type Attack; specialty Arm; rebound 0; damage 2d4+3",
    "soulweaver": "kind weapon; hit BLADES; 2d4+3 damage",
    "beacon": "activation VOLLEY; range 8; damage 2d4+3",
}


def _read(game: Game, reader: str) -> str:
    read = (plain(line, game.seat(reader)) for each in game.decisions for line in each.lines)
    return "\n".join(text for text in read if text is not None)


@pytest.mark.parametrize(("system", "ability"), ABILITIES.items())
@pytest.mark.parametrize(("option", "is_read"), [("exact", True), ("words", True), ("hidden", False)])
def test_players_read_the_damage_that_they_roll_unless_npc_pools_hides_it(
    system: str, ability: str, option: str, is_read: bool
) -> None:
    game = fight(system, ability, f"npc_pools={option}")
    use(game, "hit")
    assert ("2d4" in _read(game, "Ana")) == is_read
    assert "2d4" in _read(game, "Gwen")
