"""Fights that have begun, and those they wait for."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.local.tryit import scripts
from bot.table.room import Room
from rules.core.registry import system_of
from tests.rules.table import command_for
from tests.wire import GUILD, Wire, wired


async def fight(wire: Wire, *more: str, options: str = "") -> Room:
    """Open a plain fight of Ana's two, Bo's one and the GM's Goblin; the names say the order."""
    lines = (
        ("Gwen", f"/init start name:Ambush{options}"),
        ("Ana", "/init join name:Rex result:30"),
        ("Ana", "/character add name:Mirre sheet:HP 9"),
        ("Ana", "/join character:Mirre"),
        ("Gwen", "/gm set target:Mirre pool:initiative value:29"),
        ("Bo", "/init join name:Borr result:28"),
        ("Gwen", "/init add name:Goblin result:27 hp:7"),
    )
    for who, line in (*lines, *(("Gwen", each) for each in more)):
        await wire.type(who, line)
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def waits_for(room: Room) -> tuple[str, ...]:
    state = room.table.active
    assert state is not None
    return tuple(system_of(state).waits_for(state))


FIELDS = ("target", "using", "cards", "to", "amount", "note")


def _noon() -> float:
    return 1_790_000_000.0


@asynccontextmanager
async def begun(system: str, folder: Path, options: str = "") -> AsyncIterator[tuple[Wire, Room]]:
    """Open the bot on a system's small encounter, begun; ids and dice are the same in each run."""
    script = next(each for each in scripts() if each.id == system)
    async with wired(folder / "referee.sqlite3", clock=_noon) as wire:
        wire.number(_noon)
        for line in script.lines:
            await wire.type(line.who, line.text)
        if options:
            await wire.type("Gwen", f"/encounter options set:{options}")
        yield wire, await wire.tables.room_of("901", GUILD)


async def second_turn(wire: Wire, room: Room, name: str) -> None:
    """Let soulweaver's small encounter go on until somebody's turn in its second round."""
    owners = {"Sella": "Ana", "Orrin": "Bo"}
    for _ in range(20):
        assert room.encounter is not None
        who = waits_for(room)[0]
        if who == name and room.encounter.round > 1:
            return
        action = "enter-conflict" if room.encounter.question_to(who) is not None else "end"
        await wire.type(owners.get(who, "Gwen"), f"/act action:{action} character:{who}")
        await wire.settle()
    raise AssertionError(f"{name} has no second turn")


async def play_on(wire: Wire, room: Room, rng: random.Random) -> bool:
    """Let the one who is waited for do something legal; False if nobody can."""
    state = room.encounter
    if state is None or state.status != "running" or state.over is not None:
        return False
    system = system_of(state)
    waiting = list(system.waits_for(state))
    rng.shuffle(waiting)
    for who in waiting:
        offers = [each for each in system.offers(state, who) if each.action not in ("delay", "wait")]
        rng.shuffle(offers)
        for offer in offers[:4]:
            command = command_for(offer, rng, state)
            owner = state.find(who)
            user = (owner.owner if owner is not None else None) or _user(state.people, who)
            name = wire.name_of(user) if user is not None else "Gwen"
            given = {key: value for key in FIELDS if (value := getattr(command, key)) is not None}
            before = room.next_seq
            await wire.send(name, "act", {"action": offer.action, "character": who, **given})
            if room.next_seq != before:
                await wire.settle()
                return True
    return False


def _user(people: Any, who: str) -> str | None:
    return next((user for user, name in people.items() if name == who), None)
