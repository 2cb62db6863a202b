"""`python -m tests.store.make_version FILE.sql.gz`: a database of this version with games under way, as SQL.

The real client at a local table, people who type: each system's *Try it* script, then random legal play until
somebody is asked. Later versions of the program must open it (`test_versions.py`).
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bot.discord.client import RefereeClient
from bot.local.tryit import Script, scripts
from bot.local.world import Channel
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import quiet, referee_at
from tests.rules.table import command_for
from tests.trust.stage.play import FIELDS, more_channels

SOME_STEPS = 15  # then somebody is to be asked
MOST_STEPS = {"classic": 30, "kit": 30, "stones": 30}  # of those that need not ask anybody
UNTIL_ASKED = 100
PEOPLE = (
    ("Ana", "/macro save name:Sword dice:1d20+5"),
    ("Ana", "/remind me timezone:Europe/Berlin quiet:22:00-08:00 dm:True"),
    ("Bo", "/remind away until:20d stand_in:@Cai"),
)
ENDED = (
    ("Gwen", "/init start name:An ended fight"),
    ("Ana", "/init join character:Rook result:20"),
    ("Gwen", "/init add name:Rat result:10 count:2"),
    ("Gwen", "/gm set target:Rat 1, Rat 2 pool:HP value:6/6"),
    ("Gwen", "/encounter begin"),
    ("Gwen", "/gm damage target:Rook amount:3"),
    ("Gwen", "/encounter end"),
    ("Ana", "/roll dice:4d6kh3 reason:Strength"),
    ("Gwen", "/deck new kind:standard54"),
    ("Ana", "/hand draw count:3"),
    ("Gwen", "/deck clear"),
    ("Gwen", "/fair reveal"),
    ("Bo", "/roll dice:1d20 show:me"),
)
PAUSED = (
    ("Gwen", "/init start name:A paused fight"),
    ("Ana", "/init join result:12"),
    ("Bo", "/init join result:8"),
    ("Gwen", "/encounter begin"),
    ("Gwen", "/condition add target:Ana name:Poisoned save:2d6>=7"),
    ("Gwen", "/encounter pause"),
    ("Gwen", "/init start name:The next fight"),
    ("Ana", "/init join result:12"),
    ("Gwen", "/deck new kind:standard52"),
    ("Ana", "/hand draw count:5"),
    ("Bo", "/hand draw count:2"),
    ("Gwen", "/encounter begin"),
    ("Gwen", "/init next"),
    ("Gwen", "/encounter undo"),
)
LURKER = {
    "adventurers": "AGILITY 3, STAMINA 9, HIT 5",
    "beacon": "HP 10, DODGE 10, ADEF 10, SPEED 4, SAVE 10, INITIATIVE 3",
    "classic": "HP 9",
    "kit": "HP 9",
    "soulweaver": "ZEAL 1, MINOR 1",
    "stones": "HP 9, ATK 3, ARM 1, MOV 4, RNG 1, CRT 20, TYPE Spirit side:South",
    "tactics": "INT 0, AGI 0, ATK 3, DEF 8, TIER 1, HP 9, SPD 4",
}
ASKING = ("attack", "ability", "fight", "major", "volley")
ORDERS = ("next", "begin", "pass", "end")  # those that the system takes ahead are kept
AFTERWARDS = (
    "/gm note target:{} text:a secret note",
    "/gm set target:{} pool:mark:Tired value:on",
    "/roll dice:2d6 show:gm reason:listen",
    "/remind turns after:8h every:12h times:3 then:skip digest:18:00",
)


async def make(database: Path) -> None:
    """Play in a new database at that place. Raises: AssertionError if it lacks what it is to hold."""
    async with local_table() as world, referee_at(world, database, seed=None) as client:
        every = scripts()
        *places, ended, paused = more_channels(world, len(every) + 2)
        for who, text in PEOPLE:
            await world.person(who).slash(text)
        await world.person("Ana").slash("/character add name:Rook sheet:HP 12/12, STR 3 system:classic")
        for script, place in zip(every, places, strict=True):
            await _play(world, client, script, place)
        for place, lines in ((ended, ENDED), (paused, PAUSED)):
            for who, text in lines:
                await world.person(who).slash(text, channel=place.id)
        await quiet(world, client)
        assert world.faults() == []
    _require_whole(database)


def _require_whole(database: Path) -> None:
    """Look for what the file is made for. Raises: AssertionError; play is random, so that another try may do."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT system, status, document FROM encounter").fetchall()
        revealed = connection.execute("SELECT 1 FROM seed WHERE revealed").fetchone()
    systems = {script.id for script in scripts()}
    states = [(system, json.loads(document)) for system, status, document in found if status == "running"]
    assert {"running", "paused", "ended"} == {status for _, status, _ in found}
    assert systems == {system for system, state in states if state.get("orders")}
    assert systems == {system for system, state in states if state.get("hidden")}
    asked = {system for system, state in states if state.get("questions")}
    assert systems - MOST_STEPS.keys() <= asked, f"nobody is asked anything: {asked}"
    assert revealed


