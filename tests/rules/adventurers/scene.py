"""The people and creatures of the adventurers' tests."""

from __future__ import annotations

from typing import Any

from rules.core.registry import system_of
from rules.core.views.export import export_view
from rules.dice.source import Die
from tests.rules.table import Game

AREA_ARM, ROW_ARM = (6, 2), ((6, 1), (6, 6))  # the specialty of the initiative check: area 2, row 7 is Arm
ARM = [AREA_ARM, *ROW_ARM]


def ability(name: str, kind: str = "", text: str = "", **fields: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "fields": fields, "text": text}


SWORD = ability("Sword", "weapon", specialty="Arm", damage="3")
BLESSING = ability("Blessing", type="Support", rebound="1", damage="2")
CRY = ability("Cry", type="Support", rebound="0", damage="1")


def table(options: str = "", **given: Any) -> Game:
    """Return a table at which every initiative check is asked for, so that each test says what falls."""
    return Game("adventurers", ", ".join(part for part in ("checks=asked", options) if part), **given)


def add(
    game: Game, name: str, *, owner: str | None = None, abilities: tuple[dict[str, Any], ...] = (SWORD,), **changes: Any
) -> None:
    """Bring in a combatant: a player's own, or the GM's."""
    fields = {"STAMINA": 10, "WILLPOWER": 4, "SPECIALTIES": ["Arm", "Courage"], **changes}
    document = {"name": name, "owner": "0", "fields": fields, "abilities": list(abilities)}
    if owner is None:
        game.do(game.gm, "gm add", name=name, document=document)
    else:
        game.do(owner, "join", document={**document, "owner": game.users[owner]})


def check(one: int, other: int) -> list[tuple[int, int]]:
    return [(6, one), (6, other)]


def begin(game: Game) -> None:
    """Open round 1 with a check on Arm."""
    game.do("Gwen", "encounter begin", dice=ARM)


def initiative(game: Game, **passed: bool) -> None:
    """Make the checks of step A (by name of the character)."""
    for who, early in passed.items():
        game.do("Gwen", "initiative", character=who, dice=check(3, 3) if early else check(1, 2))


def duel(
    options: str = "", *, early: bool = True, rhea: dict[str, Any] | None = None, ogre: dict[str, Any] | None = None
) -> Game:
    """Rhea (Ana) against an Ogre (the GM), after step A of round 1."""
    game = table(options)
    add(game, "Rhea", owner="Ana", **(rhea or {}))
    add(game, "Ogre", **(ogre or {}))
    begin(game)
    initiative(game, Rhea=early)
    return game


def trio(
    options: str = "",
    *,
    rhea: dict[str, Any] | None = None,
    pip: dict[str, Any] | None = None,
    ogre: dict[str, Any] | None = None,
) -> Game:
    """Rhea (Ana) and Pip (Bo), both early, against an Ogre (the GM)."""
    game = table(options)
    add(game, "Rhea", owner="Ana", **(rhea or {}))
    add(game, "Pip", owner="Bo", **(pip or {}))
    add(game, "Ogre", **(ogre or {}))
    begin(game)
    initiative(game, Rhea=True, Pip=True)
    return game


def hit(game: Game, who: str, target: str, *extra: tuple[int, int], using: str | None = None) -> None:
    """Attack with a check that succeeds without a Critical (3 + 4 against 5)."""
    game.do("Gwen", "attack", character=who, target=target, using=using, dice=[*check(3, 4), *extra])


def pools(game: Game, who: str) -> tuple[int, int]:
    held = game.state.combatant(who).pools
    return held["STAMINA"].now, held["WILLPOWER"].now


def conditions(game: Game, who: str) -> list[str]:
    return [held.name for held in game.state.combatant(who).conditions]


def damaged(game: Game, who: str) -> list[str]:
    return list(export(game)["combatants"][who]["facts"]["damaged"])


def export(game: Game, reader: str = "Gwen") -> dict[str, Any]:
    return export_view(game.table, game.seat(reader))


def asked(game: Game) -> list[tuple[str, str, list[str]]]:
    return [(each["who"], each["for"], each["choices"]) for each in export(game)["waiting"]]


def drawn(game: Game) -> list[Die]:
    return [record for record in game.decisions[-1].dice.records if isinstance(record, Die)]


def timeout_action(game: Game, who: str) -> str | None:
    command = system_of(game.state).timeout_action(game.state, who)
    return None if command is None else command.action
