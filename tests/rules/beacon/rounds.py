"""Rounds of beacon, up to a phase and through one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.command import Command
from rules.core.commands.absence import SIT_OUT
from tests.rules.beacon.scene import BOW, CANNON, FIREBALL, PARRY, QUICK, SPEAR, TAUNT, ability, add
from tests.rules.table import Game

RAY = ability("Ray", activation="VOLLEY", range="3", damage="1d6", tags="channel")


def scene(options: str = "", *, ogre: dict[str, Any] | None = None) -> Game:
    """Rhea (Ana) and Pip (Bo) against an Ogre that acts in BRAWL."""
    game = Game("beacon", options)
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR, FIREBALL, TAUNT, QUICK))
    add(game, "Pip", owner="Bo", abilities=(BOW, SPEAR, CANNON))
    add(game, "Ogre", **{"INITIATIVE": 5, **(ogre or {})})
    game.do("Gwen", "encounter begin")
    return game


def to_phase(game: Game, phase: str) -> None:
    """Let players pass and NPCs take empty turns up to a phase."""
    while game.state.phase != phase:
        who = game.waits_for()[0]
        owner = game.state.combatant(who).owner
        game.do(game.gm, "end" if owner is None else "pass-phase", character=who)


def finish(game: Game, who: str, surge: str = "no") -> None:
    game.do(game.gm, "end", character=who, note=surge)


def put(game: Game, bearer: str, name: str, source: str) -> None:
    game.do("Gwen", "condition add", target=bearer, name=name, source=source)


def pools(game: Game, who: str) -> dict[str, int]:
    return {name: pool.now for name, pool in game.state.combatant(who).pools.items()}


def channeling(**ogre: Any) -> Game:
    """Rhea channels a Fireball in CHANNEL without moving."""
    game = scene(ogre=ogre or None)
    to_phase(game, "channel")
    game.do("Ana", "channel", using="Fireball")
    return game


def brawl(options: str = "", **ogre: Any) -> Game:
    """It is BRAWL and the Ogre, with a spear, has begun its turn; everybody is on a board."""
    game = Game("beacon", options)
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR))
    add(game, "Pip", owner="Bo", abilities=(SPEAR, PARRY))
    add(game, "Ogre", abilities=(SPEAR,), **{"INITIATIVE": 5, **ogre})
    begin_brawl(game, "12x12", {"Rhea": "C3", "Pip": "C5", "Ogre": "E3"}, "Ana", "Bo")
    return game


def begin_brawl(game: Game, size: str, places: Mapping[str, str], *players: str) -> None:
    """Begin the Ogre's turn in BRAWL on a board; the players plan DELAY, so that nobody acts before."""
    game.do("Gwen", "board size", size=size)
    game.do("Gwen", "board place", target=", ".join(places), cells=", ".join(places.values()))
    game.do("Gwen", "encounter begin")
    for name in players:
        game.do(name, "plan", note="delay")
    game.do("Gwen", "begin", character="Ogre")


def of_the_clock(game: Game, who: str) -> None:
    """Do for somebody what a reminder does who does not answer."""
    game.decided(Command(action=SIT_OUT, target=who), dice=[])


def at_release(*abilities: dict[str, object]) -> Game:
    """It is RELEASE: Rhea channels the first of the abilities and has not moved, the Ogre is seven squares off."""
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=abilities, SPEED=4)
    add(game, "Ogre", INITIATIVE=8, REACTIONS="Opportunity Attack")
    game.do("Gwen", "board size", size="12x12")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="A1, H1")
    game.do("Gwen", "encounter begin")
    to_phase(game, "channel")
    game.do("Ana", "channel", using=str(abilities[0]["name"]))
    finish(game, "Rhea")
    assert game.state.phase == "release"
    return game


def in_window(**ogre: Any) -> Game:
    """The Ogre sets out: Rhea and Pip, with spears, could take the opportunity."""
    game = brawl(**ogre)
    game.do("Gwen", "move", character="Ogre", to="H3", dice=[])
    return game


ANSWERS = tuple(
    ability(name, activation="reaction", trigger=trigger, damage="1d4", range="6", tags="1/round")
    for name, trigger in (
        ("Warn", "targeted ally within 4"),
        ("Avenge", "damaged ally"),
        ("Jeer", "missed anyone"),
        ("Trip", "enters reach enemy"),
        ("Chase", "leaves reach enemy"),
        ("Hush", "uses skirmish enemy"),
        ("Laugh", "when somebody stumbles over their own feet"),
    )
)