async def _play(world: Table, client: RefereeClient, script: Script, place: Channel) -> None:
    """Play a system's script, then legal actions until somebody is asked; then what a GM does beside."""
    rng = random.Random()
    for line in script.lines:
        await world.person(line.who).slash(line.text, channel=place.id)
    room = await client.tables.room_of(place.id, None)
    for _ in range(MOST_STEPS.get(script.id, UNTIL_ASKED)):
        state = room.encounter
        assert isinstance(state, Encounter)
        if state.status == "gathering":
            await world.person("Gwen").slash("/encounter begin", channel=place.id)
            continue
        if state.over is not None or (state.questions and room.next_seq > SOME_STEPS):
            break
        system = system_of(state)
        able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
        waited = [each for each in able if each[0] in system.waits_for(state)]
        who, offers = rng.choice(waited or able)
        if room.next_seq > SOME_STEPS:  # others are asked about attacks
            offers = tuple(each for each in offers if each.action in ASKING) or offers
        await world.person(_typist(world, state, who)).slash(
            _typed(command_for(rng.choice(offers), rng, state).model_dump()), channel=place.id
        )
    state = room.encounter
    assert isinstance(state, Encounter)
    assert state.status == "running"
    mine = next(each for each in state.combatants if each.owner == world.person("Ana").id)
    hidden = f"/gm add name:Lurker sheet:{LURKER[script.id]} hidden:True"
    for text in (hidden, *AFTERWARDS):
        await world.person("Gwen").slash(text.format(mine.name), channel=place.id)
    for each in state.combatants:
        for action in ORDERS if each.owner is not None else ():
            text = f"/act action:{action} character:{each.name} when:my-turn"
            await world.person(_typist(world, state, each.name)).slash(text, channel=place.id)


def _typist(world: Table, state: Encounter, who: str) -> str:
    combatant = state.find(who)
    owner = None if combatant is None else combatant.owner
    return "Gwen" if owner is None else world.discord.world.people[owner].display


def _typed(command: dict[str, object]) -> str:
    words = " ".join(f"{name}:{command[name]}" for name in FIELDS if command[name] is not None)
    return f"/act action:{command['action']} {words}"


def dump(database: Path) -> str:
    """Return a database as SQL that makes the same again."""
    with closing(sqlite3.connect(database)) as connection:
        pragmas = [
            f"PRAGMA {name} = {connection.execute(f'PRAGMA {name}').fetchone()[0]};"
            for name in ("application_id", "user_version")
        ]
        return "\n".join((*connection.iterdump(), *pragmas, ""))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "referee.sqlite3"
        asyncio.run(make(database))
        Path(sys.argv[1]).write_bytes(gzip.compress(dump(database).encode(), mtime=0))


if __name__ == "__main__":
    main()
