"""A table with somebody that players do not know, in every system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.registry import system_of
from tests.rules.table import Game

LURKER = "Zyqor"
TACTICS = "INT 0, AGI 0, ATK 3, DEF 8, TIER 1, HP 24, SPD 4"
STONES = "HP 15, ATK 4, ARM 1, MOV 4, RNG 2, CRT 10, TYPE Spirit"
BEACON = "HP 24, ARMOR 1, DODGE 8, ADEF 8, GRIT 3, SPEED 3, SIZE 1, SAVE 12, INITIATIVE 5"
SHEETS: Mapping[str, tuple[str, dict[str, Any], dict[str, Any]]] = {  # a sheet, and the sides of both
    "adventurers": ("STAMINA 9, WILLPOWER 4", {}, {}),
    "beacon": (BEACON, {}, {}),
    "classic": ("HP 9", {}, {}),
    "soulweaver": ("ZEAL 2, MINOR 1", {}, {}),
    "stones": (STONES, {"side": "North"}, {"side": "South"}),
    "tactics": (TACTICS, {}, {}),
}


def table(system: str, options: str = "", *, lurks: bool = True) -> Game:
    """Begin with two of the GM's that everybody knows, and one that nobody does; else a note in its stead."""
    sheet, one, other = SHEETS[system]
    game = Game(system, options)
    game.do("Gwen", "gm add", name="Ox", sheet=sheet, **one)
    game.do("Gwen", "gm add", name="Yak", sheet=sheet, **other)
    if lurks:
        game.do("Gwen", "gm add", name=LURKER, sheet=sheet, hidden=True, **other)
    else:
        game.do("Gwen", "gm note", target="Ox", text="nobody is here")
    game.do("Gwen", "encounter begin")
    return game


def go_on(game: Game) -> None:
    """Let the one who is waited for do the mildest thing, or be skipped."""
    system = system_of(game.state)
    who = game.waits_for()[0]
    default_answer = system.timeout_action(game.state, who)
    if default_answer is None:
        game.do("Gwen", "gm skip", target=who)
    else:
        game.do(
            "Gwen",
            default_answer.action,
            **default_answer.model_dump(exclude={"action"}, exclude_none=True, exclude_defaults=True),
        )
