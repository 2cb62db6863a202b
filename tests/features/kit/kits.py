"""Kits on the wire: one for each way of handing out turns, with two players and two ogres; and a kit of one's own."""

from __future__ import annotations

from bot.table.room import Room
from tests.wire import GUILD, Sent, Wire

MINE = 'kit = 1\nid = "mine"\ntitle = "Our own"\n[order]\nkey = "1d20+{DEX}"\n[sheet]\nDEX = 0\n'
WAYS = {
    "list": "high-first",
    "seats": "round-table",
    "swap": "card-ladder",
    "sides": "fast-slow",
    "alternate": "zipper",
    "slots": "open-slots",
    "bag": "token-bag",
    "clock": "tick-clock",
    "named": "hand-on",
    "open": "spotlight",
    "plans": "hidden-plans",
    "steps": "three-beats",
}


async def seated(wire: Wire, kit: str) -> Room:
    lines = (
        *((("Gwen", f"/encounter start system:{kit} name:The bridge"),) if kit else ()),
        ("Ana", "/init join name:Ayla"),
        ("Bo", "/init join name:Bran"),
        ("Gwen", "/gm add name:Ogre count:2"),
        ("Gwen", "/encounter begin"),
    )
    for who, line in lines:
        await wire.type(who, line)
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def player_of(wire: Wire, room: Room, who: str) -> str:
    state = room.table.active
    owner = None if state is None or state.find(who) is None else state.combatant(who).owner
    return "Gwen" if owner is None else wire.name_of(owner)


async def save(wire: Wire, who: str, text: str = MINE, *, name: str = "mine.toml", guild: str | None = GUILD) -> str:
    """Save a kit for a server; return what is said."""
    sent = (await wire.send(who, "kit save", {}, files={"file": (name, text.encode())}, guild=guild))[-1]
    return sent.content


def given(sent: list[Sent]) -> bytes:
    """Return the file that was given at last."""
    return sent[-1].files[0].data
