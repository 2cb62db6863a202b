"""What a movement changed is told in words: who is beside, who is seen now, and who no longer."""

from __future__ import annotations

from typing import Any

from bot.render.boards.move_told import moved_words
from tests.rules.table import Game
from tests.rules.tactics.scene import board, duel


def walled() -> Game:
    game = duel()
    board(game, Rhea="C4", Ogre="F4")
    game.do("Gwen", "board terrain", cells="E1:E4", kind="solid")
    game.do("Gwen", "board terrain", cells="D7", kind="door")
    return game


def moved(game: Game, cell: str, reader: str = "Ana") -> list[str]:
    before = game.state
    game.do("Gwen", "board place", target="Rhea", cells=cell)
    return moved_words(before, game.state, game.seat(reader))


def test_newly_seen_people_are_told_with_cell_and_direction_and_the_nearest_door() -> None:
    assert moved(walled(), "D6") == ["Rhea: C4 → D6. Sees Ogre (F4, 2 north-east). Door D7 (closed) is 1 square south."]


def test_those_beside_you_and_those_no_longer_are_told() -> None:
    game = walled()
    assert moved(game, "F5") == [
        "Rhea: C4 → F5. Now beside Ogre. Sees Ogre (F4, 1 north). Door D7 (closed) is 2 squares south-west."
    ]
    assert moved(game, "C4")[0].startswith("Rhea: F5 → C4. No longer beside Ogre. No longer sees Ogre.")


def test_somebody_who_comes_within_the_reach_of_sight_is_seen_then() -> None:
    game = walled()
    game.do("Gwen", "encounter options", set="sight_range=3")
    assert moved(game, "F9") == ["Rhea: C4 → F9. Door D7 (closed) is 2 squares north-west."]
    assert moved(game, "F7")[0].startswith("Rhea: F9 → F7. Sees Ogre (F4, 3 north).")


def test_a_door_on_an_edge_of_ones_own_cell_is_told_where_it_leads() -> None:
    game = walled()
    door: dict[str, Any] = {"from": "B3/C3", "shape": "edge", "kind": "door", "text": "Arch"}
    game.do("Gwen", "map draw", **door)
    assert moved(game, "C3") == ["Rhea: C4 → C3. Door Arch (closed) is 1 square west."]
    assert moved(game, "B3") == ["Rhea: C3 → B3. Door Arch (closed) is 1 square east."]


def test_what_does_not_move_and_what_is_anothers_is_not_told() -> None:
    game = walled()
    assert moved(game, "D6", reader="Bo") == []
    assert moved(game, "D6") == []


def test_whom_a_reader_does_not_know_is_in_no_word() -> None:
    game = walled()
    game.do("Gwen", "gm add", name="Shade", sheet="HP 9, INT 1, AGI 0, ATK 0, DEF 9, TIER 1, SPD 3", hidden=True)
    game.do("Gwen", "board place", target="Shade", cells="D8")
    assert "Shade" not in moved(game, "C8")[0]
