"""The people and creatures of the tactics tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.dice.source import Die
from tests.rules.table import Game

SHEET = {"INT": 0, "AGI": 0, "ATK": 0, "DEF": 9, "TIER": 1, "HP": 20, "SPD": 5}


def sheet(**changes: int | str) -> str:
    return ", ".join(f"{key} {value}" for key, value in {**SHEET, **changes}.items())


def ability(name: str, kind: str = "power", **fields: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "fields": fields, "text": ""}


def add(
    game: Game, name: str, *, owner: str | None = None, abilities: tuple[dict[str, Any], ...] = (), **changes: int | str
) -> None:
    """Bring in a combatant: a player's own, or the GM's."""
    if owner is None:
        document: Mapping[str, Any] = {"name": name, "owner": "0", "abilities": list(abilities)}
        game.do(game.gm, "gm add", name=name, sheet=sheet(**changes), document=document)
    else:
        fields = {**SHEET, **changes}
        game.do(
            owner,
            "join",
            document={"name": name, "owner": game.users[owner], "fields": fields, "abilities": list(abilities)},
        )


def two_d6(*faces: int) -> list[tuple[int, int]]:
    """Write the dice of initiative down: two d6 for each."""
    return [(6, face) for face in faces]


def duel(options: str = "", *, rhea: Mapping[str, Any] | None = None, ogre: Mapping[str, Any] | None = None) -> Game:
    """Rhea (Ana) moves first and battles last against an Ogre (the GM)."""
    game = Game("tactics", options)
    add(game, "Rhea", owner="Ana", **(rhea or {}))
    add(game, "Ogre", **(ogre or {}))
    game.do("Gwen", "encounter begin", dice=two_d6(1, 1, 6, 6))
    return game


def trio(options: str = "") -> Game:
    """Rhea (Ana) moves first, then Pip (Bo), then the Ogre (the GM); they battle the other way round."""
    game = Game("tactics", options)
    add(game, "Rhea", owner="Ana")
    add(game, "Pip", owner="Bo")
    add(game, "Ogre")
    game.do("Gwen", "encounter begin", dice=two_d6(1, 1, 3, 3, 6, 6))
    return game


def skip_all(game: Game, *, seed: int = 1) -> None:
    """Let everybody skip their movement."""
    while game.state.phase == "movement":
        game.do(game.gm, "skip", character=game.waits_for()[0])


def board(game: Game, size: str = "10x10", **cells: str) -> None:
    """Lay out a board and place combatants (`Rhea="C4"`)."""
    game.do(game.gm, "board size", size=size)
    for name, cell in cells.items():
        game.do(game.gm, "board place", target=name, cells=cell)


def drawn(game: Game) -> list[Die]:
    """Return the dice of the last command."""
    return [record for record in game.decisions[-1].dice.records if isinstance(record, Die)]
