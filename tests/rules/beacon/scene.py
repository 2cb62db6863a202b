"""The people and creatures of the beacon tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.rules.table import Game

SHEET: Mapping[str, int | str] = {
    "HP": 20,
    "STRESS": 8,
    "MP": 4,
    "FOCUS": "2/9",
    "RECOVERIES": 2,
    "ARMOR": 1,
    "DODGE": 10,
    "ADEF": 9,
    "GRIT": 2,
    "SPEED": 4,
    "SIZE": 1,
    "SCOPE": 10,
    "SAVE": 11,
    "BULK": 1,
    "MIND": 1,
    "AGILITY": 2,
}


def ability(name: str, kind: str = "ability", text: str = "", **fields: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "fields": fields, "text": text}


BOW = ability("Bow", activation="VOLLEY", range="8", damage="1d6+1 physical", tags="weapon")
SPEAR = ability("Spear", activation="FIGHT", reach="2", damage="1d6+2 physical", tags="weapon")
DAGGER = ability("Dagger", range="3", reach="1", damage="1d4", tags="weapon + Reloading")
NO_ROLL = "It needs no roll."
FIREBALL = ability("Fireball", text=NO_ROLL, activation="CHANNEL", cost="2", range="8", damage="2d6", tags="channel")
TAUNT = ability("Taunt", text=NO_ROLL, activation="PHASE SKIRMISH", damage="1 stress", range="6")
QUICK = ability("Quick Word", activation="minor", damage="1 stress", tags="1/round")
PARRY = ability(
    "Riposte", activation="reaction", trigger="when you are hit", cost="Focus 1", damage="1d4", tags="1/round"
)
CANNON = ability("Cannon", activation="VOLLEY", range="10", damage="2d6", tags="Slow + Reloading + weapon")


def add(
    game: Game, name: str, *, owner: str | None = None, abilities: tuple[dict[str, Any], ...] = (), **changes: int | str
) -> None:
    """Bring in a combatant: a player's own, or the GM's (with an INITIATIVE)."""
    fields = {**SHEET, **changes}
    if owner is None:
        given = {"INITIATIVE": 3, **fields}
        reactions = str(given.pop("REACTIONS", ""))
        sheet = ", ".join(f"{key} {value}" for key, value in given.items())
        if reactions:
            sheet += f", REACTIONS {reactions}"
        document = {"name": name, "owner": "0", "abilities": list(abilities)}
        game.do(game.gm, "gm add", name=name, sheet=sheet, document=document)
    else:
        game.do(
            owner,
            "join",
            document={"name": name, "owner": game.users[owner], "fields": fields, "abilities": list(abilities)},
        )
