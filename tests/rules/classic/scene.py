"""The tables of the classic tests."""

from __future__ import annotations

from typing import Any

from rules.core.sheets.abilities import of_sheet, parse_ability
from rules.core.values import Condition
from rules.core.views.export import export_view
from tests.rules.table import Game


def fight(options: str = "", **results: int) -> Game:
    """Begin a fight: Ana and Bo are players, all other names are the GM's, each with a fixed result."""
    game = Game("classic", options)
    for name, result in results.items():
        if name in game.users:
            game.do(name, "join", result=result, dice=[])
        else:
            game.do("Gwen", "add", name=name, result=result, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    return game


def arm(game: Game, who: str, *abilities: tuple[str, str]) -> None:
    """Give somebody abilities, as a sheet would."""
    held = of_sheet((parse_ability(name, source) for name, source in abilities), who)
    state = game.state.with_combatant(game.state.combatant(who).evolve(abilities=held))
    game.table = game.table.evolve(encounter=state)


def export(game: Game, reader: str | None = None) -> dict[str, Any]:
    return export_view(game.table, game.seat(reader or game.gm))


def left(game: Game, who: str, condition: str) -> int | None:
    """Return what is left of a condition; -1 if it is gone."""
    held: tuple[Condition, ...] = game.state.combatant(who).conditions
    return next((each.left for each in held if each.name == condition), -1)


def shuffle_to(top: tuple[str, ...], deck: tuple[str, ...]) -> list[tuple[int, int]]:
    """Write down the dice of a Fisher–Yates shuffle of `deck` that brings `top` to the top, in that order."""
    wanted = [*top, *(card for card in deck if card not in top)]
    pile = list(deck)
    dice = []
    for index in range(len(pile) - 1, 0, -1):
        at = max(position for position in range(index + 1) if pile[position] == wanted[index])
        dice.append((index + 1, at + 1))
        pile[index], pile[at] = pile[at], pile[index]
    return dice
