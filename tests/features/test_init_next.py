"""`/init next` is *End turn* under another name: the same events and state, in every system and way of kits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.table.meant_offers import ended_turn
from bot.table.room import Room
from rules.core.command import Command
from rules.core.commands import decide
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from tests.features.kit.kits import WAYS, player_of, seated
from tests.features.tables.fights import begun, play_on, waits_for
from tests.features.tables.panel import labelled, opened
from tests.wire import Wire, wired


def outcome(room: Room, command: Command, seat: Seat) -> object:
    """Return the table and the words after a command, or why it is refused."""
    try:
        decision = decide(room.table, command, seat, Dice(SeededFaces(b"n" * 32, "1")), interaction="1")
    except Refusal as refusal:
        return str(refusal)
    return decision.table, decision.lines, decision.dice.records


def another(room: Room, way: str, who: str) -> str | None:
    """Return the names offered if ending a turn names the next one."""
    state = room.table.active
    assert state is not None
    return next(name for name in reversed(state.names) if name != who) if way == "named" else None


def compared(room: Room, way: str = "") -> int:
    """Compare both for the player of each who is waited for; return how many turns that ended."""
    state = room.table.active
    assert state is not None
    ended = 0
    for who in waits_for(room):
        one = state.find(who)
        user = one.owner if one is not None and one.owner is not None else state.gms[0]
        seat = Seat(user=user, name="Somebody", gm=user in state.gms)
        target = another(room, way, who)
        meant = ended_turn(room, seat, target)
        assert meant.action in ("end", "next")
        by_hand = outcome(room, Command(action=meant.action, target=target), seat)
        assert outcome(room, meant, seat) == by_hand
        ended += not isinstance(by_hand, str)
        named = Command(action=meant.action, character=who, target=target)
        if not isinstance(by_hand, str) and len(waits_for(room)) == 1:
            assert outcome(room, named, seat) == by_hand
    return ended


def compared_as_gm(room: Room, way: str = "") -> bool:
    """Compare what the GM's `/init next` does for the one who is waited for with *End turn* of that one."""
    state, waiting = room.table.active, waits_for(room)
    assert state is not None
    if len(waiting) != 1:
        return False
    seat = Seat(user=state.gms[0], name="Gwen", gm=True)
    target = another(room, way, waiting[0])
    meant = ended_turn(room, seat, target)
    ended = outcome(room, meant, seat)
    by_name = outcome(room, Command(action=meant.action, character=waiting[0], target=target), seat)
    assert ended == by_name or (isinstance(ended, str) and isinstance(by_name, str))
    return not isinstance(ended, str)


async def next_or_act(wire: Wire, room: Room, way: str) -> None:
    """Go on by ending somebody's turn, else by /gm next-phase."""
    who = waits_for(room)[0]
    before = room.next_seq
    target = another(room, way, who)
    named = f" target:{target}" if target else ""
    await wire.type(player_of(wire, room, who), f"/act action:end character:{who}{named}")
    if room.next_seq == before:
        await wire.type("Gwen", "/gm next-phase")
    await wire.settle()


@pytest.mark.parametrize("way", [each for each in WAYS if each != "open"])
async def test_init_next_does_in_each_way_of_kits_what_end_turn_does(way: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, WAYS[way])
        ended, by_gm = 0, False
        for turn in range(30):
            if turn >= 6 and ended:
                break  # a bag may draw the GM's tokens six times, and one of two creatures is to be named then
            ended += compared(room, way)
            by_gm = compared_as_gm(room, way) or by_gm
            await next_or_act(wire, room, way)
        assert ended
        assert by_gm or way in ("sides", "alternate", "slots", "plans", "steps")


@pytest.mark.parametrize("system", ["beacon", "classic", "soulweaver", "stones"])
async def test_init_next_does_in_each_system_with_an_end_turn_what_that_does(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        ended, rng = 0, random.Random(3)
        for _ in range(12):
            ended += compared(room)
            compared_as_gm(room)
            if not await play_on(wire, room, rng):
                break
        assert ended


@pytest.mark.parametrize("system", ["adventurers", "tactics"])
async def test_init_next_says_what_goes_on_if_there_is_no_end_turn(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        before = room.next_seq
        await wire.type("Gwen", "/init next")
        assert wire.refused is not None
        assert "/act action:pass" in wire.refused
        assert "/gm next-phase" in wire.refused
        assert room.next_seq == before
        assert room.table.active is not None
        assert "pass" in system_of(room.table.active).actions.by_id


async def test_next_of_the_gms_panel_ends_one_turn_and_not_the_round(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "high-first")
        first = waits_for(room)
        await wire.press("Gwen", labelled(await opened(wire), "Next"))
        await wire.settle()
        assert room.table.active is not None
        assert waits_for(room) != first
        assert room.table.active.round == 1


async def test_next_of_the_gms_panel_ends_the_round_if_nobody_has_a_turn_to_end(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "spotlight")
        await wire.press("Gwen", labelled(await opened(wire), "Next"))
        await wire.settle()
        assert room.table.active is not None
        assert room.table.active.round == 2
