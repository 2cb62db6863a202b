"""Characters as documents, and a table that takes them."""

from __future__ import annotations

from typing import Any

from tests.rules.table import Game

STONES = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"
TACTICS = "INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 12, SPD 5"


SHEETS = {
    "adventurers": "STAMINA 10, WILLPOWER 4",
    "beacon": "HP 12, INITIATIVE 3",
    "classic": "HP 20",
    "soulweaver": "ZEAL 2, MINOR 1",
    "stones": STONES,
    "tactics": TACTICS,
}


def table(system: str, sheet: str = "", **given: Any) -> Game:
    game = Game(system)
    game.do("Gwen", "gm add", name="Ogre", sheet=sheet or SHEETS[system], **given)
    return game


def document(*abilities: dict[str, Any]) -> dict[str, Any]:
    return {"name": "Ogre", "owner": "100", "abilities": list(abilities)}


def ability(name: str, kind: str = "", text: str = "", **fields: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "fields": fields, "text": text}
