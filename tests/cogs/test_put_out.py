"""Whatever somebody presses in a direct message, they are looked up first; who is gone reads nothing of the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import custom_ids
from bot.requests.members import Presence
from tests.wire import DIRECT, PEOPLE, Sent, Wire, wired

OWN = {custom_ids.PRIVACY, custom_ids.AGAIN}
"""Kinds that are of no table: one's own data, one's own rolls in direct messages."""
STATE = ("Ambush", "Goblin", "Round", "round", "initiative")


def kinds() -> list[str]:
    """Return every kind of a custom id, as a press would have it."""
    found = {value for name, value in vars(custom_ids).items() if name.isupper() and isinstance(value, str)}
    return sorted(kind for kind in found - OWN if len(kind) == 1)


def pressed(kind: str, encounter: str, version: int) -> str:
    parts = custom_ids._PARTS.get(kind, 2)
    return custom_ids.Pressed(kind, encounter, version, ("1",) * parts).written()


async def fight(wire: Wire) -> tuple[str, int]:
    for who, line in (
        ("Gwen", "/init start name:Ambush"),
        ("Ana", "/init join result:20"),
        ("Gwen", "/init add name:Goblin result:10"),
        ("Gwen", "/encounter begin"),
    ):
        await wire.type(who, line)
    await wire.settle()
    (room,) = wire.tables.rooms()
    assert room.encounter is not None
    return room.encounter.id, room.prompt.wanted


async def press(wire: Wire, who: str, kind: str, encounter: str, version: int) -> list[Sent]:
    return await wire.press(who, pressed(kind, encounter, version), channel=f"{DIRECT}{PEOPLE[who]}", guild=None)


@pytest.mark.parametrize("presence", [Presence.GONE, Presence.UNKNOWN])
@pytest.mark.parametrize("who", ["Ana", "Gwen"])
async def test_no_press_in_a_direct_message_tells_who_is_gone_anything(
    tmp_path: Path, who: str, presence: Presence
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        encounter, version = await fight(wire)
        wire.presences[PEOPLE[who]] = presence
        (room,) = wire.tables.rooms()
        before, log = room.table, room.next_seq
        for kind in kinds():
            for age in (version, 1):
                answers = await press(wire, who, kind, encounter, age)
                assert answers, kind
                for answer in answers:
                    assert answer.reader == PEOPLE[who], kind
                    assert not any(word in str(answer.data) for word in STATE), (kind, answer.data)
        assert (room.table, room.next_seq) == (before, log)


@pytest.mark.parametrize("presence", [Presence.WRITES, Presence.READS])
async def test_people_there_read_the_same_presses_and_readers_take_no_step(tmp_path: Path, presence: Presence) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        encounter, version = await fight(wire)
        wire.presences[PEOPLE["Ana"]] = presence
        (room,) = wire.tables.rooms()
        panel = custom_ids.Pressed(custom_ids.PANEL, encounter, version).written()
        direct = f"{DIRECT}{PEOPLE['Ana']}"
        (shown,) = await wire.press("Ana", panel, channel=direct, guild=None)
        assert "Goblin" in str(shown.data)
        log = room.next_seq
        ends = custom_ids.Pressed(custom_ids.ACT, encounter, version, ("next", "Ana")).written()
        await wire.press("Ana", ends, channel=direct, guild=None)
        assert (room.next_seq > log) is (presence is Presence.WRITES)
